//! Ratings: what the two sides of a job think of each other.
//!
//! Each side rates the other once, within a while after the job was done. The mechanic's average moves in the transaction
//! of the rating, by whole numbers (`mechanics::count_rating`). Neither side sees the other's rating before it gave its own or
//! nobody may rate any more (`state.rs`). Lock order: the job, the rating, the mechanic's profile.

mod admin;
mod dto;
mod handlers;
mod queries;
mod state;

pub use dto::Rating;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{error::ApiResult, settings::Settings};

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
