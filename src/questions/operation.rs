//! The list of all operations, and how each reads its questions.

use super::craps::{bankroll, dice, inverse, kelly, long_run, odds, rolls, round};
use super::doudizhu::{self, endgame, kitty, min_plays, plays, recognize};
use super::extract::Field;
use super::json::Json;
use super::language::Language;
use super::problem::Problem;
use super::yahtzee::{self, best_action, distribution, review, score, turn};
use super::{Form, Question, Read};
use crate::adviser::Adviser;

/// The HTTP method of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The fields are in the query.
    Get,
    /// The fields are in the body.
    Post,
}

type ReadBoxed = fn(&mut Field<'_, '_, '_>, Form, &Adviser) -> Option<Box<dyn Question>>;

/// One operation of the contract: its method and path, and how its questions are read.
pub struct Operation {
    /// The method.
    pub method: Method,
    /// The path, as `openapi.yaml` writes it. A part in braces is a field of the question.
    pub path: &'static str,
    /// The path that answers many of its questions at once, if there is one.
    pub batch_path: Option<&'static str>,
    /// Whether a question that takes long becomes a job over HTTP.
    pub may_be_job: bool,
    pub(crate) has_fields: bool,
    pub(crate) may_change: bool,
    pub(crate) from_query: fn(&str) -> Json<'_>,
    read: ReadBoxed,
}

impl Operation {
    /// Bytes of a usual answer, so that its buffer need not grow.
    pub(crate) const USUAL_ANSWER: usize = 2_048;

    /// Every operation.
    pub const ALL: &'static [Self] = &[
        Self::get::<best_action::Request>("/yahtzee/best-action"),
        Self::post::<best_action::Request>("/yahtzee/best-action").in_batches("/yahtzee/best-action/batch"),
        Self::post::<score::Request>("/yahtzee/score"),
        Self::post::<turn::Request>("/yahtzee/turn"),
        Self::post::<review::Request>("/yahtzee/review"),
        Self::post::<distribution::Request>("/yahtzee/distribution").or_job(),
        Self::get::<yahtzee::rules::Presets>("/yahtzee/rules"),
        Self::post::<yahtzee::rules::Request>("/yahtzee/rules"),
        Self::get::<min_plays::Request>("/doudizhu/min-plays"),
        Self::post::<min_plays::Request>("/doudizhu/min-plays").in_batches("/doudizhu/min-plays/batch"),
        Self::post::<plays::Request>("/doudizhu/plays"),
        Self::post::<recognize::Request>("/doudizhu/recognize"),
        Self::post::<endgame::Request>("/doudizhu/endgame"),
        Self::post::<kitty::Request>("/doudizhu/kitty"),
        Self::get::<doudizhu::rules::Presets>("/doudizhu/rules"),
        Self::get::<odds::List>("/craps/odds"),
        Self::post::<odds::Any>("/craps/odds"),
        Self::get::<odds::One>("/craps/odds/{bet}"),
        Self::get::<long_run::Request>("/craps/odds/{bet}/long-run"),
        Self::get::<dice::Table>("/craps/dice"),
        Self::get::<rolls::Request>("/craps/rolls"),
        Self::post::<round::Request>("/craps/round"),
        Self::get::<bankroll::Request>("/craps/bankroll"),
        Self::post::<bankroll::Request>("/craps/bankroll"),
        Self::post::<inverse::Request>("/craps/bankroll/inverse"),
        Self::get::<kelly::Request>("/craps/kelly"),
        Self::post::<kelly::Request>("/craps/kelly"),
    ];

    const fn of<Q: Read>(method: Method, path: &'static str) -> Self {
        Self {
            method,
            path,
            batch_path: None,
            may_be_job: false,
            has_fields: Q::HAS_FIELDS,
            may_change: Q::MAY_CHANGE,
            from_query: Q::from_query,
            read: |field, form, adviser| Some(Box::new(Q::read(field, form, adviser)?)),
        }
    }

    const fn get<Q: Read>(path: &'static str) -> Self {
        Self::of::<Q>(Method::Get, path)
    }

    const fn post<Q: Read>(path: &'static str) -> Self {
        Self::of::<Q>(Method::Post, path)
    }

    const fn in_batches(mut self, path: &'static str) -> Self {
        self.batch_path = Some(path);
        self
    }

    const fn or_job(mut self) -> Self {
        self.may_be_job = true;
        self
    }

    /// The operation of a method and a path.
    #[must_use]
    pub fn find(method: Method, path: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|operation| operation.method == method && operation.path == path)
    }

    /// The operations that answer many questions at once, with the path for that.
    pub(crate) fn batches() -> impl Iterator<Item = (&'static str, &'static Self)> {
        Self::ALL.iter().filter_map(|operation| Some((operation.batch_path?, operation)))
    }

    /// Reads a question, or returns the problem that lists all its faults.
    pub(crate) fn read(
        &self,
        adviser: &Adviser,
        json: &Json<'_>,
        form: Form,
        language: Language,
    ) -> Result<Box<dyn Question>, Problem> {
        Field::decode(json, language, |request| (self.read)(request, form, adviser))
    }
}
