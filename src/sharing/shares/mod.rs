//! Links by which whoever has one follows a job without an account.
//!
//! A customer makes one; its token stands in the URL alone and is kept as a hash. A link ends with its job, when it is
//! revoked, or by itself. It is bound to the job, not to a mechanic: after a release it shows nobody's position until
//! somebody else has accepted. What it shows is decided in `handlers.rs`: no phone number, no address, no id of a person.

mod dto;
mod handlers;
mod page;
mod queries;

pub use dto::ShareLink;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{jobs::JobsContext, platform::error::ApiResult};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::share_job)
        .service(handlers::list_job_shares)
        .service(handlers::revoke_job_share)
        .service(handlers::track_shared_job);
}

/// The newest links to a person's jobs, without their tokens, at most `limit`.
pub async fn newest_of(
    db: &mut PgConnection,
    user_id: Uuid,
    limit: i64,
    now: DateTime<Utc>,
) -> ApiResult<Vec<ShareLink>> {
    let rows = queries::newest_of_customer(db, user_id, limit).await?;
    let shown = rows.into_iter().map(|row| {
        let is_live = handlers::is_live(&row.link, row.job_status.as_str(), now);
        ShareLink::of(row.link, is_live)
    });
    Ok(shown.collect())
}

/// Deletes links that expired long ago, at most `limit` at once; tells how many.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept = chrono::TimeDelta::days(context.settings.shares.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
