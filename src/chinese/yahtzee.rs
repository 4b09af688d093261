//! What can be wrong with a question about Yahtzee, and the names of the boxes, in Chinese.

use super::{ChineseName, InChinese};
use crate::yahtzee::{
    Category, GameOver, HistoryFault, Illegal, ImpossibleAction, PositionFault, ScorecardFault,
};

impl InChinese for ImpossibleAction {
    fn in_chinese(&self) -> String {
        match self {
            Self::NoRollLeft => "已经没有掷骰机会，必须计分".to_owned(),
            Self::AllFiveKept => "保留全部五枚骰子不算重掷，请直接计分".to_owned(),
            Self::NotOnTheTable => "要保留的骰子不在桌上".to_owned(),
            Self::Box { category, reason } => {
                format!("不能填{}：{}", category.in_chinese(), reason.in_chinese())
            }
        }
    }
}

impl InChinese for GameOver {
    fn in_chinese(&self) -> String {
        "所有计分格都已填满，游戏已经结束".to_owned()
    }
}

impl InChinese for ScorecardFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::Points { category, found, possible } => {
                format!(
                    "{}不可能是 {found} 分，只能是 {}",
                    category.in_chinese(),
                    possible.list("、", " 或 ", " 到 ")
                )
            }
            Self::NotOnSheet { category } => format!("这张计分表没有{}这一格", category.in_chinese()),
            Self::NotInOrder { category, next } => {
                format!(
                    "须从上到下依次填格：{}还空着时，{}必须空着",
                    next.in_chinese(),
                    category.in_chinese()
                )
            }
            Self::NegativeBonuses { found } => format!("yahtzee_bonuses 是奖励的次数，不能是 {found}"),
            Self::NoBonusInRules { found } => {
                format!("此规则没有快艇奖励，yahtzee_bonuses 必须是 0，不能是 {found}")
            }
            Self::BoxDoesNotQualify { found, after_zero } => format!(
                "快艇奖励要求快艇格{}，所以 yahtzee_bonuses 必须是 0，不能是 {found}",
                if *after_zero { "已填" } else { "已得分" }
            ),
            Self::TooManyBonuses { found, filled } => {
                format!("每次快艇奖励都会另填一格：yahtzee_bonuses 最多是 {filled}，不能是 {found}")
            }
        }
    }
}

impl InChinese for Illegal {
    fn in_chinese(&self) -> String {
        match self {
            Self::Filled => "这一格已经填过".to_owned(),
            Self::NotOnSheet => "这张计分表没有这一格".to_owned(),
            Self::NotInOrder { next } => format!("须从上到下依次填格，现在该填{}", next.in_chinese()),
            Self::OwnUpperBoxFirst { own } => format!("{}格还空着，百搭快艇必须填在那里", own.in_chinese()),
            Self::LowerBoxFirst => "下半区还有空格，百搭快艇必须填在下半区".to_owned(),
        }
    }
}

impl InChinese for PositionFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::RollsLeft { found, most } => {
                format!("按此规则，rolls_left 只能是 0 到 {most}，不能是 {found}")
            }
            Self::GameOver(over) => over.in_chinese(),
        }
    }
}

impl InChinese for HistoryFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::TooManyRolls { found, most, .. } => {
                format!("按此规则每回合最多掷 {most} 次，不能是 {found} 次")
            }
            Self::KeepCount { found, rolls, .. } => {
                let wanted = rolls.saturating_sub(1);
                format!("掷 {rolls} 次之间应有 {wanted} 次保留，而不是 {found} 次")
            }
            Self::Keep { why, .. } => why.in_chinese(),
            Self::KeptDiceLost { .. } => "保留的骰子在重掷后必须仍在桌上".to_owned(),
            Self::Box { category, why, .. } => {
                format!("不能填{}：{}", category.in_chinese(), why.in_chinese())
            }
        }
    }
}

impl ChineseName for Category {
    fn in_chinese(self) -> &'static str {
        match self {
            Self::Ones => "一点",
            Self::Twos => "二点",
            Self::Threes => "三点",
            Self::Fours => "四点",
            Self::Fives => "五点",
            Self::Sixes => "六点",
            Self::OnePair => "一对",
            Self::TwoPairs => "两对",
            Self::ThreeOfAKind => "三条",
            Self::FourOfAKind => "四条",
            Self::FullHouse | Self::FullHouseSum => "葫芦",
            Self::SmallStraight => "小顺",
            Self::LargeStraight => "大顺",
            Self::Yahtzee | Self::Yatzy => "快艇",
            Self::Chance => "机会",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yahtzee::{ByCategory, Rules, Scorecard};

    #[test]
    fn a_message_has_the_figures_of_the_english_one() {
        let mut points = ByCategory::default();
        points[Category::Yahtzee] = Some(50);
        let faults = Scorecard::new(&Rules::OFFICIAL, &points, 1).unwrap_err();
        assert_eq!(faults[0].in_chinese(), "每次快艇奖励都会另填一格：yahtzee_bonuses 最多是 0，不能是 1");
    }
}
