//! `/yahtzee/rules`: the presets as data by GET, and what a game under any rules is worth by POST.

use serde::Serialize;

use super::rule_set::{RuleSet, Switches, house_rules};
use super::tables::Need;
use crate::adviser::Adviser;
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Problem, Question, Read};
use crate::yahtzee::{CardState, GameTable, Preset};

/// The question what presets there are.
pub(crate) struct Presets;

impl Read for Presets {
    const HAS_FIELDS: bool = false;
    const MAY_CHANGE: bool = true;

    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        body.object()?.close();
        Some(Self)
    }
}

impl Question for Presets {
    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let presets = asked.adviser.yahtzee_rules.iter();
        let presets = presets.map(|&preset| PresetRules::new(preset, asked.adviser)).collect();
        Ok(serde_json::to_writer(bytes, &PresetsView { presets })?)
    }
}

#[derive(Serialize)]
struct PresetsView {
    presets: Vec<PresetRules>,
}

#[derive(Serialize)]
struct PresetRules {
    name: &'static str,
    default: bool,
    #[serde(flatten)]
    switches: Switches,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_final: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_deviation: Option<f64>,
}

impl PresetRules {
    fn new(preset: Preset, adviser: &Adviser) -> Self {
        Self {
            name: preset.name(),
            default: preset == Preset::default(),
            switches: Switches::of(&preset.rules()),
            expected_final: adviser.yahtzee.game(preset).map(GameTable::expected_final),
            standard_deviation: adviser.yahtzee.standard_deviation(preset),
        }
    }
}

/// The worth of a whole game under some rules.
#[derive(Serialize)]
struct RulesValue {
    /// The preset, or the base of the house rules.
    rules: Preset,
    #[serde(flatten)]
    switches: Switches,
    expected_final: f64,
    standard_deviation: f64,
}

/// Rules whose worth is asked for.
pub(crate) struct Request(RuleSet);

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, adviser: &Adviser) -> Option<Self> {
        house_rules(body, &adviser.yahtzee_rules).map(Self)
    }
}

impl Question for Request {
    fn needs(&self) -> Need {
        Need::Moments(self.0)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let (table, moments) = asked.table.moments().ok_or(Problem::new(Kind::Internal))?;
        let expected_final = table.expected_final();
        let standard_deviation = moments.standard_deviation(table, CardState::default());
        let (rules, switches) = (self.0.name(), Switches::of(self.0.rules()));
        Ok(serde_json::to_writer(bytes, &RulesValue { rules, switches, expected_final, standard_deviation })?)
    }
}
