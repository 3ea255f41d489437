//! Reads at once the facts that a new job is checked against: its vehicle, its category, the fees that its customer owes and their
//! calls in vain. The commit checks the vehicle and the category again, since somebody may change them in between.

mod queries;

use chrono::{DateTime, TimeDelta, Utc};

pub use queries::{AskedJob, JobChecks, StrandedVehicle};

use self::queries::CountedJobs;
use crate::{jobs::context::JobsContext, platform::error::ApiResult};

/// The time within which cancellations count.
const DAY: TimeDelta = TimeDelta::days(1);
/// The maximum number of cancelled jobs that are read, newest first. Even with one offer each, so many jobs are far beyond any
/// sensible limit.
const JOBS_LOOKED_AT: i64 = 200;

/// Reads what the job is checked against.
pub(super) async fn checks_of(
    context: &JobsContext,
    asked: AskedJob,
    now: DateTime<Utc>,
) -> ApiResult<JobChecks> {
    let cancelled_since = now - DAY;
    // A job may be cancelled long after it was created, while it waits for its time.
    let created_since = cancelled_since - TimeDelta::seconds(context.job_settings.schedule_max_s);
    let counted = CountedJobs { created_since, cancelled_since, most: JOBS_LOOKED_AT };
    Ok(queries::job_checks(&context.db, asked, counted).await?)
}
