//! A mechanic's position, and the reports of their phone.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};

use crate::city;

/// The interval of reports until the service asks for another.
const FIRST_INTERVAL: TimeDelta = TimeDelta::seconds(5);
/// The accuracy that a phone in the open reports.
const ACCURACY_M: f64 = 8.0;

/// A phone on the move. Pure: the time is an argument.
#[derive(Debug, Clone)]
pub struct Phone {
    pub at: Point,
    moved_at: DateTime<Utc>,
    /// The speed in metres a second while it moves.
    speed_mps: f64,
    heading: Option<f64>,
    seq: i64,
    reported_at: Option<DateTime<Utc>>,
    interval: TimeDelta,
}

impl Phone {
    pub fn new(at: Point, speed_mps: f64, now: DateTime<Utc>) -> Self {
        let (seq, reported_at, heading) = (0, None, None);
        Self { at, moved_at: now, speed_mps, heading, seq, reported_at, interval: FIRST_INTERVAL }
    }

    /// Moves on toward the goal, as far as the time since the last step allows.
    pub fn walk(&mut self, goal: Option<Point>, now: DateTime<Utc>) {
        let seconds = (now - self.moved_at).as_seconds_f64().max(0.0);
        self.moved_at = self.moved_at.max(now);
        let goal = goal.filter(|goal| *goal != self.at);
        self.heading = goal.map(|goal| city::heading(self.at, goal));
        if let Some(goal) = goal {
            self.at = city::toward(self.at, goal, self.speed_mps * seconds);
        }
    }

    /// Sets the interval that `location.rate` asks for, kept within 1 to 20 s.
    pub fn report_every(&mut self, seconds: i64) {
        self.interval = TimeDelta::seconds(seconds.clamp(1, 20));
    }

    pub fn is_due(&self) -> bool {
        self.reported_at.is_none_or(|at| self.moved_at - at >= self.interval)
    }

    /// Returns the report to send, as `location.update` and POST /mechanics/me/location take it.
    pub fn report(&mut self) -> Value {
        self.seq += 1;
        self.reported_at = Some(self.moved_at);
        json!({ "points": [{
            "seq": self.seq,
            "lat": self.at.lat,
            "lng": self.at.lng,
            "accuracy_m": ACCURACY_M,
            "speed_mps": self.heading.map_or(0.0, |_| self.speed_mps),
            "heading": self.heading,
            "recorded_at": self.moved_at.to_rfc3339_opts(SecondsFormat::Millis, true),
        }]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).expect("a time")
    }

    #[test]
    fn a_phone_moves_by_the_time_that_passed_and_says_so() {
        let start = Point::new(12.9755, 77.6068);
        let goal = city::offset(start, 0.0, 1_000.0);
        let mut phone = Phone::new(start, 10.0, at(0));
        phone.walk(Some(goal), at(30));
        assert!((start.distance_m(phone.at) - 300.0).abs() < 2.0);
        let point = phone.report()["points"][0].take();
        assert_eq!((&point["seq"], &point["speed_mps"]), (&json!(1), &json!(10.0)));
        assert_eq!(point["recorded_at"], "2027-01-15T08:00:30.000Z");
        phone.walk(Some(goal), at(200));
        assert_eq!(phone.at, goal);
        phone.walk(Some(goal), at(201));
        assert_eq!(phone.report()["points"][0]["speed_mps"], 0.0);
    }

    #[test]
    fn a_clock_that_is_set_back_moves_nobody() {
        let start = Point::new(12.9755, 77.6068);
        let mut phone = Phone::new(start, 10.0, at(50));
        phone.walk(Some(city::offset(start, 500.0, 0.0)), at(20));
        assert_eq!(phone.at, start);
    }

    #[test]
    fn reports_are_due_as_often_as_the_service_asks() {
        let mut phone = Phone::new(Point::new(12.9, 77.6), 10.0, at(0));
        assert!(phone.is_due());
        phone.report();
        phone.report_every(3);
        phone.walk(None, at(2));
        assert!(!phone.is_due());
        phone.walk(None, at(3));
        assert!(phone.is_due());
        phone.report_every(3_600);
        phone.report();
        phone.walk(None, at(23));
        assert!(phone.is_due(), "20 s is the longest");
    }
}
