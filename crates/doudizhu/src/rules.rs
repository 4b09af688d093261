//! The rules as data: one struct of switches, and the presets that players know as values of it.

use serde::{Deserialize, Serialize};

/// What counts as a play beyond what every game of Dou Dizhu shares.
///
/// Always legal: single, pair (never the two jokers), triple, bomb, rocket, and a triple with a single of another rank
/// (a joker too) or with a real pair. Never legal: four with one kicker, mixed wings (333444556), a wing of a rank of
/// the body (33334445), runs of bombs, a joker or a 2 in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Straights of five or more, pair straights of three or more, planes of two or more; only 3 to A.
    pub runs: bool,
    /// A plane may carry as many single wings, or as many pair wings, as it has triples.
    pub plane_wings: bool,
    /// Single wings may be of one rank: 33344455.
    pub equal_single_wings: bool,
    /// Two pair wings may be of one rank: 3334445555.
    pub equal_pair_wings: bool,
    /// One plane may carry both jokers: 333444BR.
    pub both_jokers_as_wings: bool,
    /// Four single wings may be of one rank: 3334445556667777.
    pub four_equal_wings: bool,
    /// Three single wings may be a triple that would make the plane longer: 333444555666 as a plane of three.
    pub lengthening_wings: bool,
    /// Four of a rank may carry two singles or two pairs.
    pub four_with_two: bool,
    /// Those two singles may be of one rank: 333355.
    pub four_with_equal_singles: bool,
    /// Those two singles may be the two jokers: 3333BR.
    pub four_with_both_jokers: bool,
    /// Those two pairs may be of one rank: AAAA2222.
    pub four_with_equal_pairs: bool,
}

impl Rules {
    /// The plays that every rule set has, and no more.
    const BASIC: Self = Self {
        runs: false,
        plane_wings: false,
        equal_single_wings: false,
        equal_pair_wings: false,
        both_jokers_as_wings: false,
        four_equal_wings: false,
        lengthening_wings: false,
        four_with_two: false,
        four_with_equal_singles: false,
        four_with_both_jokers: false,
        four_with_equal_pairs: false,
    };
}

/// A rule set with a name.
///
/// ```
/// use kibitz_doudizhu::Preset;
/// assert!(!Preset::Noip.rules().plane_wings && Preset::Standard.rules().plane_wings);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// No runs and no fours with two: the textbook exercise "斗地主 (简单 DP)".
    Simple,
    /// NOIP 2015, day 1, task 3 (Luogu P2668 and P2540, UOJ 151): planes carry no wings.
    Noip,
    /// The common online game; the action space of RLCard.
    #[default]
    Standard,
    /// The rules on pagat.com.
    Pagat,
    /// The permissive online game, in the style of QQ.
    Loose,
    /// The move generator of DouZero.
    Douzero,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 6] =
        [Self::Simple, Self::Noip, Self::Standard, Self::Pagat, Self::Loose, Self::Douzero];

    /// The switches of this preset.
    pub const fn rules(self) -> Rules {
        let runs = Rules { runs: true, four_with_two: true, ..Rules::BASIC };
        match self {
            Self::Simple => Rules::BASIC,
            Self::Noip => Rules {
                four_with_equal_singles: true,
                four_with_both_jokers: true,
                four_with_equal_pairs: true,
                ..runs
            },
            Self::Standard => {
                Rules { plane_wings: true, equal_single_wings: true, four_with_equal_singles: true, ..runs }
            }
            Self::Pagat => Rules { plane_wings: true, ..runs },
            Self::Loose => {
                Rules { equal_pair_wings: true, four_with_equal_pairs: true, ..Self::Douzero.rules() }
            }
            Self::Douzero => Rules {
                plane_wings: true,
                equal_single_wings: true,
                both_jokers_as_wings: true,
                four_equal_wings: true,
                lengthening_wings: true,
                four_with_equal_singles: true,
                four_with_both_jokers: true,
                ..runs
            },
        }
    }

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Noip => "noip",
            Self::Standard => "standard",
            Self::Pagat => "pagat",
            Self::Loose => "loose",
            Self::Douzero => "douzero",
        }
    }

    /// What the preset is, in English.
    pub const fn in_english(self) -> &'static str {
        match self {
            Self::Simple => "Simple: no runs and no four with two",
            Self::Noip => "NOIP 2015 contest: planes carry no wings",
            Self::Standard => "Standard online game",
            Self::Pagat => "Pagat: all kickers and wings differ",
            Self::Loose => "Loose: almost any cards as wings and kickers",
            Self::Douzero => "DouZero's move generator",
        }
    }
}

/// One switch of [`Rules`], so that they can be listed with their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the field of `Rules` with the same name, and is explained there")]
pub enum Switch {
    Runs,
    PlaneWings,
    EqualSingleWings,
    EqualPairWings,
    BothJokersAsWings,
    FourEqualWings,
    LengtheningWings,
    FourWithTwo,
    FourWithEqualSingles,
    FourWithBothJokers,
    FourWithEqualPairs,
}

impl Switch {
    /// Every switch, in the order of the fields of [`Rules`].
    pub const ALL: [Self; 11] = [
        Self::Runs,
        Self::PlaneWings,
        Self::EqualSingleWings,
        Self::EqualPairWings,
        Self::BothJokersAsWings,
        Self::FourEqualWings,
        Self::LengtheningWings,
        Self::FourWithTwo,
        Self::FourWithEqualSingles,
        Self::FourWithBothJokers,
        Self::FourWithEqualPairs,
    ];

    /// Whether it is on in `rules`.
    pub const fn is_on(self, rules: &Rules) -> bool {
        match self {
            Self::Runs => rules.runs,
            Self::PlaneWings => rules.plane_wings,
            Self::EqualSingleWings => rules.equal_single_wings,
            Self::EqualPairWings => rules.equal_pair_wings,
            Self::BothJokersAsWings => rules.both_jokers_as_wings,
            Self::FourEqualWings => rules.four_equal_wings,
            Self::LengtheningWings => rules.lengthening_wings,
            Self::FourWithTwo => rules.four_with_two,
            Self::FourWithEqualSingles => rules.four_with_equal_singles,
            Self::FourWithBothJokers => rules.four_with_both_jokers,
            Self::FourWithEqualPairs => rules.four_with_equal_pairs,
        }
    }

    /// The field's name in [`Rules`].
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::PlaneWings => "plane_wings",
            Self::EqualSingleWings => "equal_single_wings",
            Self::EqualPairWings => "equal_pair_wings",
            Self::BothJokersAsWings => "both_jokers_as_wings",
            Self::FourEqualWings => "four_equal_wings",
            Self::LengtheningWings => "lengthening_wings",
            Self::FourWithTwo => "four_with_two",
            Self::FourWithEqualSingles => "four_with_equal_singles",
            Self::FourWithBothJokers => "four_with_both_jokers",
            Self::FourWithEqualPairs => "four_with_equal_pairs",
        }
    }

    /// What it allows, in English.
    pub const fn in_english(self) -> &'static str {
        match self {
            Self::Runs => "straights (5+), consecutive pairs (3+) and airplanes (2+), from 3 to A",
            Self::PlaneWings => "an airplane carries single wings or pair wings",
            Self::EqualSingleWings => "single wings of one rank (33344455)",
            Self::EqualPairWings => "two pair wings of one rank (3334445555)",
            Self::BothJokersAsWings => "both jokers as wings of one airplane (333444BR)",
            Self::FourEqualWings => "four single wings of one rank (3334445556667777)",
            Self::LengtheningWings => {
                "a triple as wings that would lengthen the airplane (333444555666 as three with wings)"
            }
            Self::FourWithTwo => "four with two singles or two pairs",
            Self::FourWithEqualSingles => "four with two equal singles (333355)",
            Self::FourWithBothJokers => "four with both jokers (3333BR)",
            Self::FourWithEqualPairs => "four with two pairs of one rank (AAAA2222)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_the_field_of_its_name() {
        for preset in Preset::ALL {
            let fields = serde_json::to_value(preset.rules()).expect("plain data");
            assert_eq!(fields.as_object().map(serde_json::Map::len), Some(Switch::ALL.len()));
            for switch in Switch::ALL {
                assert_eq!(fields[switch.name()], switch.is_on(&preset.rules()), "{preset:?} {switch:?}");
                assert_eq!(serde_json::to_value(switch).expect("a name"), switch.name());
            }
        }
    }

    #[test]
    fn a_preset_serialises_as_its_name() {
        for preset in Preset::ALL {
            assert_eq!(serde_json::to_value(preset).expect("a name"), preset.name());
        }
    }
}
