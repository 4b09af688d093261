//! The standard deviation of the final score under the advised policy.

use kibitz::yahtzee::{CardState, GameTable, Moments, Preset};

#[test]
fn standard_deviations_of_the_presets() {
    for preset in Preset::ALL {
        let (published, decimals) = match preset {
            Preset::Plain => (31.936952768, 6),
            Preset::NoYahtzeeBonus => (39.820093053, 6),
            Preset::Official => (59.607586386, 6),
            Preset::FreeJoker => (59.611435878, 6),
            // yatzy-solver 1.0.0.
            Preset::Yatzy => (38.496, 3),
        };
        let table = GameTable::build_blocking(&preset.rules());
        let moments = Moments::build_blocking(&table);
        let got = moments.standard_deviation(&table, CardState::default());
        assert!((got - published).abs() < 10f64.powi(-decimals), "{preset}: {got}");
    }
}
