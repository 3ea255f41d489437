use std::time::Duration;

use futures_util::{FutureExt, future::join_all};
use tokio::{
    sync::{Semaphore, mpsc},
    task::yield_now,
    time::timeout,
};

use super::*;
use crate::error::{ApiError, Code};

/// Lets the test control loads, and observe them.
struct Loads {
    batches: Batches<u32, u32>,
    /// Each permit ends a load.
    ends: Arc<Semaphore>,
    begun: mpsc::UnboundedReceiver<Vec<u32>>,
}

/// Loads twice the key for every even number, and fails, or panics, if that key is in the load.
fn doubling(most_waiting: usize, failing: Option<u32>, panicking: Option<u32>) -> Loads {
    let ends = Arc::new(Semaphore::new(0));
    let (begin, begun) = mpsc::unbounded_channel();
    let wait = ends.clone();
    let batches = Batches::new("numbers", most_waiting, move |keys: Vec<u32>| {
        let (wait, begin) = (wait.clone(), begin.clone());
        async move {
            begin.send(keys.clone()).unwrap();
            wait.acquire().await.unwrap().forget();
            let has = |key: Option<u32>| key.is_some_and(|key| keys.contains(&key));
            assert!(!has(panicking), "as the test asked for");
            if has(failing) {
                return Err(sqlx::Error::PoolClosed);
            }
            Ok(keys.into_iter().filter(|key| key % 2 == 0).map(|key| (key, 2 * key)).collect())
        }
        .boxed()
    });
    Loads { batches, ends, begun }
}

impl Loads {
    fn ask(&self, key: u32) -> tokio::task::JoinHandle<Result<Option<u32>, NotLoaded>> {
        let batches = self.batches.clone();
        tokio::spawn(async move { batches.get(key).await })
    }

    async fn begun(&mut self) -> Vec<u32> {
        timeout(Duration::from_secs(10), self.begun.recv()).await.expect("a load begins").unwrap()
    }

    /// Occupies both loads, with the keys 1 and 3, so that every further key has to wait.
    async fn occupied(&mut self) -> [tokio::task::JoinHandle<Result<Option<u32>, NotLoaded>>; 2] {
        let first = self.ask(1);
        assert_eq!(self.begun().await, [1]);
        let second = self.ask(3);
        assert_eq!(self.begun().await, [3]);
        [first, second]
    }

    async fn waiting(&self, count: usize) {
        while self.batches.0.queue.lock().waiting.len() != count {
            yield_now().await;
        }
    }
}

#[tokio::test]
async fn keys_requested_during_a_load_are_loaded_together_and_once_each() {
    let mut loads = doubling(100, None, None);
    let occupied = loads.occupied().await;
    let asked: Vec<_> = [8, 4, 4, 6, 5].into_iter().map(|key| loads.ask(key)).collect();
    loads.waiting(5).await;
    loads.ends.add_permits(3);
    assert_eq!(loads.begun().await, [4, 5, 6, 8]);
    let answers = join_all(asked).await.into_iter().map(|answer| answer.unwrap().unwrap());
    assert_eq!(answers.collect::<Vec<_>>(), [Some(16), Some(8), Some(8), Some(12), None]);
    for one in occupied {
        assert_eq!(one.await.unwrap().unwrap(), None);
    }
    assert_eq!(loads.batches.loaded(), Loaded { loads: 3, keys: 6 });
}

#[tokio::test]
async fn the_size_of_a_load_is_limited() {
    let mut loads = doubling(10_000, None, None);
    let _occupied = loads.occupied().await;
    let asked: Vec<_> = (10..10 + MAX_KEYS as u32 + 7).map(|key| loads.ask(key)).collect();
    loads.waiting(MAX_KEYS + 7).await;
    loads.ends.add_permits(4);
    let sizes = [loads.begun().await.len(), loads.begun().await.len()];
    assert_eq!(sizes, [MAX_KEYS, 7]);
    assert!(join_all(asked).await.into_iter().all(|answer| answer.unwrap().is_ok()));
}

#[tokio::test]
async fn a_full_queue_refuses_keys() {
    let mut loads = doubling(2, None, None);
    let _occupied = loads.occupied().await;
    let asked = [loads.ask(2), loads.ask(4)];
    loads.waiting(2).await;
    let refused = ApiError::from(loads.batches.get(6).await.expect_err("full"));
    assert_eq!(refused.code, Code::Unavailable);
    assert!(refused.retry_after_s.is_some());
    loads.ends.add_permits(3);
    assert!(join_all(asked).await.into_iter().all(|answer| answer.unwrap().is_ok()));
}

#[tokio::test]
async fn a_failure_reaches_only_the_callers_of_its_load() {
    let mut loads = doubling(100, Some(4), None);
    let _occupied = loads.occupied().await;
    let asked = [loads.ask(2), loads.ask(4)];
    loads.waiting(2).await;
    loads.ends.add_permits(3);
    for answer in asked {
        let refused = ApiError::from(answer.await.unwrap().expect_err("the load fails"));
        assert_eq!(refused.code, Code::Unavailable, "the database is away");
    }
    loads.ends.add_permits(1);
    assert_eq!(loads.batches.get(2).await.unwrap(), Some(4));
}

#[tokio::test]
async fn a_row_that_can_not_be_read_fails_only_the_caller_who_asked_for_it() {
    let load = |keys: Vec<u32>| {
        async move {
            if keys.contains(&7) {
                return Err(sqlx::Error::Decode("an unknown value".into()));
            }
            Ok(keys.into_iter().map(|key| (key, key)).collect())
        }
        .boxed()
    };
    let batches = Batches::new("numbers", 100, load);
    let answers = join_all((0..20).map(|key| batches.get(key))).await;
    for (key, answer) in (0..20).zip(answers) {
        assert_eq!(answer.ok(), (key != 7).then_some(Some(key)));
    }
    assert!(batches.loaded().loads < 20, "{:?}", batches.loaded());
}

#[tokio::test]
async fn a_load_that_panics_blocks_nobody() {
    let mut loads = doubling(100, None, Some(4));
    let _occupied = loads.occupied().await;
    let asked = [loads.ask(2), loads.ask(4)];
    loads.waiting(2).await;
    loads.ends.add_permits(3);
    for answer in asked {
        assert!(matches!(answer.await.unwrap(), Err(NotLoaded::BrokenOff("numbers"))));
    }
    loads.ends.add_permits(2);
    assert_eq!(loads.batches.get(2).await.unwrap(), Some(4));
    assert_eq!(loads.batches.get(6).await.unwrap(), Some(12), "it goes on for good");
}

#[tokio::test]
async fn a_caller_that_leaves_does_no_harm() {
    let mut loads = doubling(100, None, None);
    let [first, _second] = loads.occupied().await;
    let (leaving, staying) = (loads.ask(2), loads.ask(4));
    loads.waiting(2).await;
    first.abort();
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled());
    loads.ends.add_permits(3);
    assert_eq!(loads.begun().await, [4], "no caller waits for the other any more");
    assert_eq!(staying.await.unwrap().unwrap(), Some(8));
}

#[tokio::test(start_paused = true)]
async fn a_load_that_is_not_urgent_waits_for_more_keys() {
    const GATHER: Duration = Duration::from_secs(10);
    let load = |keys: Vec<u32>| async move { Ok(keys.into_iter().map(|key| (key, key)).collect()) }.boxed();
    let batches = Batches::gathering("numbers", 100, GATHER, load);
    let asked = [1, 2, 3].map(|key| {
        let batches = batches.clone();
        async move {
            tokio::time::sleep(key * GATHER / 4).await;
            batches.get(key).await.unwrap()
        }
    });
    assert_eq!(join_all(asked).await, [Some(1), Some(2), Some(3)]);
    assert_eq!(batches.loaded(), Loaded { loads: 1, keys: 3 });
    assert_eq!(batches.get(4).await.unwrap(), Some(4));
    assert_eq!(batches.loaded(), Loaded { loads: 2, keys: 4 });
}
