//! `POST /yahtzee/turn`: one turn with seeded dice and the best actions.

use serde::Serialize;

use super::best_action::ActionView;
use super::position;
use super::rule_set::{RuleSet, RulesView};
use super::tables::Need;
use crate::adviser::Adviser;
use crate::questions::extract::Field;
use crate::questions::fields;
use crate::questions::{Asked, Form, Kind, Problem, Question, Read};
use crate::yahtzee::{DIE_COUNT, Objective, Ranked, Scorecard, TurnTable};

/// A request, decoded.
pub(crate) struct Request {
    seed: u64,
    rules: RuleSet,
    card: Scorecard,
    objective: Objective,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let seed = object.required("seed", fields::seed);
        let rules_and_card = position::rules_and_card(&mut object, form, &adviser.yahtzee_rules);
        let objective = position::objective(&mut object);
        object.close();
        let (rules, card) = rules_and_card?;
        Some(Self { seed: seed?, rules, card, objective })
    }
}

impl Question for Request {
    fn needs(&self) -> Need {
        if self.objective == Objective::Game { Need::Game(self.rules) } else { Need::Nothing }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let Self { seed, rules, card, objective } = *self;
        let played = match (objective, rules.preset()) {
            (Objective::Turn, Some(preset)) => asked.adviser.yahtzee.turn(preset).play_turn(&card, seed),
            (Objective::Turn, None) => TurnTable::new(rules.rules()).play_turn(&card, seed),
            (Objective::Game, _) => asked.table.game()?.play_turn(&card, objective, seed),
        };
        let played = played.map_err(|_| Problem::new(Kind::Internal))?;
        let steps = played.throws.iter().map(|throw| Step {
            dice: throw.dice.faces(),
            rolls_left: throw.rolls_left,
            best: ActionView::new(
                &Ranked { action: throw.action, value: throw.value, loss: 0.0 },
                throw.dice,
                |_| played.score,
            ),
        });
        let (steps, points) = (steps.collect(), played.score.total());
        let turn = Turn { rules: rules.view(), objective, seed, steps, points };
        Ok(serde_json::to_writer(bytes, &turn)?)
    }
}

#[derive(Serialize)]
struct Turn {
    #[serde(flatten)]
    rules: RulesView,
    objective: Objective,
    seed: u64,
    steps: Vec<Step>,
    points: u32,
}

#[derive(Serialize)]
struct Step {
    dice: [u8; DIE_COUNT],
    rolls_left: u8,
    best: ActionView,
}
