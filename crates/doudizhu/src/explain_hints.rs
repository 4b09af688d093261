//! One sentence on the best play of a list of hints: what it leaves, and what the next best would.

use super::explain::english_play;
use super::hints::{Hint, Hints};
use super::play::Play;

impl Hints {
    /// The sentence in English. `beat` is the play on the table, if there is one.
    ///
    /// ```
    /// use kibitz_doudizhu::{Hand, Preset, Solver, hints, reading};
    /// let solver = Solver::new(Preset::Standard.rules());
    /// let cards = |text| Hand::from_text(text).unwrap().counts();
    /// let beat = reading(cards("55"), None, solver.rules()).unwrap();
    /// let answer = hints(&solver, cards("7788999"), Some(beat)).unwrap();
    /// assert_eq!(
    ///     answer.in_english(Some(beat)),
    ///     "Play the pair 77: the rest goes out in 1 play, as it does after one other; the pair 99 would leave 3."
    /// );
    /// ```
    pub fn in_english(&self, beat: Option<Play>) -> String {
        let Some(best) = self.plays.first() else {
            return match beat {
                Some(beat) => format!("Nothing in this hand beats {}: pass.", english_play(beat)),
                None => "There is nothing to play.".to_owned(),
            };
        };
        let mut sentence = format!("Play {}: ", english_play(best.play));
        sentence += &match best.min_plays_left {
            0 => "the hand is out".to_owned(),
            1 => "the rest goes out in 1 play".to_owned(),
            left => format!("the rest goes out in {left} plays"),
        };
        sentence += &match self.as_good() {
            0 => String::new(),
            1 => ", as it does after one other".to_owned(),
            others => format!(", as it does after {others} others"),
        };
        if best.loss > 0 {
            sentence += &format!(", {} more than after the best lead", best.loss);
        }
        if let Some(next) = self.next_best() {
            sentence += &format!("; {} would leave {}", english_play(next.play), next.min_plays_left);
        }
        sentence + "."
    }

    /// How many plays leave as few as the best.
    pub fn as_good(&self) -> usize {
        let least = self.plays.first().map(|best| best.min_plays_left);
        self.plays.iter().skip(1).take_while(|hint| Some(hint.min_plays_left) == least).count()
    }

    /// The first play that leaves more than the best.
    pub fn next_best(&self) -> Option<&Hint> {
        self.plays.get(self.as_good() + 1)
    }
}
