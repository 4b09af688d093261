//! One way to look for counter-examples, for as long as one likes.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Tries a property on a number of random values; with `KIBITZ_FUZZ_SECONDS` set, on as many as that time allows.
///
/// # Panics
/// With the smallest value found on which `holds` panics.
#[track_caller]
pub(crate) fn fuzz<S: Strategy>(cases: u32, values: &S, holds: impl Fn(S::Value)) {
    let seconds = std::env::var("KIBITZ_FUZZ_SECONDS").map_or(0, |text| text.parse().expect("whole seconds"));
    let until = Instant::now() + Duration::from_secs(seconds);
    let config = ProptestConfig {
        cases,
        max_shrink_iters: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut tried = 0;
    loop {
        let found = TestRunner::new(config.clone()).run(values, |value| {
            holds(value);
            Ok(())
        });
        found.unwrap_or_else(|counter_example| panic!("{counter_example}"));
        tried += cases;
        if Instant::now() >= until {
            return println!("{tried} cases");
        }
    }
}

/// Seeds for what is drawn by a generator of the test's own; there is no smaller seed.
#[allow(dead_code, reason = "not every test draws by a generator")]
pub(crate) fn seeds() -> impl Strategy<Value = u64> {
    any::<u64>().no_shrink()
}
