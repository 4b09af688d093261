//! What a caller asks of a final score, and the answer.

use std::sync::Arc;

use serde::Serialize;

use super::position;
use super::rule_set::{RuleSet, RulesView, Switches};
use crate::adviser::Adviser;
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Need, Problem, Question, Read, Weight};
use crate::yahtzee::{Category, Distribution, DistributionWork, Scorecard};

/// The percentiles that are always told.
const PERCENTS: [f64; 10] = [1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9];
/// Targets in one request.
const MOST_TARGETS: usize = 100;
/// No score under any rules is near this.
const LARGEST_TARGET: i64 = 1_000_000;

/// With so few boxes open the answer takes some tens of milliseconds.
const AT_ONCE: usize = 6;

/// The final score of a card, and which figures of it to return.
pub(crate) struct Request {
    pub(crate) rules: RuleSet,
    pub(crate) card: Scorecard,
    targets: Vec<u32>,
    full: bool,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let rules_and_card = position::rules_and_card(&mut object, form, &adviser.yahtzee_rules);
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
}

impl Question for Request {
    fn needs(&self) -> Need {
        Need::Game(self.rules)
    }

    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Heavy)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        if !self.is_short() {
            let open = self.card.open().len();
            return Err(Problem::new(Kind::NotFound).with_detail(asked.language.choose(
                format!(
                    "At most {AT_ONCE} boxes may be open without a job, got {open}. Ask a running service."
                ),
                format!("不使用任务时最多只能有 {AT_ONCE} 个空格，当前有 {open} 个。请向运行中的服务查询。"),
            )));
        }
        let distribution = DistributionWork::new(Arc::clone(asked.table.game()?), &self.card).run_blocking();
        Ok(serde_json::to_writer(bytes, &self.view(&distribution))?)
    }
}

impl Request {
    /// Whether it is answered at once; otherwise it takes a job.
    pub(crate) fn is_short(&self) -> bool {
        self.card.open().len() <= AT_ONCE
    }

    /// What is asked for, however it was put.
    pub(crate) fn meaning(&self) -> Result<String, serde_json::Error> {
        let points = Category::ALL.map(|category| self.card.points(category));
        let asked = (&self.targets, self.full);
        serde_json::to_string(&(Switches::of(self.rules.rules()), points, self.card.yahtzee_bonuses(), asked))
    }

    /// Which figures of the distribution to return.
    pub(crate) fn view<'a>(&'a self, distribution: &'a Distribution) -> DistributionView<'a> {
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
pub(crate) struct DistributionView<'a> {
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
