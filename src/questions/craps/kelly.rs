//! `/craps/kelly`, by POST and by GET: what a promotion makes of a bet.

use serde::Serialize;

use super::exact::{Exact, Figure, rational};
use super::wager::{WagerView, any_wager};
use crate::adviser::Adviser;
use crate::craps::fraction::Fraction;
use crate::craps::kelly::{KellyValue, Promotion, kelly};
use crate::craps::wager::Wager;
use crate::questions::extract::{Field, Object};
use crate::questions::{Asked, Form, Kind, Problem, Question, Read, Weight};

/// A request, decoded.
pub(crate) struct Request {
    wager: Wager,
    promotion: Promotion,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let wager = any_wager(&mut object);
        let promotion = promotion(&mut object);
        object.close();
        Some(Self { wager: wager?, promotion: promotion? })
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Light)
    }

    fn answer(&self, _: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let value = kelly(&self.wager, &self.promotion).map_err(|_| Problem::new(Kind::Internal))?;
        Ok(serde_json::to_writer(bytes, &KellyView::new(&self.wager, &self.promotion, &value))?)
    }
}

/// A promotion of this share.
type OfShare = fn(Fraction) -> Promotion;

/// Every promotion by its field.
const PROMOTIONS: [(&str, OfShare); 3] = [
    ("loss_cashback", Promotion::LossCashback),
    ("turnover_rebate", Promotion::TurnoverRebate),
    ("win_bonus", Promotion::WinBonus),
];

const fn field_of(promotion: &Promotion) -> &'static str {
    match promotion {
        Promotion::LossCashback(_) => "loss_cashback",
        Promotion::TurnoverRebate(_) => "turnover_rebate",
        Promotion::WinBonus(_) => "win_bonus",
    }
}

/// The one promotion of the request.
fn promotion(object: &mut Object<'_, '_, '_>) -> Option<Promotion> {
    let given: Vec<_> = PROMOTIONS.into_iter().filter(|(name, _)| object.present(name).is_some()).collect();
    let names = PROMOTIONS.map(|(name, _)| name).join(", ");
    if given.is_empty() {
        object.faults.add(
            object.at,
            "promotion_missing",
            format!("Give one promotion: {names}."),
            format!("请给出一种优惠：{names}。"),
        );
    }
    let read = given.iter().enumerate().map(|(index, &(name, promotion))| {
        object.optional(name, |field| {
            if index > 0 {
                field.note(
                    "both_given",
                    format!("Give only one of {names}."),
                    format!("{names} 只能给出其中一种。"),
                );
            }
            let promotion = promotion(rational(field)?);
            if let Err(error) = promotion.check() {
                field.note_fault(&error);
            }
            Some(promotion)
        })
    });
    // All are read, for their faults.
    read.collect::<Vec<_>>().into_iter().next().flatten()
}

#[derive(Serialize)]
struct KellyView {
    #[serde(flatten)]
    wager: WagerView,
    promotion: PromotionView,
    edge: Exact,
    kelly_fraction: Figure,
    break_even: Exact,
}

#[derive(Serialize)]
struct PromotionView {
    kind: &'static str,
    share: Exact,
}

impl KellyView {
    fn new(wager: &Wager, promotion: &Promotion, value: &KellyValue) -> Self {
        Self {
            wager: wager.into(),
            promotion: PromotionView { kind: field_of(promotion), share: promotion.share().into() },
            edge: (&value.edge).into(),
            kelly_fraction: (&value.kelly_fraction).into(),
            break_even: (&value.break_even).into(),
        }
    }
}
