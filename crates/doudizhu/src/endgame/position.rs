//! A position of an endgame, and what may be played in it.

use crate::card::Rank;
use crate::counts::Counts;
use crate::counts::lanes;
use crate::generate::{body_lanes, each_play, higher_than};
use crate::kickers::KickerRule;
use crate::play::{Kind, Play};
use crate::rules::Rules;

/// The plays of a game: its rules, and the kinds that they know and nobody has forbidden.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub(super) rules: Rules,
    allowed: [bool; Kind::ALL.len()],
}

impl Game {
    pub(super) fn new(rules: Rules, forbidden: &[Kind]) -> Self {
        let known = |kind: Kind| KickerRule::new(&rules, kind, Rank::Three, kind.shortest()).is_some();
        Self { rules, allowed: Kind::ALL.map(|kind| known(kind) && !forbidden.contains(&kind)) }
    }

    const fn allows(&self, kind: Kind) -> bool {
        self.allowed[kind as usize]
    }
}

/// The hands by seat, the seat to move, and the play on the table with the seat that made it.
///
/// Seats play in their order. Of two, each is a side; of three, seat 0 is the landlord and plays against the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position<const SEATS: usize> {
    pub(super) hands: [Counts; SEATS],
    pub(super) to_move: usize,
    pub(super) beat: Option<(usize, Play)>,
}

impl<const SEATS: usize> Position<SEATS> {
    /// Whether the seat to move is on the first side, that of seat 0.
    pub(super) const fn first_side_moves(&self) -> bool {
        self.to_move == 0
    }

    /// Whether the first side has won, if a hand is empty.
    pub(super) fn winner(&self) -> Option<bool> {
        self.hands.iter().position(|hand| hand.is_empty()).map(|seat| seat == 0)
    }

    /// The position after a play of the seat to move.
    pub(super) fn after(&self, play: Play) -> Self {
        let mut after = *self;
        let hand = &mut after.hands[self.to_move];
        *hand = Counts::from_bits(hand.bits() - play.cards().bits());
        after.to_move = (self.to_move + 1) % SEATS;
        after.beat = Some((self.to_move, play));
        after
    }

    /// The position after a pass: when all others have passed, the seat that made the last play leads.
    pub(super) fn after_pass(&self) -> Self {
        let to_move = (self.to_move + 1) % SEATS;
        let beat = self.beat.filter(|&(by, _)| by != to_move);
        Self { to_move, beat, ..*self }
    }

    /// Whether the seat to move holds no body and no bomb that beats the play on the table. If it lacks only kickers,
    /// this is false.
    pub(super) fn must_pass(&self) -> bool {
        let Some((_, beat)) = self.beat else { return false };
        let hand = self.hands[self.to_move];
        beat.kind() == Kind::Rocket
            || hand.bits() & lanes::JOKERS != lanes::JOKERS
                && (beat.kind() == Kind::Bomb || body_lanes(hand, Kind::Bomb) == 0)
                && body_lanes(hand, beat.kind()) & higher_than(beat.rank()) == 0
    }

    /// Calls `found` with each play that the seat to move may make.
    #[inline]
    pub(super) fn each_play(&self, game: &Game, mut found: impl FnMut(Play)) {
        let hand = self.hands[self.to_move];
        let mut add = |kind, over| {
            if game.allows(kind) {
                each_play(hand, &game.rules, kind, over, &mut found);
            }
        };
        match self.beat.map(|(_, beat)| (beat, beat.kind())) {
            None => Kind::ALL.into_iter().for_each(|kind| add(kind, None)),
            Some((_, Kind::Rocket)) => {}
            Some((beat, kind)) => {
                add(kind, Some((beat.rank(), beat.length())));
                if kind != Kind::Bomb {
                    add(Kind::Bomb, None);
                }
                add(Kind::Rocket, None);
            }
        }
    }
}
