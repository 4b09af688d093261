//! The sentence in Chinese.

use super::{Action, Advice, Aim, Category, End, Keep, Language, Ranked, amount, faces, percent, total};
use crate::yahtzee::{DIE_COUNT, Objective};

pub(super) struct Chinese;

const NUMBERS: [&str; 6] = ["零", "一", "两", "三", "四", "五"];

impl Language for Chinese {
    const MARKS: [&'static str; 3] = ["：", "；", "。"];

    fn advised(advice: &Advice) -> String {
        match advice.best().action {
            Action::Reroll(Keep::NONE) => "重掷全部五枚骰子".to_owned(),
            Action::Reroll(keep) => {
                format!("保留 {}，重掷其余{}枚骰子", faces(keep), NUMBERS[DIE_COUNT - keep.len()])
            }
            Action::Score(category) if total(advice, category).0 == 0 => {
                format!("在{}填 0 分", category.in_chinese())
            }
            Action::Score(category) => {
                format!("记入{}，得 {}", category.in_chinese(), points(advice, category))
            }
        }
    }

    fn aim(aim: &Aim) -> String {
        match aim {
            Aim::LastBox(category, chance) => {
                format!("之后{}得分的机会是 {}%", category.in_chinese(), percent(*chance))
            }
            Aim::Ends(ends) => match &ends[..] {
                [only] if only.chance > 0.995 => format!("本回合最后会{}", end(only)),
                ends => {
                    let with_chance = |e: &End| format!("{}（{}%）", end(e), percent(e.chance));
                    let ends: Vec<String> = ends.iter().map(with_chance).collect();
                    format!("本回合最可能{}", ends.join("，或"))
                }
            },
        }
    }

    fn only(advice: &Advice) -> String {
        match advice.position().card().open().len() {
            1 => "这是最后一个空格".to_owned(),
            _ => "按规则只能填这一格".to_owned(),
        }
    }

    fn tie(advice: &Advice, next: &Ranked, ties: usize) -> String {
        match ties {
            1 => format!("与{}同样好", doing(advice, next.action)),
            _ => format!("与{}等另外 {ties} 种选择同样好", doing(advice, next.action)),
        }
    }

    fn gain(advice: &Advice, next: &Ranked) -> String {
        let certain = matches!((advice.best().action, next.action), (Action::Score(_), Action::Score(_)));
        let last_turn = advice.position().card().open().len() == 1;
        let next_best = doing(advice, next.action);
        match advice.objective() {
            Objective::Turn if certain => format!("比{next_best}多得{}", worth(next.loss)),
            Objective::Game if !last_turn => format!("从整局看，比{next_best}平均多得{}", worth(next.loss)),
            Objective::Game | Objective::Turn => format!("比{next_best}平均多得{}", worth(next.loss)),
        }
    }

    fn temptation(advice: &Advice, tempting: &Ranked) -> String {
        let now = if advice.position().rolls_left() > 0 { "若现在就" } else { "若" };
        format!("{now}{}，平均会损失{}", doing(advice, tempting.action), worth(tempting.loss))
    }
}

fn end(end: &End) -> String {
    let category = end.category.in_chinese();
    if end.zero { format!("在{category}填 0 分") } else { format!("记入{category}") }
}

fn doing(advice: &Advice, action: Action) -> String {
    match action {
        Action::Reroll(Keep::NONE) => "重掷全部骰子".to_owned(),
        Action::Reroll(keep) => format!("保留 {} ", faces(keep)),
        Action::Score(category) if total(advice, category).0 == 0 => {
            format!("在{}填 0 分", category.in_chinese())
        }
        Action::Score(category) => format!("在{}记 {}", category.in_chinese(), points(advice, category)),
    }
}

fn points(advice: &Advice, category: Category) -> String {
    match total(advice, category) {
        (total, 0) => format!("{total} 分"),
        (total, bonus) => format!("{total} 分（含奖励 {bonus} 分）"),
    }
}

fn worth(loss: f64) -> String {
    amount(loss).map_or_else(|| "不到 0.01 分".to_owned(), |amount| format!(" {amount} 分"))
}
