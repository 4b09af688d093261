//! What can be wrong with an endgame of Dou Dizhu, and who wins it, in Chinese.

use super::doudizhu::chinese_play;
use super::{ChineseName, InChinese};
use crate::doudizhu::{EndgameFault, Solution};

impl InChinese for EndgameFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::NumberOfHands { number } => format!("给出了 {number} 手牌；只能是两手或三手"),
            Self::EmptyHand { seat } => format!("座位 {seat} 没有牌；每家至少一张，否则牌局已经结束"),
            Self::TooManyOfRank { rank, number, .. } => {
                format!("各家合计有 {number} 张 {rank}；一副牌只有 {} 张", rank.copies())
            }
            Self::NoSeatToMove { seat, seats } => {
                format!("没有座位 {seat}；`to_move` 只能是 0 到 {}", seats - 1)
            }
            Self::NoSeatToBeat { seat, seats } => {
                format!("没有座位 {seat}；要压的牌只能由座位 0 到 {} 打出", seats - 1)
            }
            Self::BeatsItself { seat } => {
                format!("轮到座位 {seat} 出牌，而要压的牌也是它打出的；其他人都不要时请不写要压的牌")
            }
            Self::ForbiddenSingle => {
                "禁用了单张；除单张以外的牌型都可以禁用，因为每手牌都必须有牌可出".to_owned()
            }
            Self::ForbiddenBeat { kind } => {
                format!("要压的牌是{}，而这种牌型已被禁用；请允许该牌型或换一手牌", kind.in_chinese())
            }
        }
    }
}

/// One sentence about the side to move.
impl InChinese for Solution {
    fn in_chinese(&self) -> String {
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
}
