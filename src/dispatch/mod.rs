//! Why each mechanic was, or was not, offered a job: the dispatcher's own record of its decisions, for operators.
//!
//! The rows are written behind the dispatcher (`bridge/decisions.rs`) and may be some moments late; whoever reads them
//! here has what is under way written first.

mod dto;
mod handlers;
pub(crate) mod queries;
mod settings;
mod view;

use chrono::TimeDelta;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{platform::error::ApiResult, state::AppState};

/// Rows kept per job; older ones give way to newer ones.
pub const MAX_DECISIONS: i64 = 64;
/// Offers of one job that are shown, the newest.
pub const MAX_OFFERS: i64 = 500;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::get_job_dispatch).configure(settings::routes);
}

/// Deletes the records of jobs that have ended, once they are kept no longer; at most `limit` at once.
pub async fn sweep(state: &AppState, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(state.settings.dispatch.records_retention_days);
    Ok(queries::sweep(&state.db, state.clock.now() - kept, limit).await?)
}
