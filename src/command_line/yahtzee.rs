//! `kibitz yahtzee`.

use clap::Args;
use serde_json::{Map, Value, json};

use super::{Asked, Show, table};

pub(super) const EXAMPLES: &str = "\
Examples:
  kibitz yahtzee 1 3 3 4 6 --rolls-left 2 --scorecard ones=3,yahtzee=50
  kibitz yahtzee 2 2 5 5 6 --rules yatzy
  kibitz yahtzee 1 2 4 4 4 --rolls-left 1 --objective reach:124 \\
      --scorecard ones=3,twos=4,threes=6,fours=4,fives=10,sixes=6,three_of_a_kind=10,four_of_a_kind=0,full_house=0";

/// A position of Yahtzee or Yatzy.
#[derive(Debug, Clone, Args)]
pub struct Question {
    /// The faces of the five dice.
    #[arg(required = true, value_name = "FACE")]
    dice: Vec<i64>,
    /// Rolls still allowed this turn.
    #[arg(long, default_value_t = 0, value_name = "ROLLS")]
    rolls_left: i64,
    /// Points in the filled boxes, such as ones=3,yahtzee=50.
    #[arg(long, value_delimiter = ',', value_parser = parse_box, value_name = "BOX=POINTS")]
    scorecard: Vec<(String, i64)>,
    /// How many Yahtzee bonuses were taken.
    #[arg(long, value_name = "NUMBER")]
    yahtzee_bonuses: Option<i64>,
    /// A preset, or house rules as a JSON object.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// What to maximise: game, turn, or reach: and a score.
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<String>,
    /// How many actions to list.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<i64>,
    /// Add the standard deviation of the points still to come.
    #[arg(long)]
    risk: bool,
    #[command(flatten)]
    show: Show,
}

fn parse_box(text: &str) -> Result<(String, i64), String> {
    let (name, points) = text.split_once('=').ok_or("write a box and its points as ones=3")?;
    let points = points.parse().map_err(|_| format!("{points} is no number of points"))?;
    Ok((name.to_owned(), points))
}

impl Question {
    pub(super) fn asked(&self) -> Asked {
        let scorecard: Map<_, _> =
            self.scorecard.iter().map(|(name, points)| (name.clone(), json!(points))).collect();
        let mut body = json!({"dice": self.dice, "rolls_left": self.rolls_left, "scorecard": scorecard});
        if let Some(rules) = &self.rules {
            // An object in JSON, else a name.
            body["rules"] = serde_json::from_str(rules).ok().filter(Value::is_object).unwrap_or(json!(rules));
        }
        if let Some(objective) = &self.objective {
            body["objective"] = match objective.strip_prefix("reach:") {
                Some(score) => {
                    json!({"reach": score.parse::<i64>().map_or_else(|_| json!(score), Value::from)})
                }
                None => json!(objective),
            };
        }
        for (field, value) in [("yahtzee_bonuses", self.yahtzee_bonuses), ("limit", self.limit)] {
            if let Some(value) = value {
                body[field] = json!(value);
            }
        }
        if self.risk {
            body["risk"] = json!(true);
        }
        Asked::new("/yahtzee/best-action", &body, self.show, text)
    }
}

/// The sentence, then the ranking.
fn text(answer: &Value) -> String {
    let is_probability = answer["probability"].is_number();
    let shown = |value: &Value| {
        let value = value.as_f64().unwrap_or_default();
        if is_probability { format!("{:.2}%", 100.0 * value) } else { format!("{value:.2}") }
    };
    let actions = answer["actions"].as_array().map_or(&[][..], Vec::as_slice);
    let has_risk = actions.first().is_some_and(|action| action["standard_deviation"].is_number());
    let mut head = vec!["action", if is_probability { "probability" } else { "value" }, "loss"];
    head.extend(has_risk.then_some("standard deviation"));
    let row = |action: &Value| {
        let mut row = vec![name(action), shown(&action["value"]), shown(&action["loss"])];
        row.extend(has_risk.then(|| shown(&action["standard_deviation"])));
        row
    };
    let rows: Vec<_> = actions.iter().map(row).collect();
    format!("{}\n\n{}", answer["explanation"].as_str().unwrap_or_default(), table::lines(1, &head, &rows))
}

/// `keep 3 3`, `reroll all` or `score threes`.
fn name(action: &Value) -> String {
    match (action["category"].as_str(), action["keep"].as_array().map_or(&[][..], Vec::as_slice)) {
        (Some(category), _) => format!("score {category}"),
        (None, []) => "reroll all".to_owned(),
        (None, keep) => {
            let faces: Vec<_> = keep.iter().map(Value::to_string).collect();
            format!("keep {}", faces.join(" "))
        }
    }
}
