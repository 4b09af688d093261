//! The sentence in English.

use std::fmt::{self, Display, Formatter};

use super::{
    Action, Advice, Aim, Category, End, Keep, Language, Ranked, WinAdvice, WinRanked, amount, faces,
    fine_percent, is_certain, percent, total,
};
use crate::{DIE_COUNT, Objective};

/// English, as players speak it.
pub struct English;

const NUMBERS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];

impl Language for English {
    const MARKS: [&'static str; 3] = [": ", "; ", "."];
    const BOUNDS: [&'static str; 2] = ["under ", "over "];

    fn advised(f: &mut Formatter<'_>, advice: &Advice, action: Action) -> fmt::Result {
        match action {
            Action::Reroll(Keep::NONE) => f.write_str("Reroll all five dice"),
            Action::Reroll(keep) => match DIE_COUNT - keep.len() {
                1 => write!(f, "Keep {} and reroll the other die", faces(keep)),
                others => write!(f, "Keep {} and reroll the other {} dice", faces(keep), NUMBERS[others]),
            },
            Action::Score(category) if total(advice, category).0 == 0 => {
                write!(f, "Put a zero in {category}")
            }
            Action::Score(category) => write!(f, "Score {category} for {}", points(advice, category)),
        }
    }

    fn aim(f: &mut Formatter<'_>, aim: &Aim) -> fmt::Result {
        match aim {
            Aim::LastBox(category, probability) => {
                write!(f, "{category} is then made {} of the time", percent::<Self>(*probability))
            }
            Aim::Ends(only, None) if is_certain(only.probability) => {
                write!(f, "the turn then ends in {}", end(*only))
            }
            Aim::Ends(first, second) => {
                let share = |end: &End| percent::<Self>(end.probability);
                write!(f, "the turn then most often ends in {} ({})", end(*first), share(first))?;
                second.map_or(Ok(()), |second| write!(f, " or {} ({})", end(second), share(&second)))
            }
        }
    }

    fn only(f: &mut Formatter<'_>, advice: &Advice) -> fmt::Result {
        f.write_str(match advice.position().card().open().len() {
            1 => "it is the last open box",
            _ => "the rules allow no other box",
        })
    }

    fn tie(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked, ties: usize) -> fmt::Result {
        write!(f, "this ties with {}", doing(advice, next.action))?;
        match (ties - 1, NUMBERS.get(ties - 1)) {
            (0, _) => Ok(()),
            (1, _) => f.write_str(" and one other choice"),
            (_, Some(others)) => write!(f, " and {others} other choices"),
            (others, None) => write!(f, " and {others} other choices"),
        }
    }

    fn gain(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked) -> fmt::Result {
        let certain = matches!((advice.best().action, next.action), (Action::Score(_), Action::Score(_)));
        let last_turn = advice.position().card().open().len() == 1;
        let scope = match advice.objective() {
            Objective::Turn if certain => "",
            Objective::Game if !last_turn => "over the whole game ",
            Objective::Game | Objective::Turn => "on average ",
        };
        write!(f, "{scope}this is worth {} more than {}", worth(next.loss), doing(advice, next.action))
    }

    fn temptation(f: &mut Formatter<'_>, advice: &Advice, tempting: &Ranked) -> fmt::Result {
        let now = if advice.position().rolls_left() > 0 { " now" } else { "" };
        write!(f, "{}{now} would cost {}", doing(advice, tempting.action), worth(tempting.loss))
    }

    fn success(f: &mut Formatter<'_>, advice: &WinAdvice) -> fmt::Result {
        match advice.target() {
            Some(target) => write!(f, "this reaches {target} points with ")?,
            None => f.write_str("this wins with ")?,
        }
        let least = if advice.bounds().are_exact() { "" } else { "at least " };
        write!(f, "{least}{}", fine_percent::<Self>(advice.best().value))
    }

    fn best_by_mean(f: &mut Formatter<'_>, advice: &WinAdvice, other: Option<&WinRanked>) -> fmt::Result {
        match other {
            None => f.write_str("it is best for points, too"),
            Some(other) => {
                let other_action = doing(advice.mean(), other.action);
                write!(f, "{other_action}, best for points, with {}", fine_percent::<Self>(other.value))
            }
        }
    }

    fn decided(f: &mut Formatter<'_>, target: Option<u32>, is_reached: bool) -> fmt::Result {
        match (target, is_reached) {
            (Some(target), true) => write!(f, "{target} points are certain")?,
            (Some(target), false) => write!(f, "{target} points are out of reach")?,
            (None, true) => f.write_str("the win is certain")?,
            (None, false) => f.write_str("a win is out of reach")?,
        }
        f.write_str(", so this is the best action for points")
    }
}

fn end(end: End) -> impl Display {
    fmt::from_fn(move |f| {
        let zero = if end.zero { "a zero in " } else { "" };
        write!(f, "{zero}{}", end.category)
    })
}

fn doing(advice: &Advice, action: Action) -> impl Display {
    fmt::from_fn(move |f| match action {
        Action::Reroll(Keep::NONE) => f.write_str("rerolling all five dice"),
        Action::Reroll(keep) => write!(f, "keeping {}", faces(keep)),
        Action::Score(category) if total(advice, category).0 == 0 => {
            write!(f, "putting a zero in {category}")
        }
        Action::Score(category) => write!(f, "scoring {category} for {}", points(advice, category)),
    })
}

fn points(advice: &Advice, category: Category) -> impl Display {
    let total = total(advice, category);
    fmt::from_fn(move |f| match total {
        (1, 0) => f.write_str("1 point"),
        (total, 0) => write!(f, "{total} points"),
        (total, bonus) => write!(f, "{total} points ({bonus} of them bonus)"),
    })
}

fn worth(loss: f64) -> impl Display {
    fmt::from_fn(move |f| match amount(loss) {
        None => f.write_str("less than 0.01 points"),
        Some(1.0) => f.write_str("1 point"),
        Some(amount) => write!(f, "{amount} points"),
    })
}
