//! Links by which whoever has one follows a job without an account.
//!
//! A customer makes one; its token stands in the URL alone and is kept as a hash. A link ends with its job, when it is
//! revoked, or by itself. It is bound to the job, not to a mechanic: after a release it shows nobody's position until
//! somebody else has accepted. What it shows is decided in `handlers.rs`: no phone number, no address, no id of a person.

mod dto;
mod handlers;
mod queries;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::{error::ApiResult, state::AppState};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::share_job)
        .service(handlers::list_job_shares)
        .service(handlers::revoke_job_share)
        .service(handlers::track_shared_job);
}

/// Deletes links that expired long ago, at most `limit` at once; tells how many.
pub async fn sweep(state: &AppState, limit: i64) -> ApiResult<u64> {
    let kept = chrono::TimeDelta::days(state.settings.shares.retention_days);
    Ok(queries::sweep(&state.db, state.clock.now() - kept, limit).await?)
}
