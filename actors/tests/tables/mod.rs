//! An ETA port that answers from a table, with the delays that a test sets.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use roadcall_actors::{
    eta::{EtaSource, StraightLine},
    geo::Point,
    ports::{Eta, TripEstimate},
};

const PLAIN: StraightLine = StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 };

/// The seconds by a mechanic's starting point, and the delays by pickup.
#[derive(Debug, Default)]
pub struct Table(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    seconds: Vec<(Point, u32)>,
    delays: Vec<(Point, Duration)>,
    /// The delay of every request.
    delay: Duration,
    questions: usize,
    /// The requests under way, by pickup.
    under_way: Vec<Point>,
    most_at_once: usize,
}

#[allow(dead_code, reason = "each test binary uses some of it")]
impl Table {
    /// Creates a table that answers every request after this delay.
    pub fn late(delay: Duration) -> Self {
        Self(Mutex::new(State { delay, ..State::default() }))
    }

    /// Sets what the table answers for every trip from `from`.
    pub fn set(&self, from: Point, eta_s: u32) {
        self.state().seconds.push((from, eta_s));
    }

    /// Sets how late requests for this pickup are answered.
    pub fn delay(&self, pickup: Point, delay: Duration) {
        self.state().delays.push((pickup, delay));
    }

    pub fn questions(&self) -> usize {
        self.state().questions
    }

    /// Returns the largest number of requests that were under way for one pickup.
    pub fn most_at_once(&self) -> usize {
        self.state().most_at_once
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("a table that no test broke")
    }

    fn lookup(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate {
        let plain = PLAIN.estimate(from, to, at);
        let state = self.state();
        let known = state.seconds.iter().find(|(point, _)| point.distance_m(from) < 1.0);
        TripEstimate {
            eta_s: known.map_or(plain.eta_s, |(_, eta_s)| *eta_s),
            source: EtaSource::Osrm,
            ..plain
        }
    }
}

impl Eta for Table {
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate {
        PLAIN.estimate(from, to, at)
    }

    fn table(
        &self,
        ways: Vec<(Point, Point)>,
        at: DateTime<Utc>,
    ) -> Option<BoxFuture<'_, Vec<TripEstimate>>> {
        Some(Box::pin(async move {
            let key = |point: &Point| (point.lat.to_bits(), point.lng.to_bits());
            let pickups: BTreeSet<_> = ways.iter().map(|(_, to)| key(to)).collect();
            let pickups: Vec<Point> = pickups
                .into_iter()
                .map(|(lat, lng)| Point::new(f64::from_bits(lat), f64::from_bits(lng)))
                .collect();
            let delay = {
                let mut state = self.state();
                state.questions += 1;
                state.under_way.extend(&pickups);
                let of = |point: &Point| state.under_way.iter().filter(|other| *other == point).count();
                let most = pickups.iter().map(of).max().unwrap_or_default();
                state.most_at_once = state.most_at_once.max(most);
                let delays = state.delays.iter().filter(|(pickup, _)| pickups.contains(pickup));
                delays.map(|(_, delay)| *delay).max().unwrap_or(state.delay)
            };
            tokio::time::sleep(delay).await;
            let mut state = self.state();
            for pickup in &pickups {
                let place = state.under_way.iter().position(|other| other == pickup);
                state.under_way.swap_remove(place.expect("a question under way"));
            }
            drop(state);
            ways.into_iter().map(|(from, to)| self.lookup(from, to, at)).collect()
        }))
    }
}
