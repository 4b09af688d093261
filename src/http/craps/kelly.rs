//! `/craps/kelly`, by POST and by GET: what a promotion makes of a bet.

use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::exact::{Exact, Figure, rational};
use super::wager::{WagerView, wager};
use crate::craps::fraction::Fraction;
use crate::craps::kelly::{KellyValue, Promotion, kelly};
use crate::craps::wager::Wager;
use crate::http::batch::{Weight, json_response, off_the_workers};
use crate::http::cache::pure_json;
use crate::http::extract::{Field, JsonBody, Object};
use crate::http::json::Json;
use crate::http::problem::{Context, Kind, Problem};
use crate::http::query;

/// The POST handler.
pub(crate) async fn post(context: Context, body: JsonBody) -> Result<Response, Problem> {
    answer(&context, &Json::parse(&body.0, context.language)?).await.map(json_response)
}

/// The GET handler.
pub(crate) async fn get(
    context: Context,
    headers: HeaderMap,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let question = text.unwrap_or_default();
    let body = answer(&context, &query::object(&question, &[])).await?;
    Ok(pure_json(&headers, body))
}

async fn answer(context: &Context, json: &Json<'_>) -> Result<Vec<u8>, Problem> {
    let (wager, promotion) = Field::decode(json, context.language, decode)?;
    off_the_workers(context, Weight::Light, move |_| {
        let value = kelly(&wager, &promotion).map_err(|_| Problem::new(Kind::Internal))?;
        Ok(serde_json::to_vec(&KellyView::new(&wager, &promotion, &value))?)
    })
    .await
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

fn decode(body: &mut Field<'_, '_, '_>) -> Option<(Wager, Promotion)> {
    let mut object = body.object()?;
    let wager = wager(&mut object);
    let promotion = promotion(&mut object);
    object.close();
    wager.zip(promotion)
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
