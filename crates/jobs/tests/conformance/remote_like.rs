//! A store that behaves as if it were on another machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use kibitz_jobs::{
    CancelToken, Claim, Counts, FindError, JobId, ListQuery, MemoryStore, NewJob, Outcome, Page, QueueClass,
    Record, Store, SubmitError, Submitted, Unavailable,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// How late an answer comes.
const LATENCY: Duration = Duration::from_millis(1);
/// How often changes are polled.
const INTERVAL: Duration = Duration::from_millis(5);

/// A memory store behind a made-up network: records cross it as JSON, answers come late and from another thread, every
/// third call fails, and changes arrive by polling alone.
pub(crate) struct RemoteLike {
    server: Arc<MemoryStore>,
    calls: AtomicU64,
}

impl RemoteLike {
    pub(crate) fn new(server: MemoryStore) -> Self {
        Self { server: Arc::new(server), calls: AtomicU64::new(0) }
    }

    /// Every third call fails before it reaches the server.
    fn call(&self) -> Result<Arc<MemoryStore>, Unavailable> {
        let is_lost = self.calls.fetch_add(1, Ordering::Relaxed) % 3 == 2;
        if is_lost { Err(Unavailable) } else { Ok(Arc::clone(&self.server)) }
    }
}

/// The answer of the server.
async fn late<T: Send + 'static>(answer: impl Future<Output = T> + Send + 'static) -> T {
    let answer = spawn_blocking(|| {
        thread::sleep(LATENCY);
        Handle::current().block_on(answer)
    });
    answer.await.unwrap()
}

/// A copy that has crossed the network.
fn copy<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn copy_of(record: &Arc<Record>) -> Arc<Record> {
    Arc::new(copy(record.as_ref()))
}

impl Store for RemoteLike {
    const POLL: Option<Duration> = Some(INTERVAL);

    async fn submit(&self, id: JobId, new: NewJob) -> Result<Submitted<Arc<Record>>, SubmitError> {
        let server = self.call()?;
        let Submitted { job, is_new } = late(async move { server.submit(id, new).await }).await?;
        Ok(Submitted { job: copy_of(&job), is_new })
    }

    async fn find(&self, kind: &'static str, id: JobId) -> Result<watch::Receiver<Arc<Record>>, FindError> {
        let server = self.call()?;
        let record = late(async move { server.find(kind, id).await }).await?;
        let copied = watch::Sender::new(copy_of(&record.borrow()));
        let receiver = copied.subscribe();
        tokio::spawn(async move {
            while !copied.is_closed() {
                tokio::time::sleep(INTERVAL).await;
                let is_gone = record.has_changed().is_err();
                let now = copy_of(&record.borrow());
                copied.send_if_modified(|old| {
                    let is_modified = *old != now;
                    *old = now;
                    is_modified
                });
                if is_gone {
                    return;
                }
            }
        });
        Ok(receiver)
    }

    async fn cancel(&self, kind: &'static str, id: JobId) -> Result<(), FindError> {
        let server = self.call()?;
        late(async move { server.cancel(kind, id).await }).await
    }

    async fn delete(&self, kind: &'static str, id: JobId) -> Result<(), FindError> {
        let server = self.call()?;
        late(async move { server.delete(kind, id).await }).await
    }

    async fn list(&self, kind: &'static str, query: ListQuery) -> Result<Page<Arc<Record>>, Unavailable> {
        let server = self.call()?;
        let Page { jobs, next } = late(async move { server.list(kind, query).await }).await?;
        Ok(Page { jobs: jobs.iter().map(copy_of).collect(), next })
    }

    fn counts(&self) -> Counts {
        self.server.counts()
    }

    fn claim(&self, class: QueueClass) -> Option<Claim> {
        let server = self.call().ok()?;
        thread::sleep(LATENCY);
        let claim = server.claim(class)?;
        let (token, here) = (claim.token, CancelToken::default());
        let polled = here.clone();
        let server = Arc::downgrade(&server);
        thread::spawn(move || {
            while server.strong_count() > 0 {
                thread::sleep(INTERVAL);
                if let Some(reason) = token.get() {
                    return polled.set(reason);
                }
            }
        });
        Some(Claim { record: copy_of(&claim.record), token: here, ..claim })
    }

    fn finish(&self, id: JobId, outcome: &Outcome) -> Result<(), Unavailable> {
        let server = self.call()?;
        thread::sleep(LATENCY);
        server.finish(id, &copy(outcome))
    }

    fn shut_down(&self) {
        self.server.shut_down();
    }
}
