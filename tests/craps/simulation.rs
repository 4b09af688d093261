//! The simulation against exact values, over many seeds, threads and engines.

use kibitz::craps::bet::Bet;
use kibitz::craps::fraction::parse;
use kibitz::craps::line::ComeOdds;
use kibitz::craps::session::{Session, SessionPlan, WhenShort};
use kibitz::craps::simulation::{
    DecisionsResult, Engine, SessionsResult, Simulation, SimulationError, SimulationResult, StakedWager,
};
use kibitz::craps::wager::Wager;

fn wager(bet: &str, odds: &str) -> Wager {
    Wager::new(Bet::from_id(bet).unwrap(), odds.parse().unwrap(), None).unwrap()
}

fn staked(bet: &str, odds: &str, stake: &str) -> StakedWager {
    StakedWager { wager: wager(bet, odds), stake: parse(stake).unwrap() }
}

fn single(bet: &str, odds: &str, decisions: u64, seed: u64) -> Simulation {
    Simulation::decisions(vec![staked(bet, odds, "1")], decisions, seed).unwrap()
}

fn a_set(decisions: u64, seed: u64) -> Simulation {
    let bets =
        vec![staked("pass_line", "2x", "1"), staked("place_6", "none", "6"), staked("come", "1x", "1/2")];
    Simulation::decisions(bets, decisions, seed).unwrap()
}

fn session(wager: Wager, bankroll: &str, target: &str, rounds: u32, when_short: WhenShort) -> Session {
    let [bankroll, target, stake] = [bankroll, target, "1"].map(|text| parse(text).unwrap());
    Session::new(SessionPlan { wager, bankroll, target, stake, max_rounds: rounds, when_short }).unwrap()
}

fn sessions(count: u64, seed: u64) -> Simulation {
    let session = session(wager("pass_line", "3-4-5x"), "20", "40", 60, WhenShort::Partial);
    Simulation::sessions(session, count, seed).unwrap()
}

fn run(simulation: &Simulation) -> SimulationResult {
    let mut tally = simulation.tally();
    for chunk in 0..simulation.chunks() {
        tally.add(chunk, simulation.run_chunk(chunk));
    }
    assert_eq!(tally.total().finished, simulation.total());
    simulation.result(&tally, &simulation.expected_blocking()).unwrap()
}

fn decisions(simulation: &Simulation) -> DecisionsResult {
    match run(simulation) {
        SimulationResult::Decisions(result) => *result,
        SimulationResult::Sessions(_) => panic!("asked for decisions"),
    }
}

fn session_result(simulation: &Simulation) -> SessionsResult {
    match run(simulation) {
        SimulationResult::Sessions(result) => *result,
        SimulationResult::Decisions(_) => panic!("asked for sessions"),
    }
}

/// The mean of `count` standard normal figures, and their mean square, within one in some ten thousand.
fn assert_standard(name: &str, z: &[f64]) {
    let n = z.len() as f64;
    let mean = z.iter().sum::<f64>() / n;
    let square = z.iter().map(|z| z * z).sum::<f64>() / n;
    assert!(mean.abs() < 4.0 / n.sqrt(), "{name}: mean z {mean}");
    assert!((square - 1.0).abs() < 4.5 * (2.0 / n).sqrt(), "{name}: mean squared z {square}");
}

/// Over 200 seeds z must be standard normal, and chi-squared must have its degrees of freedom as mean.
#[test]
fn two_hundred_seeds_agree_with_the_exact_values() {
    for (bet, odds) in [
        ("pass_line", "3-4-5x"),
        ("dont_pass", "2x"),
        ("come", "3-4-5x"),
        ("field_2x_3x", "none"),
        ("hard_8", "none"),
        ("place_6", "none"),
        ("crapless_pass", "none"),
        ("small_30_150", "none"),
        ("fire_5_25_200_500", "none"),
    ] {
        let simulations = (0..200).map(|seed| single(bet, odds, 20_000, seed));
        let results: Vec<_> = simulations.map(|simulation| decisions(&simulation)).collect();
        let z = |estimate: fn(&DecisionsResult) -> f64| results.iter().map(estimate).collect::<Vec<_>>();
        assert_standard(bet, &z(|result| result.win_rate.z.unwrap()));
        assert_standard(bet, &z(|result| result.mean_net.z.unwrap()));
        if results[0].rolls_per_decision.standard_error > 0.0 {
            assert_standard(bet, &z(|result| result.rolls_per_decision.z.unwrap()));
        }
        let tests: Vec<_> = results.iter().map(|result| result.bets[0].chi_squared.unwrap()).collect();
        let degrees = f64::from(tests[0].degrees_of_freedom);
        let mean = tests.iter().map(|test| test.statistic).sum::<f64>() / 200.0;
        assert!((mean - degrees).abs() < 4.0 * (2.0 * degrees / 200.0).sqrt(), "{bet}: {mean} of {degrees}");
        let small = tests.iter().filter(|test| test.p_value < 0.1).count();
        assert!((4..=40).contains(&small), "{bet}: {small} of 200 p-values below 0.1");
        let missed = results.iter().filter(|result| {
            result.convergence.iter().any(|point| {
                let [low, high] = point.anytime_95.unwrap();
                !(low..=high).contains(&result.mean_net.exact.unwrap())
            })
        });
        assert!(missed.count() <= 10, "{bet}: the sequence must hold at all points at once");
    }
}

#[test]
fn sets_and_sessions_agree_with_the_exact_values() {
    let sets: Vec<_> = (0..200).map(|seed| decisions(&a_set(5000, seed))).collect();
    assert_standard("set", &sets.iter().map(|set| set.mean_net.z.unwrap()).collect::<Vec<_>>());
    for (i, mean) in
        sets[0].bets.iter().map(|bet| f64::from(bet.chi_squared.unwrap().degrees_of_freedom)).enumerate()
    {
        let statistic =
            sets.iter().map(|set| set.bets[i].chi_squared.unwrap().statistic).sum::<f64>() / 200.0;
        assert!(
            (statistic - mean).abs() < 4.0 * (2.0 * mean / 200.0).sqrt(),
            "bet {i}: {statistic} of {mean}"
        );
    }
    let played: Vec<_> = (0..200).map(|seed| session_result(&sessions(2000, seed))).collect();
    let z = |estimate: fn(&SessionsResult) -> f64| played.iter().map(estimate).collect::<Vec<_>>();
    assert_standard("success", &z(|result| result.success.z.unwrap()));
    assert_standard("ruin", &z(|result| result.ruin.z.unwrap()));
    assert_standard("still playing", &z(|result| result.still_playing.z.unwrap()));
    assert_standard("rounds", &z(|result| result.rounds.z.unwrap()));
    assert_standard("final bankroll", &z(|result| result.final_bankroll.mean.z.unwrap()));
}

/// Every bet, and every policy of a session, is simulated as it is solved.
#[test]
fn every_bet_is_played_as_it_is_solved() {
    for bet in Bet::all() {
        let result = decisions(&single(bet.id(), "none", 60_000, 7));
        let test = result.bets[0].chi_squared.unwrap();
        assert!(test.p_value > 1e-5, "{}: {test:?}", bet.id());
        assert!(
            result.rolls_per_decision.z.unwrap().abs() < 4.5,
            "{}: {:?}",
            bet.id(),
            result.rolls_per_decision
        );
    }
    for (wager, when_short) in [
        (wager("pass_line", "3-4-5x"), WhenShort::Stop),
        (wager("pass_line", "10x"), WhenShort::Partial),
        (wager("dont_pass", "3-4-5x"), WhenShort::Partial),
        (wager("come", "2x"), WhenShort::NoOdds),
        (wager("buy_4_upfront", "none"), WhenShort::Stop),
    ] {
        let played = session_result(
            &Simulation::sessions(session(wager, "10", "20", 25, when_short), 40_000, 3).unwrap(),
        );
        for estimate in
            [played.success, played.ruin, played.still_playing, played.rounds, played.final_bankroll.mean]
        {
            assert!(estimate.z.unwrap().abs() < 4.5, "{when_short:?}: {estimate:?}");
        }
    }
}

/// Chunks on 1, 2 and 7 threads, in whatever order they end, and on both engines.
#[test]
fn neither_threads_nor_engines_change_a_count() {
    let made: [fn() -> Simulation; 4] = [
        || single("pass_line", "3-4-5x", 3_000_000, 11),
        || single("dont_pass", "1x", 300_000, 11),
        || a_set(60_000, 11),
        || sessions(20_000, 11),
    ];
    for make in made {
        let simulation = make();
        let expected = simulation.expected_blocking();
        let whole = run(&simulation);
        for (threads, engine) in [(1, Engine::Portable), (2, Engine::Fastest), (7, Engine::Fastest)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let tally = std::sync::Mutex::new(simulation.tally());
            pool.scope(|scope| {
                for chunk in 0..simulation.chunks() {
                    let (simulation, tally) = (&simulation, &tally);
                    scope.spawn(move |_| {
                        let counts = simulation.run_chunk_with(engine, chunk);
                        tally.lock().unwrap().add(chunk, counts);
                    });
                }
            });
            let tally = tally.into_inner().unwrap();
            assert_eq!(simulation.result(&tally, &expected).unwrap(), whole, "{threads} threads");
        }
    }
}

/// No truncation: exactly the requested number of decisions is started, and all are finished.
#[test]
fn exactly_as_many_are_played_as_were_asked_for() {
    for n in [1, 2, 15, 16, 17, 63, 511, 512, 513, 1000, 4095, 70_001] {
        for simulation in
            [single("pass_line", "none", n, 5), single("place_4", "none", n, 5), a_set(n, 5), sessions(n, 5)]
        {
            run(&simulation);
        }
    }
}

#[test]
fn a_running_job_shows_its_prefix() {
    let simulation = single("pass_line", "none", 1 << 22, 1);
    let expected = simulation.expected_blocking();
    let mut tally = simulation.tally();
    assert!(simulation.result(&tally, &expected).is_none(), "nothing yet");
    tally.add(2, simulation.run_chunk(2));
    tally.add(1, simulation.run_chunk(1));
    assert_eq!((tally.chunks(), tally.total().finished), (0, 0), "chunk 0 is still running");
    tally.add(0, simulation.run_chunk(0));
    assert_eq!((tally.chunks(), tally.total().finished), (3, 32));
    let SimulationResult::Decisions(result) = simulation.result(&tally, &expected).unwrap() else { panic!() };
    assert_eq!(result.convergence.last().unwrap().plays, 32);
    let whole = decisions(&simulation);
    assert_eq!(whole.convergence.first().unwrap().plays, 16);
    assert_eq!(whole.convergence.last().unwrap().plays, 1 << 22);
    assert!((20..=31).contains(&whole.convergence.len()), "{}", whole.convergence.len());
}

#[test]
fn the_engines_tell_outcomes_apart() {
    let result = decisions(&single("pass_line", "3-4-5x", 10_000, 9));
    let labels: Vec<_> = result.bets[0].outcomes.iter().map(|outcome| outcome.label.as_str()).collect();
    assert_eq!(labels[..4], ["natural", "craps", "point_4_made", "point_4_missed"]);
    assert_eq!(labels.len(), 14);
    let working = Wager::new(Bet::COME, "2x".parse().unwrap(), Some(ComeOdds::Working)).unwrap();
    let come =
        Simulation::decisions(vec![StakedWager { wager: working, stake: parse("1").unwrap() }], 10_000, 9)
            .unwrap();
    let pass = decisions(&single("pass_line", "2x", 10_000, 9));
    assert_eq!(decisions(&come).mean_net, pass.mean_net, "a come bet with working odds is the pass line");
}

#[test]
fn a_request_out_of_bounds_says_so() {
    let code = |result: Result<Simulation, Vec<SimulationError>>| {
        result.err().unwrap().iter().map(SimulationError::code).collect::<Vec<_>>()
    };
    let one = || vec![staked("horn", "none", "1")];
    assert_eq!(code(Simulation::decisions(one(), 0, 1 << 53)), ["count_out_of_range", "seed_out_of_range"]);
    assert_eq!(code(Simulation::decisions(one(), 1_000_000_000_001, 0)), ["count_out_of_range"]);
    assert_eq!(code(Simulation::decisions(vec![], 1, 0)), ["bets_out_of_range"]);
    assert_eq!(code(Simulation::decisions(vec![staked("horn", "none", "0")], 1, 0)), ["stake_out_of_range"]);
    assert_eq!(
        code(Simulation::decisions(vec![staked("horn", "none", "1.0000000000001")], 1, 0)),
        ["stake_too_fine"]
    );
    let short = session(wager("horn", "none"), "1", "2", 1, WhenShort::Stop);
    assert_eq!(code(Simulation::sessions(short, 1_000_000_001, 0)), ["count_out_of_range"]);
}

#[test]
fn few_decisions_are_not_taken_for_certain() {
    for (bet, plays) in [("boxcars_12", 20), ("fire_9_199_1999", 20), ("pass_line", 10), ("any_seven", 1)] {
        let covered = (0..200).filter(|&seed| {
            let mean = decisions(&single(bet, "none", plays, seed)).mean_net;
            let ([low, high], exact) = (mean.confidence_95, mean.exact.unwrap());
            assert!(low < high, "{bet}: {mean:?}");
            assert!((mean.z.unwrap() - (mean.estimate - exact) / mean.standard_error).abs() < 1e-9);
            (low..=high).contains(&exact)
        });
        let covered = covered.count();
        assert!(covered >= 150, "{bet}: {covered} of 200");
    }
}
