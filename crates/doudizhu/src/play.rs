//! A play: what a player may lay on the table in one turn.

use super::card::Rank;
use super::counts::{Counts, lanes};
use serde::Serialize;

/// A legal play: a body (the part that ranks it) and its kickers or wings, which any cards may be.
///
/// Plays are only made by [`readings`](super::readings), [`legal_plays`](super::legal_plays) and the solver, so one in
/// hand is legal under the rules that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Play {
    kind: Kind,
    rank: Rank,
    length: u8,
    kickers: Counts,
}

impl Play {
    /// Contract: the body exists, and the kickers are what the rules at hand allow beside it.
    pub(super) const fn new(kind: Kind, rank: Rank, length: u8, kickers: Counts) -> Self {
        Self { kind, rank, length, kickers }
    }

    /// What sort of play it is.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// The lowest rank of the body, by which plays of one kind and length are compared.
    pub const fn rank(self) -> Rank {
        self.rank
    }

    /// How many ranks in a row the body holds: 1 but for the runs. The rocket counts as 1.
    pub const fn length(self) -> u8 {
        self.length
    }

    /// The body: what is left of the play without its kickers.
    pub const fn body(self) -> Counts {
        self.kind.body(self.rank, self.length)
    }

    /// The kickers or wings; none for most kinds.
    pub const fn kickers(self) -> Counts {
        self.kickers
    }

    /// All cards of the play.
    pub const fn cards(self) -> Counts {
        Counts::from_bits(self.body().bits() + self.kickers.bits())
    }

    /// Whether this play may be laid on `other`: one of the same kind and length with a higher rank; a bomb on anything
    /// but a higher bomb or the rocket; the rocket on anything.
    pub fn beats(self, other: Self) -> bool {
        match (self.kind, other.kind) {
            (_, Kind::Rocket) => false,
            (Kind::Rocket, _) => true,
            (Kind::Bomb, kind) if kind != Kind::Bomb => true,
            (kind, same) => kind == same && self.length == other.length && self.rank > other.rank,
        }
    }

    /// Every card of the play as its rank, body first, then kickers, each from the lowest up.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        self.body().ranks().chain(self.kickers.ranks())
    }
}

/// Prints the body, and the kickers behind a plus: `333444+79`.
impl std::fmt::Display for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.body())?;
        if self.kickers.is_empty() { Ok(()) } else { write!(f, "+{}", self.kickers) }
    }
}

/// The fourteen kinds of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One card.
    Single,
    /// Two of a rank.
    Pair,
    /// Three of a rank.
    Triple,
    /// Four of a rank.
    Bomb,
    /// Both jokers.
    Rocket,
    /// Three of a rank and one other card.
    TripleSingle,
    /// Three of a rank and a pair.
    TriplePair,
    /// Five or more ranks in a row.
    Straight,
    /// Three or more pairs in a row.
    PairStraight,
    /// Two or more triples in a row.
    Plane,
    /// A plane with a single card for each triple.
    PlaneSingles,
    /// A plane with a pair for each triple.
    PlanePairs,
    /// Four of a rank and two other cards.
    FourTwoSingles,
    /// Four of a rank and two pairs.
    FourTwoPairs,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
        Self::Single,
        Self::Pair,
        Self::Triple,
        Self::Bomb,
        Self::Rocket,
        Self::TripleSingle,
        Self::TriplePair,
        Self::Straight,
        Self::PairStraight,
        Self::Plane,
        Self::PlaneSingles,
        Self::PlanePairs,
        Self::FourTwoSingles,
        Self::FourTwoPairs,
    ];

    /// How many cards of each rank the body holds.
    pub const fn copies(self) -> u8 {
        match self {
            Self::Single | Self::Straight | Self::Rocket => 1,
            Self::Pair | Self::PairStraight => 2,
            Self::Triple
            | Self::TripleSingle
            | Self::TriplePair
            | Self::Plane
            | Self::PlaneSingles
            | Self::PlanePairs => 3,
            Self::Bomb | Self::FourTwoSingles | Self::FourTwoPairs => 4,
        }
    }

    /// The least number of ranks in a row that makes this kind; 1 for what is no run.
    pub const fn shortest(self) -> u8 {
        match self {
            Self::Straight => 5,
            Self::PairStraight => 3,
            Self::Plane | Self::PlaneSingles | Self::PlanePairs => 2,
            _ => 1,
        }
    }

    /// Every body that this kind may have, as its lowest rank and its length: the lower first, then the shorter.
    pub(super) fn bodies(self) -> impl Iterator<Item = (Rank, u8)> {
        let (first, last) = match self {
            Self::Single => (Rank::Three, Rank::RedJoker),
            Self::Rocket => (Rank::BlackJoker, Rank::BlackJoker),
            kind if kind.shortest() > 1 => (Rank::Three, Rank::Ace),
            _ => (Rank::Three, Rank::Two),
        };
        let ends = Rank::Ace.index() + 1;
        Rank::ALL[first.index()..=last.index()].iter().flat_map(move |&start| {
            let longest = if self.shortest() > 1 { ends - start.index() } else { 1 };
            (self.shortest()..=longest as u8).map(move |length| (start, length))
        })
    }

    /// The cards of a body. Contract: it is one of [`Kind::bodies`].
    pub(super) const fn body(self, start: Rank, length: u8) -> Counts {
        match self {
            Self::Rocket => Counts::from_bits(lanes::JOKERS),
            kind => Counts::from_bits(lanes::window(start.index(), length as usize) * kind.copies() as u64),
        }
    }

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pair => "pair",
            Self::Triple => "triple",
            Self::Bomb => "bomb",
            Self::Rocket => "rocket",
            Self::TripleSingle => "triple_single",
            Self::TriplePair => "triple_pair",
            Self::Straight => "straight",
            Self::PairStraight => "pair_straight",
            Self::Plane => "plane",
            Self::PlaneSingles => "plane_singles",
            Self::PlanePairs => "plane_pairs",
            Self::FourTwoSingles => "four_two_singles",
            Self::FourTwoPairs => "four_two_pairs",
        }
    }

    /// What players call it in English.
    pub const fn in_english(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pair => "pair",
            Self::Triple => "triple",
            Self::Bomb => "bomb",
            Self::Rocket => "rocket",
            Self::TripleSingle => "triple with a single",
            Self::TriplePair => "triple with a pair",
            Self::Straight => "straight",
            Self::PairStraight => "consecutive pairs",
            Self::Plane => "airplane",
            Self::PlaneSingles => "airplane with single wings",
            Self::PlanePairs => "airplane with pair wings",
            Self::FourTwoSingles => "four with two singles",
            Self::FourTwoPairs => "four with two pairs",
        }
    }
}
