//! Work of more than about 100 us, which must not hold up the async workers.

use std::sync::Arc;

use super::problem::Context;
use crate::adviser::Adviser;
use crate::questions::{Kind, Problem, Weight};

/// Does work of more than about 100 us where it does not hold up other requests: it waits for a permit, then has a
/// thread of its own.
pub(crate) async fn off_the_workers<T: Send + 'static>(
    context: &Context,
    weight: Weight,
    work: impl FnOnce(&Adviser) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let state = Arc::clone(&context.state);
    let permits = match weight {
        Weight::Light => &state.light,
        Weight::Heavy => &state.heavy,
    };
    let permit = permits.take(context.client).await.ok_or(Problem::new(Kind::Overloaded))?;
    context.deadline.begin_work();
    // The permit goes with the work: a client that leaves does not free it before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let done = work(&state.adviser);
        drop(permit);
        done
    });
    work.await.map_err(|error| {
        tracing::error!(%error, "work off the workers failed");
        Problem::new(Kind::Internal)
    })?
}
