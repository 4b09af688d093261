//! The HTTP interface: the one place where games and the web meet.
//!
//! [`routes`] lists every route, `layered` every layer in its order.

mod arrival;
mod batch;
mod body;
mod cache;
mod context;
mod contract;
mod deadline;
mod jobs;
mod language;
mod mcp;
mod measure;
mod operations;
mod page;
mod problem;
mod query;
mod question;
mod rate;
mod reference;
mod request_id;
mod tables;
mod target;
mod trace;
mod unsent;
mod work;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, ETAG, LOCATION, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, any, get, post};
use tower::ServiceBuilder;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower::load_shed::LoadShedLayer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};
use tower_http::request_id::{PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::adviser::Adviser;
use crate::jobs::{Runner, Runners};
use crate::questions::{Kind, Method as OperationMethod, Operation, Problem};
use crate::state::AppState;

use jobs::{distributions, simulations};
use problem::Context;

/// What runs the jobs, by their kind.
pub(crate) fn runners(adviser: &Arc<Adviser>, threads: usize) -> Runners {
    let distribute = distributions::Distribute { adviser: Arc::clone(adviser), threads };
    Runners::from([
        (simulations::JOBS.kind, Arc::new(simulations::Simulate) as Arc<dyn Runner>),
        (distributions::JOBS.kind, Arc::new(distribute)),
    ])
}

type Shared = Arc<AppState>;
/// A route: its path below the base path, and its methods.
pub type Route = (&'static str, MethodRouter<Shared>);

/// Every route that answers questions. They share the limit on concurrent requests.
#[must_use]
pub fn routes(state: &AppState) -> Vec<Route> {
    single_routes(state).into_iter().chain(batch_routes()).collect()
}

/// The routes of batches.
fn batch_routes() -> impl Iterator<Item = Route> {
    Operation::batches().map(|(path, operation)| (path, checked(question::batch_route(operation), false)))
}

/// All other routes that answer questions.
fn single_routes(state: &AppState) -> Vec<Route> {
    let at_once = Operation::ALL.iter().filter(|operation| !operation.may_be_job).map(|operation| {
        let reads_query = operation.has_fields && operation.method == OperationMethod::Get;
        (operation.path, checked(question::route(operation), reads_query))
    });
    let further = [
        ("/yahtzee/distribution", post(distributions::post)),
        ("/problems/{code}", get(operations::problem)),
        ("/version", get(operations::version)),
    ];
    let further = further.into_iter().chain(contract::routes(&state.config.base_path));
    at_once
        .chain(further.map(|(path, methods)| (path, checked(methods, false))))
        .chain(job_routes(state))
        .collect()
}

/// Methods that reject query parameters which no handler reads.
fn checked(methods: MethodRouter<Shared>, reads_query: bool) -> MethodRouter<Shared> {
    methods.route_layer(from_fn_with_state(reads_query, query::check))
}

/// The routes of jobs; 404 where the configuration has turned them off.
fn job_routes(state: &AppState) -> Vec<Route> {
    let mut routes = vec![
        ("/yahtzee/distributions", jobs::list(&distributions::JOBS)),
        ("/yahtzee/distributions/{id}", jobs::one(&distributions::JOBS)),
        ("/yahtzee/distributions/{id}/cancel", jobs::cancel(&distributions::JOBS)),
        ("/yahtzee/distributions/{id}/events", jobs::events(&distributions::JOBS)),
        ("/craps/simulations", jobs::list(&simulations::JOBS).post(simulations::post)),
        ("/craps/simulations/{id}", jobs::one(&simulations::JOBS)),
        ("/craps/simulations/{id}/cancel", jobs::cancel(&simulations::JOBS)),
        ("/craps/simulations/{id}/events", jobs::events(&simulations::JOBS)),
    ];
    if state.config.jobs.threads == Some(0) {
        for (_, methods) in &mut routes {
            *methods = std::mem::take(methods).route_layer(from_fn(no_jobs));
        }
    }
    let lists = [distributions::JOBS.path, simulations::JOBS.path];
    routes.into_iter().map(|(path, methods)| (path, checked(methods, lists.contains(&path)))).collect()
}

async fn no_jobs(request: Request, _: Next) -> Problem {
    jobs::turned_off(Context::language_of(request.extensions()))
}

/// The route of assistants. Its protocol describes itself, so it is not in `openapi.yaml`.
fn assistant_route(state: &AppState) -> Option<Route> {
    state.config.mcp.then(|| ("/mcp", checked(post(mcp::post), false)))
}

/// The routes of the operator. They answer however much else there is to do.
#[must_use]
pub fn operator_routes(state: &AppState) -> Vec<Route> {
    let mut routes = vec![("/healthz", get(operations::healthz)), ("/readyz", get(operations::readyz))];
    if state.config.admin_listen.is_none() {
        routes.push(("/metrics", get(operations::metrics)));
    }
    routes
}

/// The routes of the page and of the reference. They too answer however much else there is to do, and leave `lang` to the page.
#[must_use]
pub fn page_routes() -> Vec<Route> {
    vec![
        ("/", get(page::index)),
        ("/web/{*file}", get(page::file)),
        ("/docs", get(reference::page)),
        ("/docs/{file}", get(reference::file)),
    ]
}

/// The whole service.
pub fn router(state: &Shared) -> Router {
    router_with(state, Vec::new())
}

/// The whole service with further routes behind the same layers (the benchmark's echo).
pub fn router_with(state: &Shared, further: Vec<Route>) -> Router {
    let limits = state.config.limits;
    let shed = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(|_| async { Problem::new(Kind::Overloaded) }))
        .layer(LoadShedLayer::new())
        .layer(GlobalConcurrencyLimitLayer::new(limits.max_requests as usize));
    let base = &*state.config.base_path;
    let further = further.into_iter().map(|(path, methods)| (path, checked(methods, false)));
    let singles =
        collect(base, single_routes(state).into_iter().chain(assistant_route(state)).chain(further));
    let arriving = |routes: Router<Shared>, takes_batches: bool| {
        let arrival = from_fn_with_state((Arc::clone(state), takes_batches), arrival::layer);
        routes.route_layer(shed.clone()).route_layer(arrival)
    };
    let questions = arriving(singles, false).merge(arriving(collect(base, batch_routes()), true));
    // Everything but the operator's routes counts towards a client's rate limit, unknown paths too.
    let mut limited = questions.merge(collect(base, page_routes()));
    limited = without_final_slash(base, limited, &routes(state));
    limited = without_final_slash(base, limited, &page_routes());
    if !base.is_empty() {
        limited = limited.route(base, get(page::add_slash));
    }
    let limited = limited
        .fallback(|| async { Problem::new(Kind::NotFound) })
        .layer(from_fn_with_state(Arc::clone(state), rate::layer));
    let operators = operator_routes(state);
    let all = without_final_slash(base, limited, &operators).merge(collect(base, operators));
    // Bodies have been bounded when they arrived.
    layered(all.layer(DefaultBodyLimit::disable()), state)
}

/// The service at the separate address for operators.
pub fn admin_router(state: &Shared) -> Router {
    let routes = vec![
        ("/healthz", get(operations::healthz)),
        ("/readyz", get(operations::readyz)),
        ("/metrics", get(operations::metrics)),
    ];
    layered(without_final_slash("", Router::new(), &routes).merge(collect("", routes)), state)
}

/// Redirects the paths of the routes with a final slash to the same paths without it.
fn without_final_slash(base: &str, router: Router<Shared>, routes: &[Route]) -> Router<Shared> {
    let paths =
        routes.iter().map(|(path, _)| *path).filter(|path| !path.ends_with('/') && !path.contains('*'));
    // Each once: the methods of a path may be separate routes.
    let paths: BTreeSet<_> = paths.collect();
    paths
        .into_iter()
        .fold(router, |router, path| router.route(&format!("{base}{path}/"), any(page::remove_slash)))
}

/// The routes below a base path.
fn collect(base: &str, routes: impl IntoIterator<Item = Route>) -> Router<Shared> {
    let routes = routes.into_iter();
    routes.fold(Router::new(), |router, (path, methods)| router.route(&format!("{base}{path}"), methods))
}

/// Wraps the routes in every layer, the outermost first.
fn layered(routes: Router<Shared>, state: &Shared) -> Router {
    let layers = ServiceBuilder::new()
        .layer(from_fn(request_id::drop_unfit))
        .layer(SetRequestIdLayer::new(request_id::X_REQUEST_ID, request_id::MakeId))
        .layer(PropagateRequestIdLayer::new(request_id::X_REQUEST_ID))
        .layer(from_fn_with_state(Arc::clone(state), trace::layer))
        .layer(from_fn_with_state(Arc::clone(state), measure::layer))
        .layer(SetResponseHeaderLayer::if_not_present(
            X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
        // No answer but a page is to be shown as one, whoever links to it; a page says its own policy.
        .layer(SetResponseHeaderLayer::if_not_present(
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ))
        .layer(from_fn(language::layer))
        .layer(from_fn_with_state(Arc::clone(state), target::layer))
        .layer(cors(&state.config.cors_origins))
        .layer(from_fn(cache::around_compression))
        .layer(compression())
        .layer(from_fn_with_state(Arc::clone(state), unsent::bound_encoders))
        .layer(from_fn_with_state(Arc::clone(state), problem::layer))
        .layer(from_fn_with_state(Arc::clone(state), unsent::charge))
        // Inside the problem layer and CORS: a page is to see this answer like any other.
        .layer(CatchPanicLayer::custom(problem::of_panic))
        .layer(from_fn_with_state(Arc::clone(state), deadline::layer));
    routes.layer(layers).with_state(Arc::clone(state))
}

fn compression() -> CompressionLayer<impl Predicate> {
    let predicate = SizeAbove::new(unsent::LEAST_COMPRESSED)
        .and(NotForContentType::SSE)
        .and(NotForContentType::IMAGES)
        .and(unsent::HasEncoder);
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(predicate)
}

fn cors(origins: &[HeaderValue]) -> CorsLayer {
    let cors = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        // Any header: those of tracing and of event streams are added by tools that the service cannot list.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            LOCATION,
            RETRY_AFTER,
            ETAG,
            request_id::X_REQUEST_ID,
            rate::RATE_LIMIT,
            rate::RATE_LIMIT_POLICY,
        ])
        .max_age(Duration::from_secs(7_200));
    if origins.iter().any(|origin| origin == "*") {
        cors.allow_origin(Any)
    } else {
        cors.allow_origin(AllowOrigin::list(origins.iter().cloned()))
    }
}
