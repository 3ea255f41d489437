use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Counts and limits the frames of a second, other than locations.
#[derive(Debug)]
pub(super) struct FrameRate {
    /// The start of the current second, as the time that a clock had run.
    since: Duration,
    count: u32,
    limit: u32,
}

impl FrameRate {
    pub(super) fn new(limit: u32, since: Duration) -> Self {
        Self { since, count: 0, limit }
    }

    pub(super) fn admit(&mut self, now: Duration) -> bool {
        if now.saturating_sub(self.since) >= SECOND {
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
        let start = Duration::from_secs(100);
        let mut frames = FrameRate::new(3, start);
        let at = |ms| start + Duration::from_millis(ms);
        let admitted = [0, 10, 20, 30, 999, 1000, 1001].map(|ms| frames.admit(at(ms)));
        assert_eq!(admitted, [true, true, true, false, false, true, true]);
    }
}
