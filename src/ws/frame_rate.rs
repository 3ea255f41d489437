use chrono::{DateTime, TimeDelta, Utc};

/// Frames a second, other than locations.
#[derive(Debug)]
pub(super) struct FrameRate {
    since: DateTime<Utc>,
    count: u32,
    limit: u32,
}

impl FrameRate {
    pub(super) fn new(limit: u32, now: DateTime<Utc>) -> Self {
        Self { since: now, count: 0, limit }
    }

    pub(super) fn admit(&mut self, now: DateTime<Utc>) -> bool {
        if (now - self.since).abs() >= TimeDelta::seconds(1) {
            (self.since, self.count) = (now, 0);
        }
        self.count += 1;
        self.count <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_by_the_second() {
        let start = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let mut frames = FrameRate::new(3, start);
        let at = |ms| start + TimeDelta::milliseconds(ms);
        let admitted = [0, 10, 20, 30, 999, 1000, 1001].map(|ms| frames.admit(at(ms)));
        assert_eq!(admitted, [true, true, true, false, false, true, true]);
    }
}
