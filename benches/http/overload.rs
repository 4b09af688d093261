//! Three times the batches that can be carried, at a fixed arrival rate: how many are answered, how fast, how soon the
//! rest is rejected, and the latencies of single answers meanwhile and right afterwards.

use std::net::SocketAddr;
use std::thread;

use crate::client::{Answered, as_fast_as_it_goes, at_rate, post};
use crate::support::Wanted::{AtLeast, AtMost, Nothing};
use crate::support::{figure, median, note, percentile, ratio, rounds};
use crate::{QUESTION, random_batch};

/// More than can be busy, so that it is the service and not the generator that makes batches wait.
const CONNECTIONS: usize = 1_000;
/// Single answers a second beside the batches.
const SINGLES: f64 = 300.0;
/// The overload lasts twice as long; its second half is measured, when it is no longer a burst.
const SECONDS: f64 = 3.0;

pub(crate) fn print(address: SocketAddr) {
    let batch = post("/yahtzee/best-action/batch", "", &random_batch().body);
    let single = post("/yahtzee/best-action", "", QUESTION);
    let carried: Vec<f64> = (0..3).map(|_| as_fast_as_it_goes(address, &batch, 2, 1.0)).collect();
    let capacity = median(&carried);
    figure("batches of 1000 carried, from two connections", &carried, "batches/s");
    note(&format!("overload: {:.0} batches/s, three times that", 3.0 * capacity));

    let singles = || all_answered(&at_rate(address, &single, SINGLES, 1.0, 32));
    let (mut goodput, mut accepted_p50, mut accepted_p99, mut refused_p99) = (vec![], vec![], vec![], vec![]);
    let (mut beside, mut after) = (vec![], vec![]);
    for _ in 0..rounds(5, 2) {
        let usual = all_answered(&at_rate(address, &batch, capacity / 4.0, SECONDS, CONNECTIONS));
        let usual_single = singles();
        let (flood, alongside) = thread::scope(|scope| {
            let flood = scope.spawn(|| at_rate(address, &batch, 3.0 * capacity, 2.0 * SECONDS, CONNECTIONS));
            let alongside = at_rate(address, &single, SINGLES, 2.0 * SECONDS, 32);
            (flood.join().expect("a thread"), alongside)
        });
        after.push(percentile(&singles(), 0.99) / percentile(&usual_single, 0.99));
        let flood: Vec<_> = flood.into_iter().filter(|answer| answer.due >= SECONDS).collect();
        let (accepted, refused) = (of_status(&flood, 200), of_status(&flood, 503));
        assert_eq!(accepted.len() + refused.len(), flood.len(), "another status than 200 and 503");
        assert!(!accepted.is_empty() && !refused.is_empty(), "some are served and some rejected");
        goodput.push(accepted.len() as f64 / SECONDS / capacity);
        accepted_p50.push(percentile(&accepted, 0.5) / percentile(&usual, 0.5));
        accepted_p99.push(percentile(&accepted, 0.99));
        refused_p99.push(percentile(&refused, 0.99));
        beside.push(percentile(&all_answered(&alongside), 0.99) / percentile(&usual_single, 0.99));
    }
    ratio("overload: batches answered over those carried", &goodput, AtLeast(0.5));
    ratio("overload: accepted batches over batches at a quarter of the load: p50", &accepted_p50, Nothing);
    figure("overload: accepted batches: p99", &accepted_p99, "s");
    figure("overload: rejections: p99", &refused_p99, "s");
    ratio("overload: single answers beside it over alone: p99", &beside, Nothing);
    ratio("overload: single answers in the second after it over alone: p99", &after, AtMost(5.0));
}

/// The latencies where every request was answered, sorted.
fn all_answered(answers: &[Answered]) -> Vec<f64> {
    let latencies = of_status(answers, 200);
    assert_eq!(latencies.len(), answers.len(), "all are answered");
    latencies
}

/// The latencies of the answers of a status, sorted.
fn of_status(answers: &[Answered], status: u16) -> Vec<f64> {
    answers.iter().filter(|answer| answer.status == status).map(|answer| answer.seconds).collect()
}
