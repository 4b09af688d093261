//! What can be wrong with an endgame.

use crate::card::Rank;
use crate::counts::Counts;
use crate::play::{Kind, Play};
use thiserror::Error;

/// What is wrong with an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EndgameFault {
    /// There are not two or three hands.
    #[error("{number} hands; give two or three")]
    NumberOfHands {
        /// How many there are.
        number: usize,
    },
    /// A hand has no cards.
    #[error("the hand of seat {seat} is empty; every hand needs a card, or the game is over")]
    EmptyHand {
        /// Whose hand.
        seat: usize,
    },
    /// The hands together hold more cards of a rank than a deck has.
    #[error("{number} cards of rank {rank} in all hands together; a deck has {}", rank.copies())]
    TooManyOfRank {
        /// The first hand, by seat, with which there are too many.
        seat: usize,
        /// The rank.
        rank: Rank,
        /// How many there are in all hands.
        number: u8,
    },
    /// The seat to move does not exist.
    #[error("seat {seat} does not exist; `to_move` must be 0 to {}", seats - 1)]
    NoSeatToMove {
        /// The seat.
        seat: usize,
        /// How many seats there are.
        seats: usize,
    },
    /// The seat that made the play to beat does not exist.
    #[error("seat {seat} does not exist; the play to beat must be by seat 0 to {}", seats - 1)]
    NoSeatToBeat {
        /// The seat.
        seat: usize,
        /// How many seats there are.
        seats: usize,
    },
    /// The seat to move made the play to beat itself.
    #[error(
        "seat {seat} is to move and made the play to beat; when all others have passed, leave out the play"
    )]
    BeatsItself {
        /// The seat.
        seat: usize,
    },
    /// Singles are forbidden, so that a hand may have no play at all.
    #[error("`single` is forbidden; every kind but the single may be, since every hand must have a lead")]
    ForbiddenSingle,
    /// The play to beat is of a kind that is forbidden.
    #[error("the play to beat is a {}, which is forbidden; allow the kind or give another play", kind.in_english())]
    ForbiddenBeat {
        /// Its kind.
        kind: Kind,
    },
}

impl EndgameFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NumberOfHands { .. } => "wrong_number_of_hands",
            Self::EmptyHand { .. } => "empty_hand",
            Self::TooManyOfRank { .. } => "too_many_of_rank",
            Self::NoSeatToMove { .. } | Self::NoSeatToBeat { .. } => "unknown_seat",
            Self::BeatsItself { .. } => "beat_by_seat_to_move",
            Self::ForbiddenSingle => "forbidden_single",
            Self::ForbiddenBeat { .. } => "forbidden_play_to_beat",
        }
    }
}

/// Everything that is wrong with an endgame.
pub(super) fn faults(
    hands: &[Counts],
    to_move: usize,
    beat: Option<(usize, Play)>,
    forbidden: &[Kind],
) -> Vec<EndgameFault> {
    let seats = hands.len();
    if !(2..=3).contains(&seats) {
        return vec![EndgameFault::NumberOfHands { number: seats }];
    }
    let mut faults: Vec<EndgameFault> = (0..seats)
        .filter(|&seat| hands[seat].is_empty())
        .map(|seat| EndgameFault::EmptyHand { seat })
        .chain(Rank::ALL.into_iter().filter_map(|rank| too_many(hands, rank)))
        .collect();
    if to_move >= seats {
        faults.push(EndgameFault::NoSeatToMove { seat: to_move, seats });
    }
    if let Some((seat, play)) = beat {
        if seat >= seats {
            faults.push(EndgameFault::NoSeatToBeat { seat, seats });
        } else if seat == to_move {
            faults.push(EndgameFault::BeatsItself { seat });
        }
        if forbidden.contains(&play.kind()) {
            faults.push(EndgameFault::ForbiddenBeat { kind: play.kind() });
        }
    }
    if forbidden.contains(&Kind::Single) {
        faults.push(EndgameFault::ForbiddenSingle);
    }
    faults
}

fn too_many(hands: &[Counts], rank: Rank) -> Option<EndgameFault> {
    let mut number = 0;
    let mut first = None;
    for (seat, hand) in hands.iter().enumerate() {
        number += hand.of(rank);
        if number > rank.copies() && first.is_none() {
            first = Some(seat);
        }
    }
    first.map(|seat| EndgameFault::TooManyOfRank { seat, rank, number })
}
