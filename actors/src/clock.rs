//! The only place where the time is read. Rules take `now` as an argument.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

/// Wall time for rules and rows. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Source>);

#[derive(Debug)]
enum Source {
    System,
    /// Follows tokio's clock, which a test may pause and advance.
    Virtual {
        base: DateTime<Utc>,
        start: tokio::time::Instant,
    },
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Arc::new(Source::System))
    }

    /// Starts at `base` and advances with tokio's (pausable) clock.
    pub fn virtual_from(base: DateTime<Utc>) -> Self {
        #[allow(clippy::disallowed_methods)]
        let start = tokio::time::Instant::now();
        Self(Arc::new(Source::Virtual { base, start }))
    }

    /// The current time in UTC, truncated to the microseconds that Postgres keeps.
    pub fn now(&self) -> DateTime<Utc> {
        #[allow(clippy::disallowed_methods)]
        let now = match self.0.as_ref() {
            Source::System => Utc::now(),
            Source::Virtual { base, start } => {
                *base + TimeDelta::from_std(start.elapsed()).unwrap_or(TimeDelta::MAX)
            }
        };
        // A time that was stored and read back must equal the one in memory.
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }
}
