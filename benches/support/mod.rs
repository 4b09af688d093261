//! What the benches share: rounds that take turns, and the lines that `benches/run` reads.
//!
//! A machine's speed drifts, so two things are compared by doing one after the other, many times over, and the
//! result is the median of the rounds' ratios, with the smallest and the largest.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::time::Instant;

/// Whether the command line asks for fewer rounds (`-- --quick`).
pub(crate) fn quick() -> bool {
    std::env::args().any(|word| word == "--quick")
}

/// How many rounds: the second number on `--quick`.
pub(crate) fn rounds(usual: usize, quickly: usize) -> usize {
    if quick() { quickly } else { usual }
}

/// The word after a flag of the command line.
pub(crate) fn argument(flag: &str) -> Option<String> {
    let mut words = std::env::args().skip_while(|word| word != flag);
    words.nth(1)
}

/// What a ratio should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    AtLeast(f64),
    AtMost(f64),
    /// A figure to know, without a limit.
    Nothing,
}

/// Prints `ratio`, name, median, least, largest and the limit, with tabs between.
pub(crate) fn ratio(name: &str, values: &[f64], wanted: Wanted) {
    let wanted = match wanted {
        Wanted::AtLeast(limit) => format!(">= {limit}"),
        Wanted::AtMost(limit) => format!("<= {limit}"),
        Wanted::Nothing => String::new(),
    };
    line("ratio", name, values, &wanted);
}

/// Prints an absolute figure, which holds for this machine alone.
pub(crate) fn figure(name: &str, values: &[f64], unit: &str) {
    line("figure", name, values, unit);
}

/// Prints why something was not measured.
pub(crate) fn skipped(what: &str, why: &str) {
    println!("skipped\t{what}\t{why}");
}

/// Prints what else a reader should know.
pub(crate) fn note(text: &str) {
    println!("note\t{text}");
}

fn line(kind: &str, name: &str, values: &[f64], last: &str) {
    let values = sorted(values.to_vec());
    let (least, largest) = (values[0], values[values.len() - 1]);
    println!("{kind}\t{name}\t{:e}\t{least:e}\t{largest:e}\t{last}", values[values.len() / 2]);
}

/// Does one and the other in turns, beginning with the other every second time, and gives the ratios of what they return.
pub(crate) fn alternate(
    rounds: usize,
    mut one: impl FnMut() -> f64,
    mut other: impl FnMut() -> f64,
) -> Vec<f64> {
    let round = |round| {
        if round % 2 == 0 {
            let first = one();
            first / other()
        } else {
            let first = other();
            one() / first
        }
    };
    (0..rounds).map(round).collect()
}

/// How long some work takes, in seconds.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    std::hint::black_box(work());
    started.elapsed().as_secs_f64()
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let values = sorted(values.to_vec());
    values[values.len() / 2]
}

pub(crate) fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The value that such a share of sorted values does not exceed.
pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1]
}
