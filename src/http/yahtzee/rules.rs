//! `/yahtzee/rules`: the presets as data by GET, and what a game under any rules is worth by POST.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Serialize;

use super::rule_set::{RuleSet, Switches, house_rules};
use super::tables::{Need, Table};
use crate::http::cache::{REVALIDATE, cacheable};
use crate::http::extract::Field;
use crate::http::language::Language;
use crate::http::problem::{Kind, Problem};
use crate::http::question::{Form, Question};
use crate::state::AppState;
use crate::yahtzee::{CardState, GameTable, Preset};

#[derive(Serialize)]
struct Presets {
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
    fn new(preset: Preset, state: &AppState) -> Self {
        Self {
            name: preset.name(),
            default: preset == Preset::default(),
            switches: Switches::of(&preset.rules()),
            expected_final: state.yahtzee.game(preset).map(GameTable::expected_final),
            standard_deviation: state.yahtzee.standard_deviation(preset),
        }
    }
}

/// The GET handler.
pub(crate) async fn get(State(state): State<Arc<AppState>>, headers: HeaderMap) -> Result<Response, Problem> {
    let presets = state.config.yahtzee_rules.iter().map(|&preset| PresetRules::new(preset, &state)).collect();
    let body = serde_json::to_vec(&Presets { presets })?;
    Ok(cacheable(&headers, REVALIDATE, HeaderValue::from_static("application/json"), body))
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

impl Question for Request {
    fn decode(body: &mut Field<'_, '_, '_>, _: Form, state: &AppState) -> Option<Self> {
        house_rules(body, &state.config.yahtzee_rules).map(Self)
    }

    fn needs(&self) -> Need {
        Need::Moments(self.0)
    }

    fn answer(&self, _: &AppState, table: &Table, _: Language, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let (table, moments) = table.moments().ok_or(Problem::new(Kind::Internal))?;
        let expected_final = table.expected_final();
        let standard_deviation = moments.standard_deviation(table, CardState::default());
        let (rules, switches) = (self.0.name(), Switches::of(self.0.rules()));
        Ok(serde_json::to_writer(bytes, &RulesValue { rules, switches, expected_final, standard_deviation })?)
    }
}
