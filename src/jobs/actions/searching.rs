//! The search for a mechanic: repeated, or bypassing the offers.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{JobId, MechanicId, UserId},
    job::state::{Actor, Command, Refusal},
    protocol::Assign,
};
use uuid::Uuid;

use crate::{
    catalogue::{categories, vehicles},
    fleet::mechanics,
    jobs::{
        context::JobsContext,
        lookup::{row_after, row_of},
        queries::JobRow,
        step::JobStep,
    },
    platform::error::{ApiError, ApiResult, Code},
    wire::refused,
};

/// Returns how many jobs a customer may have open at once. An admin who acts for them is not limited: they see the other jobs.
pub(super) fn most_open_jobs(context: &JobsContext, by: Actor) -> Option<u32> {
    match by {
        Actor::Admin(_) | Actor::Partner(_) => None,
        Actor::Customer(_) | Actor::Mechanic(_) | Actor::System => {
            Some(context.job_settings.max_open_per_person)
        }
    }
}

/// Refuses a customer's search that would begin while no new jobs are taken: 409 NO_NEW_JOBS. An admin may search all the same:
/// they see the stop.
pub(in crate::jobs) fn check_taken(
    context: &JobsContext,
    by: Actor,
    begins_at: DateTime<Utc>,
) -> ApiResult<()> {
    match by {
        Actor::Admin(_) => Ok(()),
        Actor::Customer(_) | Actor::Mechanic(_) | Actor::Partner(_) | Actor::System => {
            context.stop.check(begins_at, context.clock.now())
        }
    }
}

/// Refuses with 409 CONSENT_NEEDED a customer who has not agreed to the privacy notice; `agreed` is the version that they agree
/// to. An admin relies on the caller's word.
pub(super) async fn check_agreed(context: &JobsContext, by: Actor, agreed: Option<i64>) -> ApiResult<()> {
    match by {
        Actor::Customer(customer) => context.notice.check(&context.db, customer.0, agreed).await,
        Actor::Admin(_) | Actor::Mechanic(_) | Actor::Partner(_) | Actor::System => Ok(()),
    }
}

/// Searches again for a job that found no mechanic.
pub async fn search_again(
    context: &JobsContext,
    step: JobStep,
    row: &JobRow,
    by: Actor,
    agreed_notice: Option<i64>,
) -> ApiResult<JobRow> {
    check_taken(context, by, context.clock.now())?;
    check_agreed(context, by, agreed_notice).await?;
    check_still_offered(context, row).await?;
    let retry = Command::Retry { most_open_jobs: most_open_jobs(context, by) };
    let done = context.order(step, by, retry).await.map_err(|refusal| match refusal {
        // The vehicle or the category was deleted after the check above.
        Refusal::VehicleGone => vehicle_deleted(),
        Refusal::CategoryGone => not_offered(),
        other => refused(other),
    })?;
    row_after(context, &done).await
}

/// Checks that the vehicle still exists and the category is still offered: both may go away while the job waits for
/// another try.
async fn check_still_offered(context: &JobsContext, row: &JobRow) -> ApiResult<()> {
    if vehicles::find_own(&context.db, row.customer_id, row.vehicle_id).await?.is_none() {
        return Err(vehicle_deleted());
    }
    match categories::find_active(&context.db, row.service_category_id).await? {
        Some(_) => Ok(()),
        None => Err(not_offered()),
    }
}

fn vehicle_deleted() -> ApiError {
    ApiError::new(
        Code::Conflict,
        "The vehicle of this job was deleted. Create a new job for another vehicle.",
    )
}

fn not_offered() -> ApiError {
    ApiError::new(
        Code::Conflict,
        "Help of this category is no longer offered. Create a new job in another one.",
    )
}

/// Assigns a job that is being dispatched to a mechanic, for an admin, bypassing the offers. If dispatch would leave the mechanic
/// out, `override_reason` is required.
pub async fn assign(
    context: &JobsContext,
    step: JobStep,
    row: &JobRow,
    admin: Uuid,
    mechanic_profile_id: Uuid,
    override_reason: Option<String>,
) -> ApiResult<JobRow> {
    let unfit = |why| ApiError::invalid("mechanic_profile_id", why);
    if mechanics::who_may_serve(&context.db, mechanic_profile_id).await?.map_err(unfit)? == row.customer_id {
        return Err(unfit("is the customer's own"));
    }
    let assign = Assign {
        command: context.new_command(),
        logged_under: step.logged_under,
        job: JobId(step.job_id),
        mechanic: MechanicId(mechanic_profile_id),
        admin: UserId(admin),
        override_reason,
    };
    row_of(context, context.engine.ask(assign).await).await
}

/// Takes the job from its mechanic, for an admin or for the organisation that refuses the promised time; the service looks for
/// another mechanic.
pub async fn reassign(context: &JobsContext, step: JobStep, by: Actor, reason: String) -> ApiResult<JobRow> {
    row_of(context, context.order(step, by, Command::Reassign { reason }).await).await
}
