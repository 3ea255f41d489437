//! Remembers a router's answers for a while; asks in time for a match, and otherwise in the background.

use std::{collections::HashSet, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{BoxFuture, FutureExt, join_all};
use metrics::{counter, histogram};
use moka::sync::Cache;
use parking_lot::Mutex;
use roadcall_base::{
    clock::Clock,
    geo::{Point, StraightLine},
};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
};

use super::{
    AheadLimits, Reach, Road, Router, RoutingError, TripId,
    ahead::Ahead,
    cells::Cell,
    plan::{self, Batch, Way},
};
use crate::breaker::{Breaker, Turn};

/// The number of routes waiting to be asked in the background; a further one is dropped, and asked for again with the next
/// position.
const ASKS: usize = 256;
/// The number of routes of one background request; its table has at most the square of that.
const ASKS_AT_ONCE: usize = 16;
/// The maximum number of requests for a table; if there are more routes, the farthest are left to the straight line.
const REQUESTS_PER_TABLE: usize = 4;
/// The minimum time between two warnings about a failing router.
const WARN_EVERY: TimeDelta = TimeDelta::seconds(60);

/// The limits of requests and remembered answers.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long a table waits.
    pub timeout: Duration,
    /// The number of coordinates in a request.
    pub points: usize,
    /// The number of requests at once.
    pub requests: usize,
    /// The number of routes remembered, and how long they are kept.
    pub ways: u64,
    pub ttl: Duration,
    pub ahead: AheadLimits,
}

type Key = (Cell, Cell);

/// A route between two cells, as it was asked for.
#[derive(Debug, Clone, Copy)]
struct Known {
    from: Point,
    to: Point,
    /// `None` if the router knows no route.
    seconds: Option<f64>,
}

impl Known {
    /// Returns the time between points near the asked ones; the straight line's time for the difference is added.
    fn seconds_for(&self, (from, to): Way, line: &StraightLine) -> Option<f64> {
        let farther_m = from.distance_m(to) - self.from.distance_m(self.to);
        self.seconds.map(|seconds| (seconds + line.seconds(farther_m)).max(0.0))
    }
}

/// A router with a memory. Requests run on the runtime that started it, so that a slow actor does not delay them.
#[derive(Debug, Clone)]
pub struct Routed {
    shared: Arc<Shared>,
    asks: mpsc::Sender<Way>,
    runtime: Handle,
}

#[derive(Debug)]
struct Shared {
    router: Arc<dyn Router>,
    limits: Limits,
    clock: Clock,
    known: Cache<Key, Known>,
    permits: Arc<Semaphore>,
    breaker: Mutex<Breaker>,
    /// The keys of the routes in the queue: each is asked for once.
    asked: Mutex<HashSet<Key>>,
    warned_at: Mutex<Option<DateTime<Utc>>>,
    ahead: Ahead,
}

impl Routed {
    /// Starts within a runtime, which answers background questions until the last clone is dropped.
    pub fn start(router: Arc<dyn Router>, limits: Limits, clock: Clock) -> Self {
        let (asks, queue) = mpsc::channel(ASKS);
        let shared = Arc::new(Shared {
            ahead: Ahead::new(router.clone(), limits.ahead, clock.clone()),
            router,
            limits,
            clock,
            known: Cache::builder().max_capacity(limits.ways).time_to_live(limits.ttl).build(),
            permits: Arc::new(Semaphore::new(limits.requests)),
            breaker: Mutex::default(),
            asked: Mutex::default(),
            warned_at: Mutex::default(),
        });
        let runtime = Handle::current();
        runtime.spawn(shared.clone().answer(queue));
        Self { shared, asks, runtime }
    }

    /// Returns the seconds of a route, if the router recently gave them for its cells, or else for cells beside the origin's. In
    /// the second case, and if nothing is known, the router is asked in the background. Never waits.
    pub fn remembered(&self, way: Way, line: &StraightLine) -> Option<f64> {
        let key = key(way);
        if let Some(known) = self.shared.known.get(&key) {
            return known.seconds_for(way, line);
        }
        self.ask_later(way, key);
        let beside = Cell::around(way.0).filter_map(|cell| self.shared.known.get(&(cell, key.1)));
        beside.filter_map(|known| known.seconds_for(way, line)).next()
    }

    /// Asks for all routes that are not remembered, and answers within the time limit, with `None` for routes without a result.
    /// Returns no future if there is nothing to ask, or no router.
    pub fn table(&self, ways: Vec<Way>, line: StraightLine) -> Option<BoxFuture<'static, Vec<Option<f64>>>> {
        let now = self.shared.clock.now();
        let missing = ways.iter().any(|way| !self.shared.known.contains_key(&key(*way)));
        if !missing || !self.shared.breaker.lock().would_let_pass(now) {
            return None;
        }
        let (shared, runtime) = (self.shared.clone(), self.runtime.clone());
        let table = async move {
            let asking = runtime.spawn(shared.clone().ask(ways.clone()));
            // Each request has this limit, too; here it guards against a runtime that is held up.
            tokio::time::timeout(shared.limits.timeout, asking).await.ok();
            let of = |way: &Way| shared.known.get(&key(*way))?.seconds_for(*way, &line);
            ways.iter().map(of).collect()
        };
        Some(table.boxed())
    }

    /// Returns the route from a driver's position, within the time limit. The line that is kept for the trip serves as long as
    /// the driver is on it. `None` if no route is known.
    pub async fn ahead(&self, trip: TripId, way: Way) -> Option<Road> {
        let shared = self.shared.clone();
        let asking = async move {
            let may_ask = shared.permits.available_permits() > 0;
            shared.ahead.of(trip, way, may_ask).await
        };
        self.runtime.spawn(asking).await.ok().flatten()
    }

    /// Returns how far a place is by road, within the time limit; unknown while the router is busy or left alone. The result is
    /// not remembered: towing routes are few, and no two are alike.
    pub async fn reach(&self, way: Way) -> Reach {
        let shared = self.shared.clone();
        self.runtime.spawn(async move { shared.reach(way).await }).await.unwrap_or(Reach::Unknown)
    }

    /// Returns whether the router is asked at all: not while it is left alone after failures.
    pub fn is_up(&self) -> bool {
        !self.shared.breaker.lock().is_open()
    }

    fn ask_later(&self, way: Way, key: Key) {
        if !self.shared.breaker.lock().would_let_pass(self.shared.clock.now()) {
            return;
        }
        if !self.shared.asked.lock().insert(key) {
            return;
        }
        if self.asks.try_send(way).is_err() {
            self.shared.asked.lock().remove(&key);
            skipped("queue_full", 1);
        }
    }
}

impl Shared {
    /// Answers the background's questions, one request at a time.
    async fn answer(self: Arc<Self>, mut queue: mpsc::Receiver<Way>) {
        let mut ways = Vec::with_capacity(ASKS_AT_ONCE);
        while queue.recv_many(&mut ways, ASKS_AT_ONCE).await > 0 {
            self.clone().ask(ways.clone()).await;
            let mut asked = self.asked.lock();
            for way in ways.drain(..) {
                asked.remove(&key(way));
            }
        }
    }

    /// Asks for the routes that are not remembered, and remembers the answers.
    async fn ask(self: Arc<Self>, mut ways: Vec<Way>) {
        ways.retain(|way| !self.known.contains_key(&key(*way)));
        let batches = plan::batches(&ways, self.limits.points, REQUESTS_PER_TABLE);
        let asked: usize = batches.iter().map(|batch| batch.cells.len()).sum();
        skipped("too_many", ways.len() - asked);
        let requests = batches.into_iter().filter_map(|batch| match self.admit() {
            Ok(permit) => Some(self.request(batch, &ways, permit)),
            Err(why) => {
                skipped(why, batch.cells.len());
                None
            }
        });
        join_all(requests).await;
    }

    fn admit(&self) -> Result<OwnedSemaphorePermit, &'static str> {
        let permit = self.permits.clone().try_acquire_owned().map_err(|_| "busy")?;
        if self.breaker.lock().lets_pass(self.clock.now()) { Ok(permit) } else { Err("open") }
    }

    async fn request(&self, batch: Batch, ways: &[Way], _permit: OwnedSemaphorePermit) {
        let began = self.clock.now();
        let asked = self.router.durations(&batch.origins, &batch.destinations);
        let outcome = tokio::time::timeout(self.limits.timeout, asked).await;
        let outcome = outcome.unwrap_or(Err(RoutingError::Timeout));
        self.measure(outcome.as_ref().err(), began);
        match outcome {
            Ok(durations) => self.remember(&batch, ways, &durations),
            // For a single route this is an answer, too; among many it is not known which one is at fault.
            Err(RoutingError::Refused(_)) if batch.cells.len() == 1 => {
                self.remember(&batch, ways, &[vec![None]]);
            }
            Err(_) => {}
        }
    }

    async fn reach(&self, (from, to): Way) -> Reach {
        let _permit = match self.admit() {
            Ok(permit) => permit,
            Err(why) => {
                skipped(why, 1);
                return Reach::Unknown;
            }
        };
        let began = self.clock.now();
        let outcome = tokio::time::timeout(self.limits.timeout, self.router.reach(from, to)).await;
        let outcome = outcome.unwrap_or(Err(RoutingError::Timeout));
        self.measure(outcome.as_ref().err(), began);
        outcome.unwrap_or(Reach::Unknown)
    }

    fn measure(&self, error: Option<&RoutingError>, began: DateTime<Utc>) {
        let now = self.clock.now();
        let took = (now - began).to_std().unwrap_or_default();
        histogram!("roadcall_eta_router_duration_seconds").record(took.as_secs_f64());
        let label = error.map_or("ok", RoutingError::label);
        counter!("roadcall_eta_router_requests_total", "outcome" => label).increment(1);
        self.report(error, now);
    }

    fn remember(&self, batch: &Batch, ways: &[Way], durations: &[Vec<Option<f64>>]) {
        for (index, row, column) in &batch.cells {
            let way = ways[*index];
            let seconds = durations.get(*row).and_then(|row| row.get(*column)).copied().flatten();
            if seconds.is_none() {
                counter!("roadcall_eta_router_unknown_ways_total").increment(1);
            }
            self.known.insert(key(way), Known { from: way.0, to: way.1, seconds });
        }
    }

    fn report(&self, error: Option<&RoutingError>, now: DateTime<Utc>) {
        let is_failure = error.is_some_and(RoutingError::is_failure);
        match self.breaker.lock().report(is_failure, now) {
            Turn::Opened => tracing::warn!("the router does not answer; not asking it for a while"),
            Turn::Closed => tracing::info!("the router answers again"),
            Turn::None => {}
        }
        let Some(error) = error else { return };
        let mut warned_at = self.warned_at.lock();
        if warned_at.is_none_or(|at| now < at || now - at >= WARN_EVERY) {
            *warned_at = Some(now);
            tracing::warn!(error.cause = %error, "the router gave no durations; logged at most once a minute");
        }
    }
}

fn key((from, to): Way) -> Key {
    (Cell::of(from), Cell::of(to))
}

fn skipped(why: &'static str, ways: usize) {
    if ways > 0 {
        counter!("roadcall_eta_router_skipped_ways_total", "why" => why).increment(ways as u64);
    }
}
