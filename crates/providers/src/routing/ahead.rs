//! The routes ahead that people see on maps: a line for each trip, requested again only once the driver has left it.
//!
//! Matching comes first. These requests have limits of their own, wait while every place for tables is taken, and their failures
//! do not count against the router for tables.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use metrics::counter;
use moka::sync::Cache;
use parking_lot::Mutex;
use roadcall_base::{clock::Clock, geo::Point};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{Road, Router, RoutingError, line, plan::Way};
use crate::breaker::{Breaker, Turn};

/// The number of trips whose line is kept, and how long it is kept after somebody looked.
const TRIPS: u64 = 2_000;
const KEPT_FOR: Duration = Duration::from_secs(300);
/// A driver farther from the line than this has left it.
const OFF_M: f64 = 75.0;
/// Beyond this distance the line says nothing about the driver's route.
const LOST_M: f64 = 400.0;
/// No driver goes farther than this to a pickup.
const LONGEST_M: f64 = 100_000.0;

/// The driver and the job of a trip.
pub type TripId = (Uuid, Uuid);

/// Limits of the requests.
#[derive(Debug, Clone, Copy)]
pub struct AheadLimits {
    /// The maximum number of requests at once; 0 disables them.
    pub requests: usize,
    /// The minimum time between two requests for a trip.
    pub every: TimeDelta,
}

#[derive(Debug)]
pub struct Ahead {
    router: Arc<dyn Router>,
    clock: Clock,
    every: TimeDelta,
    permits: Semaphore,
    breaker: Mutex<Breaker>,
    /// Locked while the router is asked, so that everybody who looks at a trip waits for the same request.
    trips: Cache<TripId, Arc<tokio::sync::Mutex<Kept>>>,
}

/// The known line of a trip.
#[derive(Debug, Default)]
struct Kept {
    to: Option<Point>,
    /// The line from the driver's last position.
    line: Vec<Point>,
    seconds_per_m: f64,
    /// How far the driver was from the beginning of the road, for example in a large yard.
    began_off_m: f64,
    asked_at: Option<DateTime<Utc>>,
}

impl Kept {
    /// Advances to the driver's present position; returns false if it is not on the line.
    fn goes_on(&mut self, from: Point) -> bool {
        let found = line::nearest(&self.line, from).filter(|found| found.off_m <= self.began_off_m + OFF_M);
        let Some(found) = found else { return false };
        self.line = line::rest(&self.line, found);
        true
    }

    fn may_ask(&self, every: TimeDelta, now: DateTime<Utc>) -> bool {
        // A clock that was put back must not delay the request.
        self.asked_at.is_none_or(|at| now < at || now - at >= every)
    }

    fn take(&mut self, from: Point, road: Option<Road>) {
        let road = road.unwrap_or_default();
        self.seconds_per_m = if road.length_m > 0.0 { road.seconds / road.length_m } else { 0.0 };
        self.began_off_m = road.points.first().map_or(0.0, |first| first.distance_m(from));
        self.line = road.points;
    }

    fn shown(&self, from: Point) -> Option<Road> {
        let found = line::nearest(&self.line, from)?;
        let points = line::rest(&self.line, found);
        let length_m = line::length_m(&points);
        let is_near = found.off_m <= self.began_off_m + LOST_M;
        is_near.then_some(Road { points, length_m, seconds: length_m * self.seconds_per_m })
    }
}

impl Ahead {
    pub fn new(router: Arc<dyn Router>, limits: AheadLimits, clock: Clock) -> Self {
        Self {
            router,
            clock,
            every: limits.every,
            permits: Semaphore::new(limits.requests),
            breaker: Mutex::default(),
            trips: Cache::builder().max_capacity(TRIPS).time_to_idle(KEPT_FOR).build(),
        }
    }

    /// Returns the route from here on; `None` if none is known. Asks the router only if `may_ask`.
    pub async fn of(&self, trip: TripId, (from, to): Way, may_ask: bool) -> Option<Road> {
        let kept = self.trips.get_with(trip, Arc::default);
        let mut kept = kept.lock().await;
        if kept.to != Some(to) {
            *kept = Kept { to: Some(to), ..Kept::default() };
        }
        let now = self.clock.now();
        if !kept.goes_on(from) && may_ask && from.distance_m(to) <= LONGEST_M && kept.may_ask(self.every, now)
        {
            match self.ask((from, to), now).await {
                Ok(road) => {
                    kept.asked_at = Some(now);
                    kept.take(from, road);
                }
                // The router was not asked, so the next viewer may ask.
                Err(None) => {}
                Err(Some(_)) => kept.asked_at = Some(now),
            }
        }
        kept.shown(from)
    }

    /// Asks the router. The error is `None` if it was not asked at all.
    async fn ask(&self, (from, to): Way, now: DateTime<Utc>) -> Result<Option<Road>, Option<RoutingError>> {
        let Ok(_permit) = self.permits.try_acquire() else {
            counted("busy");
            return Err(None);
        };
        if !self.breaker(|breaker| breaker.lets_pass(now)) {
            counted("open");
            return Err(None);
        }
        let road = self.router.road(from, to).await;
        counted(road.as_ref().err().map_or("ok", RoutingError::label));
        let is_failure = road.as_ref().is_err_and(RoutingError::is_failure);
        match self.breaker(|breaker| breaker.report(is_failure, self.clock.now())) {
            Turn::Opened => tracing::warn!("the router gives no ways; maps show none for a while"),
            Turn::Closed => tracing::info!("the router gives ways again"),
            Turn::None => {}
        }
        match road {
            Err(error) if error.is_failure() => Err(Some(error)),
            road => Ok(road.ok().flatten()),
        }
    }

    /// Uses the breaker. Nothing under this lock can be left half done.
    fn breaker<T>(&self, act: impl FnOnce(&mut Breaker) -> T) -> T {
        act(&mut self.breaker.lock())
    }
}

fn counted(outcome: &'static str) {
    counter!("roadcall_way_ahead_requests_total", "outcome" => outcome).increment(1);
}
