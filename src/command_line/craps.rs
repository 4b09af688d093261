//! `kibitz craps`.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{Asked, Show, table};

/// A question about craps.
#[derive(Debug, Clone, Subcommand)]
pub enum Question {
    /// What a bet is worth: its outcomes, house edge and rolls.
    #[command(
        after_help = "Examples:\n  kibitz craps odds place_6\n  kibitz craps odds pass_line --odds 3-4-5x"
    )]
    Odds(Odds),
    /// The probability of reaching a target before the money is gone.
    #[command(
        after_help = "Example:\n  kibitz craps bankroll pass_line --bankroll 50 --target 100 --max-rounds 200"
    )]
    Bankroll(Bankroll),
}

/// A bet and its odds.
#[derive(Debug, Clone, Args)]
pub(super) struct Bet {
    /// The id of a bet, such as pass_line, or a bet that you define, as a JSON object.
    bet: String,
    /// Odds behind the bet, such as 2x or 3-4-5x.
    #[arg(long, value_name = "ODDS")]
    odds: Option<String>,
}

impl Bet {
    fn body(&self) -> Value {
        let bet = serde_json::from_str(&self.bet).ok().filter(Value::is_object).unwrap_or(json!(self.bet));
        let mut body = json!({"bet": bet});
        if let Some(odds) = &self.odds {
            body["odds"] = json!(odds);
        }
        body
    }
}

/// What a bet is worth.
#[derive(Debug, Clone, Args)]
pub struct Odds {
    #[command(flatten)]
    bet: Bet,
    #[command(flatten)]
    show: Show,
}

/// How long money lasts.
#[derive(Debug, Clone, Args)]
pub struct Bankroll {
    #[command(flatten)]
    bet: Bet,
    /// The money at the start, in units of the bet.
    #[arg(long, value_name = "MONEY")]
    bankroll: String,
    /// The money at which to stop.
    #[arg(long, value_name = "MONEY")]
    target: String,
    /// Bets made at most.
    #[arg(long, value_name = "NUMBER")]
    max_rounds: i64,
    #[command(flatten)]
    show: Show,
}

impl Question {
    pub(super) fn asked(&self) -> Asked {
        match self {
            Self::Odds(Odds { bet, show }) => Asked::new("/craps/odds", &bet.body(), *show, odds),
            Self::Bankroll(question) => {
                let mut body = question.bet.body();
                body["bankroll"] = json!(question.bankroll);
                body["target"] = json!(question.target);
                body["max_rounds"] = json!(question.max_rounds);
                Asked::new("/craps/bankroll", &body, question.show, bankroll)
            }
        }
    }
}

/// An exact number: the fraction if it is short, and the value.
fn exact(figure: &Value) -> Vec<String> {
    let fraction = figure["fraction"].as_str().filter(|text| text.len() <= 24).unwrap_or_default();
    vec![fraction.to_owned(), format!("{:.6}", figure["value"].as_f64().unwrap_or_default())]
}

fn row(name: &str, figure: &Value) -> Vec<String> {
    [vec![name.to_owned()], exact(figure)].concat()
}

/// The outcomes, then the figures.
fn odds(answer: &Value) -> String {
    let (outcomes, edges, variance) = match &answer["with_odds"] {
        Value::Object(with_odds) => (
            with_odds["outcomes"].as_array(),
            vec![
                row("house edge on all money put up", &answer["with_odds"]["edge_on_action"]),
                row("house edge on the flat bet", &answer["with_odds"]["edge_on_flat"]),
            ],
            &answer["with_odds"]["variance"],
        ),
        _ => (
            answer["outcomes"].as_array(),
            vec![
                row("house edge per bet made", &answer["house_edge"]["per_bet_made"]),
                row("house edge per bet resolved", &answer["house_edge"]["per_bet_resolved"]),
                row("house edge per roll", &answer["house_edge"]["per_roll"]),
            ],
            &answer["variance"],
        ),
    };
    let outcome = |outcome: &Value| {
        let net = outcome["net"]["fraction"].as_str().unwrap_or_default().trim_end_matches("/1").to_owned();
        [vec![outcome["label"].as_str().unwrap_or_default().to_owned(), net], exact(&outcome["probability"])]
            .concat()
    };
    let outcomes: Vec<_> = outcomes.map_or(&[][..], Vec::as_slice).iter().map(outcome).collect();
    let mut figures = edges;
    figures.push(row("expected rolls", &answer["expected_rolls"]));
    figures.push(row("variance", variance));
    let name = answer["name"].as_str().unwrap_or("The bet that you define");
    let outcomes = table::lines(1, &["outcome", "net", "exactly", "probability"], &outcomes);
    let figures = table::lines(1, &["figure", "exactly", "value"], &figures);
    format!("{name}\n\n{outcomes}\n\n{figures}")
}

fn bankroll(answer: &Value) -> String {
    let names = [
        ("success", "target reached"),
        ("ruin", "money gone"),
        ("still_playing", "still playing"),
        ("expected_rounds", "expected rounds"),
        ("mean_final", "mean at the end"),
    ];
    let rows: Vec<_> = names.iter().map(|(field, name)| row(name, &answer[*field])).collect();
    table::lines(1, &["figure", "exactly", "value"], &rows)
}
