//! Photos of a job, from its customer and its mechanic.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::job::state::Status;
use uuid::Uuid;

use crate::{
    accounts::uploads::{self, FileUrl},
    jobs::{
        context::JobsContext,
        dto::PhotoStage,
        queries::{self, JobRow, PhotoRow},
    },
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// Adds a photo that `user` uploaded.
pub async fn add_photo(
    context: &JobsContext,
    job_id: Uuid,
    user: Uuid,
    stage: PhotoStage,
    file_url: FileUrl,
    claim: &Claim,
) -> ApiResult<PhotoRow> {
    let now = context.clock.now();
    let file = uploads::refer_one(&context.db, context, user, "file_url", file_url).await?;
    let id = context.random.id(now);
    let mut tx = context.db.begin().await?;
    let photo = queries::insert_photo(&mut *tx, id, job_id, stage, file, user, now).await?;
    let photo = photo.ok_or_else(|| {
        ApiError::new(Code::Conflict, format!("A job can have at most {} photos.", queries::MAX_PHOTOS))
    })?;
    idempotency::complete(&mut tx, claim, photo.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(photo)
}

/// Returns a photo of the job; 404 once it was deleted.
pub async fn photo(context: &JobsContext, job_id: Uuid, id: Uuid) -> ApiResult<PhotoRow> {
    let photos = queries::photos(&context.db, job_id).await?;
    photos.into_iter().find(|photo| photo.id == id).ok_or_else(|| ApiError::not_found("photo"))
}

/// Deletes a photo that `user` added, and its file if nothing else shows it. Refuses while the photo may be evidence.
pub async fn delete_photo(
    context: &JobsContext,
    job_id: Uuid,
    photo_id: Uuid,
    file_url: &str,
    user: Uuid,
) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    if proves_something(&row, context.policies.jobs.dispute_window, now) {
        let why =
            "This photo may prove what was done. It can be deleted once the job can't be contested any more.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    queries::delete_photo(&mut tx, photo_id).await?;
    uploads::discard(&mut tx, user, file_url, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Returns whether photos of the job may be evidence: somebody contested it, or still may.
fn proves_something(row: &JobRow, window: TimeDelta, now: DateTime<Utc>) -> bool {
    match row.status.0 {
        Status::Disputed | Status::Resolved => true,
        Status::Completed | Status::Paid => row.completed_at.is_some_and(|at| now < at + window),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_of_finished_work_stay_as_long_as_it_can_be_contested() {
        let window = TimeDelta::seconds(100);
        let at = |seconds| chrono::DateTime::from_timestamp(seconds, 0).expect("a time");
        for (status, now, stays) in [
            ("in_progress", 50, false),
            ("completed", 99, true),
            ("paid", 99, true),
            ("paid", 100, false),
            ("disputed", 1000, true),
            ("resolved", 1000, true),
            ("cancelled", 50, false),
        ] {
            let mut row = crate::jobs::view::tests::row(status);
            row.completed_at = Some(at(0));
            assert_eq!(proves_something(&row, window, at(now)), stays, "{status} at {now}");
        }
    }
}
