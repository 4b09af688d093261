//! The groups that bets are listed under.

use serde::Serialize;

/// A group of bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Pass, come, don't and put bets.
    Line,
    /// Line bets of other games.
    Variant,
    /// Odds alone.
    Odds,
    /// Place to win and to lose.
    Place,
    /// True odds for a commission, on the number.
    Buy,
    /// True odds for a commission, on the seven.
    Lay,
    /// The field.
    Field,
    /// Big 6 and big 8.
    Big,
    /// Hardways.
    Hardway,
    /// One-roll propositions.
    Prop,
    /// The same with the stake counted in the payoff.
    PropForOne,
    /// One pair on the next roll.
    Hop,
    /// Small, tall and all.
    Bonus,
    /// The fire bet.
    Fire,
}

impl Group {
    /// All groups in the order of the table.
    pub const ALL: [Self; 14] = [
        Self::Line,
        Self::Variant,
        Self::Odds,
        Self::Place,
        Self::Buy,
        Self::Lay,
        Self::Field,
        Self::Big,
        Self::Hardway,
        Self::Prop,
        Self::PropForOne,
        Self::Hop,
        Self::Bonus,
        Self::Fire,
    ];

    /// Its name in the interface.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Variant => "variant",
            Self::Odds => "odds",
            Self::Place => "place",
            Self::Buy => "buy",
            Self::Lay => "lay",
            Self::Field => "field",
            Self::Big => "big",
            Self::Hardway => "hardway",
            Self::Prop => "prop",
            Self::PropForOne => "prop_for_one",
            Self::Hop => "hop",
            Self::Bonus => "bonus",
            Self::Fire => "fire",
        }
    }

    /// The group of this name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.id() == id)
    }
}
