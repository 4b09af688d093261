//! The request that is being answered: its language, deadline, client, id and path prefix.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::Extensions;
use axum::http::request::Parts;
use serde::Serialize;
use tower_http::request_id::RequestId;

use super::deadline::Deadline;
use super::target::Prefix;
use crate::client::Client;
use crate::questions::{Language, Problem};
use crate::state::AppState;

/// What handlers and problems need to know of the request that they answer.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) language: Language,
    pub(crate) deadline: Deadline,
    pub(crate) client: Client,
    request_id: Option<RequestId>,
    prefix: Option<Prefix>,
    pub(crate) state: Arc<AppState>,
}

impl Context {
    pub(crate) fn new(extensions: &Extensions, state: &Arc<AppState>) -> Self {
        Self {
            language: Self::language_of(extensions),
            deadline: Deadline::of(extensions),
            client: extensions.get().copied().unwrap_or(Client::UNKNOWN),
            request_id: extensions.get().cloned(),
            prefix: extensions.get().cloned(),
            state: Arc::clone(state),
        }
    }

    /// The language of a request's answer.
    pub(crate) fn language_of(extensions: &Extensions) -> Language {
        extensions.get().copied().unwrap_or_default()
    }

    /// The path of a route as the client reaches it.
    pub(crate) fn path(&self, route: &str) -> String {
        let prefix = self.prefix.as_ref().map_or("", |prefix| &*prefix.0);
        format!("{prefix}{}{route}", self.state.config.base_path)
    }

    /// The body of a problem of this request.
    pub(crate) fn body_of<'a>(&'a self, problem: &'a Problem) -> impl Serialize + 'a {
        let kind = self.path(&format!("/problems/{}", problem.kind().code()));
        problem.body(self.language, kind, self.request_id())
    }

    /// The request's id.
    pub(crate) fn request_id(&self) -> &str {
        self.request_id.as_ref().and_then(|id| id.header_value().to_str().ok()).unwrap_or_default()
    }
}

impl FromRequestParts<Arc<AppState>> for Context {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<AppState>) -> Result<Self, Infallible> {
        Ok(Self::new(&parts.extensions, state))
    }
}
