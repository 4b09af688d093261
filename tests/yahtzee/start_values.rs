//! The expected final score of a whole game, against published and independently computed values.

use kibitz::yahtzee::{
    BoxPoints, GameTable, Joker, JokerKind, OfAKindScores, Points, RollsPerTurn, Rules, Threshold,
    UpperBonus, YahtzeeBonus,
};

fn expect(rules: &Rules, value: f64) {
    let got = GameTable::build_blocking(rules).expected_final();
    assert!((got - value).abs() < 1e-6, "{got}, not {value}, under {rules:?}");
}

#[test]
fn presets() {
    expect(&Rules::PLAIN, 229.638499550);
    expect(&Rules::NO_YAHTZEE_BONUS, 245.870774514);
    expect(&Rules::OFFICIAL, 254.587728734);
    expect(&Rules::FREE_JOKER, 254.589609482);
}

#[test]
fn house_rules() {
    let official = Rules::OFFICIAL;
    expect(&Rules { full_house_from_five_of_a_kind: true, ..official }, 254.5877287345);
    expect(&Rules { of_a_kind_scores: OfAKindScores::MatchingDice, ..official }, 245.7571353509);
    let fifty = UpperBonus { points: Points::new(50).unwrap(), ..UpperBonus::OFFICIAL };
    expect(&Rules { upper_bonus: Some(fifty), ..official }, 265.3537607542);
    expect(&Rules { rolls_per_turn: RollsPerTurn::Two, ..official }, 190.1296644734);
    let after_zero = YahtzeeBonus { after_zero: true, ..YahtzeeBonus::OFFICIAL };
    expect(&Rules { yahtzee_bonus: Some(after_zero), ..official }, 276.1704721910);
    let not_after_zero = Joker { kind: JokerKind::Forced, after_zero: false };
    expect(&Rules { joker: Some(not_after_zero), ..official }, 254.4848458817);
    expect(&Rules { joker: None, ..official }, 253.9702411898);
    expect(&Rules { full_house_from_five_of_a_kind: true, ..Rules::PLAIN }, 229.6615245193);
    let at_64 = UpperBonus { threshold: Threshold::new(64).unwrap(), ..UpperBonus::OFFICIAL };
    expect(&Rules { upper_bonus: Some(at_64), ..Rules::PLAIN }, 243.9897333384);
    let loose = Joker { kind: JokerKind::Loose, after_zero: true };
    expect(&Rules { joker: Some(loose), ..official }, 254.711272592);
}

#[test]
fn yatzy() {
    let yatzy = Rules::YATZY;
    expect(&yatzy, 248.4399893779);
    let full_house_from_five_of_a_kind = true;
    let two_pairs_from_four_of_a_kind = true;
    expect(&Rules { full_house_from_five_of_a_kind, ..yatzy }, 248.4680909);
    expect(&Rules { two_pairs_from_four_of_a_kind, ..yatzy }, 248.6440589);
    expect(&Rules { full_house_from_five_of_a_kind, two_pairs_from_four_of_a_kind, ..yatzy }, 248.6748827);
    expect(&Rules { forced_order: true, ..yatzy }, 122.5585274);
}

#[test]
fn a_single_throw_a_turn_and_dearer_boxes_only_move_the_value_their_way() {
    let once = GameTable::build_blocking(&Rules { rolls_per_turn: RollsPerTurn::One, ..Rules::PLAIN });
    assert!(once.expected_final() < 190.0);
    let dear = BoxPoints { yahtzee: Points::new(60).unwrap(), ..BoxPoints::OFFICIAL };
    let dearer = GameTable::build_blocking(&Rules { box_points: dear, ..Rules::PLAIN });
    assert!(dearer.expected_final() > 229.6385 && dearer.expected_final() < 239.6385);
}
