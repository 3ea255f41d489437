//! The notice in a server's memory.

use std::sync::Arc;

use parking_lot::RwLock;
use roadcall_http::pages::NoticeSource;
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code},
};
use uuid::Uuid;

use super::queries::{self, NoticeRow};
use crate::users;

/// The newest version, as this server knows it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct CurrentNotice(Arc<RwLock<Option<Arc<NoticeRow>>>>);

impl CurrentNotice {
    pub async fn load(db: &Db) -> sqlx::Result<Self> {
        let current = Self::default();
        current.refresh(db).await?;
        Ok(current)
    }

    /// Looks for a newer version in the database.
    pub async fn refresh(&self, db: &Db) -> sqlx::Result<()> {
        let known = self.version().unwrap_or_default();
        if let Some(row) = queries::newer_than(db, known).await? {
            self.adopt(row);
        }
        Ok(())
    }

    /// Refuses an action of a person who has not agreed to the notice in force, or has withdrawn: 409 CONSENT_NEEDED.
    /// `agreed` is the version that was read with them. The database is asked only before a refusal: another server
    /// may have recorded the agreement a moment ago.
    pub async fn check(&self, db: &Db, user_id: Uuid, agreed: Option<i64>) -> ApiResult<()> {
        if !self.asks(agreed) || !self.asks(users::agreed_notice(db, user_id).await?) {
            return Ok(());
        }
        Err(ApiError::new(Code::ConsentNeeded, "Read the privacy notice and agree to it first."))
    }

    /// Returns whether somebody who agreed to that version has to agree to the newest one.
    pub(super) fn asks(&self, agreed: Option<i64>) -> bool {
        self.newest().is_some_and(|newest| agreed.is_none_or(|agreed| agreed < newest.counts_from))
    }

    pub(super) fn newest(&self) -> Option<Arc<NoticeRow>> {
        self.0.read().clone()
    }

    /// Stores a version, unless a newer one is known.
    pub(super) fn adopt(&self, row: NoticeRow) {
        let mut known = self.0.write();
        if known.as_ref().is_none_or(|known| known.version < row.version) {
            *known = Some(Arc::new(row));
        }
    }
}

impl NoticeSource for CurrentNotice {
    fn version(&self) -> Option<i64> {
        self.newest().map(|newest| newest.version)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn version(version: i64, counts_from: i64) -> NoticeRow {
        NoticeRow {
            version,
            text_en: "We keep your number.".to_owned(),
            text_hi: None,
            text_kn: None,
            ask_again: version == counts_from,
            counts_from,
            published_by: Uuid::nil(),
            published_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn the_newest_version_decides_which_agreement_counts_even_if_an_older_one_arrives_late() {
        let current = CurrentNotice::default();
        let asked = || [None, Some(1), Some(2), Some(3)].map(|agreed| current.asks(agreed));
        assert_eq!((current.version(), asked()), (None, [false; 4]), "nothing is published");
        current.adopt(version(1, 1));
        assert_eq!(asked(), [true, false, false, false]);
        current.adopt(version(2, 1));
        assert_eq!(asked(), [true, false, false, false], "a correction asks nobody");
        current.adopt(version(3, 3));
        current.adopt(version(2, 1));
        assert_eq!((current.version(), asked()), (Some(3), [true, true, true, false]));
    }
}
