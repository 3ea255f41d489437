//! Audit entries for reads: one for each thing that an admin reads, however often their page polls it.

use chrono::{DateTime, TimeDelta, Utc};
use moka::sync::Cache;
use roadcall_base::random::Random;
use uuid::Uuid;

use super::{NewAuditEntry, record_alone};
use crate::{db::Db, error::ApiResult};

/// The time for which a repeated read leaves no further entry.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
/// The maximum number of reads that are remembered. If a forgotten read is repeated, it leaves another entry.
const MAX_READS: u64 = 10_000;

/// The recent reads of each admin, in the memory of this server.
#[derive(Debug, Clone)]
pub struct RecentReads(Cache<(Option<Uuid>, String), DateTime<Utc>>);

impl Default for RecentReads {
    fn default() -> Self {
        Self(Cache::new(MAX_READS))
    }
}

impl RecentReads {
    /// Writes the entry, unless the same admin left one for the same read in the last ten minutes. `what` names everything that
    /// makes two reads the same: the route, the id, the filters.
    pub async fn record(
        &self,
        db: &Db,
        random: &Random,
        now: DateTime<Utc>,
        what: String,
        entry: NewAuditEntry<'_>,
    ) -> ApiResult<()> {
        let read = (entry.actor_id, what);
        if self.0.get(&read).is_some_and(|recorded_at| is_recent(recorded_at, now)) {
            return Ok(());
        }
        record_alone(db, random, now, entry).await?;
        self.0.insert(read, now);
        Ok(())
    }
}

/// Returns whether a read is recent. A time ahead of `now` comes from a clock that was put back, and means nothing.
fn is_recent(recorded_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    (TimeDelta::zero()..WINDOW).contains(&(now - recorded_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_recent_for_ten_minutes() {
        let at = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        for (age_s, recent) in [(-1, false), (0, true), (599, true), (600, false)] {
            assert_eq!(is_recent(at(0), at(age_s)), recent, "{age_s}");
        }
    }
}
