//! Yahtzee: the rules as data, the exact value of every position, and advice from it.

mod action;
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
mod position;
mod possible_points;
mod rule_values;
mod rules;
mod score;
mod scorecard;
mod states;
mod turn;

pub use action::{Action, ImpossibleAction};
pub use advice::{Advice, Grade, Objective, Ranked, TIE};
pub use category::{ByCategory, CATEGORY_COUNT, Category, CategorySet, UnknownCategory};
pub use dice::{DIE_COUNT, Dice, DiceFault, Keep, Roll};
pub use ends::Ends;
pub use game::GameTable;
pub use moments::Moments;
pub use play::{PlayedTurn, Throw};
pub use position::{Position, PositionFault};
pub use possible_points::PossiblePoints;
pub use rule_values::{Points, RollsPerTurn, RulesFault, Threshold};
pub use rules::{BoxPoints, Joker, JokerKind, OfAKindScores, Preset, Rules, UpperBonus, YahtzeeBonus};
pub use score::{BoxScore, Illegal, score, score_all};
pub use scorecard::{CardState, GameOver, Scorecard, ScorecardFault};
pub use turn::TurnTable;
