//! The service of one run: the engine on a journal in memory, under virtual time.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use roadcall_actors::{
    Engine, Placement, Snapshot,
    clock::Clock,
    eta::{Eta, EtaSource, LocalDay, StraightLine, TripEstimate},
    experience::Calibration,
    geo::Point,
    learning::{Correction, Trip},
    ports::Ports,
    random::Random,
    settings::{Settings as EngineSettings, SharedSearchPolicy},
    simulation::MemoryJournal,
};

use super::{
    policy::ServiceSettings, recording_outbound::RecordingOutbound, scenario::Scenario, travel::Millis,
};
use crate::rng::{Purpose, Rng};

/// Midnight (UTC) of the day on which every run takes place.
const MIDNIGHT_S: i64 = 1_767_571_200;

/// The side of the squares within which every estimate is wrong by the same factor, in degrees: about 1.1 km.
const ERROR_CELL: f64 = 0.01;

/// The maximum number of trips that are learned from: the newest, as in the service.
const MAX_TRIPS: usize = 5_000;

/// The service's estimates of trips: the straight line at the speed that it believes in, wrong by a factor of its own for
/// each pair of squares of the city, and corrected by finished trips as the service corrects its own.
#[derive(Debug, Clone)]
pub struct EstimatedTrips {
    plain: PlainTrips,
    day: LocalDay,
    learned: Arc<Mutex<Option<Correction>>>,
}

/// The estimates before they are corrected.
#[derive(Debug, Clone, Copy)]
struct PlainTrips {
    line: StraightLine,
    /// The standard deviation of the factor's logarithm; the median is 1.
    sigma: f64,
    rng: Rng,
}

impl EstimatedTrips {
    pub fn new(scenario: &Scenario, sigma: f64, rng: Rng) -> Self {
        let traffic = &scenario.traffic;
        let line = StraightLine {
            detour_factor: traffic.detour,
            speed_mps: traffic.estimated_kmh.unwrap_or(traffic.speed_kmh) / 3.6,
        };
        // The scenario's hours are hours of the virtual clock.
        let day = LocalDay::default();
        Self {
            plain: PlainTrips { line, sigma, rng: rng.on(Purpose::EtaError) },
            day,
            learned: Arc::default(),
        }
    }

    /// Returns a trip that ended, to learn from.
    pub fn trip(&self, estimated_s: u32, set_out_at: DateTime<Utc>, arrived_at: DateTime<Utc>) -> Trip {
        let actual_s = u32::try_from((arrived_at - set_out_at).num_seconds()).unwrap_or_default();
        Trip { hour: self.day.hour(set_out_at), estimated_s, actual_s }
    }

    /// Corrects estimates from now on, if there are enough trips.
    pub fn learn(&self, trips: &[Trip], min_trips: usize) {
        let newest = &trips[trips.len().saturating_sub(MAX_TRIPS)..];
        *self.learned.lock() = Correction::learn(newest, min_trips);
    }
}

impl PlainTrips {
    fn estimate(&self, from: Point, to: Point) -> TripEstimate {
        let distance_m = from.distance_m(to);
        TripEstimate::plain(
            self.line.seconds(distance_m) * self.factor(from, to),
            distance_m,
            EtaSource::StraightLine,
        )
    }

    fn factor(&self, from: Point, to: Point) -> f64 {
        if self.sigma == 0.0 {
            return 1.0;
        }
        // Casts of floats saturate.
        let cell = |degrees: f64| (degrees / ERROR_CELL).floor() as i64 as u64;
        let cells = [from.lat, from.lng, to.lat, to.lng].map(cell);
        cells.into_iter().fold(self.rng, Rng::number).lognormal(1.0, self.sigma)
    }
}

impl Eta for EstimatedTrips {
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate {
        let plain = self.plain.estimate(from, to);
        let learned = self.learned.lock();
        let Some(correction) = learned.as_ref() else { return plain };
        let eta_s = correction.apply(plain.base_s, self.day.hour(at));
        TripEstimate { eta_s, source: EtaSource::StraightLineLearned, ..plain }
    }
}

/// One process of the service; [`Service::crash`] replaces it.
#[derive(Debug)]
pub struct Service {
    pub engine: Engine,
    pub journal: Arc<MemoryJournal>,
    pub outbound: Arc<RecordingOutbound>,
    pub random: Random,
    pub search: SharedSearchPolicy,
    clock: Clock,
    settings: EngineSettings,
    pub eta: EstimatedTrips,
    /// The calibration of promises when the day began.
    calibration: Calibration,
    begins: DateTime<Utc>,
}

impl Service {
    /// Starts the service. Must be called within an actix system whose clock is paused.
    pub fn start(
        scenario: &Scenario,
        settings: ServiceSettings,
        eta: EstimatedTrips,
        calibration: Calibration,
        seed: u64,
    ) -> Self {
        let ServiceSettings { engine: settings, search, .. } = settings;
        let begins = begin(scenario);
        let (journal, outbound) =
            (Arc::new(MemoryJournal::default()), Arc::new(RecordingOutbound::default()));
        let (clock, random) = (Clock::virtual_from(begins), Random::seeded(seed));
        let ports =
            Ports { journal: journal.clone(), outbound: outbound.clone(), eta: Arc::new(eta.clone()) };
        let engine = engine(&settings, ports, journal.snapshot(), &calibration, &clock, &random);
        let search = Arc::new(search);
        Self { engine, journal, outbound, random, search, clock, settings, eta, calibration, begins }
    }

    /// Ends the process at once, and continues with another one from the committed state.
    pub async fn crash(&mut self) {
        let next = Arc::new(self.journal.after_crash());
        self.engine.crash();
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.journal = next;
        let (journal, outbound) = (self.journal.clone(), self.outbound.clone());
        let ports = Ports { journal, outbound, eta: Arc::new(self.eta.clone()) };
        let snapshot = self.journal.snapshot();
        self.engine = engine(&self.settings, ports, snapshot, &self.calibration, &self.clock, &self.random);
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Returns the time since the run began.
    pub fn elapsed(&self) -> Millis {
        self.millis(self.now())
    }

    pub fn millis(&self, at: DateTime<Utc>) -> Millis {
        u64::try_from((at - self.begins).num_milliseconds()).unwrap_or_default()
    }
}

fn begin(scenario: &Scenario) -> DateTime<Utc> {
    let midnight = DateTime::from_timestamp(MIDNIGHT_S, 0).unwrap_or_default();
    midnight + TimeDelta::milliseconds((scenario.start_hour * 3_600_000.0) as i64)
}

fn engine(
    settings: &EngineSettings,
    ports: Ports,
    mut snapshot: Snapshot,
    calibration: &Calibration,
    clock: &Clock,
    random: &Random,
) -> Engine {
    snapshot.past.calibration = calibration.clone();
    Engine::start(settings.clone(), ports, clock.clone(), random.clone(), Placement::Here, snapshot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{city, scenario::ScenarioFile};

    fn trips(sigma: f64, seed: u64) -> EstimatedTrips {
        EstimatedTrips::new(&Scenario::load("even").expect("built in"), sigma, Rng::new(seed))
    }

    #[test]
    fn the_error_of_estimates_has_the_given_spread_and_is_the_same_for_each_pair_of_places() {
        let centre = Point::new(12.9716, 77.5946);
        let ways: Vec<(Point, Point)> = (0..2_000)
            .map(Rng::new)
            .map(|rng| {
                (city::near(centre, 10_000.0, rng.number(2)), city::near(centre, 10_000.0, rng.number(3)))
            })
            .collect();
        let logs = |sigma: f64, seed: u64| -> Vec<f64> {
            let trips = trips(sigma, seed);
            ways.iter().map(|(from, to)| trips.plain.factor(*from, *to).ln()).collect()
        };
        let wrong = logs(0.3, 1);
        let mean = wrong.iter().sum::<f64>() / wrong.len() as f64;
        let variance = wrong.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / wrong.len() as f64;
        assert!(mean.abs() < 0.03 && (variance.sqrt() - 0.3).abs() < 0.02, "{mean}, {variance}");
        assert_eq!(wrong, logs(0.3, 1));
        assert_ne!(wrong, logs(0.3, 2));
        assert!(logs(0.0, 1).iter().all(|log| *log == 0.0));
        let (here, near) = (Point::new(12.9711, 77.5911), Point::new(12.9719, 77.5919));
        let trips = trips(0.3, 1);
        let factor = |from: Point| trips.plain.factor(from, centre);
        assert_eq!(factor(here), factor(near), "one square");
        assert_ne!(factor(here), factor(Point::new(12.9811, 77.5911)));
    }

    #[test]
    fn without_an_error_the_estimate_is_the_straight_line() {
        let (from, to) = (Point::new(12.97, 77.59), Point::new(12.99, 77.61));
        let exact = trips(0.0, 1);
        assert_eq!(
            exact.estimate(from, to, DateTime::UNIX_EPOCH),
            exact.plain.line.estimate(from, to, DateTime::UNIX_EPOCH)
        );
    }

    #[test]
    fn estimates_follow_finished_trips_as_in_the_service() {
        let (from, to) = (Point::new(12.97, 77.59), Point::new(12.99, 77.61));
        let scenario = Scenario::load("roads5").expect("built in");
        let trips = EstimatedTrips::new(&scenario, 0.0, Rng::new(1));
        let noon = begin(&Scenario { start_hour: 12.0, ..scenario });
        let base_s = trips.estimate(from, to, noon).eta_s;
        let trip = trips.trip(base_s, noon, noon + TimeDelta::seconds(i64::from(base_s / 5)));
        assert_eq!((trip.hour, trip.estimated_s, trip.actual_s), (12, base_s, base_s / 5));
        trips.learn(&[trip; 19], 20);
        assert_eq!(trips.estimate(from, to, noon).eta_s, base_s, "too few");
        trips.learn(&[trip; 2_000], 20);
        let learned = trips.estimate(from, to, noon);
        assert!((f64::from(learned.eta_s) / f64::from(base_s) - 0.2).abs() < 0.01, "{learned:?}");
        assert_eq!((learned.base_s, learned.source), (base_s, EtaSource::StraightLineLearned));
    }
}
