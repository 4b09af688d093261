//! `GET /doudizhu/rules`: the presets as data.

use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Serialize;

use crate::chinese::ChineseName;
use crate::doudizhu::{Preset, Rules, Switch};
use crate::http::cache::{REVALIDATE, cacheable};
use crate::http::problem::Problem;

#[derive(Serialize)]
struct Presets {
    switches: [SwitchName; Switch::ALL.len()],
    presets: [PresetRules; Preset::ALL.len()],
}

#[derive(Serialize)]
struct SwitchName {
    id: Switch,
    name: &'static str,
    name_zh: &'static str,
}

#[derive(Serialize)]
struct PresetRules {
    id: Preset,
    name: &'static str,
    name_zh: &'static str,
    default: bool,
    switches: Rules,
}

/// The handler.
pub(crate) async fn get(headers: HeaderMap) -> Result<Response, Problem> {
    let switches = Switch::ALL.map(|id| SwitchName { id, name: id.in_english(), name_zh: id.in_chinese() });
    let presets = Preset::ALL.map(|id| PresetRules {
        id,
        name: id.in_english(),
        name_zh: id.in_chinese(),
        default: id == Preset::Standard,
        switches: id.rules(),
    });
    let body = serde_json::to_vec(&Presets { switches, presets })?;
    Ok(cacheable(&headers, REVALIDATE, HeaderValue::from_static("application/json"), body))
}
