//! Whether Postgres knows the operator's time zone, in which it computes figures by day and hour.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Database, DbError, queries};
use crate::settings::TimeZone;

/// Postgres's code for a zone that it does not know (`invalid_parameter_value`).
const UNKNOWN: &str = "22023";
/// How far back figures reach, and how far ahead a start looks.
const BACK: TimeDelta = TimeDelta::days(100);
const AHEAD: TimeDelta = TimeDelta::days(366);

impl Database {
    /// Refuses a zone that Postgres does not know. Warns if Postgres puts the clocks forward or back at other times than this
    /// program: then one of the two has old data.
    pub async fn check_time_zone(&self, zone: &TimeZone, now: DateTime<Utc>) -> Result<(), DbError> {
        let changes = zone.changes(now - BACK, now + AHEAD);
        let around = changes.into_iter().flat_map(|change| [change.at - TimeDelta::seconds(1), change.at]);
        let moments: Vec<_> = around.chain([now]).collect();
        let unknown = |error: sqlx::Error| match error.as_database_error().and_then(|error| error.code()) {
            Some(code) if code == UNKNOWN => DbError::UnknownTimeZone { name: zone.name().to_owned() },
            _ => DbError::Unreachable(error),
        };
        let shown = queries::local_times(&self.db, zone.name(), &moments).await.map_err(unknown)?;
        let differing =
            moments.iter().zip(shown).find(|(at, shown)| zone.local(**at).naive_local() != *shown);
        if let Some((at, postgres)) = differing {
            tracing::warn!(
                time_zone = zone.name(), %at, %postgres, here = %zone.local(*at).naive_local(),
                "Postgres and this program know different rules of the time zone; update tzdata on both machines"
            );
        }
        Ok(())
    }
}
