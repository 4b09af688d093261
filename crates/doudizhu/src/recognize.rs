//! Which plays some cards are.

use super::card::Rank;
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
/// use kibitz_doudizhu::{Hand, Kind, Preset, readings};
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

/// The one play that these cards are meant to be: as [`reading_with`], if nothing is said of the rank.
///
/// # Errors
/// As [`reading_with`].
pub fn reading(cards: Counts, kind: Option<Kind>, rules: &Rules) -> Result<Play, ReadingFault> {
    reading_with(cards, kind, None, rules)
}

/// The one play that these cards are meant to be. If they can be read as several, `kind` and `rank`, the lowest rank of
/// the body, decide. If only `kind` is given, the highest reading of that kind is meant, as it beats the most.
///
/// ```
/// use kibitz_doudizhu::{Hand, Preset, Rank, ReadingFault, reading_with};
/// let (cards, rules) = (Hand::from_text("AAAA2222").unwrap().counts(), Preset::Noip.rules());
/// let fault = reading_with(cards, None, None, &rules).unwrap_err();
/// assert!(matches!(fault, ReadingFault::Ambiguous { .. }));
/// let play = reading_with(cards, None, Some(Rank::Ace), &rules).unwrap();
/// assert_eq!(play.to_string(), "AAAA+2222");
/// ```
///
/// # Errors
/// If the cards are no play, none of that kind or rank, or several and neither kind nor rank decides.
pub fn reading_with(
    cards: Counts,
    kind: Option<Kind>,
    rank: Option<Rank>,
    rules: &Rules,
) -> Result<Play, ReadingFault> {
    let all = readings(cards, rules);
    if all.is_empty() {
        return Err(ReadingFault::NoPlay { cards });
    }
    let of_kind: Vec<Play> =
        all.iter().copied().filter(|play| kind.is_none_or(|kind| play.kind() == kind)).collect();
    if let (Some(kind), true) = (kind, of_kind.is_empty()) {
        return Err(ReadingFault::OtherKind { cards, kind, readings: all });
    }
    let meant: Vec<Play> =
        of_kind.iter().copied().filter(|play| rank.is_none_or(|rank| play.rank() == rank)).collect();
    match (&meant[..], rank, kind) {
        ([], Some(rank), _) => Err(ReadingFault::OtherRank { cards, rank, readings: of_kind }),
        ([only], ..) => Ok(*only),
        // The readings of one kind are in the order of their ranks.
        ([.., highest], _, Some(_)) => Ok(*highest),
        _ => Err(ReadingFault::Ambiguous { cards, readings: meant }),
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
    #[error("{cards} can be read as {}; say which is meant", list(readings))]
    Ambiguous {
        /// The cards.
        cards: Counts,
        /// Every play that they are.
        readings: Vec<Play>,
    },
    /// They are a play, but not of the kind that was named.
    #[error("{cards} is no {}, but {}", kind.in_english(), list(readings))]
    OtherKind {
        /// The cards.
        cards: Counts,
        /// The kind that was named.
        kind: Kind,
        /// Every play that they are.
        readings: Vec<Play>,
    },
    /// They are a play, but not one whose body begins with the rank that was named.
    #[error("no reading of {cards} has the rank {rank}; it is {}", list(readings))]
    OtherRank {
        /// The cards.
        cards: Counts,
        /// The rank that was named.
        rank: Rank,
        /// Every play that they are, of the kind that was named.
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
            Self::OtherRank { .. } => "play_of_another_rank",
        }
    }
}

fn list(plays: &[Play]) -> String {
    let all: Vec<String> = plays.iter().map(|play| format!("{} {play}", play.kind().in_english())).collect();
    all.join(", ")
}
