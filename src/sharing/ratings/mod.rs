//! Ratings: what the two sides of a job think of each other.
//!
//! Each side rates the other once, within a certain time after the job is done. Neither side sees the other's rating
//! before both have rated or nobody may rate any more (`state.rs`). Comparing the average before and after would reveal
//! it as well, so the average changes only when the rating is revealed: in the transaction of the second rating, or by
//! [`count_revealed`]. Each rating has a mark that it was counted (`counted_at`), so it counts once, whichever comes
//! first. The average changes by whole numbers (`mechanics::count_rating`). Lock order: the job, the rating, the
//! mechanic's profile.

mod admin;
mod dto;
mod handlers;
mod queries;
mod state;

pub use dto::Rating;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    fleet::mechanics,
    notifications::NotifyContext,
    platform::{
        error::{ApiResult, commit_error},
        settings::Settings,
    },
};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::rate_job)
        .service(handlers::get_job_ratings)
        .service(handlers::list_mechanic_ratings)
        .service(admin::list_ratings)
        .service(admin::hide_rating);
}

/// The newest ratings that a person gave, at most `limit`.
pub async fn given(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> ApiResult<Vec<Rating>> {
    let rows = queries::given(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(Rating::from).collect())
}

/// The newest ratings that a person received and may read, at most `limit`.
pub async fn received(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    settings: &Settings,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Rating>> {
    let closed_before = now - TimeDelta::seconds(settings.ratings.window_s);
    let rows = queries::received(db, user_id, mechanic_profile_id, closed_before, limit).await?;
    Ok(rows.into_iter().map(Rating::from).collect())
}

/// Counts ratings that were revealed because the time to rate is over in their mechanics' averages, at most `limit` at
/// once; returns how many.
pub async fn count_revealed(context: &NotifyContext, limit: i64) -> ApiResult<u64> {
    let now = context.clock.now();
    let closed_before = now - TimeDelta::seconds(context.settings.ratings.window_s);
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
