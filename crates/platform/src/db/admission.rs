//! The order in which requests get to the database, and which of them are refused while it can't keep up.
//!
//! Each request belongs to a kind of work. A kind has *places*, which limit how many connections its requests use at once, so
//! that lists leave some to transitions. And it has a queue for places, with a limited length and a limited wait. A request takes
//! a place with its first connection and returns it with its last: while it reads its body or waits for a payment gateway, it has
//! none. A request is refused only before it has begun; for its next connection it waits as long as for any.
//!
//! The service's own work (the engine, workers, batches, commands of sockets) belongs to no request and waits only for the pool.

use std::{
    io,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use roadcall_base::random::Random;
use sqlx::Error;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{
    connections::Db,
    work::{Share, Work},
};
use crate::{overload::Overload, settings::DbSettings};

/// Refused requests come back within this many seconds, spread evenly.
const RETRY_WITHIN_S: u32 = 5;

/// The refusal of a request because of too much work; nothing was done.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("too many wait for the database")]
pub struct Overloaded {
    /// The seconds until the next try, at random, so that not all requests come back at once.
    pub retry_after_s: u32,
}

impl Overloaded {
    /// Finds the refusal in the error of a connection that was not lent.
    pub fn of(error: &Error) -> Option<Self> {
        let Error::Io(error) = error else { return None };
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<Overloaded> for Error {
    fn from(overloaded: Overloaded) -> Self {
        Self::Io(io::Error::other(overloaded))
    }
}

/// Admits requests. All clones share the queues.
#[derive(Debug, Clone)]
pub struct WorkQueues(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    db: Db,
    random: Random,
    overload: Overload,
    /// How long a request that has begun waits.
    longest_wait: Duration,
    /// While this many wait for the pool, no request is admitted.
    most_waiting: usize,
    /// The queues, in the order of [`Work::ALL`].
    queues: [Queue; Work::ALL.len()],
}

#[derive(Debug)]
struct Queue {
    share: Share,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl WorkQueues {
    pub fn new(settings: &DbSettings, db: &Db, random: &Random, overload: &Overload) -> Self {
        let queue = |work| {
            let share = Share::of(work, settings);
            Queue { share, places: Arc::new(Semaphore::new(share.places)), waiting: AtomicUsize::new(0) }
        };
        Self(Arc::new(Shared {
            db: db.clone(),
            random: random.clone(),
            overload: overload.clone(),
            longest_wait: Duration::from_millis(settings.acquire_timeout_ms),
            most_waiting: settings.max_waiting,
            queues: Work::ALL.map(queue),
        }))
    }

    /// Admits a request, unless too many of its kind already wait.
    pub fn admit(&self, work: Work) -> Result<AdmittedRequest, Overloaded> {
        if self.0.db.waiting() >= self.0.most_waiting {
            return Err(self.0.refuse(work, "pool"));
        }
        if self.0.queue(work).is_full() {
            return Err(self.0.refuse(work, "queue"));
        }
        let request = Request { shared: self.0.clone(), work, progress: Mutex::default() };
        Ok(AdmittedRequest(Arc::new(request)))
    }

    /// Returns how many requests of a kind have a place.
    pub fn in_progress(&self, work: Work) -> usize {
        let queue = self.0.queue(work);
        queue.share.places.saturating_sub(queue.places.available_permits())
    }

    /// Returns how many requests of a kind wait for a place or for a batch.
    pub fn waiting(&self, work: Work) -> usize {
        self.0.queue(work).waiting.load(Ordering::Relaxed)
    }

    /// Returns the state of overload.
    pub fn overload(&self) -> &Overload {
        &self.0.overload
    }
}

/// A request that was admitted.
#[derive(Debug)]
pub struct AdmittedRequest(Arc<Request>);

impl AdmittedRequest {
    /// Answers the request: all connections that `answer` uses count as the request's.
    pub async fn answered_by<T>(self, answer: impl Future<Output = T>) -> T {
        REQUEST.scope(self.0, answer).await
    }
}

impl Shared {
    fn queue(&self, work: Work) -> &Queue {
        &self.queues[work as usize]
    }

    fn refuse(&self, work: Work, reason: &'static str) -> Overloaded {
        self.overload.refused(work.as_str(), reason);
        Overloaded { retry_after_s: 1 + self.random.below(RETRY_WITHIN_S) }
    }
}

impl Queue {
    fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= self.share.most_waiting
    }
}

tokio::task_local! {
    /// The request that is being answered.
    static REQUEST: Arc<Request>;
}

#[derive(Debug)]
struct Request {
    shared: Arc<Shared>,
    work: Work,
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    place: Weak<Place>,
    has_begun: bool,
}

/// A place of a kind of work, held for as long as the request uses connections.
#[derive(Debug)]
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Request {
    fn current() -> Option<Arc<Self>> {
        REQUEST.try_with(Arc::clone).ok()
    }

    async fn place(&self) -> Result<Arc<Place>, Overloaded> {
        // A second connection at the same time must not wait for a place, since the first one already holds it.
        if let Some(place) = self.progress.lock().place.upgrade() {
            return Ok(place);
        }
        let places = self.shared.queue(self.work).places.clone();
        let permit = match places.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait(places).await?,
        };
        let place = Arc::new(Place { _permit: permit });
        *self.progress.lock() = Progress { place: Arc::downgrade(&place), has_begun: true };
        Ok(place)
    }

    async fn wait(&self, places: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Overloaded> {
        let queue = self.shared.queue(self.work);
        let has_begun = self.progress.lock().has_begun;
        if !has_begun && queue.is_full() {
            return Err(self.shared.refuse(self.work, "queue"));
        }
        let patience = if has_begun { self.shared.longest_wait } else { queue.share.patience };
        let _counted = Waiting::of(queue);
        match timeout(patience, places.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(self.shared.refuse(self.work, "patience")),
        }
    }
}

struct Waiting<'a>(&'a Queue);

impl<'a> Waiting<'a> {
    fn of(queue: &'a Queue) -> Self {
        queue.waiting.fetch_add(1, Ordering::Relaxed);
        Self(queue)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Takes a place for the current request, to be kept with the connection. Returns `None` outside of a request.
pub(super) async fn place() -> Result<Option<Arc<Place>>, Error> {
    match Request::current() {
        Some(request) => Ok(Some(request.place().await?)),
        None => Ok(None),
    }
}

/// Counts the current request as waiting while a batch is loaded for it.
pub(super) async fn counted<T>(load: impl Future<Output = T>) -> T {
    let request = Request::current();
    let _counted = request.as_deref().map(|request| Waiting::of(request.shared.queue(request.work)));
    load.await
}

/// Lets others, such as the engine, work for the current request, in a place of the request's kind.
pub async fn in_place<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let _place = place().await?;
    Ok(work.await)
}

/// Continues the same request in `later`, which may run elsewhere, such as a streamed body.
pub fn carried<T>(later: impl Future<Output = T>) -> impl Future<Output = T> {
    let request = Request::current();
    async move {
        match request {
            Some(request) => AdmittedRequest(request).answered_by(later).await,
            None => later.await,
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::postgres::PgConnectOptions;
    use tokio::{runtime::Handle, task::yield_now};
    use uuid::Uuid;

    use super::*;
    use crate::db::{
        leadership::Lease,
        pool::{Breaks, Pool},
        testing::patient_settings,
    };

    /// Returns queues with one place for lists, and room for one waiting list; nothing connects.
    fn smallest() -> WorkQueues {
        let lease = Lease::candidate(Uuid::nil());
        let (nowhere, runtime) = (PgConnectOptions::new(), Handle::current());
        let pool = Pool::new(nowhere, 4, Duration::ZERO, lease.clone(), Breaks::default(), runtime);
        let db = Db::new(pool, lease);
        let settings = DbSettings { max_connections: 4, max_waiting: 8, ..patient_settings() };
        WorkQueues::new(&settings, &db, &Random::system(), &Overload::default())
    }

    fn list(queues: &WorkQueues) -> AdmittedRequest {
        queues.admit(Work::List).expect("the queue has room")
    }

    #[tokio::test]
    async fn a_request_has_one_place_for_all_its_connections() {
        let queues = smallest();
        let both = list(&queues).answered_by(async { (place().await, place().await) }).await;
        assert_eq!(queues.in_progress(Work::List), 1);
        drop(both);
        assert_eq!(queues.in_progress(Work::List), 0);
    }

    #[tokio::test]
    async fn a_request_that_has_begun_waits_although_the_queue_is_full() {
        let queues = smallest();
        let begun = list(&queues).answered_by(async {
            drop(place().await);
            let other = list(&queues).answered_by(place()).await;
            let waiting = tokio::spawn(list(&queues).answered_by(place()));
            while queues.waiting(Work::List) == 0 {
                yield_now().await;
            }
            assert!(queues.admit(Work::List).is_err(), "nobody new is let in");
            let others_end = async {
                drop(other);
                drop(waiting.await);
            };
            tokio::join!(place(), others_end).0
        });
        assert!(begun.await.is_ok());
        assert!(queues.0.overload.is_under_way());
    }

    #[tokio::test]
    async fn work_outside_of_a_request_needs_no_place() {
        assert!(place().await.expect("not refused").is_none());
        assert_eq!(in_place(async { 7 }).await.expect("not refused"), 7);
    }

    #[test]
    fn a_refusal_is_found_in_the_error_of_a_connection() {
        let error = Error::from(Overloaded { retry_after_s: 3 });
        assert_eq!(Overloaded::of(&error).map(|found| found.retry_after_s), Some(3));
        assert!(Overloaded::of(&Error::Io(io::ErrorKind::TimedOut.into())).is_none());
    }
}
