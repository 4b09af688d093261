//! `kibitz doudizhu`.

use clap::Args;
use serde_json::{Value, json};

use super::{Asked, Show, table};

pub(super) const EXAMPLES: &str = "\
Examples:
  kibitz doudizhu 345678899TT
  kibitz doudizhu 7777QK34568 --wild-cards 1
  kibitz doudizhu 3344557 --beat 33
  kibitz doudizhu 3344557 --plays";

/// A hand of Dou Dizhu.
#[derive(Debug, Clone, Args)]
pub struct Question {
    /// The cards, such as 345678899TT; B and R are the jokers.
    hand: String,
    /// The rules.
    #[arg(long, value_name = "PRESET")]
    rules: Option<String>,
    /// Wild cards beside the hand.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["plays", "beat"])]
    wild_cards: Option<i64>,
    /// List what can be played now, not the fewest plays.
    #[arg(long)]
    plays: bool,
    /// The play to beat: list what beats it.
    #[arg(long, value_name = "CARDS")]
    beat: Option<String>,
    #[command(flatten)]
    show: Show,
}

impl Question {
    pub(super) fn asked(&self) -> Asked {
        let mut body = json!({"hand": self.hand});
        if let Some(rules) = &self.rules {
            body["rules"] = json!(rules);
        }
        if let Some(wild_cards) = self.wild_cards {
            body["wild_cards"] = json!(wild_cards);
        }
        if let Some(beat) = &self.beat {
            body["beat"] = json!(beat);
        }
        if self.plays || self.beat.is_some() {
            Asked::new("/doudizhu/plays", &body, self.show, plays)
        } else {
            Asked::new("/doudizhu/min-plays", &body, self.show, fewest)
        }
    }
}

fn cards(play: &Value) -> String {
    let cards = play["cards"].as_array().map_or(&[][..], Vec::as_slice);
    cards.iter().filter_map(Value::as_str).collect()
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The sentence, then the plays of the witness.
fn fewest(answer: &Value) -> String {
    let plays = answer["plays"].as_array().map_or(&[][..], Vec::as_slice);
    let rows: Vec<_> = plays.iter().map(|play| vec![cards(play), words(&play["name"])]).collect();
    format!("{}\n\n{}", words(&answer["explanation"]), table::lines(2, &["play", "kind"], &rows))
}

/// The sentence, then every play with what it leaves.
fn plays(answer: &Value) -> String {
    let plays = answer["plays"].as_array().map_or(&[][..], Vec::as_slice);
    let row = |play: &Value| vec![cards(play), words(&play["name"]), play["min_plays_left"].to_string()];
    let rows: Vec<_> = plays.iter().map(row).collect();
    format!(
        "{}\n\n{}",
        words(&answer["explanation"]),
        table::lines(2, &["play", "kind", "plays left"], &rows)
    )
}
