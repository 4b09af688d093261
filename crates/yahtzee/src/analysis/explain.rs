//! Why an action is best, in one sentence: what it aims at, what it gains over the next best, and
//! which tempting box it leaves alone.

mod english;

pub use english::English;

use std::fmt::{self, Display, Formatter, Write};

use super::advice::{Advice, Ranked};
use crate::rules::action::Action;
use crate::rules::category::Category;
use crate::rules::dice::Keep;
use crate::win::advice::{Decided, WinAdvice, WinRanked};

impl Advice {
    /// One English sentence: why the best action is best.
    pub fn in_english(&self) -> String {
        self.explain::<English>()
    }

    /// The same sentence in any language.
    pub fn explain<L: Language>(&self) -> String {
        // Room for a usual sentence from the start.
        let mut text = String::with_capacity(384);
        // Writing to a string does not fail.
        let _ = write!(text, "{}", sentence::<L>(self));
        text
    }
}

/// A language of explanations: it writes each part of the sentence to its place, all into one buffer.
pub trait Language {
    /// The text before the first reason, before each further one, and at the end.
    const MARKS: [&'static str; 3];
    /// The words before a percentage that is an upper bound, and before one that is a lower bound.
    const BOUNDS: [&'static str; 2];
    /// The advice to take an action.
    fn advised(f: &mut Formatter<'_>, advice: &Advice, action: Action) -> fmt::Result;
    /// Where the turn is likely to end.
    fn aim(f: &mut Formatter<'_>, aim: &Aim) -> fmt::Result;
    /// There is no other action.
    fn only(f: &mut Formatter<'_>, advice: &Advice) -> fmt::Result;
    /// Others are as good: one of them, and how many there are.
    fn tie(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked, ties: usize) -> fmt::Result;
    /// What is gained over the second best.
    fn gain(f: &mut Formatter<'_>, advice: &Advice, next: &Ranked) -> fmt::Result;
    /// What a box that scores more now would cost.
    fn temptation(f: &mut Formatter<'_>, advice: &Advice, tempting: &Ranked) -> fmt::Result;
    /// The probability that the best action wins with.
    fn success(f: &mut Formatter<'_>, advice: &WinAdvice) -> fmt::Result;
    /// The action that is best for points, and the probability that it wins with; `None` if it is the best action.
    fn best_by_mean(f: &mut Formatter<'_>, advice: &WinAdvice, other: Option<&WinRanked>) -> fmt::Result;
    /// Every action wins, or none does; `target` is the score to reach, if there are no opponents to beat.
    fn decided(f: &mut Formatter<'_>, target: Option<u32>, is_reached: bool) -> fmt::Result;
}

impl WinAdvice {
    /// One English sentence: with what probability the best action wins, and how the one that is best for points compares.
    pub fn in_english(&self) -> String {
        self.explain::<English>()
    }

    /// The same sentence in any language.
    pub fn explain<L: Language>(&self) -> String {
        let mut text = String::with_capacity(256);
        // Writing to a string does not fail.
        let _ = write!(text, "{}", win_sentence::<L>(self));
        text
    }
}

fn win_sentence<L: Language>(advice: &WinAdvice) -> impl Display {
    fmt::from_fn(move |f| {
        let [first, further, end] = L::MARKS;
        L::advised(f, advice.mean(), advice.best().action)?;
        f.write_str(first)?;
        match advice.decided() {
            Decided::Open => {
                let other = advice.best_by_mean();
                L::success(f, advice)?;
                f.write_str(further)?;
                L::best_by_mean(f, advice, (other.action != advice.best().action).then_some(other))?;
            }
            decided => L::decided(f, advice.target(), decided == Decided::Reached)?,
        }
        f.write_str(end)
    })
}

fn sentence<L: Language>(advice: &Advice) -> impl Display {
    fmt::from_fn(move |f| {
        let [first, further, end] = L::MARKS;
        L::advised(f, advice, advice.best().action)?;
        f.write_str(first)?;
        if let Some(aim) = Aim::of(advice) {
            L::aim(f, &aim)?;
            f.write_str(further)?;
        }
        let ties = advice.actions().iter().filter(|ranked| ranked.loss <= 0.0).count() - 1;
        match advice.actions().get(1) {
            None => L::only(f, advice)?,
            Some(next) if ties > 0 => L::tie(f, advice, next, ties)?,
            Some(next) => L::gain(f, advice, next)?,
        }
        if let Some(tempting) = tempting(advice) {
            f.write_str(further)?;
            L::temptation(f, advice, tempting)?;
        }
        f.write_str(end)
    })
}

/// A box that scores more now than the advised one, or at all when a reroll is advised; not where it
/// is as good or is the second best, which the sentence names anyway.
fn tempting(advice: &Advice) -> Option<&Ranked> {
    let now = |ranked: &Ranked| match ranked.action {
        Action::Score(category) => advice.scores()[category].total(),
        Action::Reroll(_) => 0,
    };
    let actions = advice.actions();
    let most = actions.iter().max_by(|a, b| now(a).cmp(&now(b)).then(a.value.total_cmp(&b.value)));
    most.filter(|most| now(most) > now(advice.best()) && most.loss > 0.0 && Some(*most) != actions.get(1))
}

/// What a reroll is likely to come to.
pub enum Aim {
    /// The last open box, and the probability of scoring in it.
    LastBox(Category, f64),
    /// The end of the turn that is most likely, and the next.
    Ends(End, Option<End>),
}

/// One way in which a turn can end.
#[derive(Clone, Copy)]
pub struct End {
    /// The box.
    pub category: Category,
    /// Whether it gets a zero.
    pub zero: bool,
    /// From 0 to 1.
    pub probability: f64,
}

impl Aim {
    fn of(advice: &Advice) -> Option<Self> {
        let Action::Reroll(_) = advice.best().action else { return None };
        let open = advice.position().card().open();
        if let (1, Some(last)) = (open.len(), open.iter().next()) {
            let probability = advice.ends()[last].scored;
            return (!is_certain(probability)).then_some(Self::LastBox(last, probability));
        }
        let [mut first, mut second] = [None::<End>; 2];
        for (category, end) in advice.ends().iter() {
            for (zero, probability) in [(false, end.scored), (true, end.zeroed)] {
                let above = |end: Option<End>| {
                    probability >= 0.1 && end.is_none_or(|end| probability > end.probability)
                };
                let this = Some(End { category, zero, probability });
                if above(first) {
                    (first, second) = (this, first);
                } else if above(second) {
                    second = this;
                }
            }
        }
        first.map(|first| Self::Ends(first, second))
    }
}

/// The faces of a keep, separated by spaces.
pub fn faces(keep: Keep) -> impl Display {
    fmt::from_fn(move |f| {
        for (index, face) in keep.faces().iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{face}")?;
        }
        Ok(())
    })
}

/// Whether a probability is 1, but for what adding up rounds off.
pub fn is_certain(probability: f64) -> bool {
    probability > 1.0 - 1e-9
}

/// A probability in whole per cent: "under 1%" and "over 99%" where rounding would show it as impossible or certain.
pub struct Percent {
    /// "under " or "over ", if the number is a bound.
    pub bound: &'static str,
    /// From 1 to 99.
    pub number: u32,
}

/// Rounds a probability to whole per cent in the words of a language.
pub fn percent<L: Language>(probability: f64) -> Percent {
    let [under, over] = L::BOUNDS;
    let (bound, number) = match (probability * 100.0).round() as u32 {
        0 => (under, 1),
        number @ 1..=99 => ("", number),
        _ => (over, 99),
    };
    Percent { bound, number }
}

impl Display for Percent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}%", self.bound, self.number)
    }
}

/// A probability in tenths of a per cent: "under 0.1%" and "over 99.9%" where rounding would show it as impossible or certain.
pub fn fine_percent<L: Language>(probability: f64) -> impl Display {
    let [under, over] = L::BOUNDS;
    let tenths = (probability * 1000.0).round() as u32;
    fmt::from_fn(move |f| match tenths {
        0 => write!(f, "{under}0.1%"),
        1..=999 => write!(f, "{}.{}%", tenths / 10, tenths % 10),
        _ => write!(f, "{over}99.9%"),
    })
}

/// A difference in points, rounded to hundredths; `None` where it would be shown as nothing.
pub fn amount(points: f64) -> Option<f64> {
    let hundredths = (points * 100.0).round();
    (hundredths > 0.0).then_some(hundredths / 100.0)
}

/// The points that the dice earn in a box, and how many of them are bonuses.
pub fn total(advice: &Advice, category: Category) -> (u32, u32) {
    let score = advice.scores()[category];
    (score.total(), score.total() - u32::from(score.box_points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_never_shown_as_impossible_or_certain() {
        for (probability, english) in [
            (1.0 / 7776.0, "under 1%"),
            (1.0 / 216.0, "under 1%"),
            (0.0051, "1%"),
            (0.5, "50%"),
            (0.9949, "99%"),
            (0.9951, "over 99%"),
            (1.0 - 1.0 / 7776.0, "over 99%"),
        ] {
            assert_eq!(percent::<English>(probability).to_string(), english, "{probability}");
        }
        assert!(is_certain(1.0 - 1e-12) && !is_certain(1.0 - 1.0 / 7776.0));
    }
}
