//! Questions about Dou Dizhu.

mod cards;
pub(super) mod endgame;
pub(super) mod kitty;
pub(super) mod min_plays;
pub(super) mod plays;
pub(super) mod recognize;
pub(super) mod rules;
mod wild;

use serde::Serialize;

use super::extract::Object;
use crate::chinese::ChineseName;
use crate::doudizhu::{Kind, Play, Preset};

/// The rules of a request; `standard` if they are absent, `None` if they are faulty.
fn rules(object: &mut Object<'_, '_, '_>) -> Option<Preset> {
    if object.present("rules").is_none() {
        return Some(Preset::Standard);
    }
    object.optional("rules", |field| field.name_of(&Preset::ALL, Preset::name))
}

/// The names of a play.
#[derive(Serialize)]
struct PlayName {
    kind: Kind,
    name: &'static str,
    name_zh: &'static str,
}

impl PlayName {
    fn of(play: Play) -> Self {
        let kind = play.kind();
        Self { kind, name: kind.in_english(), name_zh: kind.in_chinese() }
    }
}
