//! Wild cards (癞子): the fields `wild_cards` and `wild_rank`.

use super::cards::Cards;
use crate::doudizhu::{Hand, MOST_CARDS_BESIDE_WILD, MOST_WILD_CARDS, Rank, Token};
use crate::questions::Json;
use crate::questions::extract::Object;

/// How a wild card without a token of its own is shown.
const WILD: &str = "*";

/// Which cards of a request are wild.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wild {
    /// A number of cards beside the hand.
    Number(u8),
    /// The cards of this rank.
    Rank(Rank),
}

/// A hand with wild cards.
pub(super) struct WildHand {
    /// The cards that are not wild.
    pub(super) hand: Hand,
    /// The tokens of those that are.
    pub(super) wild: Vec<Token>,
}

/// Takes the fields; `None` if there are none, or they are at fault.
pub(super) fn wild(object: &mut Object<'_, '_, '_>) -> Option<Wild> {
    let number = object.optional("wild_cards", |field| field.integer(0..=MOST_WILD_CARDS.into()));
    let ranks: Vec<_> = Rank::ALL.into_iter().filter(|rank| !rank.is_joker()).collect();
    let rank = object.optional("wild_rank", |field| field.name_of(&ranks, Rank::name));
    if object.present("wild_cards").is_some() && object.present("wild_rank").is_some() {
        let (english, chinese) = (
            "Give the number of `wild_cards` beside the hand, or the `wild_rank` of those in it, not both.",
            "请给出手牌之外的癞子张数 `wild_cards`，或手牌中作为癞子的点数 `wild_rank`，二者取其一。",
        );
        object.note("wild_rank", "both_given", english, chinese);
        return None;
    }
    match (number, rank) {
        (Some(0), _) => None,
        (Some(number), _) => Some(Wild::Number(number as u8)),
        (None, rank) => rank.map(Wild::Rank),
    }
}

/// Whether no card is given in this notation, which is a hand if there are wild cards.
pub(super) fn is_blank(object: &mut Object<'_, '_, '_>, notation: &'static str) -> bool {
    match object.present(notation) {
        Some(Json::String(text)) => text.trim().is_empty(),
        Some(Json::Array(items)) => items.is_empty(),
        _ => false,
    }
}

impl WildHand {
    /// Tells the wild cards of a request from the others; notes a fault if there are too many of the others.
    pub(super) fn new(cards: Cards, wild: Wild, object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let Cards::Hand(hand) = cards else {
            let (english, chinese) = (
                "A shape has no wild cards; give the cards as `hand` or `cards`.",
                "牌形不能带癞子；请用 `hand` 或 `cards` 给出牌。",
            );
            object.note("shape", "shape_without_wild_cards", english, chinese);
            return None;
        };
        let (wild, hand) = match wild {
            Wild::Number(number) => (vec![Token::Text(WILD.to_owned()); number.into()], hand),
            Wild::Rank(rank) => {
                let (wild, others) = hand.split(rank);
                (wild.cards().iter().map(|card| card.1.clone()).collect(), others)
            }
        };
        let (count, most) = (hand.counts().total(), MOST_CARDS_BESIDE_WILD);
        if count > most {
            let (english, chinese) = (
                format!("There must be at most {most} cards beside the wild cards, got {count}."),
                format!("癞子之外最多 {most} 张牌，而不是 {count} 张。"),
            );
            object.faults.add(object.at, "too_many_cards", english, chinese);
            return None;
        }
        Some(Self { hand, wild })
    }
}
