//! What can be wrong with a question about craps, in Chinese.

use super::InChinese;
use crate::craps::bankroll::InverseFault;
use crate::craps::definition::{
    DefinitionFault, MOST_COLLECTED_STATES, MOST_OUTCOMES, PAYOFF_LIMIT, PayoffFault,
};
use crate::craps::fraction::{MAX_EXPONENT, MAX_LENGTH, ParseFractionError};
use crate::craps::kelly::{KellyError, Promotion};
use crate::craps::long_run::{self, LongRunError, MAX_WIDTH};
use crate::craps::odds::{OddsError, OddsTable};
use crate::craps::round::RoundOver;
use crate::craps::session::{MAX_ROUNDS, MAX_STATES, MAX_UNITS, MAX_WORK, SessionError};
use crate::craps::simulation::{MAX_BETS, MAX_SEED, SimulationError};
use crate::craps::wager::WagerError;

impl InChinese for WagerError {
    fn in_chinese(&self) -> String {
        match self {
            Self::TakesNoOdds { bet } => format!("{bet} 不能加赔率注：只有过线、来注及其反注可以"),
            Self::NoComeBet { bet } => format!("come_odds 只用于 come，不用于 {bet}"),
        }
    }
}

impl InChinese for PayoffFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::AboveStake => "最多只能输掉本金，即 -1".to_owned(),
            Self::TooLarge => format!("分子和分母都必须小于 {PAYOFF_LIMIT}"),
        }
    }
}

impl InChinese for DefinitionFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::UnknownState { name, .. } => format!("没有状态 `{name}`"),
            Self::NeverMatches { .. } => "此规则永远不会匹配：前面的规则已涵盖它的所有点数".to_owned(),
            Self::NeverSettles { state: Some(state) } => format!("从状态 `{state}` 起，投注永远无法结算"),
            Self::NeverSettles { state: None } => "投注永远无法结算".to_owned(),
            Self::OneSided { can_win } => {
                let never = if *can_win { "输" } else { "赢" };
                format!("投注必须既可能赢也可能输，而它永远不会{never}")
            }
            Self::TooManyStates { found } => {
                format!("一个收集投注最多 {MOST_COLLECTED_STATES} 个状态，而不是 {found} 个")
            }
            Self::TooManyOutcomes { found } => {
                format!("一个投注最多 {MOST_OUTCOMES} 种结果，而不是 {found} 种")
            }
        }
    }
}

impl InChinese for KellyError {
    fn in_chinese(&self) -> String {
        match self {
            Self::ShareOutOfRange => "返现或返水应在 0 到 1 之间（不含 1）：等于 1 就不会输".to_owned(),
            Self::BonusOutOfRange => format!("赢钱奖励应在 0 到 {} 之间", Promotion::MAX_BONUS),
        }
    }
}

impl InChinese for RoundOver {
    fn in_chinese(&self) -> String {
        "本轮已经结束：请用 come_out 开始新的一轮".to_owned()
    }
}

impl InChinese for LongRunError {
    fn in_chinese(&self) -> String {
        match self {
            Self::RoundsOutOfRange => format!("rounds 应在 1 到 {} 之间", long_run::MAX_ROUNDS),
            Self::TooWide { most } => format!("计算量过大：该注的 rounds 最多是 {most}"),
            Self::StepTooSmall => {
                format!("该注的各种净赢须在公共步长的 {MAX_WIDTH} 步之内：请用更整的赔率倍数")
            }
        }
    }
}

impl InChinese for OddsError {
    fn in_chinese(&self) -> String {
        match self {
            Self::Unreadable { text } => {
                format!("赔率注应写成 none、2x、3-4-5x 或 4:3,5:4,6:5,8:5,9:4,10:3，而不是 {text:?}")
            }
            Self::Missing { number } => format!("4、5、6、8、9、10 都要给出倍数；缺少 {number}"),
            Self::GivenTwice { number } => format!("每个点数只能给一个倍数；{number} 给了两个"),
            Self::OutOfRange { number, multiple } => {
                format!("点数 {number} 的倍数应在 0 到 {} 之间，收到 {multiple}", OddsTable::MAX_MULTIPLE)
            }
        }
    }
}

impl InChinese for InverseFault {
    fn in_chinese(&self) -> String {
        match self {
            Self::BankrollTooLarge => {
                format!("必定够用的本金将超过 {MAX_UNITS} 个单位；请减少轮数，或降低赔率注、注额")
            }
            Self::UnitTooSmall => "注额与赔率注的公共单位过小：请用更整的数额".to_owned(),
            Self::TooMuchWork { work } => {
                format!("计算量过大：{work} 步（本金状态 x 轮数 x 结果数），上限 {MAX_WORK}；请减少轮数")
            }
        }
    }
}

impl InChinese for SessionError {
    fn in_chinese(&self) -> String {
        match self {
            Self::MoneyOutOfRange { field } => format!("{} 应大于 0 且不超过 {MAX_UNITS}", field.id()),
            Self::TargetNotAboveBankroll => "目标应高于本金".to_owned(),
            Self::RoundsOutOfRange => format!("max_rounds 应在 1 到 {MAX_ROUNDS} 之间"),
            Self::UnitTooSmall => {
                format!("本金、目标、注额和赔率注的公共单位不得小于目标的 1/{MAX_STATES}：请用更整的数额")
            }
            Self::TooMuchWork { work } => format!(
                "计算量过大：{work} 步（本金状态 x 轮数 x 结果数），上限 {MAX_WORK}；请降低目标或轮数，使用更整的金额，或改用模拟"
            ),
        }
    }
}

impl InChinese for ParseFractionError {
    fn in_chinese(&self) -> String {
        match self {
            Self::NotANumber => "请写成小数（如 0.05）或分数（如 1/20）".to_owned(),
            Self::ZeroDenominator => "分母不能为零".to_owned(),
            Self::TooLong => format!("最多 {MAX_LENGTH} 个字符，指数不超过 {MAX_EXPONENT}"),
        }
    }
}

impl InChinese for SimulationError {
    fn in_chinese(&self) -> String {
        match self {
            Self::PlaysOutOfRange { most } => format!("数量应在 1 到 {most} 之间"),
            Self::SeedOutOfRange => format!("种子应在 0 到 {MAX_SEED} 之间"),
            Self::BetsOutOfRange => format!("请给出 1 到 {MAX_BETS} 个注"),
            Self::StakeOutOfRange { .. } => format!("注额应大于 0 且不超过 {MAX_UNITS}"),
            Self::StakeTooFine { .. } => "注额与赔率注需要更大的公共单位：请用更整的数额".to_owned(),
            Self::Session(fault) => fault.in_chinese(),
        }
    }
}
