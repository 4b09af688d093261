//! Questions below HTTP: how each is read, what it needs, and how it is answered.
//!
//! [`Operation::ALL`] lists every question that Kibitz answers at once. HTTP serves it, and [`crate::adviser::Adviser::answer`]
//! answers it without a server.

mod craps;
mod doudizhu;
pub(crate) mod envelope;
pub(crate) mod extract;
pub(crate) mod faults;
mod fields;
mod json;
mod language;
pub(crate) mod number;
mod operation;
mod problem;
pub(crate) mod query;
mod yahtzee;

use crate::adviser::Adviser;

pub(crate) use craps::simulation::Request as SimulationRequest;
pub(crate) use craps::{Exact, WagerView, is_bet};
pub(crate) use extract::Field;
pub(crate) use json::Json;
pub use language::Language;
pub use operation::{Method, Operation};
pub use problem::{Fault, Kind, Problem};
pub(crate) use yahtzee::distribution::Request as DistributionRequest;
pub(crate) use yahtzee::tables::{Need, Table, Unready};

/// How a question is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The body of a POST.
    Body,
    /// The query of a GET, read into the object that a body would be.
    Query,
}

/// How long work takes, which says what permit it waits for: light work does not wait behind heavy work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// At most some milliseconds.
    Light,
    /// Up to a second.
    Heavy,
}

/// What a question is answered with.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) adviser: &'a Adviser,
    /// What the question needed.
    pub(crate) table: &'a Table,
    pub(crate) language: Language,
}

/// A question that has been read.
pub(crate) trait Question: Send + Sync {
    /// What must have been built before it can be answered.
    fn needs(&self) -> Need {
        Need::Nothing
    }

    /// How long the answer takes; `None` for microseconds. In a batch every question is answered on the current thread.
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        None
    }

    /// About how many milliseconds of one core the answer takes; 0 for less than one. A batch has a limit on their sum.
    fn milliseconds(&self) -> u32 {
        0
    }

    /// Whether it is the question of a GET that most clients ask, whose large answer is the same for all of them.
    fn is_usual(&self) -> bool {
        false
    }

    /// Appends the answer as JSON. After an error the bytes are in no certain state.
    ///
    /// # Errors
    /// The question has a fault that only answering it can find, or it cannot be answered.
    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem>;
}

/// How the questions of an operation are read.
pub(crate) trait Read: Question + Sized + 'static {
    /// Whether it has any fields. If not, it takes no query.
    const HAS_FIELDS: bool = true;

    /// Whether the answer may change with the next release or start.
    const MAY_CHANGE: bool = false;

    /// Reads a question; `None` if it has noted faults.
    fn read(request: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self>;

    /// A query as the object that a body would be.
    fn from_query(text: &str) -> Json<'_> {
        query::object(text, &[])
    }
}
