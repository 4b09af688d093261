//! One sentence on an endgame: who wins, and by which move.

use super::Solution;
use crate::explain::english_play;
use crate::play::Play;

impl Solution {
    /// The sentence in English, about the side to move.
    ///
    /// ```
    /// use kibitz_doudizhu::{Endgame, Hand, Preset, Solver};
    /// let cards = |text| Hand::from_text(text).unwrap().counts();
    /// let endgame = Endgame::new(&[cards("3455KK"), cards("345522")], 0, None, &[]).unwrap();
    /// let solution = endgame.solve(&Solver::new(Preset::Standard.rules()), |_| true);
    /// assert_eq!(solution.in_english(), "The side to move wins with the single 4; 2 of 6 moves win.");
    /// ```
    pub fn in_english(&self) -> String {
        let all = self.moves().len();
        let winning = self.winning();
        match (self.wins(), self.winning_move()) {
            (Some(true), Some(play)) => {
                let with = play
                    .map_or_else(|| "by a pass".to_owned(), |play| format!("with {}", english_play(play)));
                let open = if self.is_complete() { "" } else { "at least " };
                let verb = if winning == 1 { "wins" } else { "win" };
                format!("The side to move wins {with}; {open}{winning} of {all} moves {verb}.")
            }
            (Some(_), _) if all == 1 => "The side to move loses: its only move does not win.".to_owned(),
            (Some(_), _) => format!("The side to move loses: none of its {all} moves wins."),
            (None, _) => "The result is not known: the search was stopped before it ended.".to_owned(),
        }
    }

    /// How many moves are known to win.
    pub fn winning(&self) -> usize {
        self.moves().iter().filter(|one| one.wins == Some(true)).count()
    }

    /// The winning move that the line begins with, or else any.
    pub fn winning_move(&self) -> Option<Option<Play>> {
        let first = self.line().first().map(|turn| turn.play);
        let winning = self.moves().first().filter(|one| one.wins == Some(true))?;
        Some(first.unwrap_or(winning.play))
    }
}
