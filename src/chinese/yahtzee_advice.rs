//! Why a Yahtzee action is best, in Chinese.

use std::fmt::{self, Display, Formatter};

use super::{ChineseName, InChinese};
use crate::yahtzee::explain::{Aim, End, Language, amount, faces, fine_percent, is_certain, percent, total};
use crate::yahtzee::{Action, Advice, Category, DIE_COUNT, Keep, Objective, Ranked, WinAdvice, WinRanked};

impl InChinese for Advice {
    /// One sentence: why the best action is best.
    fn in_chinese(&self) -> String {
        self.explain::<Chinese>()
    }
}

impl InChinese for WinAdvice {
    /// One sentence: with what probability the best action wins.
    fn in_chinese(&self) -> String {
        self.explain::<Chinese>()
    }
}

struct Chinese;

const NUMBERS: [&str; 6] = ["零", "一", "两", "三", "四", "五"];

impl Language for Chinese {
    const MARKS: [&'static str; 3] = ["：", "；", "。"];
    const BOUNDS: [&'static str; 2] = ["不到 ", "超过 "];

    fn advised(f: &mut Formatter<'_>, advice: &Advice, action: Action) -> fmt::Result {
        match action {
            Action::Reroll(Keep::NONE) => f.write_str("重掷全部五枚骰子"),
            Action::Reroll(keep) => {
                write!(f, "保留 {}，重掷其余{}枚骰子", faces(keep), NUMBERS[DIE_COUNT - keep.len()])
            }
            Action::Score(category) if total(advice, category).0 == 0 => zero(f, category),
            Action::Score(category) => {
                write!(f, "记入{}，得 {}", category.in_chinese(), points(advice, category))
            }
        }
    }

    fn aim(f: &mut Formatter<'_>, aim: &Aim) -> fmt::Result {
        match aim {
            Aim::LastBox(category, probability) => {
                let share = percent::<Self>(*probability);
                let space = if share.bound.is_empty() { " " } else { "" };
                write!(f, "之后{}有{space}{share} 的机会得分", category.in_chinese())
            }
            Aim::Ends(only, None) if is_certain(only.probability) => write!(f, "本回合最后会{}", end(*only)),
            Aim::Ends(first, second) => {
                let share = |end: &End| percent::<Self>(end.probability);
                write!(f, "本回合最可能{}（{}）", end(*first), share(first))?;
                second.map_or(Ok(()), |second| write!(f, "，或{}（{}）", end(second), share(&second)))
            }
        }
    }

    fn only(f: &mut Formatter<'_>, advice: &Advice) -> fmt::Result {
        f.write_str(match advice.position().card().open().len() {
            1 => "这是最后一个空格",
            _ => "按规则只能填这一格",
        })
    }

    fn tie(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked, ties: usize) -> fmt::Result {
        let next = doing(advice, next.action);
        match ties {
            1 => write!(f, "与{next}同样好"),
            _ => write!(f, "与{next}等另外 {ties} 种选择同样好"),
        }
    }

    fn gain(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked) -> fmt::Result {
        let certain = matches!((advice.best().action, next.action), (Action::Score(_), Action::Score(_)));
        let last_turn = advice.position().card().open().len() == 1;
        let (next_best, gain) = (doing(advice, next.action), worth(next.loss));
        match advice.objective() {
            Objective::Turn if certain => write!(f, "比{next_best}多得{gain}"),
            Objective::Game if !last_turn => write!(f, "从整局看，比{next_best}平均多得{gain}"),
            Objective::Game | Objective::Turn => write!(f, "比{next_best}平均多得{gain}"),
        }
    }

    fn temptation(f: &mut Formatter<'_>, advice: &Advice, tempting: &Ranked) -> fmt::Result {
        let now = if advice.position().rolls_left() > 0 { "若现在就" } else { "若" };
        write!(f, "{now}{}，平均会损失{}", doing(advice, tempting.action), worth(tempting.loss))
    }

    fn success(f: &mut Formatter<'_>, advice: &WinAdvice) -> fmt::Result {
        match advice.target() {
            Some(target) => write!(f, "达到 {target} 分的概率")?,
            None => f.write_str("获胜的概率")?,
        }
        let is = if advice.bounds().are_exact() { "为" } else { "至少为" };
        write!(f, "{is} {}", fine_percent::<Self>(advice.best().value))
    }

    fn best_by_mean(f: &mut Formatter<'_>, advice: &WinAdvice, other: Option<&WinRanked>) -> fmt::Result {
        match other {
            None => f.write_str("这也是期望得分最高的选择"),
            Some(other) => {
                let other_action = doing(advice.mean(), other.action);
                write!(f, "期望得分最高的是{other_action}，概率为 {}", fine_percent::<Self>(other.value))
            }
        }
    }

    fn decided(f: &mut Formatter<'_>, target: Option<u32>, is_reached: bool) -> fmt::Result {
        match (target, is_reached) {
            (Some(target), true) => write!(f, "必定能达到 {target} 分")?,
            (Some(target), false) => write!(f, "已无法达到 {target} 分")?,
            (None, true) => f.write_str("必胜")?,
            (None, false) => f.write_str("已无法获胜")?,
        }
        f.write_str("，这是期望得分最高的选择")
    }
}

fn zero(f: &mut Formatter<'_>, category: Category) -> fmt::Result {
    write!(f, "在{}填 0 分", category.in_chinese())
}

fn end(end: End) -> impl Display {
    fmt::from_fn(move |f| {
        if end.zero { zero(f, end.category) } else { write!(f, "记入{}", end.category.in_chinese()) }
    })
}

fn doing(advice: &Advice, action: Action) -> impl Display {
    fmt::from_fn(move |f| match action {
        Action::Reroll(Keep::NONE) => f.write_str("重掷全部骰子"),
        Action::Reroll(keep) => write!(f, "保留 {} ", faces(keep)),
        Action::Score(category) if total(advice, category).0 == 0 => zero(f, category),
        Action::Score(category) => {
            write!(f, "在{}记 {}", category.in_chinese(), points(advice, category))
        }
    })
}

fn points(advice: &Advice, category: Category) -> impl Display {
    let total = total(advice, category);
    fmt::from_fn(move |f| match total {
        (total, 0) => write!(f, "{total} 分"),
        (total, bonus) => write!(f, "{total} 分（含奖励 {bonus} 分）"),
    })
}

fn worth(loss: f64) -> impl Display {
    fmt::from_fn(move |f| match amount(loss) {
        None => f.write_str("不到 0.01 分"),
        Some(amount) => write!(f, " {amount} 分"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_never_shown_as_impossible_or_certain() {
        for (probability, text) in
            [(1.0 / 7776.0, "不到 1%"), (0.0051, "1%"), (0.5, "50%"), (0.9949, "99%"), (0.9951, "超过 99%")]
        {
            assert_eq!(percent::<Chinese>(probability).to_string(), text, "{probability}");
        }
    }
}
