use std::collections::HashSet;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};
use uuid::Uuid;

use super::queries::{self, NewEvents, PendingEvent};
use crate::platform::db::{Batches, Db};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::worker::Wakeup;
use roadcall_actors::clock::Clock;

/// The maximum number of events that wait to be stored; a further event is refused with 503, and the gateway sends it
/// again.
const QUEUE: usize = 4096;
/// The maximum number of events that are processed in transactions, or that the gateway is asked about, at once: requests need
/// connections, too.
const TRANSACTIONS: usize = 8;
/// The maximum number of events that one statement stores.
const BATCH: usize = 256;

/// An event to be stored.
#[derive(Debug)]
pub struct NewEvent {
    pub event: PendingEvent,
    pub event_id: String,
    pub at: DateTime<Utc>,
}

/// The outcome of storing an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    New,
    /// The event came before.
    Duplicate,
}

type Answer = oneshot::Sender<Result<Stored, String>>;

/// A handle to the inbox, which takes events.
#[derive(Debug, Clone)]
pub struct Inbox {
    queue: mpsc::Sender<(NewEvent, Answer)>,
    /// The number of requests that are under way with an event.
    busy: Arc<AtomicUsize>,
    wakeup: Wakeup,
    claimed: Arc<Mutex<HashSet<Uuid>>>,
    /// Settles events that bring nothing new.
    old: Batches<Uuid, ()>,
    /// Places for events that are processed in transactions of their own, or about which the gateway is asked.
    places: Arc<Semaphore>,
}

/// The right to process an event, held by one task at a time within this process.
#[derive(Debug)]
pub struct EventClaim {
    id: Uuid,
    claimed: Arc<Mutex<HashSet<Uuid>>>,
}

impl EventClaim {
    pub fn id(&self) -> Uuid {
        self.id
    }
}

impl Drop for EventClaim {
    fn drop(&mut self) {
        self.claimed.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// A request under way.
#[derive(Debug)]
pub struct InFlight(Arc<AtomicUsize>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Inbox {
    /// Starts the task that stores events; it ends with the last handle.
    pub fn start(db: Db, clock: Clock, gateway: &'static str) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        actix_web::rt::spawn(store_all(db.clone(), gateway, waiting));
        let old = Batches::new("old webhook events", QUEUE, move |ids| {
            let (db, now) = (db.clone(), clock.now());
            async move {
                Ok(queries::settle_as_old(&db, &ids, now).await?.into_iter().map(|id| (id, ())).collect())
            }
            .boxed()
        });
        let places = Arc::new(Semaphore::new(TRANSACTIONS));
        Self { queue, busy: Arc::default(), wakeup: Wakeup::default(), claimed: Arc::default(), old, places }
    }

    /// Claims an event; `None` while another task has it. To process an event right after storing it, claim it first,
    /// because the worker takes every stored event that it finds.
    pub fn claim(&self, id: Uuid) -> Option<EventClaim> {
        let is_new = self.claimed.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        is_new.then(|| EventClaim { id, claimed: self.claimed.clone() })
    }

    /// Waits for a place for a transaction that processes an event, or for a question to the gateway. A task that holds a connection or
    /// a place must not wait for another place.
    pub async fn place(&self) -> Option<SemaphorePermit<'_>> {
        // The places are never closed.
        self.places.acquire().await.ok()
    }

    /// Counts a request in. Returns the number of requests that are under way with it.
    pub fn enter(&self) -> (InFlight, usize) {
        let others = self.busy.fetch_add(1, Ordering::Relaxed);
        (InFlight(self.busy.clone()), others + 1)
    }

    /// Stores an event together with all others that wait. An error is the database's: the event may be stored.
    pub async fn store(&self, event: NewEvent) -> ApiResult<Stored> {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send((event, answer)).map_err(|full| ApiError::unavailable(full.to_string()))?;
        match answered.await {
            Ok(Ok(stored)) => Ok(stored),
            Ok(Err(why)) => Err(ApiError::outcome_unknown(why)),
            Err(gone) => Err(ApiError::outcome_unknown(gone)),
        }
    }

    /// Settles an event that brings nothing new and is kept as it is, together with others. Returns false if it is not
    /// pending, or another server is processing it.
    pub async fn settle_as_old(&self, claim: &EventClaim) -> ApiResult<bool> {
        let settled = self.old.get(claim.id).await.map_err(|why| ApiError::unavailable(why.to_string()))?;
        Ok(settled.is_some())
    }

    /// Returns the signal that wakes the worker.
    pub fn wakeup(&self) -> &Wakeup {
        &self.wakeup
    }
}

async fn store_all(db: Db, gateway: &'static str, mut waiting: mpsc::Receiver<(NewEvent, Answer)>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        let (mut new, mut answers) = (NewEvents::default(), Vec::with_capacity(batch.len()));
        for (NewEvent { event: PendingEvent { id, event, body }, event_id, at }, answer) in batch.drain(..) {
            answers.push((id, answer));
            new.ids.push(id);
            new.event_ids.push(event_id);
            new.events.push(event);
            new.bodies.push(body);
            new.received_at.push(at);
        }
        let stored = queries::insert(&db, gateway, &new).await.map_err(|error| error.to_string());
        for (id, answer) in answers {
            let stored = match &stored {
                Ok(ids) if ids.contains(&id) => Ok(Stored::New),
                Ok(_) => Ok(Stored::Duplicate),
                Err(why) => Err(why.clone()),
            };
            // The request may have been dropped.
            answer.send(stored).ok();
        }
    }
}
