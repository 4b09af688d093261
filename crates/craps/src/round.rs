//! One round of craps as a state machine: come-out, point, won or lost.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::dice::{Dice, Point};

/// The state of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoundState {
    /// Before the first roll.
    ComeOut,
    /// A point is set: it wins, seven loses.
    Point(Point),
    /// Over: the pass line won.
    Won,
    /// Over: the pass line lost.
    Lost,
}

/// What a roll did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundEvent {
    /// 7 or 11 on the come-out wins at once.
    Natural,
    /// 2, 3 or 12 on the come-out loses at once.
    Craps,
    /// The come-out set a point.
    PointSet,
    /// The point came again before a seven.
    PointMade,
    /// A seven came before the point.
    SevenOut,
    /// Neither the point nor a seven: roll on.
    NoDecision,
}

impl RoundState {
    /// The state after a roll, and what happened.
    ///
    /// ```
    /// use kibitz_craps::{dice::{Dice, Point}, round::{RoundEvent, RoundState}};
    /// let (state, event) = RoundState::ComeOut.roll(Dice::new([2, 2]).unwrap()).unwrap();
    /// assert_eq!((state, event), (RoundState::Point(Point::Four), RoundEvent::PointSet));
    /// assert!(RoundState::Won.roll(Dice::new([3, 4]).unwrap()).is_err());
    /// ```
    ///
    /// # Errors
    /// The round is over.
    pub const fn roll(self, dice: Dice) -> Result<(Self, RoundEvent), RoundOver> {
        let total = dice.total();
        Ok(match self {
            Self::ComeOut => match (Point::from_total(total), total) {
                (Some(point), _) => (Self::Point(point), RoundEvent::PointSet),
                (None, 7 | 11) => (Self::Won, RoundEvent::Natural),
                (None, _) => (Self::Lost, RoundEvent::Craps),
            },
            Self::Point(point) if total == point.number() => (Self::Won, RoundEvent::PointMade),
            Self::Point(_) if total == 7 => (Self::Lost, RoundEvent::SevenOut),
            Self::Point(_) => (self, RoundEvent::NoDecision),
            Self::Won | Self::Lost => return Err(RoundOver),
        })
    }

    /// Whether no further roll is possible.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

/// One roll of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundRoll {
    /// The dice.
    pub dice: Dice,
    /// The state after them.
    pub state: RoundState,
    /// What they did.
    pub event: RoundEvent,
}

/// Plays a whole round and lists its rolls; the last one decides it.
pub fn play(rng: &mut impl Rng) -> Vec<RoundRoll> {
    let mut rolls = Vec::new();
    let mut state = RoundState::ComeOut;
    loop {
        let dice = Dice::roll(rng);
        let Ok((next, event)) = state.roll(dice) else { return rolls };
        rolls.push(RoundRoll { dice, state: next, event });
        state = next;
        if state.is_over() {
            return rolls;
        }
    }
}

/// The round of a seed: ChaCha8 seeded by `seed_from_u64`, the dice by [`Dice::roll`]. The same in every version.
pub fn play_seeded(seed: u64) -> Vec<RoundRoll> {
    play(&mut ChaCha8Rng::seed_from_u64(seed))
}

/// A roll was asked of a round that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the round is over: start a new one with the phase come_out")]
pub struct RoundOver;

impl RoundOver {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        "round_over"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Step;
    use crate::bet::Bet;

    /// The state machine and the pass-line automaton must agree on every roll of every state.
    #[test]
    fn the_state_machine_is_the_pass_line() {
        let automaton = Bet::PASS_LINE.automaton();
        let mut paired = vec![None; automaton.states().len()];
        paired[0] = Some(RoundState::ComeOut);
        for (state, steps) in automaton.states().iter().enumerate() {
            let here = paired[state].unwrap();
            for (dice, step) in Dice::ALL.into_iter().zip(steps) {
                let (next, _) = here.roll(dice).unwrap();
                match *step {
                    Step::Go(to) => assert_eq!(*paired[to].get_or_insert(next), next),
                    Step::Settle(0) => assert_eq!(next, RoundState::Won),
                    Step::Settle(_) => assert_eq!(next, RoundState::Lost),
                }
            }
        }
    }

    #[test]
    fn a_finished_round_takes_no_roll() {
        for dice in Dice::ALL {
            assert_eq!(RoundState::Won.roll(dice), Err(RoundOver));
            assert_eq!(RoundState::Lost.roll(dice), Err(RoundOver));
        }
    }

    #[test]
    fn a_seed_is_a_round_for_ever() {
        let shown: Vec<_> = play_seeded(42).iter().map(|roll| (roll.dice.faces(), roll.event)).collect();
        assert_eq!(
            shown,
            play_seeded(42).iter().map(|roll| (roll.dice.faces(), roll.event)).collect::<Vec<_>>()
        );
        for seed in 0..500 {
            let rolls = play_seeded(seed);
            let (last, before) = rolls.split_last().unwrap();
            assert!(last.state.is_over() && before.iter().all(|roll| !roll.state.is_over()));
        }
    }
}
