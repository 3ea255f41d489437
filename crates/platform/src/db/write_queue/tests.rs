use futures_util::{FutureExt, future::join_all};
use tokio::{
    sync::{Semaphore, mpsc},
    task::{JoinHandle, yield_now},
    time::timeout,
};

use super::*;

/// Lets the test control writes, and observe them.
struct Writes {
    queue: WriteQueue<u32, Result<u32, &'static str>>,
    /// Each permit ends a write.
    ends: Arc<Semaphore>,
    begun: mpsc::UnboundedReceiver<Vec<u32>>,
}

/// The item with which a write panics, and the one with which nothing can be written.
const PANICKING: u32 = 666;
const IMPOSSIBLE: u32 = 404;

/// Returns a queue whose answer to an item is twice the item.
fn doubling() -> Writes {
    let ends = Arc::new(Semaphore::new(0));
    let (begin, begun) = mpsc::unbounded_channel();
    let wait = ends.clone();
    let queue = WriteQueue::new("numbers", WORTH_ANOTHER, move |items: Vec<u32>| {
        let (wait, begin) = (wait.clone(), begin.clone());
        async move {
            begin.send(items.clone()).unwrap();
            wait.acquire().await.unwrap().forget();
            assert!(!items.contains(&PANICKING), "as the test asked for");
            if items.contains(&IMPOSSIBLE) {
                return Err(Err("nothing can be written"));
            }
            Ok(items.into_iter().map(|item| Ok(2 * item)).collect())
        }
        .boxed()
    });
    Writes { queue, ends, begun }
}

type Answer = Result<Result<u32, &'static str>, Interrupted>;

impl Writes {
    fn write(&self, item: u32, bytes: usize) -> JoinHandle<Answer> {
        let queue = self.queue.clone();
        tokio::spawn(async move { queue.write(item, bytes).await })
    }

    async fn begun(&mut self) -> Vec<u32> {
        timeout(Duration::from_secs(10), self.begun.recv()).await.expect("a write begins").unwrap()
    }

    /// Begins a write of the item 1, so that every further item has to wait.
    async fn occupied(&mut self) -> JoinHandle<Answer> {
        let first = self.write(1, 1);
        assert_eq!(self.begun().await, [1], "it is written at once");
        first
    }

    /// Adds items to those that wait, one after the other.
    async fn waiting(&self, items: impl IntoIterator<Item = (u32, usize)>) -> Vec<JoinHandle<Answer>> {
        let mut waiting = Vec::new();
        for (item, bytes) in items {
            let count = |queue: &Queue<_, _>| (queue.waiting.len(), queue.writing);
            let before = count(&self.queue.0.queue());
            waiting.push(self.write(item, bytes));
            while count(&self.queue.0.queue()) == before {
                yield_now().await;
            }
        }
        waiting
    }

    fn has_begun(&mut self) -> bool {
        !self.begun.is_empty()
    }
}

async fn answers(written: impl IntoIterator<Item = JoinHandle<Answer>>) -> Vec<Answer> {
    join_all(written).await.into_iter().map(|answer| answer.unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn items_that_arrive_during_a_write_are_written_together_and_each_gets_its_answer() {
    let mut writes = doubling();
    let occupied = writes.occupied().await;
    let waiting = writes.waiting([(8, 1), (4, 1), (6, 1)]).await;
    assert!(!writes.has_begun(), "so few wait for the end of the write");
    writes.ends.add_permits(1);
    assert_eq!(writes.begun().await, [8, 4, 6]);
    writes.ends.add_permits(1);
    assert_eq!(answers(waiting).await, [Ok(Ok(16)), Ok(Ok(8)), Ok(Ok(12))]);
    assert_eq!(answers([occupied]).await, [Ok(Ok(2))]);
    writes.ends.add_permits(1);
    assert_eq!(writes.queue.write(5, 1).await, Ok(Ok(10)), "nobody writes any more");
    assert_eq!(writes.begun().await, [5]);
    assert_eq!(writes.queue.0.queue().writing, 0);
}

#[tokio::test(start_paused = true)]
async fn another_write_begins_beside_one_once_enough_items_wait() {
    let mut writes = doubling();
    let occupied = writes.occupied().await;
    let items = |count: usize| (0..count as u32).map(|item| (item, 1));
    let mut waiting = writes.waiting(items(WORTH_ANOTHER - 1)).await;
    assert!(!writes.has_begun());
    waiting.extend(writes.waiting([(7, 1)]).await);
    assert_eq!(writes.begun().await.len(), WORTH_ANOTHER);
    waiting.extend(writes.waiting(items(WORTH_ANOTHER + 1)).await);
    assert!(!writes.has_begun(), "no third write begins");
    writes.ends.add_permits(1);
    assert_eq!(writes.begun().await.len(), WORTH_ANOTHER + 1);
    waiting.extend(writes.waiting([(4, 1)]).await);
    writes.ends.add_permits(1);
    assert_eq!(answers([occupied]).await, [Ok(Ok(2))]);
    writes.ends.add_permits(2);
    assert_eq!(writes.begun().await, [4], "it did not begin beside another write");
    assert!(answers(waiting).await.iter().all(|answer| matches!(answer, Ok(Ok(_)))));
}

#[tokio::test(start_paused = true)]
async fn the_number_and_the_bytes_of_a_write_are_limited() {
    let mut writes = doubling();
    let _occupied = writes.occupied().await;
    // The second write keeps the others waiting.
    let second = writes.waiting((0..WORTH_ANOTHER as u32).map(|item| (item, 1))).await;
    assert_eq!(writes.begun().await.len(), second.len());
    let small = (0..MAX_ITEMS as u32 + 1).map(|item| (item, 1));
    let large = [(900, MAX_BYTES), (901, 2 * MAX_BYTES), (902, 1)];
    let waiting = writes.waiting(small.chain(large)).await;
    writes.ends.add_permits(7);
    let mut sizes = Vec::new();
    while sizes.iter().sum::<usize>() < waiting.len() {
        sizes.push(writes.begun().await.len());
    }
    assert_eq!(sizes, [MAX_ITEMS, 1, 1, 1, 1]);
    assert!(answers(waiting).await.iter().all(|answer| matches!(answer, Ok(Ok(_)))));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_takes_long_lets_another_begin_and_goes_on() {
    let mut writes = doubling();
    let occupied = writes.occupied().await;
    let waiting = writes.waiting([(4, 1)]).await;
    assert_eq!(writes.begun().await, [4], "the clock is paused: nobody has anything else to do");
    writes.ends.add_permits(2);
    assert_eq!(answers(waiting).await, [Ok(Ok(8))]);
    assert_eq!(answers([occupied]).await, [Ok(Ok(2))]);
}

#[tokio::test(start_paused = true)]
async fn an_item_that_waits_for_a_writer_who_has_stopped_is_written_after_a_while() {
    let mut writes = doubling();
    let queue = writes.queue.clone();
    // The first write is never continued, so it can't notice how long it takes.
    let mut stopped = Box::pin(queue.write(1, 1));
    assert!(stopped.as_mut().now_or_never().is_none());
    assert_eq!(writes.begun().await, [1]);
    let waiting = writes.waiting([(4, 1)]).await;
    assert_eq!(writes.begun().await, [4], "the clock is paused: nobody has anything else to do");
    // The first write gets the first of these.
    writes.ends.add_permits(2);
    assert_eq!(answers(waiting).await, [Ok(Ok(8))]);
}

#[tokio::test(start_paused = true)]
async fn everybody_who_waits_is_told_when_nothing_can_be_written() {
    let mut writes = doubling();
    let impossible = writes.write(IMPOSSIBLE, 1);
    writes.begun().await;
    let waiting = writes.waiting([(4, 1), (6, 1)]).await;
    writes.ends.add_permits(1);
    let refused: Answer = Ok(Err("nothing can be written"));
    assert_eq!(answers([impossible]).await, [refused]);
    assert_eq!(answers(waiting).await, [refused, refused]);
    writes.ends.add_permits(1);
    assert_eq!(answers([writes.write(5, 1)]).await, [Ok(Ok(10))]);
}

#[tokio::test(start_paused = true)]
async fn an_item_whose_caller_left_is_not_written() {
    let mut writes = doubling();
    let _occupied = writes.occupied().await;
    let mut waiting = writes.waiting([(4, 1), (6, 1)]).await;
    let left = waiting.remove(0);
    left.abort();
    assert!(left.await.unwrap_err().is_cancelled());
    writes.ends.add_permits(2);
    assert_eq!(writes.begun().await, [6]);
    assert_eq!(answers(waiting).await, [Ok(Ok(12))]);
}

#[tokio::test(start_paused = true)]
async fn a_write_that_panics_blocks_nobody() {
    let mut writes = doubling();
    let _occupied = writes.occupied().await;
    let panicking = writes.waiting([(4, 1), (PANICKING, 1)]).await;
    writes.ends.add_permits(2);
    assert_eq!(writes.begun().await, [4, PANICKING]);
    assert_eq!(answers(panicking).await, [Err(Interrupted), Err(Interrupted)]);
    writes.ends.add_permits(1);
    assert_eq!(writes.queue.write(5, 1).await, Ok(Ok(10)));
}
