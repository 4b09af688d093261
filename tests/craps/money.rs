//! Bankrolls, Kelly and the long run against figures from independent programs (tests/vectors/craps).

use crate::figures::{decimal, rows, string, vectors};
use kibitz::craps::bankroll;
use kibitz::craps::bet::Bet;
use kibitz::craps::fraction::{self, parse, text};
use kibitz::craps::kelly::{KellyError, Promotion, kelly};
use kibitz::craps::long_run;
use kibitz::craps::net::Figure;
use kibitz::craps::odds::OddsTable;
use kibitz::craps::session::{Session, SessionPlan, WhenShort};
use kibitz::craps::wager::Wager;

fn game(name: &str) -> Wager {
    match name {
        "pass" => Wager::flat(Bet::PASS_LINE),
        "pass_odds_345x" => Wager::new(Bet::PASS_LINE, OddsTable::three_four_five(), None).unwrap(),
        "dont_pass_bar12" => Wager::flat(Bet::DONT_PASS),
        id => Wager::flat(Bet::from_id(id).unwrap()),
    }
}

#[test]
fn sessions_are_exact() {
    for want in rows(&vectors("sessions")["with_round_limit"]) {
        let units = |field: &str| parse(&want[field].to_string()).unwrap();
        let partial = string(&want["policy"]).contains("as many whole units as are left");
        let session = Session::new(SessionPlan {
            wager: game(string(&want["game"])),
            bankroll: units("bankroll"),
            target: units("target"),
            stake: parse("1").unwrap(),
            max_rounds: u32::try_from(want["max_rounds"].as_u64().unwrap()).unwrap(),
            when_short: if partial { WhenShort::Partial } else { WhenShort::Stop },
        })
        .unwrap();
        let answer = bankroll::solve_blocking(&session).unwrap();
        for (got, field) in [
            (&answer.success, "success"),
            (&answer.ruin, "ruin"),
            (&answer.still_playing, "still_playing"),
            (&answer.expected_rounds, "expected_rounds"),
            (&answer.mean_final, "mean_final"),
        ] {
            let exact = decimal(&want[field]["decimal"]);
            assert!((got.value - exact).abs() <= 1e-12 * exact.max(1.0), "{want:#} {field} {}", got.value);
        }
    }
}

fn promotion_rows(section: &str, name: &str, promotion: fn(fraction::Fraction) -> Promotion) {
    let want = &vectors("kelly")[section];
    let pass = Wager::flat(Bet::PASS_LINE);
    for row in rows(&want["rows"]) {
        let answer = kelly(&pass, &promotion(parse(string(&row[name])).unwrap())).unwrap();
        assert_eq!(text(&answer.edge), string(&row["edge"]["exact"]), "{section} {row}");
        assert_eq!(
            text(&answer.kelly_fraction.exact.unwrap()),
            string(&row["kelly"]["exact"]),
            "{section} {row}"
        );
        assert_eq!(text(&answer.break_even), string(&want[format!("break_even_{name}")]["exact"]));
    }
}

#[test]
fn kelly_under_each_promotion_is_exact() {
    promotion_rows("loss_cashback", "c", Promotion::LossCashback);
    promotion_rows("turnover_rebate", "r", Promotion::TurnoverRebate);
    promotion_rows("even_money_match", "m", Promotion::WinBonus);
}

#[test]
fn kelly_with_odds_finds_the_best_growth() {
    for row in rows(&vectors("kelly")["cashback_with_345x_odds"]) {
        let share = parse(string(&row["c"])).unwrap();
        let answer = kelly(&game("pass_odds_345x"), &Promotion::LossCashback(share)).unwrap();
        assert_eq!(text(&answer.edge), string(&row["edge_per_flat_unit"]["exact"]));
        let want = decimal(&row["kelly_flat_unit_fraction"]);
        assert!((answer.kelly_fraction.value - want).abs() < 1e-13, "{row} {}", answer.kelly_fraction.value);
    }
}

#[test]
fn no_bet_of_the_casino_is_worth_a_stake() {
    for bet in Bet::all() {
        let answer = kelly(&Wager::flat(bet), &Promotion::WinBonus(parse("0").unwrap())).unwrap();
        assert_eq!(answer.kelly_fraction, Figure::from(parse("0").unwrap()), "{}", bet.id());
        let at_break_even =
            kelly(&Wager::flat(bet), &Promotion::TurnoverRebate(answer.edge.clone() * parse("-1").unwrap()));
        assert_eq!(text(&at_break_even.unwrap().edge), "0/1", "{}", bet.id());
    }
    let share = |text| Promotion::LossCashback(parse(text).unwrap());
    assert_eq!(kelly(&game("pass"), &share("1")), Err(KellyError::ShareOutOfRange));
    assert_eq!(kelly(&game("pass"), &share("-0.1")), Err(KellyError::ShareOutOfRange));
    assert_eq!(
        kelly(&game("pass"), &Promotion::WinBonus(parse("1001").unwrap())),
        Err(KellyError::BonusOutOfRange)
    );
}

#[test]
fn the_long_run_is_exact() {
    for want in rows(&vectors("net_distribution")["rows"]) {
        let run =
            long_run::solve_blocking(&game(string(&want["game"])).net(), want["rounds"].as_u64().unwrap())
                .unwrap();
        assert_eq!(text(&run.mean), string(&want["mean"]["exact"]));
        assert_eq!(text(&run.variance), string(&want["variance"]["exact"]));
        for (got, field) in [(&run.ahead, "p_ahead"), (&run.even, "p_even"), (&run.behind, "p_behind")] {
            assert!((got.value - decimal(&want[field])).abs() < 1e-14, "{want:#} {field}");
            assert_eq!(got.exact.is_some(), run.rounds <= 20);
        }
        for (percent, net) in &run.quantiles {
            assert_eq!(
                text(net),
                format!("{}/1", want["quantiles"][format!("q{percent:02}")]),
                "{percent} of {want:#}"
            );
        }
        assert_eq!(run.quantiles.len(), 7);
    }
    for want in rows(&vectors("lln")["rows"]) {
        let run = long_run::solve_blocking(&game("pass").net(), want["decisions"].as_u64().unwrap()).unwrap();
        assert!((run.ahead.value - decimal(&want["p_ahead_exact"])).abs() < 1e-15);
        assert!((run.standard_deviation - decimal(&want["std_net"])).abs() < 1e-12);
    }
}
