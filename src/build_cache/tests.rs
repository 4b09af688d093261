//! Tests of the cache of built values.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn cache(entries: usize, bytes: usize, waiting: usize) -> BuildCache<u32, Arc<u32>> {
    let bounds = Bounds { entries, bytes, waiting, threads: 1 };
    BuildCache::start(bounds, |value| Arc::strong_count(value) > 1, BuildCacheMetrics::default()).unwrap()
}

/// A build that lasts until the test ends it.
fn slow(value: u32) -> (mpsc::Sender<()>, impl FnOnce() -> Arc<u32> + Send) {
    let (end, wait) = mpsc::channel::<()>();
    let build = move || {
        let _ = wait.recv();
        Arc::new(value)
    };
    (end, build)
}

#[tokio::test]
async fn many_who_ask_at_once_get_one_build() {
    let cache = cache(10, 1_000, 10);
    let builds = Arc::new(AtomicUsize::new(0));
    let mut pending = Vec::new();
    for n in 0..1_000 {
        let builds = Arc::clone(&builds);
        let build = move || {
            builds.fetch_add(1, Ordering::Relaxed);
            Arc::new(n % 10)
        };
        pending.push(cache.get(n % 10, build, |_| 1).unwrap());
    }
    for (n, pending) in (0..).zip(pending) {
        assert_eq!(*pending.wait().await.unwrap(), n % 10);
    }
    assert_eq!(builds.load(Ordering::Relaxed), 10);
    assert_eq!(cache.shared.metrics.builds.get(), 10);
}

#[tokio::test]
async fn the_least_recently_used_goes_first_by_count_and_by_bytes() {
    for cache in [cache(2, 1_000, 10), cache(10, 20, 10)] {
        for key in [1, 2] {
            cache.get(key, move || Arc::new(key), |_| 10).unwrap().wait().await.unwrap();
        }
        assert!(cache.find(&1).is_some());
        cache.get(3, || Arc::new(3), |_| 10).unwrap().wait().await.unwrap();
        assert_eq!([1, 2, 3].map(|key| cache.find(&key).is_some()), [true, false, true]);
        let BuildCacheMetrics { entries, bytes, evictions, .. } = &cache.shared.metrics;
        assert_eq!((entries.get(), bytes.get(), evictions.get()), (2, 20, 1));
    }
}

#[tokio::test]
async fn a_value_too_large_to_be_kept_is_given_and_goes_before_the_next_build() {
    let cache = cache(10, 20, 10);
    let value = cache.get(1, || Arc::new(1), |_| 21).unwrap().wait().await;
    assert_eq!(value, Ok(Arc::new(1)));
    drop(value);
    cache.get(2, || Arc::new(2), |_| 10).unwrap().wait().await.unwrap();
    assert_eq!(cache.find(&1), None);
    assert_eq!(cache.shared.metrics.bytes.get(), 10);
}

#[tokio::test]
async fn held_values_count_and_the_next_build_waits_for_them() {
    let cache = cache(10, 20, 10);
    let mut held = Vec::new();
    for key in 1..=3 {
        held.push(cache.get(key, move || Arc::new(key), |_| 10).unwrap().wait().await.unwrap());
    }
    assert_eq!(cache.shared.metrics.bytes.get(), 30, "one value may exceed the bound");
    let fourth = cache.get(4, || Arc::new(4), |_| 10).unwrap().wait();
    let mut fourth = std::pin::pin!(fourth);
    let early = tokio::time::timeout(Duration::from_millis(100), &mut fourth).await;
    assert!(early.is_err(), "no build begins beyond the bound");
    assert_eq!(cache.find(&1).as_deref(), Some(&1), "what is held stays at hand");
    held.remove(1);
    assert_eq!(fourth.await.as_deref(), Ok(&4));
    assert_eq!([1, 2, 3].map(|key| cache.find(&key).is_some()), [true, false, true]);
    // An order without waiting callers delays nothing.
    drop(cache.get(5, || panic!("no caller waits for this"), |_| 1).unwrap());
    held.clear();
    cache.get(6, || Arc::new(6), |_| 10).unwrap().wait().await.unwrap();
    assert!(cache.shared.metrics.bytes.get() <= 20);
}

#[tokio::test]
async fn full_queue_rejects_only_new_keys() {
    let cache = cache(10, 1_000, 1);
    let (end, build) = slow(1);
    let first = cache.get(1, build, |_| 1).unwrap();
    while cache.shared.lock().waiting > 0 {
        tokio::task::yield_now().await;
    }
    let second = cache.get(2, || Arc::new(2), |_| 1).unwrap();
    assert!(matches!(cache.get(3, || Arc::new(3), |_| 1), Err(Full)));
    let again = cache.get(2, || Arc::new(22), |_| 1).unwrap();
    end.send(()).unwrap();
    for (pending, value) in [(first, 1), (second, 2), (again, 2)] {
        assert_eq!(pending.wait().await, Ok(Arc::new(value)));
    }
    assert_eq!(cache.get(3, || Arc::new(3), |_| 1).unwrap().wait().await, Ok(Arc::new(3)));
}

#[tokio::test]
async fn value_without_waiting_callers_is_not_built() {
    let cache = cache(10, 1_000, 10);
    let (end, build) = slow(1);
    let first = cache.get(1, build, |_| 1).unwrap();
    drop(cache.get(2, || panic!("no caller waits for this"), |_| 1).unwrap());
    let third = cache.get(3, || Arc::new(3), |_| 1).unwrap();
    end.send(()).unwrap();
    assert!(first.wait().await.is_ok() && third.wait().await.is_ok());
    assert_eq!(cache.shared.metrics.builds.get(), 2);
    assert_eq!(cache.get(2, || Arc::new(2), |_| 1).unwrap().wait().await, Ok(Arc::new(2)));
}

#[tokio::test]
async fn a_build_that_panics_fails_for_all_who_wait_and_can_be_tried_again() {
    let cache = cache(10, 1_000, 10);
    assert_eq!(cache.get(1, || panic!("a made-up fault"), |_| 1).unwrap().wait().await, Err(Failed));
    assert_eq!(cache.get(1, || Arc::new(1), |_| 1).unwrap().wait().await, Ok(Arc::new(1)));
}
