//! Protects an external place search: answers are remembered, requests are paced, and a failing service is left alone.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use metrics::counter;
use moka::future::Cache;
use parking_lot::Mutex;
use roadcall_base::clock::Clock;
use uuid::Uuid;

use super::{FoundPlace, Geocoder, PlaceQuery, PlacesError, pace::Pace, settings::PlaceSettings};
use crate::breaker::{Breaker, Turn};

/// The minimum time between two warnings about a failing service.
const WARN_EVERY: TimeDelta = TimeDelta::seconds(60);

/// Each person may use the service's rate divided by this …
const SHARES: f64 = 4.0;
/// … after so many questions at once.
const QUESTIONS_AT_ONCE: u32 = 6;
/// The number of people whose questions are counted. A forgotten person starts afresh.
const PEOPLE: u64 = 10_000;
/// A person is forgotten this long after their last question.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(600);

/// The limits of requests and remembered answers.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How long a request waits for its turn.
    pub patience: Duration,
    pub per_second: f64,
    /// The number of answers remembered, and how long they are kept.
    pub answers: u64,
    pub ttl: Duration,
}

impl PlaceLimits {
    pub fn of(settings: &PlaceSettings) -> Self {
        Self {
            patience: Duration::from_millis(settings.timeout_ms),
            per_second: settings.requests_per_second,
            answers: settings.cache_answers,
            ttl: Duration::from_secs(settings.cache_ttl_s),
        }
    }
}

/// A place search with a memory. When several people ask the same question at once, the service is asked once.
#[derive(Debug)]
pub struct Remembered {
    asked: Arc<dyn Geocoder>,
    limits: PlaceLimits,
    clock: Clock,
    answers: Cache<PlaceQuery, Arc<[FoundPlace]>>,
    pace: Mutex<Pace>,
    shares: Cache<Uuid, Arc<Mutex<Pace>>>,
    breaker: Mutex<Breaker>,
    warned_at: Mutex<Option<DateTime<Utc>>>,
}

impl Remembered {
    pub fn new(asked: Arc<dyn Geocoder>, limits: PlaceLimits, clock: Clock) -> Self {
        Self {
            asked,
            limits,
            clock,
            answers: Cache::builder().max_capacity(limits.answers).time_to_live(limits.ttl).build(),
            pace: Mutex::new(Pace::new(limits.per_second)),
            shares: Cache::builder().max_capacity(PEOPLE).time_to_idle(FORGOTTEN_AFTER).build(),
            breaker: Mutex::default(),
            warned_at: Mutex::default(),
        }
    }

    async fn ask(&self, query: &PlaceQuery) -> Result<Arc<[FoundPlace]>, PlacesError> {
        let outcome = match self.turn().await {
            Ok(()) => {
                let outcome = self.asked.find(query).await;
                self.report(outcome.as_ref().err());
                outcome
            }
            Err(error) => Err(error),
        };
        let label = outcome.as_ref().err().map_or("ok", PlacesError::label);
        counter!("roadcall_places_requests_total", "outcome" => label).increment(1);
        outcome.map(Arc::from)
    }

    /// Takes one question from the person's share, without waiting.
    async fn take_share(&self, asker: Uuid) -> Result<(), PlacesError> {
        let per_second = self.limits.per_second / SHARES;
        let begin = async { Arc::new(Mutex::new(Pace::new(per_second))) };
        let share = self.shares.get_with(asker, begin).await;
        // Halfway between the last turn that is granted and the first that is not, since turns are rounded.
        let ahead = Duration::from_secs_f64((f64::from(QUESTIONS_AT_ONCE) - 0.5) / per_second);
        let taken = share.lock().take(self.clock.now(), ahead);
        taken.map(drop).map_err(|wait| PlacesError::Share(wait.saturating_sub(ahead).as_secs() + 1))
    }

    /// Waits until the service may be asked.
    async fn turn(&self) -> Result<(), PlacesError> {
        // A service that is being left alone is not waited for.
        if !self.breaker.lock().would_let_pass(self.clock.now()) {
            return Err(PlacesError::Resting);
        }
        let wait = self.pace.lock().take(self.clock.now(), self.limits.patience);
        let wait = wait.map_err(|wait| PlacesError::Busy(wait.as_secs().max(1)))?;
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        // Another request may have failed meanwhile.
        if self.breaker.lock().lets_pass(self.clock.now()) { Ok(()) } else { Err(PlacesError::Resting) }
    }

    fn report(&self, error: Option<&PlacesError>) {
        let now = self.clock.now();
        match self.breaker.lock().report(error.is_some_and(PlacesError::is_failure), now) {
            Turn::Opened => tracing::warn!("the place search does not answer; not asking it for a while"),
            Turn::Closed => tracing::info!("the place search answers again"),
            Turn::None => {}
        }
        let Some(error) = error else { return };
        let mut warned_at = self.warned_at.lock();
        if warned_at.is_none_or(|at| now < at || now - at >= WARN_EVERY) {
            *warned_at = Some(now);
            tracing::warn!(error.cause = %error, "the place search found nothing out; logged at most once a minute");
        }
    }
}

#[async_trait]
impl Geocoder for Remembered {
    async fn find(&self, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
        let found = self.answers.try_get_with_by_ref(query, self.ask(query)).await;
        found.map(|found| found.to_vec()).map_err(|error| PlacesError::clone(&error))
    }

    async fn find_for(&self, query: &PlaceQuery, asker: Uuid) -> Result<Vec<FoundPlace>, PlacesError> {
        // A remembered answer uses up nobody's share.
        if let Some(found) = self.answers.get(query).await {
            return Ok(found.to_vec());
        }
        self.take_share(asker).await?;
        self.find(query).await
    }
}
