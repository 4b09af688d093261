//! Questions on the command line: the answers of the service without a server, as tables for people or as JSON.

mod craps;
mod doudizhu;
mod table;
mod yahtzee;

use std::io::{self, Read, Write};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value;

use crate::adviser::{Adviser, Settings};
use crate::questions::{Language, Method, Operation};

/// A question on the command line.
#[derive(Debug, Clone, Subcommand)]
pub enum Ask {
    /// Yahtzee and Yatzy: which dice to keep or which box to fill.
    #[command(after_help = yahtzee::EXAMPLES)]
    Yahtzee(yahtzee::Question),
    /// Dou Dizhu: the fewest plays that empty a hand, or the plays that beat another.
    #[command(after_help = doudizhu::EXAMPLES)]
    Doudizhu(doudizhu::Question),
    /// Craps: what a bet is worth, and how long a bankroll lasts.
    #[command(subcommand)]
    Craps(craps::Question),
    /// Any question of the service: its path, and its JSON body, `-` to read it from standard input.
    #[command(after_help = "Example:\n  kibitz ask /yahtzee/rules '{\"base\": \"yatzy\"}'")]
    Ask {
        /// The path, such as /doudizhu/endgame; `/docs` of a running service lists all.
        path: String,
        /// The body that a POST would have.
        #[arg(default_value = "-")]
        body: String,
        /// The language of sentences.
        #[arg(long, value_enum, default_value = "en")]
        lang: Lang,
    },
}

/// How the answer is shown.
#[derive(Debug, Clone, Copy, Args)]
pub struct Show {
    /// Print the answer of the service, as JSON.
    #[arg(long)]
    json: bool,
    /// The language of sentences.
    #[arg(long, value_enum, default_value = "en")]
    lang: Lang,
}

/// A language of sentences.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Lang {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::En => Self::English,
            Lang::Zh => Self::Chinese,
        }
    }
}

/// A question as the service takes it, and how its answer is shown.
struct Asked {
    path: String,
    body: Vec<u8>,
    language: Language,
    /// The text for people; `None` for the JSON itself.
    text: Option<fn(&Value) -> String>,
}

impl Asked {
    fn new(path: &str, body: &Value, show: Show, text: fn(&Value) -> String) -> Self {
        Self {
            path: path.to_owned(),
            body: body.to_string().into_bytes(),
            language: show.lang.into(),
            text: (!show.json).then_some(text),
        }
    }
}

/// Answers a question on standard output.
///
/// # Errors
/// The question has faults, each on a line of its own, or cannot be answered.
pub fn answer(ask: &Ask) -> Result<(), String> {
    let asked = match ask {
        Ask::Yahtzee(question) => question.asked(),
        Ask::Doudizhu(question) => question.asked(),
        Ask::Craps(question) => question.asked(),
        Ask::Ask { path, body, lang } => {
            Asked { path: path.clone(), body: body_of(body)?, language: (*lang).into(), text: None }
        }
    };
    let operation = Operation::find(Method::Post, &asked.path).ok_or_else(|| unknown_path(&asked.path))?;
    let adviser = Adviser::new(Settings::default()).map_err(|error| error.to_string())?;
    let answer = adviser.answer(operation, &asked.body, asked.language);
    let bytes = answer.map_err(|problem| problem.in_words(asked.language))?;
    let mut shown = match asked.text {
        None => bytes,
        Some(text) => text(&serde_json::from_slice(&bytes).map_err(|error| error.to_string())?).into_bytes(),
    };
    shown.push(b'\n');
    match io::stdout().write_all(&shown) {
        // The reader, such as `head`, has enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| error.to_string()),
    }
}

fn body_of(text: &str) -> Result<Vec<u8>, String> {
    if text != "-" {
        return Ok(text.as_bytes().to_vec());
    }
    let mut body = Vec::new();
    io::stdin().read_to_end(&mut body).map_err(|error| error.to_string())?;
    Ok(body)
}

fn unknown_path(path: &str) -> String {
    let known = Operation::ALL.iter().filter(|operation| operation.method == Method::Post);
    let known: Vec<_> = known.map(|operation| operation.path).collect();
    format!("there is no question {path}; known are {}", known.join(", "))
}
