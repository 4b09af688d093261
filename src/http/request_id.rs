//! The id of a request: the caller's own if it is valid, else a new one.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::request_id::{MakeRequestId, RequestId};

/// The header that carries it, in both directions.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A caller's id may be this long.
const LONGEST: usize = 128;

/// Makes ids of 128 random bits.
#[derive(Clone, Copy)]
pub(super) struct MakeId;

impl MakeRequestId for MakeId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        HeaderValue::from_str(&format!("{:032x}", rand::random::<u128>())).ok().map(RequestId::new)
    }
}

/// Drops ids that are too long or not plainly visible (they would go into headers and logs), so that a new one is made.
pub(super) async fn drop_unfit(mut request: Request, next: Next) -> Response {
    let fit = |value: &HeaderValue| {
        (1..=LONGEST).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    let mut values = request.headers().get_all(&X_REQUEST_ID).iter();
    let keep = matches!((values.next(), values.next()), (Some(value), None) if fit(value));
    if !keep {
        request.headers_mut().remove(&X_REQUEST_ID);
    }
    next.run(request).await
}
