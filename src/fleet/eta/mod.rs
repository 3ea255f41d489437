//! Estimates of the way to a pickup, and what finished trips teach about them: the engine's `Eta` port.
//!
//! The router's answer where it has one, else the straight line; either corrected by what trips of the same source have
//! taught (`roadcall_actors::learning`). Each estimate says which of these it is.

pub mod job_hook;
mod queries;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{BoxFuture, FutureExt};
use metrics::{counter, gauge};
use roadcall_actors::{
    clock::Clock,
    eta::{
        LocalDay, OSRM, OSRM_LEARNED, SOURCES, STRAIGHT_LINE, STRAIGHT_LINE_LEARNED, StraightLine,
        StraightLineByHour,
    },
    geo::Point,
    learning::{Correction, Trip},
    ports::{Estimate, Eta},
};
use tokio::sync::watch;

use self::queries::TripRow;
use crate::{
    platform::{
        db::Db,
        settings::{EtaProvider, EtaSettings, Settings},
    },
    providers::routing::{Limits, Osrm, Routed},
};

/// The newest trips of a source that are learned from.
const MAX_TRIPS: i64 = 5000;

/// What trips have taught, by source; `None` where there are too few.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Learned {
    pub straight_line: Option<Correction>,
    pub osrm: Option<Correction>,
}

/// Why there are no estimates.
#[derive(Debug, thiserror::Error)]
pub enum EtaStartError {
    #[error("eta.osrm_url is no URL")]
    Url,
    #[error("the router's client: {0}")]
    Client(reqwest::Error),
}

/// Everything that estimates. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Etas(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    line: StraightLineByHour,
    router: Option<Routed>,
    learned: watch::Sender<Learned>,
    /// Estimates by source, in the order of [`SOURCES`].
    told: [AtomicU64; SOURCES.len()],
    learn_days: TimeDelta,
    learn_min_trips: usize,
    /// Faster trips are a tap on the phone at the door.
    max_speed_mps: f64,
}

impl Etas {
    /// Within a runtime, which the router's requests run on.
    pub fn start(settings: &Settings, clock: &Clock) -> Result<Self, EtaStartError> {
        let eta = &settings.eta;
        let line = StraightLine { detour_factor: eta.detour_factor, speed_mps: eta.speed_kmh / 3.6 };
        let day = LocalDay { utc_offset: TimeDelta::minutes(eta.utc_offset_minutes) };
        let router = match eta.provider {
            EtaProvider::StraightLine => None,
            EtaProvider::Osrm => Some(router(eta, clock)?),
        };
        Ok(Self(Arc::new(Parts {
            line: StraightLineByHour { line, detours: eta.detours(), day },
            router,
            learned: watch::Sender::default(),
            told: Default::default(),
            learn_days: TimeDelta::days(eta.learn_days),
            learn_min_trips: eta.learn_min_trips,
            max_speed_mps: settings.dispatch.max_speed_kmh / 3.6,
        })))
    }

    /// Learns from the trips there are. Whatever fails, what was learned before holds.
    pub async fn learn(&self, db: &Db, now: DateTime<Utc>) -> sqlx::Result<()> {
        let since = now - self.0.learn_days;
        let straight_line = self.0.learn_of([STRAIGHT_LINE, STRAIGHT_LINE_LEARNED], db, since).await?;
        let osrm = self.0.learn_of([OSRM, OSRM_LEARNED], db, since).await?;
        self.0.learned.send_replace(Learned { straight_line, osrm });
        Ok(())
    }

    /// Hands what is measured to the metrics. Counted here and not there: an estimate is too frequent a thing.
    pub fn measure(&self) {
        for (source, told) in SOURCES.into_iter().zip(&self.0.told) {
            counter!("roadcall_eta_estimates_total", "source" => source)
                .absolute(told.load(Ordering::Relaxed));
        }
        if let Some(router) = &self.0.router {
            gauge!("roadcall_eta_router_up").set(if router.is_up() { 1.0 } else { 0.0 });
        }
        let learned = self.0.learned.borrow();
        for (source, correction) in [(STRAIGHT_LINE, &learned.straight_line), (OSRM, &learned.osrm)] {
            let factor = correction.as_ref().map_or(1.0, |learned| learned.overall);
            let trips = correction.as_ref().map_or(0, |learned| learned.trips);
            gauge!("roadcall_eta_learned_factor", "source" => source).set(factor);
            gauge!("roadcall_eta_learned_trips", "source" => source).set(trips as f64);
        }
    }

    /// What is learned, now and whenever it changes.
    pub fn learned(&self) -> watch::Receiver<Learned> {
        self.0.learned.subscribe()
    }
}

impl Eta for Etas {
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> Estimate {
        let line = self.0.line.at(at);
        let routed = self.0.router.as_ref().and_then(|router| router.remembered((from, to), &line));
        self.0.told((from, to), routed, at)
    }

    fn table(&self, ways: Vec<(Point, Point)>, at: DateTime<Utc>) -> Option<BoxFuture<'_, Vec<Estimate>>> {
        let asked = self.0.router.as_ref()?.table(ways.clone(), self.0.line.at(at))?;
        let table = async move {
            let routed = asked.await;
            ways.into_iter().zip(routed).map(|(way, seconds)| self.0.told(way, seconds, at)).collect()
        };
        Some(table.boxed())
    }
}

impl Parts {
    /// The estimate with its source, corrected.
    fn told(&self, (from, to): (Point, Point), routed: Option<f64>, at: DateTime<Utc>) -> Estimate {
        let plain = match routed {
            Some(seconds) => Estimate::plain(seconds, from.distance_m(to), OSRM),
            None => self.line.estimate(from, to, at),
        };
        let told = self.corrected(plain, at);
        if let Some(place) = SOURCES.iter().position(|source| *source == told.source) {
            self.told[place].fetch_add(1, Ordering::Relaxed);
        }
        told
    }

    fn corrected(&self, plain: Estimate, at: DateTime<Utc>) -> Estimate {
        let learned = self.learned.borrow();
        let (correction, source) = match plain.source {
            OSRM => (&learned.osrm, OSRM_LEARNED),
            _ => (&learned.straight_line, STRAIGHT_LINE_LEARNED),
        };
        let Some(correction) = correction else { return plain };
        Estimate { eta_s: correction.apply(plain.base_s, self.line.day.hour(at)), source, ..plain }
    }

    /// From trips whose ETA came from these sources, the uncorrected one first.
    async fn learn_of(
        &self,
        sources: [&'static str; 2],
        db: &Db,
        since: DateTime<Utc>,
    ) -> sqlx::Result<Option<Correction>> {
        let rows = queries::recent(db, &sources, since, MAX_TRIPS).await?;
        let trips: Vec<Trip> = rows.iter().filter_map(|row| self.trip(row, sources[0])).collect();
        Ok(Correction::learn(&trips, self.learn_min_trips))
    }

    /// A row as something to learn from; `None` of one that nobody drove.
    fn trip(&self, row: &TripRow, source: &str) -> Option<Trip> {
        let took = row.arrived_at - row.set_out_at;
        let fastest_s = f64::from(row.distance_m) / self.max_speed_mps;
        let is_driven = took.num_milliseconds() as f64 / 1000.0 >= fastest_s;
        // The straight line is taken as the settings are now: those of then may have been others.
        let estimated_s = match source {
            STRAIGHT_LINE => self.line.at(row.set_out_at).seconds(f64::from(row.distance_m)).round() as u32,
            _ => u32::try_from(row.eta_base_s).unwrap_or_default(),
        };
        let actual_s = u32::try_from(took.num_seconds()).unwrap_or_default();
        is_driven.then(|| Trip { hour: self.line.day.hour(row.set_out_at), estimated_s, actual_s })
    }
}

fn router(eta: &EtaSettings, clock: &Clock) -> Result<Routed, EtaStartError> {
    let url = eta.osrm_url.parse().ok_or(EtaStartError::Url)?;
    let timeout = Duration::from_millis(eta.osrm_timeout_ms);
    let osrm = Osrm::new(url, eta.osrm_profile.clone(), timeout).map_err(EtaStartError::Client)?;
    let limits = Limits {
        timeout,
        points: eta.osrm_max_table,
        requests: eta.osrm_max_requests,
        ways: eta.osrm_cache_ways,
        ttl: Duration::from_secs(eta.osrm_cache_ttl_s),
    };
    Ok(Routed::start(Arc::new(osrm), limits, clock.clone()))
}
