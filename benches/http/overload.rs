//! Three times the batches that can be carried, at a fixed arrival rate: how many are answered, in what time, how soon the
//! rest is refused, and what single answers have to bear meanwhile and right afterwards.

use std::net::SocketAddr;
use std::thread;

use crate::client::{Answered, as_fast_as_it_goes, at_rate, post};
use crate::support::Wanted::{AtLeast, AtMost, Nothing};
use crate::support::{figure, median, note, percentile, ratio, rounds};
use crate::{QUESTION, random_batch};

/// More than may be in work at a time, so that the service and not the generator is what refuses.
const CONNECTIONS: usize = 400;
/// Single answers a second beside the batches.
const SINGLES: f64 = 100.0;
const SECONDS: f64 = 3.0;

pub(crate) fn print(address: SocketAddr) {
    let batch = post("/yahtzee/best-action/batch", "", &random_batch().body);
    let single = post("/yahtzee/best-action", "", QUESTION);
    let carried: Vec<f64> = (0..3).map(|_| as_fast_as_it_goes(address, &batch, 2, 1.0)).collect();
    let capacity = median(&carried);
    figure("batches of 1000 carried, from two connections", &carried, "batches/s");
    note(&format!("overload: {:.0} batches/s, three times that", 3.0 * capacity));

    let singles = || at_rate(address, &single, SINGLES, 1.0, 32);
    let (mut goodput, mut refused) = (Vec::new(), Vec::new());
    let (mut accepted_p50, mut accepted_p99, mut refusal_p99) = (Vec::new(), Vec::new(), Vec::new());
    let (mut beside, mut after) = (Vec::new(), Vec::new());
    for _ in 0..rounds(5, 2) {
        let usual = of_status(&at_rate(address, &batch, capacity / 4.0, SECONDS, CONNECTIONS), 200);
        let usual_single = of_status(&singles(), 200);
        let (flood, alongside) = thread::scope(|scope| {
            let flood = scope.spawn(|| at_rate(address, &batch, 3.0 * capacity, SECONDS, CONNECTIONS));
            let alongside = at_rate(address, &single, SINGLES, SECONDS, 32);
            (flood.join().expect("a thread"), alongside)
        });
        let afterwards = of_status(&singles(), 200);
        let (accepted, shed) = (of_status(&flood, 200), of_status(&flood, 503));
        assert_eq!(accepted.len() + shed.len(), flood.len(), "another status than 200 and 503");
        goodput.push(accepted.len() as f64 / SECONDS / capacity);
        refused.push(shed.len() as f64 / flood.len() as f64);
        accepted_p50.push(percentile(&accepted, 0.5) / percentile(&usual, 0.5));
        accepted_p99.push(percentile(&accepted, 0.99));
        if !shed.is_empty() {
            refusal_p99.push(percentile(&shed, 0.99));
        }
        beside.push(percentile(&of_status(&alongside, 200), 0.99) / percentile(&usual_single, 0.99));
        after.push(percentile(&afterwards, 0.99) / percentile(&usual_single, 0.99));
    }
    ratio("overload: batches answered over those carried", &goodput, AtLeast(0.5));
    ratio("overload: share of batches refused", &refused, Nothing);
    ratio("overload: accepted batches over batches at a quarter of the load: p50", &accepted_p50, Nothing);
    figure("overload: accepted batches: p99", &accepted_p99, "s");
    if !refusal_p99.is_empty() {
        figure("overload: refusals: p99", &refusal_p99, "s");
    }
    ratio("overload: single answers beside it over alone: p99", &beside, Nothing);
    ratio("overload: single answers in the second after it over alone: p99", &after, AtMost(5.0));
}

/// The latencies of the answers of a status, sorted.
fn of_status(answers: &[Answered], status: u16) -> Vec<f64> {
    answers.iter().filter(|answer| answer.status == status).map(|answer| answer.seconds).collect()
}
