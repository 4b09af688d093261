//! Numbers that no machine word holds, and texts of millions of digits.

use crate::support::raw::whole;

#[test]
fn huge_numbers_are_out_of_range_at_once() {
    let kibitz = crate::start(&[]);
    let digits = "9".repeat(50_000);
    for number in
        ["1e999999999", "-1e999999999", "1e-999999999", "18446744073709551616", "9007199254740993", &digits]
    {
        for (path, body) in [
            ("/yahtzee/best-action", format!(r#"{{"dice":[1,2,3,4,{number}],"rolls_left":0}}"#)),
            (
                "/yahtzee/best-action",
                format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,"yahtzee_bonuses":{number}}}"#),
            ),
            ("/yahtzee/turn", format!(r#"{{"seed":{number}}}"#)),
            (
                "/craps/simulations",
                format!(r#"{{"kind":"decisions","bet":"pass_line","decisions":{number}}}"#),
            ),
            (
                "/craps/bankroll",
                format!(r#"{{"bet":"pass_line","bankroll":{number},"target":9,"max_rounds":9}}"#),
            ),
            (
                "/craps/bankroll",
                format!(r#"{{"bet":"pass_line","bankroll":5,"target":9,"max_rounds":9,"stake":{number}}}"#),
            ),
            ("/craps/kelly", format!(r#"{{"bet":"pass_line","loss_cashback":{number}}}"#)),
        ] {
            let started = std::time::Instant::now();
            assert_eq!(kibitz.status_of(&whole(path, body.as_bytes())), 422, "{path} {body:.100}");
            // The limit of a request is ten seconds; none of these may even come near.
            assert!(started.elapsed().as_secs() < 5, "{path} {body:.100}: {:?}", started.elapsed());
        }
    }
    kibitz.serves_others();
}
