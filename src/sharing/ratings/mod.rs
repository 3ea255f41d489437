//! Ratings of the two sides of a job by each other.
//!
//! Each side rates the other once, within a certain time after the job is done. Neither side sees the other's rating before both
//! have rated or the time for rating is over (`state.rs`). Comparing the average before and after would reveal it as well, so the
//! average changes only when the rating is revealed: in the transaction of the second rating, or by [`count_revealed`]. Each
//! rating has a mark that it was counted (`counted_at`), so it counts once, whichever comes first. The average changes by whole
//! numbers (`mechanics::count_rating`). Lock order: the job, the rating, the mechanic's profile.

mod actions;
mod admin;
mod context;
mod dto;
mod handlers;
mod queries;
mod settings;
mod state;

pub use actions::{count_revealed, may_be_rated, rate};
pub use context::RatingsContext;
pub use dto::{NewRating, Rater, Rating};
pub use settings::RatingSettings;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{http::Routes, platform::error::ApiResult};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::rate_job)
        .service(handlers::get_job_ratings)
        .service(handlers::list_mechanic_ratings)
        .service(admin::list_ratings)
        .service(admin::hide_rating);
}

/// Returns the newest ratings that a person gave, at most `limit`.
pub async fn given(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> ApiResult<Vec<Rating>> {
    let rows = queries::given(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(Rating::from).collect())
}

/// Returns the newest ratings that a person received and may read, at most `limit`.
pub async fn received(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    context: &RatingsContext,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Rating>> {
    let closed_before = now - context.rating_settings.window();
    let rows = queries::received(db, user_id, mechanic_profile_id, closed_before, limit).await?;
    Ok(rows.into_iter().map(Rating::from).collect())
}
