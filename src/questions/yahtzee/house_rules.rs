//! House rules as answers show them: their base preset, and what differs from it.

use serde::Serialize;

use crate::yahtzee::{
    BoxPoints, Joker, JokerKind, OfAKindScores, Points, Preset, Rules, Sheet, UpperBonus, YahtzeeBonus,
};

/// House rules as a preset and the switches that differ from it. A caller can send them back unchanged.
#[derive(Serialize)]
pub(super) struct HouseRules {
    base: Preset,
    #[serde(skip_serializing_if = "Option::is_none")]
    forced_order: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_bonus: Option<UpperBonusChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yahtzee_bonus: Option<YahtzeeBonusChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joker: Option<JokerChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_house_from_five_of_a_kind: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    two_pairs_from_four_of_a_kind: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_a_kind_scores: Option<OfAKindScores>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls_per_turn: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    box_points: Option<BoxPointsChange>,
}

#[derive(Serialize)]
struct UpperBonusChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u16>,
}

#[derive(Serialize)]
struct YahtzeeBonusChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_zero: Option<bool>,
}

#[derive(Serialize)]
struct JokerChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_zero: Option<bool>,
}

#[derive(Serialize)]
struct BoxPointsChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    full_house: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    small_straight: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    large_straight: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yahtzee: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yatzy: Option<Points>,
}

impl HouseRules {
    /// Rules as changes of a preset.
    pub(super) fn over(base: Preset, rules: &Rules) -> Self {
        let usual = base.rules();
        Self {
            base,
            forced_order: changed(usual.forced_order, rules.forced_order),
            two_pairs_from_four_of_a_kind: changed(
                usual.two_pairs_from_four_of_a_kind,
                rules.two_pairs_from_four_of_a_kind,
            ),
            upper_bonus: changed(usual.upper_bonus, rules.upper_bonus)
                .map(|bonus| UpperBonusChange::new(usual.upper_bonus, bonus)),
            yahtzee_bonus: changed(usual.yahtzee_bonus, rules.yahtzee_bonus)
                .map(|bonus| YahtzeeBonusChange::new(usual.yahtzee_bonus, bonus)),
            joker: changed(usual.joker, rules.joker).map(|joker| JokerChange::new(usual.joker, joker)),
            full_house_from_five_of_a_kind: changed(
                usual.full_house_from_five_of_a_kind,
                rules.full_house_from_five_of_a_kind,
            ),
            of_a_kind_scores: changed(usual.of_a_kind_scores, rules.of_a_kind_scores),
            rolls_per_turn: changed(usual.rolls_per_turn.get(), rules.rolls_per_turn.get()),
            box_points: changed(usual.box_points, rules.box_points)
                .map(|points| BoxPointsChange::new(&usual, points)),
        }
    }
}

impl UpperBonusChange {
    fn new(usual: Option<UpperBonus>, now: Option<UpperBonus>) -> Self {
        Self {
            threshold: part(usual, now, |bonus| bonus.threshold.get()),
            points: now.map_or(Some(0), |_| part(usual, now, |bonus| bonus.points.get())),
        }
    }
}

impl YahtzeeBonusChange {
    fn new(usual: Option<YahtzeeBonus>, now: Option<YahtzeeBonus>) -> Self {
        Self {
            points: now.map_or(Some(0), |_| part(usual, now, |bonus| bonus.points.get())),
            after_zero: part(usual, now, |bonus| bonus.after_zero),
        }
    }
}

impl JokerChange {
    fn new(usual: Option<Joker>, now: Option<Joker>) -> Self {
        let kind = |joker: Joker| joker_name(Some(joker.kind));
        Self {
            kind: now.map_or(Some(joker_name(None)), |_| part(usual, now, kind)),
            after_zero: part(usual, now, |joker| joker.after_zero),
        }
    }
}

impl BoxPointsChange {
    fn new(base: &Rules, now: BoxPoints) -> Self {
        let usual = base.box_points;
        let (yahtzee, yatzy) = match changed(usual.yahtzee, now.yahtzee) {
            points if *base.sheet == Sheet::YAHTZEE => (points, None),
            points => (None, points),
        };
        Self {
            full_house: changed(usual.full_house, now.full_house),
            small_straight: changed(usual.small_straight, now.small_straight),
            large_straight: changed(usual.large_straight, now.large_straight),
            yahtzee,
            yatzy,
        }
    }
}

/// What `now` is, if that is not what is usual.
fn changed<T: Copy + PartialEq>(usual: T, now: T) -> Option<T> {
    (usual != now).then_some(now)
}

/// A part of a switch, if it is not as usual. A switch that the base does not have is shown in full.
fn part<T: Copy, P: PartialEq>(usual: Option<T>, now: Option<T>, of: impl Fn(T) -> P) -> Option<P> {
    let now = now.map(&of);
    if now == usual.map(of) { None } else { now }
}

/// The name of a kind of joker in requests and answers.
pub(super) const fn joker_name(kind: Option<JokerKind>) -> &'static str {
    match kind {
        None => "none",
        Some(JokerKind::Forced) => "forced",
        Some(JokerKind::Free) => "free",
        Some(JokerKind::Loose) => "loose",
    }
}
