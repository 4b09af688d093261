//! What a caller asks of a final score, and the answer.

use serde::Serialize;

use super::super::position;
use super::super::rule_set::{RuleSet, RulesView, Switches};
use crate::http::extract::Field;
use crate::http::question::Form;
use crate::yahtzee::{Category, Distribution, Preset, Scorecard};

/// The percentiles that are always told.
const PERCENTS: [f64; 10] = [1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9];
/// Targets in one request.
const MOST_TARGETS: usize = 100;
/// No score under any rules is near this.
const LARGEST_TARGET: i64 = 1_000_000;

/// The final score of a card, and which figures of it to return.
pub(super) struct Request {
    pub(super) rules: RuleSet,
    pub(super) card: Scorecard,
    targets: Vec<u32>,
    full: bool,
}

impl Request {
    pub(super) fn decode(body: &mut Field<'_, '_, '_>, served: &[Preset]) -> Option<Self> {
        let mut object = body.object()?;
        let rules_and_card = position::rules_and_card(&mut object, Form::Body, served);
        let targets = object.optional("targets", |field| {
            field.array(0..=MOST_TARGETS, |field| {
                field.integer(0..=LARGEST_TARGET).and_then(|target| u32::try_from(target).ok())
            })
        });
        let full = object.optional("full", |field| field.boolean());
        object.close();
        let (rules, card) = rules_and_card?;
        Some(Self { rules, card, targets: targets.unwrap_or_default(), full: full.unwrap_or_default() })
    }

    /// What is asked for, however it was put.
    pub(super) fn meaning(&self) -> Result<String, serde_json::Error> {
        let points = Category::ALL.map(|category| self.card.points(category));
        let asked = (&self.targets, self.full);
        serde_json::to_string(&(Switches::of(self.rules.rules()), points, self.card.yahtzee_bonuses(), asked))
    }

    /// Which figures of the distribution to return.
    pub(super) fn view<'a>(&'a self, distribution: &'a Distribution) -> DistributionView<'a> {
        let percentile = |percent: f64| Percentile { percent, score: distribution.quantile(percent / 100.0) };
        let at_least = |&target: &u32| AtLeast { target, probability: distribution.at_least(target) };
        DistributionView {
            object: "distribution",
            rules: self.rules.view(),
            points_so_far: self.card.points_so_far(),
            mean: distribution.mean(),
            standard_deviation: distribution.standard_deviation(),
            mode: distribution.mode(),
            percentiles: PERCENTS.map(percentile),
            at_least: self.targets.iter().map(at_least).collect(),
            pmf: self.full.then(|| distribution.probabilities()),
        }
    }
}

/// The answer.
#[derive(Serialize)]
pub(super) struct DistributionView<'a> {
    /// What this document is.
    object: &'static str,
    #[serde(flatten)]
    rules: RulesView,
    points_so_far: u32,
    mean: f64,
    standard_deviation: f64,
    mode: u32,
    percentiles: [Percentile; PERCENTS.len()],
    at_least: Vec<AtLeast>,
    /// By score, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pmf: Option<&'a [f64]>,
}

#[derive(Serialize)]
struct Percentile {
    percent: f64,
    score: u32,
}

#[derive(Serialize)]
struct AtLeast {
    target: u32,
    probability: f64,
}
