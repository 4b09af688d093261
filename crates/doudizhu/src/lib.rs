#![doc = include_str!("../README.md")]

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
mod kitty;
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
pub use kitty::{HAND_CARDS, KITTIES, Kitties, Kitty, KittyFault};
pub use min_plays::{Plan, Solver};
pub use percentile::{Percentile, percentile};
pub use play::{Kind, Play};
pub use recognize::{ReadingFault, reading, reading_with, readings};
pub use rules::{Preset, Rules, Switch};
pub use simple::{HandShape, ShapeFault};
