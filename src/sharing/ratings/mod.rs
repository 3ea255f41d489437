//! Ratings: what the two sides of a job think of each other.
//!
//! Each side rates the other once, within a while after the job was done. Neither side sees the other's rating before
//! it gave its own or nobody may rate any more (`state.rs`); a look at the average before and after would tell it as well, so
//! that moves when the rating is revealed: in the transaction of the second rating, or by [`count_revealed`]. Each rating says
//! itself whether it was counted (`counted_at`), so it is once, whoever comes first. The average moves by whole numbers
//! (`mechanics::count_rating`). Lock order: the job, the rating, the mechanic's profile.

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

/// The newest ratings that a person got and may read, at most `limit`.
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

/// Counts the ratings that the end of the time to rate has revealed in their mechanics' averages, at most `limit` at once;
/// tells how many.
pub async fn count_revealed(context: &NotifyContext, limit: i64) -> ApiResult<u64> {
    let now = context.clock.now();
    let closed_before = now - TimeDelta::seconds(context.settings.ratings.window_s);
    let mut tx = context.db.begin().await?;
    let counted = queries::count_revealed(&mut tx, closed_before, now, limit).await?;
    // By id, so that two of them can't wait for each other.
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
