//! One sentence on an endgame: who wins, and by which move.

use super::Solution;
use crate::explain::{chinese_play, english_play};
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

    /// The sentence in Chinese, about the side to move.
    pub fn in_chinese(&self) -> String {
        let all = self.moves().len();
        let winning = self.winning();
        match (self.wins(), self.winning_move()) {
            (Some(true), Some(play)) => {
                let with = play.map_or_else(|| "不出".to_owned(), |play| format!("出{}", chinese_play(play)));
                let open = if self.is_complete() { "" } else { "至少 " };
                format!("轮到的一方必胜，例如{with}；{all} 种选择中{open}有 {winning} 种获胜。")
            }
            (Some(_), _) => format!("轮到的一方必败：{all} 种选择都不能获胜。"),
            (None, _) => "结果未知：搜索在得出结论之前停止了。".to_owned(),
        }
    }

    fn winning(&self) -> usize {
        self.moves().iter().filter(|one| one.wins == Some(true)).count()
    }

    /// The winning move that the line begins with, or else any.
    fn winning_move(&self) -> Option<Option<Play>> {
        let first = self.line().first().map(|turn| turn.play);
        let winning = self.moves().first().filter(|one| one.wins == Some(true))?;
        Some(first.unwrap_or(winning.play))
    }
}
