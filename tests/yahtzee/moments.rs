//! The standard deviation of the final score under the advised policy.

use kibitz::yahtzee::{CardState, GameTable, Moments, Preset, Rules};

#[test]
fn standard_deviations_of_the_presets() {
    let published = |preset| match preset {
        Preset::Plain => 31.936952768,
        Preset::NoYahtzeeBonus => 39.820093053,
        Preset::Official => 59.607586386,
        Preset::FreeJoker => 59.611435878,
    };
    for preset in Preset::ALL {
        let table = GameTable::build_blocking(&preset.rules());
        let moments = Moments::build_blocking(&table);
        let got = moments.standard_deviation(&table, CardState::default());
        assert!((got - published(preset)).abs() < 1e-6, "{preset}: {got}");
    }
}

#[test]
fn standard_deviation_of_yatzy() {
    let table = GameTable::build_blocking(&Rules::YATZY);
    let moments = Moments::build_blocking(&table);
    let got = moments.standard_deviation(&table, CardState::default());
    // It is published with three decimals.
    assert!((got - 38.496).abs() < 5e-4, "{got}");
}
