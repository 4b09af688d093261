//! The sentence in English.

use super::{Action, Advice, Aim, Category, End, Keep, Language, Ranked, amount, faces, percent, total};
use crate::yahtzee::{DIE_COUNT, Objective};

pub(super) struct English;

const NUMBERS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];

impl Language for English {
    const MARKS: [&'static str; 3] = [": ", "; ", "."];

    fn advised(advice: &Advice) -> String {
        match advice.best().action {
            Action::Reroll(Keep::NONE) => "Reroll all five dice".to_owned(),
            Action::Reroll(keep) => match DIE_COUNT - keep.len() {
                1 => format!("Keep {} and reroll the other die", faces(keep)),
                others => format!("Keep {} and reroll the other {} dice", faces(keep), NUMBERS[others]),
            },
            Action::Score(category) if total(advice, category).0 == 0 => format!("Put a zero in {category}"),
            Action::Score(category) => format!("Score {category} for {}", points(advice, category)),
        }
    }

    fn aim(aim: &Aim) -> String {
        match aim {
            Aim::LastBox(category, chance) => {
                format!("{category} is then made {}% of the time", percent(*chance))
            }
            Aim::Ends(ends) => match &ends[..] {
                [only] if only.chance > 0.995 => format!("the turn then ends in {}", end(only)),
                ends => {
                    let with_chance = |e: &End| format!("{} ({}%)", end(e), percent(e.chance));
                    let ends: Vec<String> = ends.iter().map(with_chance).collect();
                    format!("the turn then most often ends in {}", ends.join(" or "))
                }
            },
        }
    }

    fn only(advice: &Advice) -> String {
        match advice.position().card().open().len() {
            1 => "it is the last open box".to_owned(),
            _ => "the rules allow no other box".to_owned(),
        }
    }

    fn tie(advice: &Advice, next: &Ranked, ties: usize) -> String {
        let next = doing(advice, next.action);
        match (ties - 1, NUMBERS.get(ties - 1)) {
            (0, _) => format!("this ties with {next}"),
            (1, _) => format!("this ties with {next} and one other choice"),
            (_, Some(others)) => format!("this ties with {next} and {others} other choices"),
            (others, None) => format!("this ties with {next} and {others} other choices"),
        }
    }

    fn gain(advice: &Advice, next: &Ranked) -> String {
        let certain = matches!((advice.best().action, next.action), (Action::Score(_), Action::Score(_)));
        let last_turn = advice.position().card().open().len() == 1;
        let scope = match advice.objective() {
            Objective::Turn if certain => "",
            Objective::Game if !last_turn => "over the whole game ",
            Objective::Game | Objective::Turn => "on average ",
        };
        format!("{scope}this is worth {} more than {}", worth(next.loss), doing(advice, next.action))
    }

    fn temptation(advice: &Advice, tempting: &Ranked) -> String {
        let now = if advice.position().rolls_left() > 0 { " now" } else { "" };
        format!("{}{now} would cost {}", doing(advice, tempting.action), worth(tempting.loss))
    }
}

fn end(end: &End) -> String {
    if end.zero { format!("a zero in {}", end.category) } else { end.category.in_english().to_owned() }
}

fn doing(advice: &Advice, action: Action) -> String {
    match action {
        Action::Reroll(Keep::NONE) => "rerolling all five dice".to_owned(),
        Action::Reroll(keep) => format!("keeping {}", faces(keep)),
        Action::Score(category) if total(advice, category).0 == 0 => format!("putting a zero in {category}"),
        Action::Score(category) => format!("scoring {category} for {}", points(advice, category)),
    }
}

fn points(advice: &Advice, category: Category) -> String {
    match total(advice, category) {
        (1, 0) => "1 point".to_owned(),
        (total, 0) => format!("{total} points"),
        (total, bonus) => format!("{total} points ({bonus} of them bonus)"),
    }
}

fn worth(loss: f64) -> String {
    match amount(loss) {
        None => "less than 0.01 points".to_owned(),
        Some(amount) if amount == "1" => "1 point".to_owned(),
        Some(amount) => format!("{amount} points"),
    }
}
