//! Writes together the items that arrive while a write is running.
//!
//! An item that arrives while no write is running is written at once, by its caller and alone. All other items wait. They are written
//! together as soon as the running write has ended, or beside it once enough items wait. So an item never waits for others without a
//! write that is running, and writes grow with the load. Most of a small write's cost does not depend on the number of its
//! items ([ADR 156](../../../../../docs/adr/0156-few-connections-write-and-plans-use-indexes.md)).

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use tokio::{runtime::Handle, sync::oneshot, time::timeout};

use crate::telemetry;

/// The maximum number of simultaneous writes: while one waits for the disk, the other is prepared.
const WRITES_AT_ONCE: usize = 2;
/// The number of waiting items for which another write is usually worth its costs beside one that is running.
pub const WORTH_ANOTHER: usize = 8;
/// The maximum number of items in a write, and of their bytes, which are estimated; a larger item is written alone.
const MAX_ITEMS: usize = 32;
const MAX_BYTES: usize = 256 * 1024;
/// A write that takes longer, because it waits for a lock or a peer that is silently gone, lets another one begin, and an item that
/// waits for longer is worth a write of its own.
const PATIENCE: Duration = Duration::from_millis(500);

/// The write was interrupted: it panicked, or the service ends. It may have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Writes items, and returns an answer for each in their order. An error is the answer for these items and all that wait: nothing
/// can be written now.
type Write<T, A> = Box<dyn Fn(Vec<T>) -> BoxFuture<'static, Result<Vec<A>, A>> + Send + Sync>;

/// Items that wait for their write. All clones share the queue.
pub struct WriteQueue<T, A>(Arc<Shared<T, A>>);

struct Shared<T, A> {
    /// The label that says in metrics how the items are written.
    how: &'static str,
    /// The number of waiting items for which another write begins beside one that is running.
    worth_another: usize,
    write: Write<T, A>,
    /// The runtime of the writes of items that waited.
    runtime: Handle,
    queue: Mutex<Queue<T, A>>,
}

struct Queue<T, A> {
    waiting: VecDeque<Waiting<T, A>>,
    writing: usize,
}

struct Waiting<T, A> {
    item: T,
    bytes: usize,
    since: Instant,
    answer: oneshot::Sender<A>,
}

/// A permit to write, of which there are [`WRITES_AT_ONCE`]. When it is dropped, the items that wait get it, if they are worth a write.
struct Turn<T: Send + 'static, A: Clone + Send + 'static>(Arc<Shared<T, A>>);

impl<T, A> Clone for WriteQueue<T, A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, A> fmt::Debug for WriteQueue<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteQueue").field("how", &self.0.how).finish_non_exhaustive()
    }
}

impl<T: Send + 'static, A: Clone + Send + 'static> WriteQueue<T, A> {
    /// Writes items that waited on the current runtime, which has to outlive the callers. Another write begins beside one that is
    /// running for `worth_another` waiting items.
    pub fn new(
        how: &'static str,
        worth_another: usize,
        write: impl Fn(Vec<T>) -> BoxFuture<'static, Result<Vec<A>, A>> + Send + Sync + 'static,
    ) -> Self {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), writing: 0 });
        Self(Arc::new(Shared {
            how,
            worth_another,
            write: Box::new(write),
            runtime: Handle::current(),
            queue,
        }))
    }

    /// Writes an item of about so many bytes. If the caller drops the future, the item leaves the queue, or its write
    /// goes on or is dropped.
    pub async fn write(&self, item: T, bytes: usize) -> Result<A, Interrupted> {
        match self.enter(item, bytes) {
            Ok((turn, item)) => {
                telemetry::measure_wait_to_write(self.0.how, Duration::ZERO);
                turn.write(vec![item]).await.pop().ok_or(Interrupted)
            }
            Err(mut answered) => match timeout(PATIENCE, &mut answered).await {
                Ok(answer) => answer.map_err(|_| Interrupted),
                Err(_) => {
                    self.0.begin(self.0.queue(), 1);
                    answered.await.map_err(|_| Interrupted)
                }
            },
        }
    }

    /// Returns a turn with the item, or lets the item wait.
    fn enter(&self, item: T, bytes: usize) -> Result<(Turn<T, A>, T), oneshot::Receiver<A>> {
        let mut queue = self.0.queue();
        if queue.writing == 0 {
            queue.writing += 1;
            return Ok((Turn(self.0.clone()), item));
        }
        let (answer, answered) = oneshot::channel();
        queue.waiting.push_back(Waiting { item, bytes, since: Instant::now(), answer });
        self.0.begin(queue, self.0.worth_another);
        Err(answered)
    }
}

impl<T, A> Shared<T, A> {
    fn queue(&self) -> MutexGuard<'_, Queue<T, A>> {
        // Code that holds this lock never panics.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static, A: Clone + Send + 'static> Shared<T, A> {
    /// Begins to write items that wait, beside another write only if there are `worth_another`.
    fn begin(self: &Arc<Self>, mut queue: MutexGuard<'_, Queue<T, A>>, worth_another: usize) {
        let batch = queue.take_if_worth_it(worth_another);
        if !batch.is_empty() {
            queue.writing += 1;
            drop(queue);
            self.runtime.spawn(Turn(self.clone()).write_waiting(batch));
        }
    }
}

impl<T, A> Queue<T, A> {
    /// Takes the items for a write that may begin now: any while nothing is being written, and `worth_another` or more beside
    /// another write.
    fn take_if_worth_it(&mut self, worth_another: usize) -> Vec<Waiting<T, A>> {
        let is_worth_it = match self.writing {
            0 => true,
            writing => writing < WRITES_AT_ONCE && self.waiting.len() >= worth_another,
        };
        if is_worth_it { self.take() } else { Vec::new() }
    }

    /// Takes the items that have waited longest and fit into one write, without those whose callers have left.
    fn take(&mut self) -> Vec<Waiting<T, A>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while let Some(next) = self.waiting.pop_front() {
            if next.answer.is_closed() {
                continue;
            }
            bytes += next.bytes;
            if !batch.is_empty() && (batch.len() == MAX_ITEMS || bytes > MAX_BYTES) {
                self.waiting.push_front(next);
                break;
            }
            batch.push(next);
        }
        batch
    }
}

impl<T: Send + 'static, A: Clone + Send + 'static> Turn<T, A> {
    /// Writes the items, and returns their answers.
    async fn write(self, items: Vec<T>) -> Vec<A> {
        let (shared, count) = (self.0.clone(), items.len());
        telemetry::measure_write(shared.how, count);
        let mut writing = (shared.write)(items);
        let written = match timeout(PATIENCE, &mut writing).await {
            Ok(written) => written,
            Err(_) => {
                drop(self);
                writing.await
            }
        };
        written.unwrap_or_else(|answer| {
            let waiting = std::mem::take(&mut shared.queue().waiting);
            waiting.into_iter().for_each(|waiting| drop(waiting.answer.send(answer.clone())));
            vec![answer; count]
        })
    }

    /// Writes items that waited, and answers their callers.
    async fn write_waiting(self, batch: Vec<Waiting<T, A>>) {
        for waiting in &batch {
            telemetry::measure_wait_to_write(self.0.how, waiting.since.elapsed());
        }
        let (items, answers): (Vec<T>, Vec<oneshot::Sender<A>>) =
            batch.into_iter().map(|waiting| (waiting.item, waiting.answer)).unzip();
        let written = self.write(items).await;
        answers.into_iter().zip(written).for_each(|(answer, written)| drop(answer.send(written)));
    }
}

impl<T: Send + 'static, A: Clone + Send + 'static> Drop for Turn<T, A> {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.writing -= 1;
        self.0.begin(queue, self.0.worth_another);
    }
}

#[cfg(test)]
mod tests;
