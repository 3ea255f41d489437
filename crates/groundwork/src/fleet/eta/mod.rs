//! Estimates of the way to a pickup, corrected by finished trips: the engine's `Eta` port.
//!
//! Uses the router's answer if it has one, else the straight line. Finished trips of the same source correct both
//! (`roadcall_actors::learning`). Each estimate states its source.

pub mod job_hook;
mod queries;
mod settings;
mod source;

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
    eta::{EtaSource, LocalDay, StraightLine, StraightLineByHour},
    geo::Point,
    learning::{Correction, Trip},
    ports::{Eta, TripEstimate},
};
use roadcall_platform::{
    core::Core,
    db::Db,
    settings::{ClockChange, TimeZone},
};
use roadcall_providers::routing::{AheadLimits, Limits, Osrm, Reach, Road, Routed, Router, TripId, Valhalla};
use tokio::sync::watch;

use self::queries::TripRow;
pub use self::settings::{EtaProvider, EtaSettings, RouterUrl};
pub use self::source::EtaSourceName;

/// The maximum number of trips of a source that are learned from: the newest ones.
const MAX_TRIPS: i64 = 5000;

/// The corrections learned from trips, by source; `None` if there are too few trips.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Learned {
    pub straight_line: Option<Correction>,
    /// The correction of the router that is in use.
    pub router: Option<Correction>,
}

/// How far it is to the place to which a vehicle is towed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Haul {
    /// The distance by road; in a straight line if no router knows the route.
    pub distance_m: u32,
    pub duration_s: u32,
    pub source: EtaSource,
}

/// Why estimates can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum EtaStartError {
    #[error("eta.router_url is no URL")]
    Url,
    #[error("the router's client: {0}")]
    Client(reqwest::Error),
}

/// Makes all estimates. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Etas(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    line: StraightLineByHour,
    router: Option<Routed>,
    /// The names of the router's estimates, plain and corrected.
    router_sources: [EtaSource; 2],
    learned: watch::Sender<Learned>,
    /// Estimates by source, in the order of [`EtaSource::ALL`].
    given: [AtomicU64; EtaSource::ALL.len()],
    learn_days: TimeDelta,
    learn_min_trips: usize,
    /// The mechanic did not drive a faster trip, but only tapped on the phone at the door.
    max_speed_mps: f64,
}

impl Etas {
    /// Loads what was learned so far; a failure to load corrections does not prevent a start. Call this within a runtime, which
    /// runs the router's requests.
    pub async fn start(
        Core { settings, db, clock, .. }: &Core,
        eta: &EtaSettings,
        max_speed_mps: f64,
    ) -> Result<Self, EtaStartError> {
        let etas = Self::new(eta, &settings.operator.time_zone, max_speed_mps, clock)?;
        if eta.learn
            && let Err(error) = etas.learn(db, clock.now()).await
        {
            tracing::warn!(%error, "travel times could not be updated from past trips; will retry");
        }
        Ok(etas)
    }

    fn new(
        eta: &EtaSettings,
        zone: &TimeZone,
        max_speed_mps: f64,
        clock: &Clock,
    ) -> Result<Self, EtaStartError> {
        let line = StraightLine { detour_factor: eta.detour_factor, speed_mps: eta.speed_kmh / 3.6 };
        let day = local_day(zone);
        let (router, router_sources) = router(eta, clock)?;
        Ok(Self(Arc::new(Parts {
            line: StraightLineByHour { line, detours: eta.detours(), day },
            router,
            router_sources,
            learned: watch::Sender::default(),
            given: Default::default(),
            learn_days: TimeDelta::days(eta.learn_days),
            learn_min_trips: eta.learn_min_trips,
            max_speed_mps,
        })))
    }

    /// Returns how far it is from a pickup to a destination, by road if a router answers in time, else in a straight line. `None`
    /// if the router reports that no road leads there.
    pub async fn haul(&self, from: Point, to: Point, at: DateTime<Utc>) -> Option<Haul> {
        let reach = match &self.0.router {
            Some(router) => router.reach((from, to)).await,
            None => Reach::Unknown,
        };
        let plain = match reach {
            Reach::By { length_m, seconds } => {
                TripEstimate::plain(seconds, length_m, self.0.router_sources[0])
            }
            Reach::NoWay => return None,
            Reach::Unknown => self.0.line.estimate(from, to, at),
        };
        let TripEstimate { eta_s, distance_m, source, .. } = self.0.corrected(plain, at);
        Some(Haul { distance_m, duration_s: eta_s, source })
    }

    /// Returns the route from the mechanic's position to the pickup, for a map; `None` without a router, or if it knows no route.
    pub async fn way_ahead(&self, trip: TripId, from: Point, to: Point) -> Option<Road> {
        self.0.router.as_ref()?.ahead(trip, (from, to)).await
    }

    /// Learns from the existing trips. If anything fails, what was learned before stays valid.
    pub async fn learn(&self, db: &Db, now: DateTime<Utc>) -> sqlx::Result<()> {
        let since = now - self.0.learn_days;
        let line = [EtaSource::StraightLine, EtaSource::StraightLineLearned];
        let straight_line = self.0.learn_of(line, db, since).await?;
        let router = self.0.learn_of(self.0.router_sources, db, since).await?;
        self.0.learned.send_replace(Learned { straight_line, router });
        Ok(())
    }

    /// Reports the counts to the metrics. Estimates are not counted there directly, because they are too frequent.
    pub fn measure(&self) {
        for (source, given) in EtaSource::ALL.into_iter().zip(&self.0.given) {
            counter!("roadcall_eta_estimates_total", "source" => source.as_str())
                .absolute(given.load(Ordering::Relaxed));
        }
        if let Some(router) = &self.0.router {
            gauge!("roadcall_eta_router_up").set(if router.is_up() { 1.0 } else { 0.0 });
        }
        let learned = self.0.learned.borrow();
        let corrections =
            [(EtaSource::StraightLine, &learned.straight_line), (self.0.router_sources[0], &learned.router)];
        for (source, correction) in corrections {
            let source = source.as_str();
            let factor = correction.as_ref().map_or(1.0, |learned| learned.overall);
            let trips = correction.as_ref().map_or(0, |learned| learned.trips);
            gauge!("roadcall_eta_learned_factor", "source" => source).set(factor);
            gauge!("roadcall_eta_learned_trips", "source" => source).set(trips as f64);
        }
    }

    /// Returns whether the router answers; `None` without a router.
    pub fn is_router_up(&self) -> Option<bool> {
        self.0.router.as_ref().map(Routed::is_up)
    }

    /// Returns the corrections, now and whenever they change.
    pub fn learned(&self) -> watch::Receiver<Learned> {
        self.0.learned.subscribe()
    }
}

impl Eta for Etas {
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate {
        let line = self.0.line.at(at);
        let routed = self.0.router.as_ref().and_then(|router| router.remembered((from, to), &line));
        self.0.counted((from, to), routed, at)
    }

    fn table(
        &self,
        ways: Vec<(Point, Point)>,
        at: DateTime<Utc>,
    ) -> Option<BoxFuture<'_, Vec<TripEstimate>>> {
        let asked = self.0.router.as_ref()?.table(ways.clone(), self.0.line.at(at))?;
        let table = async move {
            let routed = asked.await;
            ways.into_iter().zip(routed).map(|(way, seconds)| self.0.counted(way, seconds, at)).collect()
        };
        Some(table.boxed())
    }
}

impl Parts {
    /// Makes the corrected estimate, with its source, and counts it.
    fn counted(&self, (from, to): (Point, Point), routed: Option<f64>, at: DateTime<Utc>) -> TripEstimate {
        let plain = match routed {
            Some(seconds) => TripEstimate::plain(seconds, from.distance_m(to), self.router_sources[0]),
            None => self.line.estimate(from, to, at),
        };
        let estimate = self.corrected(plain, at);
        self.given[estimate.source as usize].fetch_add(1, Ordering::Relaxed);
        estimate
    }

    fn corrected(&self, plain: TripEstimate, at: DateTime<Utc>) -> TripEstimate {
        let learned = self.learned.borrow();
        let (correction, source) = match plain.source {
            EtaSource::StraightLine | EtaSource::StraightLineLearned => {
                (&learned.straight_line, EtaSource::StraightLineLearned)
            }
            EtaSource::Osrm | EtaSource::OsrmLearned | EtaSource::Valhalla | EtaSource::ValhallaLearned => {
                (&learned.router, self.router_sources[1])
            }
        };
        let Some(correction) = correction else { return plain };
        TripEstimate { eta_s: correction.apply(plain.base_s, self.line.day.hour(at)), source, ..plain }
    }

    /// Learns from trips whose ETA came from these sources, the uncorrected one first.
    async fn learn_of(
        &self,
        sources: [EtaSource; 2],
        db: &Db,
        since: DateTime<Utc>,
    ) -> sqlx::Result<Option<Correction>> {
        let rows = queries::recent(db, &sources.map(EtaSource::as_str), since, MAX_TRIPS).await?;
        let trips: Vec<Trip> = rows.iter().filter_map(|row| self.trip(row, sources[0])).collect();
        Ok(Correction::learn(&trips, self.learn_min_trips))
    }

    /// Makes a trip to learn from of a row; `None` if nobody drove it.
    fn trip(&self, row: &TripRow, source: EtaSource) -> Option<Trip> {
        let took = row.arrived_at - row.set_out_at;
        let fastest_s = f64::from(row.distance_m) / self.max_speed_mps;
        let is_driven = took.num_milliseconds() as f64 / 1000.0 >= fastest_s;
        // The straight line is computed with the present settings, which may have been different at the time of the trip.
        let estimated_s = match source {
            EtaSource::StraightLine | EtaSource::StraightLineLearned => {
                self.line.at(row.set_out_at).seconds(f64::from(row.distance_m)).round() as u32
            }
            EtaSource::Osrm | EtaSource::OsrmLearned | EtaSource::Valhalla | EtaSource::ValhallaLearned => {
                u32::try_from(row.eta_base_s).unwrap_or_default()
            }
        };
        let actual_s = u32::try_from(took.num_seconds()).unwrap_or_default();
        is_driven.then(|| Trip { hour: self.line.day.hour(row.set_out_at), estimated_s, actual_s })
    }
}

/// Returns the local day for the engine, which knows no zones, but only when clocks change: here for two centuries.
fn local_day(zone: &TimeZone) -> LocalDay {
    let (first, last) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + TimeDelta::days(200 * 365));
    let changes = zone.changes(first, last).into_iter();
    let utc_offset = TimeDelta::seconds(zone.local(first).offset().local_minus_utc().into());
    LocalDay { utc_offset, changes: changes.map(|ClockChange { at, utc_offset }| (at, utc_offset)).collect() }
}

/// Makes the router that the settings name, and the names of its estimates, plain and corrected.
fn router(eta: &EtaSettings, clock: &Clock) -> Result<(Option<Routed>, [EtaSource; 2]), EtaStartError> {
    let url = eta.router_url.parse().ok_or(EtaStartError::Url);
    let timeout = Duration::from_millis(eta.router_timeout_ms);
    let profile = eta.profile().to_owned();
    let osrm = [EtaSource::Osrm, EtaSource::OsrmLearned];
    let (router, sources): (Arc<dyn Router>, _) = match eta.provider {
        EtaProvider::StraightLine => return Ok((None, osrm)),
        EtaProvider::Osrm => {
            (Arc::new(Osrm::new(url?, profile, timeout).map_err(EtaStartError::Client)?), osrm)
        }
        EtaProvider::Valhalla => {
            let valhalla = Valhalla::new(url?, profile, timeout).map_err(EtaStartError::Client)?;
            (Arc::new(valhalla), [EtaSource::Valhalla, EtaSource::ValhallaLearned])
        }
    };
    let limits = Limits {
        timeout,
        points: eta.router_max_table,
        requests: eta.router_max_requests,
        ways: eta.router_cache_ways,
        ttl: Duration::from_secs(eta.router_cache_ttl_s),
        ahead: AheadLimits {
            requests: eta.router_max_ways_ahead,
            every: TimeDelta::seconds(eta.router_way_ahead_every_s),
        },
    };
    Ok((Some(Routed::start(router, limits, clock.clone())), sources))
}
