//! What may be played now, best first.

use super::card::Rank;
use super::counts::Counts;
use super::generate::legal_plays;
use super::min_plays::Solver;
use super::play::Play;
use thiserror::Error;

/// All plays of a hand, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hints {
    /// The least number of plays of the whole hand.
    pub min_plays: u8,
    /// Every play that is allowed now, best first; none where nothing beats the play on the table.
    pub plays: Vec<Hint>,
}

/// A play and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// The play.
    pub play: Play,
    /// The least number of plays of the cards that remain.
    pub min_plays_left: u8,
    /// How many plays it wastes: 1 + left - the hand's least number. 0 for a play of some shortest line.
    pub loss: u8,
    /// Whether it takes some, not all, of four equal cards.
    pub splits_bomb: bool,
    /// Whether it takes one of two jokers.
    pub splits_rocket: bool,
}

impl Hint {
    /// The best first: fewest plays left; then what splits neither a bomb nor the rocket; then the lower body, the lower
    /// kickers; then the simpler kind and the shorter run.
    fn sort_key(&self) -> impl Ord + use<> {
        let play = self.play;
        let splits = self.splits_bomb || self.splits_rocket;
        (self.min_plays_left, splits, play.rank(), play.kickers(), play.kind(), play.length())
    }
}

/// The most cards a hand may have in [`hints`]; the landlord begins with this number.
pub const MOST_CARDS_FOR_HINTS: u8 = 20;

/// Every play of the hand that may follow `beat`, or lead if that is `None`, with what it leaves. Plays are distinct
/// by kind and ranks: of several readings of the same cards as one kind only the highest is listed.
///
/// ```
/// use kibitz_doudizhu::{Hand, Preset, Solver, hints, reading};
/// let solver = Solver::new(Preset::Standard.rules());
/// let cards = |text| Hand::from_text(text).unwrap().counts();
/// let beat = reading(cards("55"), None, solver.rules()).unwrap();
/// let answer = hints(&solver, cards("7788999AAAA"), Some(beat)).unwrap();
/// assert_eq!(answer.plays[0].play.to_string(), "77");
/// assert_eq!(answer.plays.len(), 5); // 77, 88, 99, AA, and the bomb
/// ```
///
/// # Errors
/// Where the hand has more than [`MOST_CARDS_FOR_HINTS`] cards.
pub fn hints(solver: &Solver, hand: Counts, beat: Option<Play>) -> Result<Hints, HintFault> {
    if hand.total() > MOST_CARDS_FOR_HINTS {
        return Err(HintFault::TooManyCards { cards: hand.total() });
    }
    let min_plays = solver.min_plays(hand);
    let mut plays: Vec<Hint> = distinct(legal_plays(hand, solver.rules()))
        .into_iter()
        .filter(|play| beat.is_none_or(|other| play.beats(other)))
        .filter_map(|play| {
            let left = hand.without(play.cards())?;
            let min_plays_left = solver.min_plays(left);
            Some(Hint {
                play,
                min_plays_left,
                loss: 1 + min_plays_left - min_plays,
                splits_bomb: splits_bomb(hand, play),
                splits_rocket: splits_rocket(hand, play),
            })
        })
        .collect();
    plays.sort_by_cached_key(Hint::sort_key);
    Ok(Hints { min_plays, plays })
}

/// Of plays of one kind with the same cards, the highest.
fn distinct(mut plays: Vec<Play>) -> Vec<Play> {
    plays.sort_by_key(|play| (play.kind(), play.cards(), std::cmp::Reverse(play.rank())));
    plays.dedup_by_key(|play| (play.kind(), play.cards()));
    plays
}

fn splits_bomb(hand: Counts, play: Play) -> bool {
    play.cards().iter().any(|(rank, count)| hand.of(rank) == 4 && count < 4)
}

fn splits_rocket(hand: Counts, play: Play) -> bool {
    let jokers = |cards: Counts| cards.of(Rank::BlackJoker) + cards.of(Rank::RedJoker);
    jokers(hand) == 2 && jokers(play.cards()) == 1
}

/// Why there are no hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HintFault {
    /// The hand is larger than any player's.
    #[error("{cards} cards; hints are for hands of at most 20")]
    TooManyCards {
        /// How many it has.
        cards: u8,
    },
}

impl HintFault {
    /// A stable slug.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooManyCards { .. } => "too_many_cards",
        }
    }
}
