//! Why each mechanic was, or was not, offered a job: the dispatcher's record of its decisions, for operators.
//!
//! `prices/` is about what an hour of mechanics' time costs, `settings/` about changing how jobs are dispatched,
//! `fleet_view/` about where mechanics and jobs are now.
//!
//! `recorder.rs` writes the rows in the background, so they may be some moments late. A reader here has pending
//! decisions written first.

mod dto;
pub mod fleet_view;
mod handlers;
mod prices;
pub(crate) mod queries;
mod recorder;
mod settings;
mod view;

pub use prices::{
    Look as MarketLook, SAMPLE_EVERY as SAMPLE_PRICES_EVERY, sample as sample_prices, sweep as sweep_prices,
};
pub use recorder::Decisions;

use chrono::TimeDelta;
use std::ops::Deref;
use utoipa_actix_web::service_config::ServiceConfig;

use self::fleet_view::FleetFeed;
use crate::{jobs::JobsContext, platform::error::ApiResult};

/// What explanations of dispatch need.
#[derive(Debug, Clone)]
pub struct DispatchContext {
    pub jobs: JobsContext,
    pub decisions: Decisions,
    /// The open jobs on maps, shared with sockets.
    pub fleet: FleetFeed,
}

impl Deref for DispatchContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}

/// Maximum rows kept per job; newer ones replace older ones.
pub const MAX_DECISIONS: i64 = 64;
/// Mechanics who are shown to be assigned a job.
const MAX_CANDIDATES: usize = 50;
/// Maximum offers of one job that are shown: the newest.
pub const MAX_OFFERS: i64 = 500;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_job_dispatch)
        .service(handlers::list_job_candidates)
        .configure(prices::routes)
        .configure(settings::routes)
        .configure(fleet_view::routes);
}

/// Deletes the records of ended jobs after their retention time, at most `limit` at once.
pub async fn sweep(context: &DispatchContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.dispatch.records_retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
