//! What a player plays for: the mean of some points, a score to reach, or opponents to beat.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::position::{self, opponent_card};
use super::rule_set::RuleSet;
use crate::adviser::Adviser;
use crate::budget::Budget;
use crate::questions::extract::{Field, Object};
use crate::questions::{Json, Kind, Problem};
use crate::yahtzee::{
    CardState, Distribution, DistributionWork, GameTable, Objective, Opponent, Opponents, Scorecard,
};

/// The most open boxes with which the best action for a goal is found within some tens of milliseconds.
pub(super) const MOST_OPEN: usize = 6;
/// Boxes that may be open on the card of an opponent: their final score is then computed in some tens of milliseconds.
const MOST_OPEN_OF_OPPONENT: usize = 8;
/// Opponents in one question.
const MOST_OPPONENTS: usize = 16;
/// The highest target and final score. No score under any preset is near it.
const HIGHEST_SCORE: i64 = 100_000;
/// Bytes that the distribution of one opponent takes while it is computed, with [`MOST_OPEN_OF_OPPONENT`] open boxes.
const DISTRIBUTION_BYTES: usize = 5 << 20;

/// What to maximise.
#[derive(Clone, PartialEq)]
pub(super) enum Wanted {
    /// The mean of some points.
    Points(Objective),
    /// The probability of success.
    Success(Goal),
}

/// When a game is a success.
#[derive(Clone, PartialEq)]
pub(super) enum Goal {
    /// The final score is at least this.
    Reach(u32),
    /// The final score is higher than that of every opponent.
    Beat {
        /// In the order of the question.
        opponents: Vec<OpponentGiven>,
        /// What a tie for first is worth. If it is absent, all who tie share the win.
        tie: Option<f64>,
    },
}

/// One entry of the list of opponents.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OpponentGiven {
    /// The final score.
    Final(u32),
    /// A card at the start of a turn.
    Card(Scorecard),
    /// A number of opponents whose cards are empty.
    Games(usize),
}

impl Default for Wanted {
    fn default() -> Self {
        Self::Points(Objective::Game)
    }
}

impl Wanted {
    /// Reads the field `objective`; opponents' cards are judged under `rules`, if these could be read.
    pub(super) fn take(
        object: &mut Object<'_, '_, '_>,
        rules: Option<&RuleSet>,
        adviser: &Adviser,
    ) -> Option<Self> {
        object.optional_or("objective", Self::default(), |field| match field.value {
            Json::Object(_) => Goal::read(field, rules, adviser).map(Self::Success),
            Json::String(_) => position::objective_of(field).map(Self::Points),
            _ => {
                field.note_wrong_type(("a string or an object", "字符串或对象"));
                None
            }
        })
    }

    /// The objective under which actions are ranked by points.
    pub(super) const fn points(&self) -> Objective {
        match self {
            Self::Points(objective) => *objective,
            Self::Success(_) => Objective::Game,
        }
    }
}

impl Goal {
    fn read(field: &mut Field<'_, '_, '_>, rules: Option<&RuleSet>, adviser: &Adviser) -> Option<Self> {
        let mut object = field.object()?;
        let (english, chinese) = (
            "Give a score to `reach` or the opponents to `beat`, one of the two.",
            "请给出要达到的分数 `reach` 或要击败的对手 `beat`，二者取其一。",
        );
        let is_given = object.has_any(&["reach", "beat"], english, chinese);
        let is_twofold = object.present("reach").is_some() && object.present("beat").is_some();
        if is_twofold {
            object.note("beat", "both_given", english, chinese);
        }
        let reach = object.optional("reach", score);
        let beat = object.optional("beat", |field| opponents(field, rules, adviser));
        let tie = object.optional("tie", |field| number_from_0_to_1(field).map(Some));
        let tie = if object.present("tie").is_some() { tie } else { Some(None) };
        if tie != Some(None) && is_given && object.present("beat").is_none() {
            let (english, chinese) = (
                "`tie` is what a tie with an opponent is worth; leave it out with `reach`.",
                "`tie` 是与对手平局的价值；使用 `reach` 时请勿给出。",
            );
            object.note("tie", "tie_without_beat", english, chinese);
            object.close();
            return None;
        }
        object.close();
        match (is_twofold, reach, beat) {
            (true, ..) | (_, None, None) => None,
            (_, Some(target), _) => Some(Self::Reach(target)),
            (_, None, Some(opponents)) => Some(Self::Beat { opponents, tie: tie? }),
        }
    }

    /// Whether the final score of an empty card is needed.
    pub(super) fn has_unbegun_opponents(&self) -> bool {
        matches!(self, Self::Beat { opponents, .. } if opponents.iter().any(|one| matches!(one, OpponentGiven::Games(_))))
    }

    /// The goal with the distributions of the opponents' final scores; `unbegun` is that of an empty card.
    pub(super) fn resolve(
        &self,
        table: &Arc<GameTable>,
        unbegun: Option<&Arc<Distribution>>,
        memory: &Budget,
    ) -> Result<crate::yahtzee::Goal, Problem> {
        let (given, tie) = match self {
            Self::Reach(target) => return Ok(crate::yahtzee::Goal::Reach(*target)),
            Self::Beat { opponents, tie } => (opponents, *tie),
        };
        let mut all = Vec::with_capacity(MOST_OPPONENTS);
        let mut known: Vec<(Scorecard, Opponent)> = Vec::new();
        for one in given {
            match one {
                OpponentGiven::Final(score) => all.push(Opponent::Finished(*score)),
                OpponentGiven::Games(count) => {
                    let unbegun = unbegun.ok_or(Problem::new(Kind::Internal))?;
                    all.resize(all.len() + count, Opponent::Playing(Arc::clone(unbegun)));
                }
                OpponentGiven::Card(card) => {
                    if let Some((_, opponent)) = known.iter().find(|(known, _)| known == card) {
                        all.push(opponent.clone());
                        continue;
                    }
                    let opponent = if card.open().is_empty() {
                        Opponent::Finished(card.points_so_far())
                    } else {
                        let charge = memory.charge(DISTRIBUTION_BYTES);
                        let _charge = charge.ok_or(Problem::new(Kind::Overloaded))?;
                        let work = DistributionWork::new(Arc::clone(table), card);
                        Opponent::Playing(Arc::new(work.run_blocking()))
                    };
                    known.push((*card, opponent.clone()));
                    all.push(opponent);
                }
            }
        }
        Ok(crate::yahtzee::Goal::Beat(Opponents::new(&all, tie)))
    }
}

fn score(field: &mut Field<'_, '_, '_>) -> Option<u32> {
    field.integer(0..=HIGHEST_SCORE).map(|score| score as u32)
}

fn opponents(
    field: &mut Field<'_, '_, '_>,
    rules: Option<&RuleSet>,
    adviser: &Adviser,
) -> Option<Vec<OpponentGiven>> {
    let read = field.array(1..=MOST_OPPONENTS, |field| opponent(field, rules, adviser))?;
    let number = |one: &OpponentGiven| match one {
        OpponentGiven::Games(count) => *count,
        _ => 1,
    };
    let count: usize = read.iter().map(number).sum();
    if count > MOST_OPPONENTS {
        field.note(
            "too_many_opponents",
            format!("There must be at most {MOST_OPPONENTS} opponents in all, got {count}."),
            format!("对手总数最多为 {MOST_OPPONENTS}，而不是 {count}。"),
        );
        return None;
    }
    Some(read)
}

fn opponent(
    field: &mut Field<'_, '_, '_>,
    rules: Option<&RuleSet>,
    adviser: &Adviser,
) -> Option<OpponentGiven> {
    let mut object = field.object()?;
    let (english, chinese) = (
        "Give an opponent as one of `final` (a final score), `scorecard` or `filled` (a card), and `games` (a number of \
         opponents who have not begun).",
        "每个对手请用以下之一给出：`final`（最终得分）、`scorecard` 或 `filled`（记分卡）、`games`（尚未开始的对手人数）。",
    );
    let ways = ["final", "games", "scorecard", "filled"];
    object.has_any(&ways, english, chinese);
    let kinds = ["final", "games"].iter().filter(|way| object.present(way).is_some()).count()
        + usize::from(object.present("scorecard").is_some() || object.present("filled").is_some());
    if kinds > 1 {
        object.faults.add(object.at, "both_given", english, chinese);
    }
    let finished = object.optional("final", score);
    let games = object.optional("games", |field| field.integer(1..=MOST_OPPONENTS as i64));
    let card = opponent_card(&mut object, rules.map(RuleSet::rules));
    if card.is_some_and(|card| is_too_open(&card)) {
        let open = card.map_or(0, |card| card.open().len());
        let (english, chinese) = (
            format!(
                "The card of an opponent must have at most {MOST_OPEN_OF_OPPONENT} open boxes or be empty, got {open} open \
                 boxes."
            ),
            format!("对手的记分卡最多有 {MOST_OPEN_OF_OPPONENT} 个空格，或者全空；当前有 {open} 个空格。"),
        );
        object.faults.add(object.at, "too_many_open_boxes", english, chinese);
        object.close();
        return None;
    }
    let is_unbegun = games.is_some() || card.is_some_and(|card| is_empty(&card));
    if is_unbegun && !adviser.whole_games {
        let (english, chinese) = (
            "The final score of an opponent who has not begun is computed only by a service that runs jobs \
             (KIBITZ_JOB_THREADS); give a `final` score, or a card with some boxes filled.",
            "只有运行任务的服务（KIBITZ_JOB_THREADS）才会计算尚未开始的对手的得分；请给出 `final` 或已填若干格的记分卡。",
        );
        object.faults.add(object.at, "needs_jobs", english, chinese);
        object.close();
        return None;
    }
    object.close();
    match (kinds, finished, games, card) {
        (1, Some(score), ..) => Some(OpponentGiven::Final(score)),
        (1, _, Some(count), _) => Some(OpponentGiven::Games(count as usize)),
        (1, _, _, Some(card)) if is_empty(&card) => Some(OpponentGiven::Games(1)),
        (1, _, _, Some(card)) => Some(OpponentGiven::Card(card)),
        _ => None,
    }
}

fn is_empty(card: &Scorecard) -> bool {
    card.state() == CardState::default() && card.points_so_far() == 0
}

fn is_too_open(card: &Scorecard) -> bool {
    card.open().len() > MOST_OPEN_OF_OPPONENT && !is_empty(card)
}

fn number_from_0_to_1(field: &mut Field<'_, '_, '_>) -> Option<f64> {
    let (number, shown) = match field.value {
        Json::Integer(number) => (Some(*number as f64), number.to_string()),
        Json::Number(text) => (text.parse().ok(), crate::questions::extract::shortened(text)),
        _ => {
            field.note_wrong_type(("a number", "数字"));
            return None;
        }
    };
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    if number.is_none() {
        field.note(
            "out_of_range",
            format!("This must be from 0 to 1, not {shown}."),
            format!("此处应在 0 到 1 之间，而不是 {shown}。"),
        );
    }
    number
}

impl Serialize for Wanted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Points(objective) => objective.serialize(serializer),
            Self::Success(Goal::Reach(target)) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("reach", target)?;
                map.end()
            }
            Self::Success(Goal::Beat { opponents, tie }) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("beat", opponents)?;
                if let Some(tie) = tie {
                    map.serialize_entry("tie", tie)?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for OpponentGiven {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Final(score) => map.serialize_entry("final", score)?,
            Self::Games(count) => map.serialize_entry("games", count)?,
            Self::Card(card) => {
                map.serialize_entry("scorecard", &Boxes(card))?;
                if card.yahtzee_bonuses() > 0 {
                    map.serialize_entry("yahtzee_bonuses", &card.yahtzee_bonuses())?;
                }
            }
        }
        map.end()
    }
}

/// The filled boxes of a card with their points.
struct Boxes<'a>(&'a Scorecard);

impl Serialize for Boxes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let filled = self.0.state().filled();
        serializer.collect_map(filled.iter().map(|category| (category.name(), self.0.points(category))))
    }
}

/// About how many milliseconds of one core the best action for a goal takes with `open` boxes open.
pub(super) const fn milliseconds(open: usize) -> u32 {
    (1 << open) / 2
}
