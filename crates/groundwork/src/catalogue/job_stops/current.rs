//! The newest version in a server's memory.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLock;
use roadcall_http::pages::{StopNotice, StopSource};
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code},
};

use super::queries::{self, StopRow};

/// The newest version, as this server knows it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct CurrentJobStop(Arc<RwLock<Option<Arc<StopRow>>>>);

impl CurrentJobStop {
    pub async fn load(db: &Db) -> sqlx::Result<Self> {
        let current = Self::default();
        current.refresh(db).await?;
        Ok(current)
    }

    /// Reads the newest version again.
    pub async fn refresh(&self, db: &Db) -> sqlx::Result<()> {
        if let Some(row) = queries::newest(db).await? {
            self.adopt(row);
        }
        Ok(())
    }

    /// Refuses a customer's search that begins at that time, if new jobs are stopped until then.
    pub fn check(&self, begins_at: DateTime<Utc>, now: DateTime<Utc>) -> ApiResult<()> {
        let holds = |notice: &StopNotice| notice.ends_at.is_none_or(|ends_at| begins_at < ends_at);
        let Some(notice) = self.notice(now).filter(holds) else { return Ok(()) };
        let refusal = ApiError::new(Code::NoNewJobs, notice.message);
        Err(match notice.ends_at {
            Some(ends_at) => refusal.retry_after(seconds_until(ends_at, now)),
            None => refusal,
        })
    }

    /// Adopts a version, unless a newer one is known.
    pub(super) fn adopt(&self, row: StopRow) {
        let mut known = self.0.write();
        if known.as_ref().is_none_or(|known| known.version < row.version) {
            *known = Some(Arc::new(row));
        }
    }
}

impl StopSource for CurrentJobStop {
    fn notice(&self, now: DateTime<Utc>) -> Option<StopNotice> {
        let newest = self.0.read().clone()?;
        let message = newest.holding(now)?.to_owned();
        Some(StopNotice { message, ends_at: newest.ends_at })
    }
}

/// Returns the seconds until the end, rounded up: an earlier request would be refused again.
fn seconds_until(end: DateTime<Utc>, now: DateTime<Utc>) -> u64 {
    u64::try_from((end - now).num_milliseconds()).unwrap_or_default().div_ceil(1_000).max(1)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(seconds * 1_000)
    }

    fn version(version: i64, message: Option<&str>, ends_at: Option<i64>) -> StopRow {
        let message = message.map(str::to_owned);
        StopRow { version, message, ends_at: ends_at.map(at), set_by: Uuid::nil(), set_at: at(0) }
    }

    #[test]
    fn the_newest_version_holds_until_its_end_despite_late_arrivals() {
        let current = CurrentJobStop::default();
        let refusal = |seconds| {
            current.check(at(seconds), at(seconds)).err().map(|refused| (refused.code, refused.retry_after_s))
        };
        assert_eq!(refusal(0), None);
        current.adopt(version(2, Some("A storm"), Some(60)));
        current.adopt(version(1, Some("A holiday"), None));
        assert_eq!(current.notice(at(0)).map(|notice| notice.message).as_deref(), Some("A storm"));
        assert_eq!(refusal(0), Some((Code::NoNewJobs, Some(60))));
        assert_eq!(refusal(59), Some((Code::NoNewJobs, Some(1))));
        assert_eq!(refusal(60), None, "it ends by itself");
        current.adopt(version(3, Some("An outage"), None));
        assert_eq!(refusal(1_000_000), Some((Code::NoNewJobs, None)), "an admin has to end it");
        current.adopt(version(4, None, None));
        assert_eq!(refusal(0), None);
    }

    #[test]
    fn a_wait_is_rounded_up_and_never_zero() {
        assert_eq!(seconds_until(at(2), at(0)), 2);
        assert_eq!(seconds_until(at(2), at(0) + TimeDelta::milliseconds(1)), 2);
        assert_eq!(seconds_until(at(2), at(2)), 1);
    }
}
