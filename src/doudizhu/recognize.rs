//! Which plays some cards are.

use super::counts::Counts;
use super::kickers::KickerRule;
use super::play::{Kind, Play};
use super::rules::Rules;
use thiserror::Error;

/// Every play that these cards, all of them, can be read as, in the order of [`Kind::ALL`], then the lower first.
///
/// Most cards are one play or none. AAAA2222 is a four with two pairs in two ways where the rules allow that, and
/// 333444555666 a plane of four or of three with wings.
///
/// ```
/// use kibitz::doudizhu::{Hand, Kind, Preset, readings};
/// let cards = Hand::from_text("33344479").unwrap().counts();
/// let plays = readings(cards, &Preset::Standard.rules());
/// assert_eq!(plays.len(), 1);
/// assert_eq!((plays[0].kind(), plays[0].length()), (Kind::PlaneSingles, 2));
/// assert!(readings(cards, &Preset::Noip.rules()).is_empty());
/// ```
pub fn readings(cards: Counts, rules: &Rules) -> Vec<Play> {
    let mut plays = Vec::new();
    for kind in Kind::ALL {
        for (start, length) in kind.bodies() {
            let Some(kickers) = cards.without(kind.body(start, length)) else { continue };
            if KickerRule::new(rules, kind, start, length).is_some_and(|rule| rule.allows(kickers)) {
                plays.push(Play::new(kind, start, length, kickers));
            }
        }
    }
    plays
}

/// The one play that these cards are meant to be. `kind` decides where they can be read as several; among readings of
/// one kind the highest is meant, as it beats the most.
///
/// # Errors
/// Where the cards are no play, none of that kind, or several and no kind is given.
pub fn reading(cards: Counts, kind: Option<Kind>, rules: &Rules) -> Result<Play, ReadingFault> {
    let readings = readings(cards, rules);
    match (kind, &readings[..]) {
        (_, []) => Err(ReadingFault::NoPlay { cards }),
        (None, [play]) => Ok(*play),
        (None, _) => Err(ReadingFault::Ambiguous { cards, readings }),
        (Some(kind), plays) => plays
            .iter()
            .filter(|play| play.kind() == kind)
            .max_by_key(|play| play.rank())
            .copied()
            .ok_or(ReadingFault::OtherKind { cards, kind, readings }),
    }
}

/// Why cards could not be read as one play.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadingFault {
    /// They are no play at all.
    #[error("{cards} is no legal play under these rules")]
    NoPlay {
        /// The cards.
        cards: Counts,
    },
    /// They are several plays, and it was not said which is meant.
    #[error("{cards} can be read as {}; say which kind is meant", list(readings, Kind::in_english, ", "))]
    Ambiguous {
        /// The cards.
        cards: Counts,
        /// Every play that they are.
        readings: Vec<Play>,
    },
    /// They are a play, but not of the kind that was named.
    #[error("{cards} is no {}, but {}", kind.in_english(), list(readings, Kind::in_english, ", "))]
    OtherKind {
        /// The cards.
        cards: Counts,
        /// The kind that was named.
        kind: Kind,
        /// Every play that they are.
        readings: Vec<Play>,
    },
}

impl ReadingFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoPlay { .. } => "not_a_play",
            Self::Ambiguous { .. } => "ambiguous_play",
            Self::OtherKind { .. } => "play_of_another_kind",
        }
    }

    /// The same in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::NoPlay { cards } => format!("按此规则，{cards} 不是合法的牌型"),
            Self::Ambiguous { cards, readings } => {
                format!("{cards} 有多种读法：{}；请指明牌型", list(readings, Kind::in_chinese, "、"))
            }
            Self::OtherKind { cards, kind, readings } => {
                format!("{cards} 不是{}，而是{}", kind.in_chinese(), list(readings, Kind::in_chinese, "、"))
            }
        }
    }
}

fn list(plays: &[Play], name: fn(Kind) -> &'static str, comma: &str) -> String {
    let all: Vec<String> = plays.iter().map(|play| format!("{} {play}", name(play.kind()))).collect();
    all.join(comma)
}
