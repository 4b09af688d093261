//! Dou Dizhu (斗地主): the least number of plays that empty a hand, and the plays, exactly, under six rule sets.
//!
//! The cards: [`Rank`], [`Card`], [`Counts`] (a multiset of ranks in one word) and [`Hand`] (what a caller wrote). The
//! rules: [`Rules`] is a struct of switches, [`Preset`] names values of it. The plays: [`Play`] and its [`Kind`];
//! [`readings`] recognises, [`legal_plays`] generates, both by one rule for kickers. The answers: [`Solver`] finds a
//! [`Plan`], [`hints`] ranks what may be played now, [`percentile`] compares, [`Explanation`] says it in a sentence. An
//! [`Endgame`] with open hands has a [`Solution`]: who wins, and by which moves.
//!
//! ```
//! use kibitz_doudizhu::{Hand, Preset, Solver};
//! let solver = Solver::new(Preset::Standard.rules());
//! let hand = Hand::from_text("33344455566779TQKAABR").unwrap();
//! let plan = solver.solve(hand.counts());
//! for (play, tokens) in plan.plays().iter().zip(hand.deal(plan.plays())) {
//!     println!("{}: {tokens:?}", play.kind().in_english());
//! }
//! # assert_eq!(plan.plays().iter().map(|play| play.cards().total()).sum::<u8>(), 21);
//! ```

mod card;
mod counts;
mod endgame;
mod explain;
mod explain_hints;
mod generate;
mod hand;
mod hand_fault;
mod hints;
mod kickers;
mod min_plays;
mod percentile;
mod play;
mod recognize;
mod rules;
mod search;
mod shape_table;
mod simple;
mod wings;

pub use card::{Card, Rank, Suit};
pub use counts::Counts;
pub use endgame::{Endgame, EndgameFault, Move, Solution, Turn};
pub use explain::{Contrast, Explanation, Trap, is_plain};
pub use generate::legal_plays;
pub use hand::{Hand, Token};
pub use hand_fault::{HandFault, Unreadable};
pub use hints::{Hint, HintFault, Hints, MOST_CARDS_FOR_HINTS, hints};
pub use min_plays::{Plan, Solver};
pub use percentile::{Percentile, percentile};
pub use play::{Kind, Play};
pub use recognize::{ReadingFault, reading, reading_with, readings};
pub use rules::{Preset, Rules, Switch};
pub use simple::{HandShape, ShapeFault};
