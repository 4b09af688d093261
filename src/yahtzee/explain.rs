//! Why an action is best, in one sentence: what it aims at, what it gains over the next best, and
//! which tempting box it leaves alone.

mod chinese;
mod english;

use super::action::Action;
use super::advice::{Advice, Ranked};
use super::category::Category;
use super::dice::Keep;

impl Advice {
    /// One English sentence: why the best action is best.
    pub fn in_english(&self) -> String {
        sentence::<english::English>(self)
    }

    /// The same sentence in Chinese.
    pub fn in_chinese(&self) -> String {
        sentence::<chinese::Chinese>(self)
    }
}

/// The parts of the sentence in one language.
trait Language {
    /// What stands before the first reason, before each further one, and at the end.
    const MARKS: [&'static str; 3];
    /// The advice itself.
    fn advised(advice: &Advice) -> String;
    /// Where the turn is likely to end.
    fn aim(aim: &Aim) -> String;
    /// There is no other action.
    fn only(advice: &Advice) -> String;
    /// Others are as good: one of them, and how many there are.
    fn tie(advice: &Advice, next: &Ranked, ties: usize) -> String;
    /// What is gained over the second best.
    fn gain(advice: &Advice, next: &Ranked) -> String;
    /// What a box that scores more now would cost.
    fn temptation(advice: &Advice, tempting: &Ranked) -> String;
}

fn sentence<L: Language>(advice: &Advice) -> String {
    let actions = advice.actions();
    let ties = actions.iter().filter(|ranked| ranked.loss <= 0.0).count() - 1;
    let comparison = match actions.get(1) {
        None => L::only(advice),
        Some(next) if ties > 0 => L::tie(advice, next, ties),
        Some(next) => L::gain(advice, next),
    };
    let reasons = [
        Aim::of(advice).map(|aim| L::aim(&aim)),
        Some(comparison),
        tempting(advice).map(|ranked| L::temptation(advice, ranked)),
    ];
    let [first, further, end] = L::MARKS;
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    L::advised(advice) + first + &reasons.join(further) + end
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
enum Aim {
    /// The last open box, and the chance to score in it.
    LastBox(Category, f64),
    /// The ends of the turn that are most likely, one or two.
    Ends(Vec<End>),
}

/// One way in which a turn can end.
struct End {
    category: Category,
    zero: bool,
    chance: f64,
}

impl Aim {
    fn of(advice: &Advice) -> Option<Self> {
        let Action::Reroll(_) = advice.best().action else { return None };
        let open = advice.position().card().open();
        if let (1, Some(last)) = (open.len(), open.iter().next()) {
            let chance = advice.ends()[last].scored;
            return (chance < 0.995).then_some(Self::LastBox(last, chance));
        }
        let mut ends: Vec<End> = Vec::new();
        for (category, chances) in advice.ends().iter() {
            ends.push(End { category, zero: false, chance: chances.scored });
            ends.push(End { category, zero: true, chance: chances.zeroed });
        }
        ends.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        ends.truncate(2);
        ends.retain(|end| end.chance >= 0.1);
        (!ends.is_empty()).then_some(Self::Ends(ends))
    }
}

fn faces(keep: Keep) -> String {
    keep.faces().iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// A chance in whole per cent, never shown as none or certain.
fn percent(chance: f64) -> u32 {
    ((chance * 100.0).round() as u32).clamp(1, 99)
}

/// A difference in points with at most two decimals; `None` where it would be shown as nothing.
fn amount(points: f64) -> Option<String> {
    let text = format!("{points:.2}");
    (text != "0.00").then(|| text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// The points that the dice earn in a box, and how many of them are bonuses.
fn total(advice: &Advice, category: Category) -> (u32, u32) {
    let score = advice.scores()[category];
    (score.total(), score.total() - u32::from(score.box_points))
}
