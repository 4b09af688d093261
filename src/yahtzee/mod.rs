//! Yahtzee: the rules as data, the exact value of every position, and advice from it.

mod advice;
mod category;
mod dice;
mod ends;
mod entries;
mod explain;
mod game;
mod graph;
mod lanes;
mod moments;
mod outcomes;
mod play;
mod rules;
mod score;
mod scorecard;
mod states;
mod turn;

pub use advice::{Action, Advice, Grade, ImpossibleAction, Objective, Position, PositionFault, Ranked, TIE};
pub use category::{ByCategory, CATEGORY_COUNT, Category, CategorySet, UnknownCategory};
pub use dice::{DIE_COUNT, Dice, DiceFault, Keep, Roll};
pub use ends::Ends;
pub use game::GameTable;
pub use moments::Moments;
pub use play::{PlayedTurn, Throw};
pub use rules::{
    BoxPoints, Joker, JokerKind, OfAKindScores, Points, PossiblePoints, Preset, RollsPerTurn, Rules,
    RulesFault, Threshold, UpperBonus, YahtzeeBonus,
};
pub use score::{BoxScore, Illegal, score, score_all};
pub use scorecard::{CardState, GameOver, Scorecard, ScorecardFault};
pub use turn::TurnTable;
