//! Checks the query parameters that no handler reads.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use super::problem::Context;
use crate::questions::extract::{Faults, Path, shortened};
use crate::questions::query::is_tracking;
use crate::questions::{Language, Problem};

/// Rejects a `lang` that is no known language, and every parameter that the route does not read: a typo must not be silently ignored.
/// On a GET of a route that `reads_query`, the handler judges all but `lang`.
pub(super) async fn check(
    State(reads_query): State<bool>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let is_link = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut faults = Faults::new(Context::language_of(request.extensions()));
    let mut languages = 0;
    for (name, value) in form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes()) {
        let at = Path::Field(&Path::Root, &name);
        if name == "lang" {
            languages += 1;
            if languages == 2 {
                faults.duplicate(&at, &name);
            }
            if Language::of_tag(&value).is_none() {
                let tag = shortened(&value);
                let english = format!("`lang` must be `en` or `zh`, got `{tag}`.");
                faults.add(
                    &at,
                    "unknown_name",
                    english,
                    format!("`lang` 只能是 `en` 或 `zh`，收到的是 `{tag}`。"),
                );
            }
        } else if !(is_link && (reads_query || is_tracking(&name))) {
            let shown = shortened(&name);
            let english = format!("`{shown}` is not a query parameter here; the only one is `lang`.");
            let chinese = format!("此处没有查询参数 `{shown}`；唯一可用的是 `lang`。");
            faults.add(&at, "unknown_field", english, chinese);
        }
    }
    if faults.found.is_empty() { Ok(next.run(request).await) } else { Err(faults.rejected()) }
}
