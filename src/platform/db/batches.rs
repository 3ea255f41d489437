//! Many callers that ask for one row each, answered by few statements.
//!
//! A request for a key while nothing is being loaded is served at once, by a load of that key alone. Keys that are asked for during
//! loads gather, and are loaded together as soon as one of the loads has ended: no time is spent on waiting for more, and the
//! more there is to do, the larger are the loads. A load begins after every key that it answers was asked for, so an answer is
//! never older than its question.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fmt,
    hash::Hash,
    io,
    ops::Sub,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use tokio::{runtime::Handle, sync::oneshot, time::timeout};

use super::admission;
use crate::platform::telemetry;

/// Keys that one load may have; what is beyond it goes into the next.
const MOST_KEYS: usize = 500;
/// Loads in progress at once: one that hangs does not delay the others.
const LOADS_AT_ONCE: usize = 2;
/// Longer than a load's statements may take altogether. It ends what waits for a peer that is gone without a word; its callers are
/// told that the database is away.
const LONGEST_LOAD: Duration = Duration::from_secs(20);

/// Why a key was not loaded.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotLoaded {
    /// As many keys wait as may.
    #[error("too many {0} are waiting to be loaded")]
    Full(&'static str),
    /// The load failed, for everybody whose key it had.
    #[error(transparent)]
    Failed(Arc<sqlx::Error>),
    /// The load panicked, or the service ends.
    #[error("loading {0} was interrupted")]
    BrokenOff(&'static str),
}

/// What was found; a key that there is nothing about is missing.
type Found<K, V> = sqlx::Result<HashMap<K, V>>;
type Load<K, V> = Box<dyn Fn(Vec<K>) -> BoxFuture<'static, Found<K, V>> + Send + Sync>;
type Answer<V> = oneshot::Sender<Result<Option<V>, NotLoaded>>;

/// Loads values by their keys. A cheap clone of the one queue.
pub struct Batches<K, V>(Arc<Shared<K, V>>);

struct Shared<K, V> {
    /// What the keys are of, for metrics and for the log.
    of: &'static str,
    /// Keys that may wait; one more is refused.
    most_waiting: usize,
    load: Load<K, V>,
    /// Where loads run, even if their callers go away.
    runtime: Handle,
    queue: Mutex<Queue<K, V>>,
    loads: AtomicU64,
    keys: AtomicU64,
}

struct Queue<K, V> {
    waiting: VecDeque<(K, Answer<V>)>,
    loading: usize,
}

/// How much was loaded since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    pub loads: u64,
    pub keys: u64,
}

impl Sub for Loaded {
    type Output = Self;

    /// What was loaded since then.
    fn sub(self, before: Self) -> Self {
        Self { loads: self.loads - before.loads, keys: self.keys - before.keys }
    }
}

impl<K, V> Clone for Batches<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> fmt::Debug for Batches<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("of", &self.0.of).finish_non_exhaustive()
    }
}

impl<K, V> Batches<K, V>
where
    K: Copy + Ord + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Loads on the current runtime, which has to outlive the callers.
    pub fn new(
        of: &'static str,
        most_waiting: usize,
        load: impl Fn(Vec<K>) -> BoxFuture<'static, Found<K, V>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            of,
            most_waiting,
            load: Box::new(load),
            runtime: Handle::current(),
            queue: Mutex::new(Queue { waiting: VecDeque::new(), loading: 0 }),
            loads: AtomicU64::new(0),
            keys: AtomicU64::new(0),
        }))
    }

    /// The value of a key, if there is one. A caller that drops this leaves the queue, or its answer is thrown away.
    pub async fn get(&self, key: K) -> Result<Option<V>, NotLoaded> {
        let answered = self.ask(key)?;
        admission::counted(answered).await.unwrap_or(Err(NotLoaded::BrokenOff(self.0.of)))
    }

    fn ask(&self, key: K) -> Result<oneshot::Receiver<Result<Option<V>, NotLoaded>>, NotLoaded> {
        let (answer, answered) = oneshot::channel();
        let mut queue = self.0.queue();
        if queue.waiting.len() >= self.0.most_waiting {
            return Err(NotLoaded::Full(self.0.of));
        }
        queue.waiting.push_back((key, answer));
        if queue.loading < LOADS_AT_ONCE {
            queue.loading += 1;
            let loader = Loader { shared: self.0.clone(), has_ended: false };
            drop(queue);
            self.0.runtime.spawn(loader.load_all());
        }
        Ok(answered)
    }

    /// How much was loaded since the start.
    pub fn loaded(&self) -> Loaded {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        Loaded { loads: count(&self.0.loads), keys: count(&self.0.keys) }
    }
}

impl<K, V> Shared<K, V> {
    fn queue(&self) -> MutexGuard<'_, Queue<K, V>> {
        // Nothing panics while it is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loads what waits until nothing does.
struct Loader<K, V> {
    shared: Arc<Shared<K, V>>,
    has_ended: bool,
}

impl<K, V> Loader<K, V>
where
    K: Copy + Ord + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    async fn load_all(mut self) {
        while let Some(batch) = self.take() {
            self.load(batch).await;
        }
    }

    /// The keys that waited longest, each once. Whose caller has left is left out.
    fn take(&mut self) -> Option<BTreeMap<K, Vec<Answer<V>>>> {
        let mut queue = self.shared.queue();
        let mut batch: BTreeMap<K, Vec<Answer<V>>> = BTreeMap::new();
        while batch.len() < MOST_KEYS
            && let Some((key, answer)) = queue.waiting.pop_front()
        {
            if !answer.is_closed() {
                batch.entry(key).or_default().push(answer);
            }
        }
        if batch.is_empty() {
            queue.loading -= 1;
            self.has_ended = true;
            return None;
        }
        Some(batch)
    }

    async fn load(&self, batch: BTreeMap<K, Vec<Answer<V>>>) {
        let shared = &self.shared;
        let keys: Vec<K> = batch.keys().copied().collect();
        shared.loads.fetch_add(1, Ordering::Relaxed);
        shared.keys.fetch_add(keys.len() as u64, Ordering::Relaxed);
        telemetry::count_load(shared.of, keys.len());
        let took_too_long = |_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
        let mut found = match timeout(LONGEST_LOAD, (shared.load)(keys)).await.unwrap_or_else(took_too_long) {
            Ok(found) => found,
            Err(error) => return self.fail(batch, error),
        };
        for (key, answers) in batch {
            let value = found.remove(&key);
            answers.into_iter().for_each(|answer| drop(answer.send(Ok(value.clone()))));
        }
    }

    fn fail(&self, batch: BTreeMap<K, Vec<Answer<V>>>, error: sqlx::Error) {
        let mut answers: Vec<_> = batch.into_values().flatten().collect();
        if matches!(error, sqlx::Error::PoolTimedOut) {
            // There is no connection to get: the callers in the queue would only wait for the next load to fail, too.
            answers.extend(self.shared.queue().waiting.drain(..).map(|(_, answer)| answer));
        }
        let error = Arc::new(error);
        for answer in answers {
            answer.send(Err(NotLoaded::Failed(error.clone()))).ok();
        }
    }
}

impl<K, V> Drop for Loader<K, V> {
    /// A load panicked, or its runtime ends.
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut queue = self.shared.queue();
        queue.loading -= 1;
        if queue.loading == 0 {
            // Nothing will load the keys in the queue, so their callers get an error.
            queue.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{FutureExt, future::join_all};
    use tokio::{
        sync::{Semaphore, mpsc},
        task::yield_now,
        time::timeout,
    };

    use super::*;
    use crate::platform::error::{ApiError, Code};

    /// What the test says about loads, and hears of them.
    struct Loads {
        batches: Batches<u32, u32>,
        /// A load ends when it gets one of these.
        ends: Arc<Semaphore>,
        begun: mpsc::UnboundedReceiver<Vec<u32>>,
    }

    /// Loads twice the key of every even number, and fails, or panics, where this key is among the others.
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

        /// Two loads are under way, of the keys 1 and 3: whatever is asked for now has to wait.
        async fn occupied(&mut self) -> [tokio::task::JoinHandle<Result<Option<u32>, NotLoaded>>; 2] {
            let first = self.ask(1);
            assert_eq!(self.begun().await, [1]);
            let second = self.ask(3);
            assert_eq!(self.begun().await, [3]);
            [first, second]
        }

        async fn waiting(&self, count: usize) {
            while self.batches.0.queue().waiting.len() != count {
                yield_now().await;
            }
        }
    }

    #[tokio::test]
    async fn what_is_asked_for_during_a_load_is_loaded_together_and_each_key_once() {
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
    async fn a_load_has_a_largest_size() {
        let mut loads = doubling(10_000, None, None);
        let _occupied = loads.occupied().await;
        let asked: Vec<_> = (10..10 + MOST_KEYS as u32 + 7).map(|key| loads.ask(key)).collect();
        loads.waiting(MOST_KEYS + 7).await;
        loads.ends.add_permits(4);
        let sizes = [loads.begun().await.len(), loads.begun().await.len()];
        assert_eq!(sizes, [MOST_KEYS, 7]);
        assert!(join_all(asked).await.into_iter().all(|answer| answer.unwrap().is_ok()));
    }

    #[tokio::test]
    async fn beyond_its_bound_the_queue_takes_nobody() {
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
    async fn a_failure_reaches_everybody_of_its_load_and_nobody_else() {
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
    async fn a_load_that_panics_holds_nobody_up() {
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
    async fn who_leaves_does_no_harm() {
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
}
