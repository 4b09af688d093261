//! The commit and the time of the build of the running program (see `build.rs`).

use jiff::Timestamp;

/// The git commit, if the build knew it.
pub const COMMIT: Option<&str> = option_env!("KIBITZ_BUILD_COMMIT");

/// The time of the build, in seconds since the Unix epoch.
const BUILT: Option<&str> = option_env!("KIBITZ_BUILD_TIME");

/// When it was built, if the build said so.
#[must_use]
pub fn built() -> Option<Timestamp> {
    Timestamp::from_second(BUILT?.parse().ok()?).ok()
}

/// The version, the commit and the time of the build, as labels; what is not known is empty.
#[must_use]
pub(crate) fn labels() -> [(&'static str, String); 3] {
    [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("commit", COMMIT.unwrap_or_default().to_owned()),
        ("built", built().map(|time| time.to_string()).unwrap_or_default()),
    ]
}
