//! The faults of a request and their pointers.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::extract::shortened;
use super::json::Json;
use super::language::Language;
use super::problem::{Fault, Kind, Problem};
use crate::chinese::InChinese;
use crate::{craps, doudizhu, yahtzee};

/// The place of a value in a request, built on the way down and written out only for a fault.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    Root,
    Field(&'a Self, &'a str),
    Index(&'a Self, usize),
}

impl fmt::Display for Path<'_> {
    /// As an RFC 6901 pointer.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Root => Ok(()),
            Self::Index(parent, index) => write!(formatter, "{parent}/{index}"),
            Self::Field(parent, name) => {
                write!(formatter, "{parent}/")?;
                name.chars().try_for_each(|c| match c {
                    '~' => formatter.write_str("~0"),
                    '/' => formatter.write_str("~1"),
                    c => formatter.write_char(c),
                })
            }
        }
    }
}

/// What a game finds wrong with a request: a clause in English and in Chinese, without a full stop.
pub(crate) trait GameFault: fmt::Display + InChinese {
    /// A stable slug.
    fn code(&self) -> &'static str;
}

macro_rules! game_faults {
    ($($fault:ty),*) => {$(
        impl GameFault for $fault {
            fn code(&self) -> &'static str {
                <$fault>::code(self)
            }
        }
    )*};
}

game_faults!(
    craps::bankroll::InverseFault,
    craps::definition::DefinitionFault,
    craps::definition::PayoffFault,
    craps::fraction::ParseFractionError,
    craps::kelly::KellyError,
    craps::long_run::LongRunError,
    craps::odds::OddsError,
    craps::round::RoundOver,
    craps::session::SessionError,
    craps::simulation::SimulationError,
    craps::wager::WagerError,
    doudizhu::EndgameFault,
    doudizhu::KittyFault,
    doudizhu::HandFault,
    doudizhu::ShapeFault,
    yahtzee::GameOver,
    yahtzee::HistoryFault,
    yahtzee::ImpossibleAction,
    yahtzee::PositionFault,
    yahtzee::ScorecardFault
);

/// The faults of one request, as they are found.
pub(crate) struct Faults {
    pub(crate) language: Language,
    pub(crate) found: Vec<Fault>,
    /// Of what has been found.
    bytes: usize,
}

impl Faults {
    /// Faults enough for any person to read; a hostile body gets no longer answer.
    const MOST: usize = 50;

    pub(crate) const fn new(language: Language) -> Self {
        Self { language, found: Vec::new(), bytes: 0 }
    }

    /// Bytes of pointers and details that one answer holds about; a name in a pointer may be as long as a body.
    const MOST_BYTES: usize = 16 * 1024;

    /// Whether the limit on faults is reached, so that further ones are left out.
    pub(crate) const fn is_full(&self) -> bool {
        self.found.len() >= Self::MOST || self.bytes >= Self::MOST_BYTES
    }

    /// Notes that a field is given more than once.
    pub(crate) fn duplicate(&mut self, at: &Path<'_>, name: &str) {
        let shown = shortened(name);
        self.add(
            at,
            "duplicate_field",
            format!("The field `{shown}` is given more than once."),
            format!("字段 `{shown}` 重复出现。"),
        );
    }

    /// Notes a fault; the detail is given in English and in Chinese.
    pub(crate) fn add(
        &mut self,
        at: &Path<'_>,
        code: &'static str,
        english: impl Into<Cow<'static, str>>,
        chinese: impl Into<Cow<'static, str>>,
    ) {
        let detail = self.language.choose(english.into(), chinese.into());
        if !self.is_full() {
            let fault = Fault { pointer: at.to_string(), code, detail: detail.into_owned() };
            self.bytes += fault.pointer.len() + fault.detail.len();
            self.found.push(fault);
        }
    }

    /// Notes a fault that a game found.
    pub(crate) fn add_fault(&mut self, at: &Path<'_>, fault: &impl GameFault) {
        self.add_clause(at, fault.code(), &fault.to_string(), &fault.in_chinese());
    }

    /// Notes a fault whose texts are clauses, as those of the games are: they become sentences.
    pub(crate) fn add_clause(&mut self, at: &Path<'_>, code: &'static str, english: &str, chinese: &str) {
        // The name of a field or a bet stays as it is written.
        let is_name = english.split(' ').next().is_some_and(|word| word.contains('_'));
        let mut english = format!("{english}.");
        if let (false, Some(first)) = (is_name, english.get_mut(..1)) {
            first.make_ascii_uppercase();
        }
        self.add(at, code, english, format!("{chinese}。"));
    }

    /// The decoded value, or the problem that lists every fault.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, Problem> {
        match value {
            Some(value) if self.found.is_empty() => Ok(value),
            _ => Err(self.rejected()),
        }
    }

    /// The problem that lists every fault, where nothing could be decoded.
    pub(crate) fn rejected(self) -> Problem {
        // A decoder that gives nothing must have said why.
        if self.found.is_empty() { Problem::new(Kind::Internal) } else { Problem::invalid(self.found) }
    }

    /// Notes that a value is of the wrong type.
    pub(crate) fn wrong_type(&mut self, at: &Path<'_>, wanted: (&str, &str), value: &Json<'_>) {
        let (english, chinese) = value.kind();
        self.add(
            at,
            "wrong_type",
            format!("This must be {}, not {english}.", wanted.0),
            format!("此处应为{}，而不是{chinese}。", wanted.1),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_become_sentences_and_names_stay_as_they_are_written() {
        let mut faults = Faults::new(Language::English);
        faults.add_clause(&Path::Root, "a", "this box is filled already", "已填");
        faults.add_clause(&Path::Root, "b", "place_6 takes no odds", "不收赔率");
        let details: Vec<_> = faults.found.iter().map(|fault| &*fault.detail).collect();
        assert_eq!(details, ["This box is filled already.", "place_6 takes no odds."]);
    }
}
