#![doc = include_str!("../README.md")]

mod analysis;
mod engine;
mod rules;
mod win;

pub use analysis::advice::{Advice, Grade, Ranked};
pub use analysis::ends::Ends;
pub use analysis::explain;
pub use analysis::history::{History, HistoryFault, HistoryPlace, PlayedOut, ToldTurn};
pub use analysis::play::{PlayedTurn, Throw};
pub use analysis::review::{Decision, Review, ReviewedTurn};
pub use analysis::risk::Risks;
pub use engine::distribution::{Distribution, DistributionWork};
pub use engine::game::GameTable;
pub use engine::moments::Moments;
pub use engine::turn::TurnTable;
pub use rules::action::{Action, ImpossibleAction};
pub use rules::card_state::CardState;
pub use rules::category::{ByCategory, CATEGORY_COUNT, Category, CategorySet};
pub use rules::dice::{DIE_COUNT, Dice, DiceFault, Keep, Roll};
pub use rules::objective::{Objective, TIE};
pub use rules::position::{Position, PositionFault};
pub use rules::possible_points::PossiblePoints;
pub use rules::rule_set::{
    BoxPoints, Joker, JokerKind, OfAKindScores, Preset, Rules, UpperBonus, YahtzeeBonus,
};
pub use rules::rule_values::{Points, RollsPerTurn, RulesFault, Threshold};
pub use rules::score::{BoxScore, Illegal, score, score_all};
pub use rules::scorecard::{GameOver, Scorecard, ScorecardFault};
pub use rules::sheet::{Scoring, Sheet};
pub use win::advice::{Bounds, Decided, WIN_TIE, WinAdvice, WinRanked};
pub use win::opponents::{Goal, Opponent, Opponents};
