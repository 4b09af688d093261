//! The exact values against fractions from independent programs (tests/vectors/craps).

use crate::figures::{decimal, id_of, rows, string, vectors};
use std::collections::{BTreeMap, HashMap};

use kibitz::craps::automaton::{Automaton, Step};
use kibitz::craps::bet::Bet;
use kibitz::craps::chain;
use kibitz::craps::dice::Dice;
use kibitz::craps::fraction::{self, Fraction, parse, text};
use kibitz::craps::line::ComeOdds;
use kibitz::craps::odds::OddsTable;
use kibitz::craps::rolls;
use kibitz::craps::value::BetValue;
use kibitz::craps::wager::{OddsValue, Wager};
use serde_json::Value;

fn exact(value: &Value) -> &str {
    string(&value["exact"])
}

fn bet(id: &str) -> Bet {
    Bet::from_id(id_of(id)).unwrap_or_else(|| panic!("{id}"))
}

fn assert_close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() <= 1e-14 * want.abs().max(1.0), "{what}: {got} {want}");
}

#[test]
fn the_list_of_bets_is_whole() {
    let list = vectors("bet_list");
    let listed: Vec<_> = rows(&list)
        .iter()
        .map(|row| {
            let bet = bet(string(&row["id"]));
            assert_eq!(bet.name(), string(&row["name"]));
            assert_eq!(bet.group().id(), string(&row["group"]));
            assert_eq!(bet.pays(), string(&row["pays"]));
            bet
        })
        .collect();
    assert_eq!(listed, Bet::all().collect::<Vec<_>>());
}

#[test]
fn every_bet_has_its_exact_value() {
    for want in rows(&vectors("bets")) {
        let id = string(&want["id"]);
        let value = BetValue::of(bet(id));
        let check =
            |got: &Fraction, want: &Value, what: &str| assert_eq!(text(got), exact(want), "{id} {what}");
        for (got, want) in [
            (&value.per_bet_made, &want["per_bet_made"]),
            (&value.per_bet_resolved, &want["per_bet_resolved"]),
        ] {
            check(&got.win, &want["win"], "win");
            check(&got.break_even, &want["break_even"], "break even");
            check(&got.lose, &want["lose"], "lose");
            if !want["push"].is_null() {
                check(&got.push, &want["push"], "push");
            }
        }
        check(&value.house_edge.per_bet_made, &want["house_edge_per_bet_made"], "edge made");
        check(&value.house_edge.per_bet_resolved, &want["house_edge_per_bet_resolved"], "edge resolved");
        check(&value.house_edge.per_roll, &want["house_edge_per_roll"], "edge per roll");
        check(&value.expected_rolls, &want["expected_rolls"], "rolls");
        check(&value.rolls_variance, &want["variance_rolls"], "variance of rolls");
        check(&value.variance, &want["variance_per_unit_stake"], "variance");
        let got: BTreeMap<_, _> =
            value.outcomes.iter().map(|(o, p)| (o.label.as_str(), (text(&o.net), text(p)))).collect();
        let want: BTreeMap<_, _> = rows(&want["outcomes"])
            .iter()
            .map(|o| {
                (string(&o["label"]), (string(&o["net"]).to_owned(), string(&o["probability"]).to_owned()))
            })
            .collect();
        assert_eq!(got, want, "{id}");
    }
}

/// Published house edges in per cent, rounded as they are usually printed.
#[test]
fn known_edges_are_met() {
    for (id, per_bet_made) in [
        ("dont_pass", 1.3636),
        ("dont_pass_bar3", 4.1414),
        ("place_4", 6.6667),
        ("place_9", 4.0),
        ("place_8", 1.5152),
        ("place_lose_5", 2.5),
        ("place_lose_8", 1.8182),
        ("buy_4_upfront", 4.7619),
        ("buy_6_upfront", 4.7619),
        ("buy_4_on_win", 1.6667),
        ("buy_5_on_win", 2.0),
        ("buy_6_on_win", 2.2727),
        ("lay_5_upfront", 3.2258),
        ("lay_8_upfront", 4.0),
        ("lay_4_on_win", 1.6667),
        ("lay_8_on_win", 2.2727),
        ("field_2x_2x", 5.5556),
        ("field_3x_3x", 0.0),
        ("any_seven", 16.6667),
        ("any_craps", 11.1111),
        ("horn_high_12", 12.7778),
        ("hard_4", 11.1111),
        ("hard_10", 11.1111),
        ("big_6", 9.0909),
        ("hop_hard", 13.8889),
        ("hop_hard_30for1", 16.6667),
        ("small_30_150", 18.30),
        ("all_30_150", 20.61),
        ("tall_34_175", 7.76),
        ("all_34_175", 7.46),
        ("odds_take_4", 0.0),
        ("odds_lay_9", 0.0),
    ] {
        let edge = 100.0 * fraction::value(&BetValue::of(bet(id)).house_edge.per_bet_made);
        let tolerance = if edge > 7.0 { 0.006 } else { 0.00006 };
        assert!((edge - per_bet_made).abs() < tolerance, "{id}: {edge}");
    }
}

#[test]
fn the_pass_line_is_known_point_by_point() {
    let want = vectors("pass_line");
    let value = BetValue::of(Bet::PASS_LINE);
    assert_eq!(value.points.len(), 6);
    for (got, want) in value.points.iter().zip(rows(&want["points"])) {
        assert_eq!(Some(u64::from(got.number)), want["point"].as_u64());
        assert_eq!(text(&got.established), exact(&want["p_established"]));
        assert_eq!(text(&got.win_given_point), exact(&want["p_win_given_point"]));
        assert_eq!(text(&got.established_and_won), exact(&want["p_established_and_won"]));
    }
    let dont = BetValue::of(Bet::DONT_PASS);
    for (got, want) in dont.points.iter().zip(rows(&want["points"])) {
        assert_eq!(text(&got.win_given_point), exact(&want["p_lose_given_point"]));
    }
    assert_eq!(BetValue::of(bet("crapless_pass")).points.len(), 10);
    let flat = OddsValue::of(&Wager::flat(Bet::PASS_LINE)).unwrap();
    let got: Vec<_> = flat.outcomes.iter().map(|(o, p)| (o.label.clone(), text(p))).collect();
    let want: Vec<_> = rows(&want["categories"])
        .iter()
        .map(|c| (string(&c["label"]).to_owned(), string(&c["probability"]).to_owned()))
        .collect();
    assert_eq!(got, want);
}

/// On don't bets the vectors list what is laid; the multiple is what it wins.
fn odds_of(row: &Value) -> OddsTable {
    let dont = row["kind"] == "dont";
    let parts: Vec<_> = [("4", "2/1"), ("5", "3/2"), ("6", "6/5"), ("8", "6/5"), ("9", "3/2"), ("10", "2/1")]
        .into_iter()
        .map(|(point, odds)| {
            let amount = parse(string(&row["odds"][point])).unwrap();
            let multiple = if dont { amount / parse(odds).unwrap() } else { amount };
            format!("{point}:{multiple}")
        })
        .collect();
    parts.join(",").parse().unwrap()
}

#[test]
fn line_bets_with_odds_are_exact() {
    for want in rows(&vectors("line_with_odds")) {
        let id = string(&want["id"]);
        let line = if want["kind"] == "dont" { Bet::DONT_PASS } else { Bet::PASS_LINE };
        let value = OddsValue::of(&Wager::new(line, odds_of(want), None).unwrap()).unwrap();
        for (got, field) in [
            (&value.edge_on_flat, "house_edge_on_flat_per_bet_made"),
            (&value.edge_on_action, "house_edge_combined_per_bet_made"),
            (&value.edge_on_action_resolved, "house_edge_combined_per_resolved"),
            (&value.edge_per_roll, "house_edge_combined_per_roll"),
            (&value.expected_action, "expected_action_per_decision"),
            (&value.expected_rolls, "expected_rolls"),
            (&value.variance, "variance_per_decision_flat_units"),
        ] {
            assert_eq!(text(got), exact(&want[field]), "{id} {field}");
        }
        assert_close(value.standard_deviation, decimal(&want["std_per_decision_flat_units"]), id);
        assert_close(value.deviation_over_action, decimal(&want["std_over_action"]), id);
        assert_close(value.skewness, decimal(&want["skewness"]), id);
        let got: HashMap<_, _> =
            value.outcomes.iter().map(|(o, p)| (o.label.as_str(), (text(&o.net), text(p)))).collect();
        for outcome in rows(&want["outcomes"]) {
            let (net, probability) = &got[string(&outcome["label"])];
            assert_eq!(
                (net.as_str(), probability.as_str()),
                (string(&outcome["net"]), string(&outcome["probability"]))
            );
        }
        assert_eq!(got.len(), rows(&want["outcomes"]).len(), "{id}");
    }
}

#[test]
fn come_odds_may_be_off_on_a_come_out() {
    for want in rows(&vectors("puck_context")["come"]) {
        let odds = match string(&want["odds"]) {
            "345x" => "3-4-5x",
            other => other,
        };
        let off = want["odds_off_on_come_out"].as_bool().unwrap();
        let come_odds = if off { ComeOdds::Off } else { ComeOdds::Working };
        let wager = Wager::new(Bet::COME, odds.parse().unwrap(), Some(come_odds)).unwrap();
        let value = OddsValue::of(&wager).unwrap();
        for (got, field) in [
            (&value.odds_put_up, "odds_put_up_per_bet"),
            (&value.odds_decided, "odds_decided_per_bet"),
            (&value.edge_on_action, "house_edge_on_money_put_up"),
            (&value.edge_on_decided, "house_edge_on_money_decided"),
            (&value.variance, "variance"),
            (&value.expected_rolls, "expected_rolls"),
        ] {
            assert_eq!(text(got), exact(&want[field]), "{odds} off {off} {field}");
        }
        assert_close(value.standard_deviation, decimal(&want["std"]), odds);
    }
}

#[test]
fn place_bets_may_be_off_on_a_come_out() {
    for want in rows(&vectors("puck_context")["place"]) {
        let place = bet(&format!("place_{}", want["number"]));
        let solution = chain::solve(&place.automaton().off_on_come_outs());
        assert_eq!(text(&solution.probabilities[0]), exact(&want["p_win"]));
        assert_eq!(text(&solution.expected_rolls), exact(&want["expected_rolls_on_the_table"]));
        let edge = BetValue::of(place).house_edge.per_bet_resolved / solution.expected_rolls;
        assert_eq!(text(&edge), exact(&want["house_edge_per_roll_on_the_table"]));
    }
}

#[test]
fn rolls_of_a_decision_and_of_a_hand_are_exact() {
    let want = vectors("rolls");
    let (got, want_decision) = (rolls::decision(60), &want["decision"]);
    assert_eq!(text(&got.mean), exact(&want_decision["mean"]));
    assert_eq!(text(&got.variance), exact(&want_decision["variance"]));
    assert_eq!(Some(u64::from(got.median)), want_decision["median"].as_u64());
    assert_eq!(text(&got.mean_when_won), exact(&want_decision["mean_given_win"]));
    assert_eq!(text(&got.mean_when_lost), exact(&want_decision["mean_given_loss"]));
    assert_eq!(got.table.len(), 60);
    for (got, want) in got.table.iter().zip(rows(&want_decision["table"])) {
        assert_close(fraction::value(&got.exactly), decimal(&want["pmf_decimal"]), "pmf");
        // The vectors' survival is the probability that more rolls follow.
        let more = &got.at_least - &got.exactly;
        assert_close(fraction::value(&more), decimal(&want["survival_decimal"]), "survival");
        if let (Some(pmf), Some(survival)) = (want["pmf"].as_str(), want["survival"].as_str()) {
            assert_eq!((text(&got.exactly).as_str(), text(&more).as_str()), (pmf, survival));
        }
    }
    let (got, want_hand) = (rolls::hand(200), &want["hand"]);
    assert_eq!(text(&got.mean), exact(&want_hand["mean"]));
    assert_eq!(text(&got.variance), exact(&want_hand["variance"]));
    assert_eq!(Some(u64::from(got.median)), want_hand["median"].as_u64());
    assert_eq!(text(&got.decisions_per_hand), exact(&want_hand["decisions_per_hand_mean"]));
    assert_eq!(text(&got.table[153].at_least), exact(&want_hand["p_at_least_154"]));
    for (got, want) in got.table.iter().zip(rows(&want_hand["table"])) {
        assert_eq!(Some(u64::from(got.rolls)), want["n"].as_u64());
        assert_close(fraction::value(&got.at_least), decimal(&want["p_at_least_n_decimal"]), "at least");
        assert_close(fraction::value(&got.exactly), decimal(&want["p_exactly_n_decimal"]), "exactly");
        if let Some(at_least) = want["p_at_least_n"].as_str() {
            assert_eq!(text(&got.at_least), at_least);
        }
    }
}

/// Walks both automata together from the start and compares every roll of every state.
#[test]
fn the_automata_agree_roll_by_roll() {
    for want in rows(&vectors("transitions")) {
        let id = string(&want["bet"]);
        let automaton = match id {
            "pass_odds_345x" => line_automaton(Bet::PASS_LINE, None),
            "come_odds_345x_off_on_come_out" => line_automaton(Bet::COME, Some(ComeOdds::Off)),
            id => bet(id).automaton(),
        };
        let states: HashMap<_, _> =
            rows(&want["states"]).iter().map(|s| (string(&s["state"]), &s["rolls"])).collect();
        // The vector's come bet is made while the puck is on 6: our third start.
        let start = automaton.starts()[if automaton.starts().len() > 1 { 2 } else { 0 }].0;
        let mut paired = HashMap::from([(string(&want["start"]), start)]);
        let mut queue = vec![string(&want["start"])];
        while let Some(name) = queue.pop() {
            for roll in rows(states[name]) {
                let face = |i: usize| u8::try_from(roll[i].as_u64().unwrap()).unwrap();
                let dice = Dice::new([face(0), face(1)]).unwrap();
                match automaton.states()[paired[name]][dice.index()] {
                    Step::Go(to) => {
                        assert_eq!(roll[2], "->", "{id} {name} {roll}");
                        let next = string(&roll[3]);
                        match paired.insert(next, to) {
                            None => queue.push(next),
                            Some(known) => assert_eq!(known, to, "{id} {name} {roll}"),
                        }
                    }
                    Step::Settle(i) => {
                        let outcome = &automaton.outcomes()[i];
                        assert_eq!(text(&outcome.net), string(&roll[3]), "{id} {name} {roll}");
                        assert!(
                            same_ending(&outcome.label, string(&roll[2])),
                            "{id} {name} {roll} {}",
                            outcome.label
                        );
                    }
                }
            }
        }
        assert_eq!(paired.len(), states.len(), "{id}");
    }
}

fn line_automaton(bet: Bet, come_odds: Option<ComeOdds>) -> Automaton {
    Wager::new(bet, OddsTable::three_four_five(), come_odds).unwrap().automaton()
}

/// The vectors name the endings of a come bet without their point.
fn same_ending(ours: &str, theirs: &str) -> bool {
    ours == theirs
        || match theirs {
            "win_with_odds" => ours.ends_with("_made"),
            "lose_with_odds" => ours.ends_with("_missed"),
            "win_odds_returned" => ours.ends_with("_made_odds_returned"),
            "lose_odds_returned" => ours.ends_with("_missed_odds_returned"),
            _ => false,
        }
}
