//! The actions of a job's mechanic.

use roadcall_actors::{
    ids::{JobId, MechanicId, UserId},
    job::state::{Actor, Command, DropOff, Outcome, Refusal},
    protocol::{Arrive, TakeBack},
};
use uuid::Uuid;

use crate::{
    accounts::uploads::{self, FileRef, FileUrl, JobPhotoFile},
    http::ValidationErrors,
    jobs::{
        context::JobsContext,
        log::details_changed,
        lookup::{row_after, row_of},
        on_account,
        queries::{self, JobRow},
        remembered::RememberedJob,
        step::JobStep,
    },
    platform::error::{ApiError, ApiResult, Code},
    wire::refused,
};

/// The profile and the account of a mechanic who acts.
#[derive(Debug, Clone, Copy)]
pub struct MechanicIds {
    pub profile: MechanicId,
    pub user: UserId,
}

impl MechanicIds {
    /// Returns the actor of the mechanic's commands.
    pub fn actor(self) -> Actor {
        Actor::Mechanic(self.user)
    }
}

/// Marks the mechanic as on the way.
pub async fn start_driving(context: &JobsContext, step: JobStep, mechanic: MechanicIds) -> ApiResult<JobRow> {
    let command = Command::EnRoute { mechanic_id: mechanic.profile };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// Records whether another app shows the mechanic the way.
pub async fn navigate(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
    is_elsewhere: bool,
) -> ApiResult<JobRow> {
    let command = Command::Navigate { mechanic_id: mechanic.profile, is_elsewhere };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// Returns the job to a mechanic who lost it because nothing came from their phone.
pub async fn take_back(context: &JobsContext, step: JobStep, mechanic: MechanicIds) -> ApiResult<JobRow> {
    let MechanicIds { profile, user } = mechanic;
    let (command, JobStep { job_id, logged_under }) = (context.new_command(), step);
    let take_back = TakeBack { command, logged_under, job: JobId(job_id), mechanic: profile, user };
    let done = context.engine.ask(take_back).await.map_err(|refusal| match refusal {
        Refusal::NotACustomer | Refusal::VehicleGone => customer_gone(),
        other => refused(other),
    })?;
    row_after(context, &done).await
}

/// Refuses a job for which nobody was found, and whose customer left or deleted the vehicle since.
fn customer_gone() -> ApiError {
    ApiError::new(Code::Conflict, "Nobody waits for this job any more.")
}

/// Marks the mechanic as arrived, by their position or, with `override_reason`, by their word.
pub async fn arrive(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
    override_reason: Option<String>,
) -> ApiResult<JobRow> {
    let MechanicIds { profile, user } = mechanic;
    let (command, JobStep { job_id, logged_under }) = (context.new_command(), step);
    let job = JobId(job_id);
    let arrive = Arrive { command, logged_under, job, mechanic: profile, user, override_reason };
    row_of(context, context.engine.ask(arrive).await).await
}

/// Starts the work, with the customer's digits.
pub async fn start_work(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
    code: Option<String>,
) -> ApiResult<JobRow> {
    if context.job_settings.start_code && code.is_none() {
        return Err(ApiError::invalid("start_code", "is required"));
    }
    let command = Command::Start { mechanic_id: mechanic.profile, code };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// The result of the work.
#[derive(Debug, Clone)]
pub struct WorkDone {
    pub outcome: Outcome,
    pub notes: Option<String>,
    pub photo_urls: Vec<FileUrl>,
    /// The person who received a towed vehicle.
    pub received_by: Option<String>,
    /// The reason why a towed vehicle is delivered although no position shows it.
    pub override_reason: Option<String>,
}

/// Completes the work with its outcome.
pub async fn complete(
    context: &JobsContext,
    row: &JobRow,
    step: JobStep,
    mechanic: MechanicIds,
    done: WorkDone,
) -> ApiResult<JobRow> {
    let WorkDone { outcome, notes, photo_urls, received_by, override_reason } = done;
    let mut faults = ValidationErrors::default();
    let urls = uploads::numbered("photo_urls", photo_urls);
    let photos: Vec<FileRef<JobPhotoFile>> =
        uploads::refer(&context.db, context, mechanic.user.0, urls, &mut faults).await?;
    faults.into_result()?;
    let photo_urls: Vec<String> = photos.into_iter().map(FileRef::into_url).collect();
    on_account::check_photos(context, row, &photo_urls).await?;
    let mechanic_id = mechanic.profile;
    // The engine knows the mechanic's position.
    let drop_off = DropOff { override_reason, ..DropOff::default() };
    let command = Command::Complete { mechanic_id, outcome, notes, photo_urls, received_by, drop_off };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// Gives the job back before work has begun.
pub async fn release(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
    reason_code: String,
) -> ApiResult<JobRow> {
    let command = Command::Release { mechanic_id: mechanic.profile, reason_code };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// Reports that the customer did not show up.
pub async fn report_no_show(
    context: &JobsContext,
    step: JobStep,
    mechanic: MechanicIds,
) -> ApiResult<JobRow> {
    let command = Command::NoShow { mechanic_id: mechanic.profile };
    row_of(context, context.order(step, mechanic.actor(), command).await).await
}

/// Stores the room in which a job's customer and this mechanic talk, if the job's room is still `held`. Returns the job's room
/// afterwards, or `None` if the mechanic is no longer on the job. A mechanic who loses the job loses its room.
pub async fn keep_room(
    context: &JobsContext,
    id: Uuid,
    mechanic_profile_id: Uuid,
    held: Option<&str>,
    room_id: &str,
) -> ApiResult<Option<String>> {
    let change = context.remembered.begin(id);
    let kept = queries::keep_room(&context.db, id, mechanic_profile_id, held, room_id).await?;
    change.end::<RememberedJob>(None);
    details_changed(context, Some(id)).await;
    Ok(kept)
}
