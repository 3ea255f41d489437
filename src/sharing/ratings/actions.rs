//! Rating, hiding a rating, and counting those that are revealed.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use super::{
    context::RatingsContext,
    dto::{HiddenReason, NewRating, Rater},
    queries::{self, AdminRatingRow, Parties, RatingRow},
    state::{NotRatable, check_ratable},
};
use crate::{
    accounts::auth,
    fleet::mechanics,
    jobs::{self, JobRow},
    notifications::{self, Addressee, DomainEvent, NotifyContext},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// Stores the rating. The second rating of a job reveals both, and counts the customer's in the mechanic's average, in the same
/// transaction.
pub async fn rate(
    context: &RatingsContext,
    user_id: Uuid,
    job_id: Uuid,
    rater: Rater,
    new: NewRating,
    claim: &Claim,
) -> ApiResult<RatingRow> {
    new.errors(rater).into_result()?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    // No dispute can begin while this lock is held.
    let job = jobs::lock(&mut tx, job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let rated = queries::of_job(&mut *tx, job_id).await?;
    if rated.iter().any(|rating| rating.rater == rater) {
        return Err(already_rated());
    }
    check_ratable(&job, context.rating_settings.window(), now).map_err(not_ratable)?;
    let mechanic_profile_id = job.mechanic_profile_id;
    let mechanic_profile_id =
        mechanic_profile_id.ok_or_else(|| ApiError::internal("a completed job without a mechanic"))?;
    let row = row(context, job_id, rater, new, now);
    let parties = Parties { customer_id: job.customer_id, mechanic_profile_id };
    queries::insert(&mut tx, &row, parties).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    if !rated.is_empty() {
        if let Some(counted) = queries::count_of_job(&mut tx, job_id, now).await? {
            mechanics::count_rating(&mut tx, counted.mechanic_profile_id, counted.score, 1).await?;
        }
        // From here on, each side may read the other's rating.
        let to = match rater {
            Rater::Customer => Addressee::Mechanic(mechanic_profile_id),
            Rater::Mechanic => Addressee::User(job.customer_id),
        };
        notifications::record(&mut tx, &context.random, DomainEvent::RatingReceived { to, job_id }, now)
            .await?;
    }
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(row)
}

/// Returns whether this side may rate the other now: the job is done, and the side has not rated it.
pub async fn may_be_rated(context: &RatingsContext, job: &JobRow, rater: Rater) -> ApiResult<bool> {
    let (window, now) = (context.rating_settings.window(), context.clock.now());
    if check_ratable(job, window, now).is_err() {
        return Ok(false);
    }
    let rated = queries::of_job(&context.db, job.id).await?;
    Ok(rated.iter().all(|rating| rating.rater != rater))
}

fn row(context: &NotifyContext, job_id: Uuid, rater: Rater, new: NewRating, now: DateTime<Utc>) -> RatingRow {
    RatingRow {
        id: context.random.id(now),
        job_id,
        rater,
        score: i32::try_from(new.score.0).unwrap_or_default(),
        tags: new.tags.map(|tags| tags.collapsed()).unwrap_or_default(),
        comment: new.comment.map(|text| text.0),
        created_at: now,
        hidden_at: None,
    }
}

fn not_ratable(refusal: NotRatable) -> ApiError {
    let code = match refusal {
        NotRatable::Status(_) => Code::InvalidTransition,
        NotRatable::TooLate(_) => Code::Conflict,
    };
    ApiError::new(code, refusal.to_string())
}

fn already_rated() -> ApiError {
    ApiError::new(Code::AlreadyRated, "You have already rated this job.")
}

/// Hides a rating, which then no longer counts in its mechanic's average. Hiding it again changes nothing.
pub async fn hide(context: &NotifyContext, admin: Uuid, id: Uuid, reason: HiddenReason) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let Some(hidden) = queries::hide(&mut tx, id, admin, reason, now).await? else { return Ok(()) };
    // A rating that was not revealed yet has not been counted, and will not be.
    if hidden.counted_at.is_some() {
        mechanics::count_rating(&mut tx, hidden.mechanic_profile_id, -hidden.rating.score, -1).await?;
    }
    audit::record(&mut tx, &context.random, now, entry(admin, &hidden, reason)).await?;
    tx.commit().await.map_err(commit_error)
}

fn entry(admin_id: Uuid, hidden: &AdminRatingRow, reason: HiddenReason) -> audit::NewAuditEntry<'static> {
    let before = json!({"is_hidden": false, "score": hidden.rating.score});
    let after = json!({"is_hidden": true, "score": hidden.rating.score, "reason": reason});
    audit::NewAuditEntry::new(admin_id, "rating.hide", ("rating", hidden.rating.id), (before, after))
}

/// Counts ratings that were revealed because the time to rate is over in their mechanics' averages, at most `limit` at
/// once; returns how many.
pub async fn count_revealed(context: &RatingsContext, limit: i64) -> ApiResult<u64> {
    let now = context.clock.now();
    let closed_before = now - context.rating_settings.window();
    let mut tx = context.db.begin().await?;
    let counted = queries::count_revealed(&mut tx, closed_before, now, limit).await?;
    // Sorted by id, so that two runs can't wait for each other.
    let mut sums = BTreeMap::<Uuid, (i32, i32)>::new();
    for row in &counted {
        let (stars, ratings) = sums.entry(row.mechanic_profile_id).or_default();
        *stars += row.score;
        *ratings += 1;
    }
    for (mechanic_profile_id, (stars, ratings)) in sums {
        mechanics::count_rating(&mut tx, mechanic_profile_id, stars, ratings).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(counted.len() as u64)
}
