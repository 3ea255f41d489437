//! The port that estimates the trip to a pickup, and the straight-line estimates. Pure.

use std::{fmt, sync::Arc};

use chrono::{DateTime, TimeDelta, Timelike, Utc};

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

pub use crate::geo::StraightLine;
use crate::{geo::Point, named::named_enum};

/// Estimates the trip to a pickup.
pub trait Eta: fmt::Debug + Send + Sync + 'static {
    /// Estimates the trip of a mechanic who sets out at `at`. Called often, during matching, so it must not wait
    /// for anything.
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate;

    /// Estimates many trips (from, to) at once, before a match is decided. May wait for another service, within a
    /// time limit of its own. Always answers with one estimate per trip, in their order, from whatever source is
    /// left. Returns `None` if [`Eta::estimate`] knows as much, so that nobody has to wait.
    fn table(
        &self,
        ways: Vec<(Point, Point)>,
        at: DateTime<Utc>,
    ) -> Option<BoxFuture<'_, Vec<TripEstimate>>> {
        let _ = (ways, at);
        None
    }
}

/// The duration and distance of the trip to a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TripEstimate {
    pub eta_s: u32,
    /// The source's own value, before the service corrects it. Corrections are learned from this value.
    pub base_s: u32,
    /// The straight line in metres, whatever the source.
    pub distance_m: u32,
    pub source: EtaSource,
}

impl TripEstimate {
    /// Returns an estimate exactly as the source gives it.
    pub fn plain(seconds: f64, distance_m: f64, source: EtaSource) -> Self {
        // Casts of floats saturate, so an absurd distance can't wrap.
        let eta_s = seconds.round() as u32;
        Self { eta_s, base_s: eta_s, distance_m: distance_m.round() as u32, source }
    }
}

named_enum! {
    /// The source of an estimate.
    EtaSource {
        /// The straight line times a detour factor, at a constant speed.
        StraightLine = "straight_line",
        /// The same line, corrected by what was learned from the service's own trips.
        StraightLineLearned = "straight_line_learned",
        /// OSRM's fastest route over the road network.
        Osrm = "osrm",
        /// The same route, corrected by what was learned from the service's own trips.
        OsrmLearned = "osrm_learned",
        /// Valhalla's fastest route over the road network.
        Valhalla = "valhalla",
        /// The same route, corrected by what was learned from the service's own trips.
        ValhallaLearned = "valhalla_learned",
    }
}

/// Rounds seconds up to whole minutes, so that nobody can work out from an ETA where exactly a mechanic is.
pub fn in_whole_minutes(eta_s: u32) -> u32 {
    eta_s.div_ceil(60).saturating_mul(60)
}

/// The local time, because traffic depends on the local hour. The default is UTC. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalDay {
    /// The offset before the first change. East of Greenwich is positive.
    pub utc_offset: TimeDelta,
    /// The times at which clocks are put forward or back, in order, each with the offset from then on.
    pub changes: Arc<[(DateTime<Utc>, TimeDelta)]>,
}

impl LocalDay {
    /// Returns the local hour, 0 to 23.
    pub fn hour(&self, at: DateTime<Utc>) -> usize {
        let before = self.changes.partition_point(|(from, _)| *from <= at);
        let last = before.checked_sub(1).and_then(|last| self.changes.get(last));
        let utc_offset = last.map_or(self.utc_offset, |(_, utc_offset)| *utc_offset);
        at.checked_add_signed(utc_offset).unwrap_or(at).hour() as usize
    }
}

impl Eta for StraightLine {
    fn estimate(&self, from: Point, to: Point, _at: DateTime<Utc>) -> TripEstimate {
        let distance_m = from.distance_m(to);
        TripEstimate::plain(self.seconds(distance_m), distance_m, EtaSource::StraightLine)
    }
}

/// Like [`StraightLine`], with a detour factor for each hour of the local day, which is larger in the rush hour.
#[derive(Debug, Clone, PartialEq)]
pub struct StraightLineByHour {
    pub line: StraightLine,
    /// The factors for hours 0 to 23, each in place of the line's own; `None` if all hours are the same.
    pub detours: Option<[f64; 24]>,
    pub day: LocalDay,
}

impl StraightLineByHour {
    /// Returns the straight line with the detour factor of the hour of `at`.
    pub fn at(&self, at: DateTime<Utc>) -> StraightLine {
        let detour_factor = self.detours.map_or(self.line.detour_factor, |hours| hours[self.day.hour(at)]);
        StraightLine { detour_factor, ..self.line }
    }
}

impl Eta for StraightLineByHour {
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> TripEstimate {
        self.at(at).estimate(from, to, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORTH: Point = Point { lat: 12.981_6, lng: 77.594_6 };
    const SOUTH: Point = Point { lat: 12.971_6, lng: 77.594_6 };

    fn by_hour(detours: Option<[f64; 24]>) -> StraightLineByHour {
        let day = LocalDay { utc_offset: TimeDelta::minutes(330), ..LocalDay::default() };
        StraightLineByHour { line: StraightLine { detour_factor: 1.5, speed_mps: 10.0 }, detours, day }
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn shown_etas_are_rounded_up_to_a_minute() {
        for (eta_s, shown_s) in [(0, 0), (1, 60), (60, 60), (61, 120), (u32::MAX, u32::MAX)] {
            assert_eq!(in_whole_minutes(eta_s), shown_s);
        }
    }

    #[test]
    fn the_hour_is_the_local_one() {
        let day = by_hour(None).day;
        let cases = [
            ("2026-03-14T18:29:59Z", 23),
            ("2026-03-14T18:30:00Z", 0),
            ("2026-03-14T12:30:00Z", 18),
            ("2026-03-14T00:00:00Z", 5),
        ];
        for (time, hour) in cases {
            assert_eq!(day.hour(at(time)), hour, "{time}");
        }
        let west = LocalDay { utc_offset: TimeDelta::minutes(-480), ..LocalDay::default() };
        assert_eq!(west.hour(at("2026-03-14T00:00:00Z")), 16);
        assert_eq!(day.hour(DateTime::<Utc>::MAX_UTC), 23, "the end of time is an hour too");
    }

    #[test]
    fn clocks_that_are_put_forward_skip_an_hour_and_back_repeat_one() {
        let (forward, back) = (at("2026-03-29T01:00:00Z"), at("2026-10-25T01:00:00Z"));
        let changes = [(forward, TimeDelta::hours(2)), (back, TimeDelta::hours(1))].into();
        let day = LocalDay { utc_offset: TimeDelta::hours(1), changes };
        for (time, hour) in [
            ("2026-03-29T00:59:59Z", 1),
            ("2026-03-29T01:00:00Z", 3),
            ("2026-07-01T12:00:00Z", 14),
            ("2026-10-25T00:59:59Z", 2),
            ("2026-10-25T01:00:00Z", 2),
            ("2026-10-25T02:00:00Z", 3),
            ("2036-07-01T12:00:00Z", 13),
        ] {
            assert_eq!(day.hour(at(time)), hour, "{time}");
        }
    }

    #[test]
    fn each_hour_has_its_own_detour_and_all_hours_are_the_same_by_default() {
        let mut hours = [1.5; 24];
        hours[18] = 3.0;
        let (noon, rush) = (at("2026-03-14T06:30:00Z"), at("2026-03-14T12:30:00Z"));
        let estimate = |eta: StraightLineByHour, at| eta.estimate(SOUTH, NORTH, at).eta_s;
        assert_eq!(estimate(by_hour(Some(hours)), noon), 167, "1112 m x 1.5 / 10 m/s");
        assert_eq!(estimate(by_hour(Some(hours)), rush), 334);
        assert_eq!(estimate(by_hour(None), rush), 167);
    }

    #[test]
    fn an_absurd_distance_takes_the_longest_possible_time() {
        let crawl = StraightLine { detour_factor: 1.0, speed_mps: 1e-9 };
        assert_eq!(crawl.estimate(SOUTH, NORTH, DateTime::UNIX_EPOCH).eta_s, u32::MAX);
        assert_eq!(crawl.estimate(SOUTH, SOUTH, DateTime::UNIX_EPOCH).eta_s, 0);
    }
}
