//! Answers many callers that ask for one row each with few statements.
//!
//! A request for a key while nothing is being loaded is served at once, by a load of that key alone. Keys that are requested
//! during loads gather, and are loaded together as soon as one of the loads has ended: no time is spent on waiting for more, and
//! the loads grow with the demand. A load begins after all of its keys were requested, so an answer is never older than its
//! question.
//!
//! If answers are not urgent, keys gather for a while before each load ([`Batches::gathering`]).

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    hash::Hash,
    io,
    ops::Sub,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::{
    runtime::Handle,
    sync::oneshot,
    time::{sleep, timeout},
};

use super::admission;
use crate::telemetry;

/// The maximum number of keys in one load; the rest go into the next.
const MAX_KEYS: usize = 500;
/// The number of simultaneous loads: a load that hangs does not delay the others.
const LOADS_AT_ONCE: usize = 2;
/// Longer than all statements of a load may take. It ends a load that waits for a peer that is silently gone; the callers are
/// answered that the database is away.
const LONGEST_LOAD: Duration = Duration::from_secs(20);

/// The reason why a key was not loaded.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotLoaded {
    /// The queue of keys is full.
    #[error("too many {0} are waiting to be loaded")]
    Full(&'static str),
    /// The load failed, for all of its keys.
    #[error(transparent)]
    Failed(Arc<sqlx::Error>),
    /// The load panicked, or the service ends.
    #[error("loading {0} was interrupted")]
    BrokenOff(&'static str),
}

/// The values by key; a key without a value is missing.
type Found<K, V> = sqlx::Result<HashMap<K, V>>;
type Load<K, V> = Box<dyn Fn(Vec<K>) -> BoxFuture<'static, Found<K, V>> + Send + Sync>;
type Answer<V> = oneshot::Sender<Result<Option<V>, NotLoaded>>;

/// Loads values by their keys. All clones share the queue.
#[derive(derive_more::Debug)]
#[debug("Batches {{ of: {:?}, .. }}", self.0.of)]
pub struct Batches<K, V>(Arc<Shared<K, V>>);

struct Shared<K, V> {
    /// The noun for what the keys identify, used in metrics and in the log.
    of: &'static str,
    /// The maximum number of keys that wait; further ones are refused.
    most_waiting: usize,
    /// How long a load waits for more keys.
    gather: Duration,
    load: Load<K, V>,
    /// The runtime of the loads, which continue even if their callers go away.
    runtime: Handle,
    queue: Mutex<Queue<K, V>>,
    loads: AtomicU64,
    keys: AtomicU64,
}

struct Queue<K, V> {
    waiting: VecDeque<(K, Answer<V>)>,
    loading: usize,
}

/// The number of loads and keys since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    pub loads: u64,
    pub keys: u64,
}

impl Sub for Loaded {
    type Output = Self;

    /// Returns how much was loaded since `before`.
    fn sub(self, before: Self) -> Self {
        Self { loads: self.loads - before.loads, keys: self.keys - before.keys }
    }
}

impl<K, V> Clone for Batches<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Batches<K, V>
where
    K: Clone + Ord + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Loads on the current runtime, which has to outlive the callers.
    pub fn new(
        of: &'static str,
        most_waiting: usize,
        load: impl Fn(Vec<K>) -> BoxFuture<'static, Found<K, V>> + Send + Sync + 'static,
    ) -> Self {
        Self::gathering(of, most_waiting, Duration::ZERO, load)
    }

    /// Returns batches whose loads wait for `gather`, and then have all keys that were requested in the meantime.
    pub fn gathering(
        of: &'static str,
        most_waiting: usize,
        gather: Duration,
        load: impl Fn(Vec<K>) -> BoxFuture<'static, Found<K, V>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            of,
            most_waiting,
            gather,
            load: Box::new(load),
            runtime: Handle::current(),
            queue: Mutex::new(Queue { waiting: VecDeque::new(), loading: 0 }),
            loads: AtomicU64::new(0),
            keys: AtomicU64::new(0),
        }))
    }

    /// Returns the value of a key, if there is one. If the caller drops the future, its key leaves the queue, or its
    /// answer is discarded.
    pub async fn get(&self, key: K) -> Result<Option<V>, NotLoaded> {
        let answered = self.ask(key)?;
        admission::counted(answered).await.unwrap_or(Err(NotLoaded::BrokenOff(self.0.of)))
    }

    fn ask(&self, key: K) -> Result<oneshot::Receiver<Result<Option<V>, NotLoaded>>, NotLoaded> {
        let (answer, answered) = oneshot::channel();
        let mut queue = self.0.queue.lock();
        if queue.waiting.len() >= self.0.most_waiting {
            return Err(NotLoaded::Full(self.0.of));
        }
        queue.waiting.push_back((key, answer));
        let at_once = if self.0.gather.is_zero() { LOADS_AT_ONCE } else { 1 };
        if queue.loading < at_once {
            queue.loading += 1;
            let loader = Loader { shared: self.0.clone(), has_ended: false };
            drop(queue);
            self.0.runtime.spawn(loader.load_all());
        }
        Ok(answered)
    }

    /// Returns how much was loaded since the start.
    pub fn loaded(&self) -> Loaded {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        Loaded { loads: count(&self.0.loads), keys: count(&self.0.keys) }
    }
}

/// Loads the waiting keys until none are left.
struct Loader<K, V> {
    shared: Arc<Shared<K, V>>,
    has_ended: bool,
}

impl<K, V> Loader<K, V>
where
    K: Clone + Ord + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    async fn load_all(mut self) {
        if !self.shared.gather.is_zero() {
            sleep(self.shared.gather).await;
        }
        while let Some(batch) = self.take() {
            self.load(batch).await;
        }
    }

    /// Takes the keys that have waited longest, each once, without those whose callers have left.
    fn take(&mut self) -> Option<BTreeMap<K, Vec<Answer<V>>>> {
        let mut queue = self.shared.queue.lock();
        let mut batch: BTreeMap<K, Vec<Answer<V>>> = BTreeMap::new();
        while batch.len() < MAX_KEYS
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

    /// Loads the keys, and answers their callers. A row that can't be read fails only the callers who asked for it: the load is
    /// repeated in halves.
    async fn load(&self, batch: BTreeMap<K, Vec<Answer<V>>>) {
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            let error = match self.found(part.keys().cloned().collect()).await {
                Ok(found) => {
                    answer(part, found);
                    continue;
                }
                Err(error) => error,
            };
            let middle = part.keys().nth(part.len() / 2).cloned();
            match middle.filter(|_| part.len() > 1 && is_about_data(&error)) {
                Some(middle) => {
                    let rest = part.split_off(&middle);
                    parts.extend([rest, part]);
                }
                None => self.fail(part, error),
            }
        }
    }

    async fn found(&self, keys: Vec<K>) -> Found<K, V> {
        let shared = &self.shared;
        shared.loads.fetch_add(1, Ordering::Relaxed);
        shared.keys.fetch_add(keys.len() as u64, Ordering::Relaxed);
        telemetry::count_load(shared.of, keys.len());
        let took_too_long = |_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
        timeout(LONGEST_LOAD, (shared.load)(keys)).await.unwrap_or_else(took_too_long)
    }

    fn fail(&self, batch: BTreeMap<K, Vec<Answer<V>>>, error: sqlx::Error) {
        let mut answers: Vec<_> = batch.into_values().flatten().collect();
        if matches!(error, sqlx::Error::PoolTimedOut) {
            // No connection is available: the callers in the queue would only wait for the next load to fail, too.
            answers.extend(self.shared.queue.lock().waiting.drain(..).map(|(_, answer)| answer));
        }
        let error = Arc::new(error);
        for answer in answers {
            answer.send(Err(NotLoaded::Failed(error.clone()))).ok();
        }
    }
}

fn answer<K: Eq + Hash, V: Clone>(asked: BTreeMap<K, Vec<Answer<V>>>, mut found: HashMap<K, V>) {
    for (key, answers) in asked {
        let value = found.remove(&key);
        answers.into_iter().for_each(|answer| drop(answer.send(Ok(value.clone()))));
    }
}

/// Returns whether a key, or a row that was found, is the reason for a failure. A statement that writes has then written nothing, or
/// finds nothing left to write.
fn is_about_data(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => true,
        // The SQLSTATEs of data exceptions.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| code.starts_with("22")),
        _ => false,
    }
}

impl<K, V> Drop for Loader<K, V> {
    /// Cleans up after a load that panicked or whose runtime ends.
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut queue = self.shared.queue.lock();
        queue.loading -= 1;
        if queue.loading == 0 {
            // Nothing will load the keys in the queue, so their callers get an error.
            queue.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests;
