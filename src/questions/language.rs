//! The language of the sentences in an answer: English or Chinese. Machine fields never change.

/// A language that answers are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English, the default.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// The language of a tag such as `zh`, `zh-Hans` or `en_US`, in any case; only the part before the first hyphen or
    /// underscore counts.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next() {
            Some(name) if name.eq_ignore_ascii_case("en") => Some(Self::English),
            Some(name) if name.eq_ignore_ascii_case("zh") => Some(Self::Chinese),
            _ => None,
        }
    }

    /// The one of two texts that is in this language.
    #[must_use]
    pub fn choose<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}
