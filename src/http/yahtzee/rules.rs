//! `GET /yahtzee/rules`: the presets as data.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Serialize;

use crate::http::cache::{REVALIDATE, cacheable};
use crate::http::problem::Problem;
use crate::state::AppState;
use crate::yahtzee::{BoxPoints, GameTable, Joker, OfAKindScores, Preset, UpperBonus, YahtzeeBonus};

#[derive(Serialize)]
struct Presets {
    presets: Vec<PresetRules>,
}

/// Rules as a caller sees them. What a preset does not have is left out.
#[derive(Serialize)]
struct PresetRules {
    name: &'static str,
    default: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_bonus: Option<UpperBonus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yahtzee_bonus: Option<YahtzeeBonus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joker: Option<Joker>,
    full_house_from_five_of_a_kind: bool,
    of_a_kind_scores: OfAKindScores,
    rolls_per_turn: u8,
    box_points: BoxPoints,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_final: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_deviation: Option<f64>,
}

impl PresetRules {
    fn new(preset: Preset, state: &AppState) -> Self {
        let rules = preset.rules();
        Self {
            name: preset.name(),
            default: preset == Preset::default(),
            upper_bonus: rules.upper_bonus,
            yahtzee_bonus: rules.yahtzee_bonus,
            joker: rules.joker,
            full_house_from_five_of_a_kind: rules.full_house_from_five_of_a_kind,
            of_a_kind_scores: rules.of_a_kind_scores,
            rolls_per_turn: rules.rolls_per_turn.get(),
            box_points: rules.box_points,
            expected_final: state.yahtzee.game(preset).map(GameTable::expected_final),
            standard_deviation: state.yahtzee.standard_deviation(preset),
        }
    }
}

/// The handler.
pub(crate) async fn get(State(state): State<Arc<AppState>>, headers: HeaderMap) -> Result<Response, Problem> {
    let presets = state.config.yahtzee_rules.iter().map(|&preset| PresetRules::new(preset, &state)).collect();
    let body = serde_json::to_vec(&Presets { presets })?;
    Ok(cacheable(&headers, REVALIDATE, HeaderValue::from_static("application/json"), body))
}
