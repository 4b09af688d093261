//! `GET /doudizhu/rules`: the presets as data.

use serde::Serialize;

use crate::adviser::Adviser;
use crate::chinese::ChineseName;
use crate::doudizhu::{Preset, Rules, Switch};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Problem, Question, Read};

/// The question what presets there are.
pub(crate) struct Presets;

#[derive(Serialize)]
struct PresetsView {
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

impl Read for Presets {
    const HAS_FIELDS: bool = false;
    const MAY_CHANGE: bool = true;

    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        body.object()?.close();
        Some(Self)
    }
}

impl Question for Presets {
    fn answer(&self, _: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let switches =
            Switch::ALL.map(|id| SwitchName { id, name: id.in_english(), name_zh: id.in_chinese() });
        let presets = Preset::ALL.map(|id| PresetRules {
            id,
            name: id.in_english(),
            name_zh: id.in_chinese(),
            default: id == Preset::Standard,
            switches: id.rules(),
        });
        Ok(serde_json::to_writer(bytes, &PresetsView { switches, presets })?)
    }
}
