//! The handlers for the assigned mechanic.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use roadcall_actors::ids::{MechanicId, UserId};

use super::shown;
use crate::{
    accounts::auth::{AnyMechanic, Caller, Mechanic, OwnProfile},
    http::{Body, IdempotencyKey, List, NoFields, Owned},
    jobs::{
        actions::{self, MechanicIds, WorkDone},
        context::JobsContext,
        dto::{Arrive, CompleteWork, Job, LostJob, Navigating, NewPhoto, Photo, Release, StartWork},
        owned::{GivenBackJobId, LostJobId, OwnPhoto, PhotographedJob},
        queries::{self, JobRow},
        repeats::{job_once, step_of},
        viewer::Viewer,
    },
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

impl From<&AnyMechanic> for MechanicIds {
    fn from(mechanic: &AnyMechanic) -> Self {
        Self { profile: MechanicId(mechanic.profile_id), user: UserId(mechanic.caller.user_id) }
    }
}

impl From<&Mechanic> for MechanicIds {
    fn from(mechanic: &Mechanic) -> Self {
        Self { profile: MechanicId(mechanic.profile_id), user: UserId(mechanic.caller.user_id) }
    }
}

/// Marks the mechanic as on the way.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
    ),
)]
#[post("/jobs/{id}/en-route")]
pub async fn start_driving(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/en-route", key, &body)?;
    body.read()?;
    let done = actions::start_driving(&context, step, (&mechanic).into());
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Records that the mechanic follows another app, such as a map, or is back in this one. Browsers stop the positions of a page
/// that is not in front, so silence is expected until the mechanic should have arrived (`watch.navigation_grace_s`), and the
/// customer sees why. An app sends this when it opens the other app, and `is_elsewhere: false` when it is in front again.
/// Repeating it changes nothing.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Navigating,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: they are not on the way"),
    ),
)]
#[post("/jobs/{id}/navigating")]
pub async fn navigate_elsewhere(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<Navigating>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/navigating", key, &body)?;
    let is_elsewhere = body.read()?.is_elsewhere.unwrap_or(true);
    let done = actions::navigate(&context, step, (&mechanic).into(), is_elsewhere);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Returns the job to a mechanic who lost it because nothing came from their phone, ahead of everybody to whom it is offered.
/// This is possible while nobody has the job, also after `no_mechanic_found`, with a recent position. The customer's outlook is
/// computed anew. Repeating it gives the same job.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "OFFER_TAKEN: another mechanic has it; INVALID_TRANSITION: it is over; \
            ACTIVE_JOB_EXISTS: the caller is on another job; CONFLICT: where the caller is is not known, they no longer offer \
            this kind of help, or nobody waits for it any more"),
    ),
)]
#[post("/jobs/{id}/take-back")]
pub async fn take_back_job(
    context: Data<JobsContext>,
    job: Owned<LostJobId, Mechanic>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (LostJobId(id), mechanic) = job.into_parts();
    let step = step_of(id, mechanic.caller.user_id, "/jobs/{id}/take-back", key, &body)?;
    body.read()?;
    let done = actions::take_back(&context, step, (&mechanic).into());
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Lists the newest ten jobs that the caller lost because nothing came from their phone and may take back, since nobody else has
/// them.
#[utoipa::path(tag = "jobs", responses((status = 200, body = List<LostJob>)))]
#[get("/mechanics/me/lost-jobs")]
pub async fn list_my_lost_jobs(
    context: Data<JobsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<Json<List<LostJob>>> {
    let rows = queries::lost_by_silence(&context.db, mechanic.profile_id).await?;
    Ok(Json(List { data: rows.into_iter().map(LostJob::from).collect() }))
}

/// Marks the mechanic as arrived, according to their own recent, plausible position near the pickup or to their word.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Arrive,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
        (status = 422, body = ErrorBody, description = "TOO_FAR_FROM_PICKUP, or VALIDATION_FAILED"),
    ),
)]
#[post("/jobs/{id}/arrive")]
pub async fn arrive(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<Arrive>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/arrive", key, &body)?;
    let reason = body.read()?.override_reason.map(|reason| reason.0);
    let done = actions::arrive(&context, step, (&mechanic).into(), reason);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Starts the work, with the four digits that the customer gives the mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = StartWork,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
        (status = 422, body = ErrorBody, description = "WRONG_START_CODE, or VALIDATION_FAILED"),
    ),
)]
#[post("/jobs/{id}/start")]
pub async fn start_work(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<StartWork>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/start", key, &body)?;
    let code = body.read()?.start_code.map(|code| code.0);
    let done = actions::start_work(&context, step, (&mechanic).into(), code);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Completes the work with its outcome. Once the vehicle is loaded, the job can only end as `towed`, with a recent, plausible
/// position near its destination or with an `override_reason`; an admin looks at such a tow before the mechanic's share clears.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = CompleteWork,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or PENDING_APPROVAL: the customer has yet to \
            decide on a line item; CONFLICT: the organisation that ordered the job needs more photos"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED: `towed` without a loaded vehicle, a photo or a receiver, \
            or another outcome with the vehicle loaded; on `override_reason`: no position shows the vehicle at its destination"),
    ),
)]
#[post("/jobs/{id}/complete")]
pub async fn complete_work(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<CompleteWork>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/complete", key, &body)?;
    let work = body.read()?;
    work.faults().into_result()?;
    let CompleteWork { outcome, notes, photo_urls, received_by, override_reason } = work;
    let done = WorkDone {
        outcome: outcome.0,
        notes: notes.map(|notes| notes.0),
        photo_urls: photo_urls.map(|items| items.0).unwrap_or_default(),
        received_by: received_by.map(|name| name.0),
        override_reason: override_reason.map(|reason| reason.0),
    };
    let done = actions::complete(&context, &row, step, (&mechanic).into(), done);
    let completed = job_once(&context, step, done).await?;
    Ok(shown(&completed, Viewer::Mechanic, &context))
}

/// Gives the job back before work has begun. The service looks for another mechanic at the same price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Release,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION"),
    ),
)]
#[post("/jobs/{id}/release")]
pub async fn release_job(
    context: Data<JobsContext>,
    job: Owned<GivenBackJobId, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<Release>,
) -> ApiResult<HttpResponse> {
    let (GivenBackJobId(id), mechanic) = job.into_parts();
    let step = step_of(id, mechanic.caller.user_id, "/jobs/{id}/release", key, &body)?;
    let reason_code = body.read()?.reason_code.to_string();
    let done = actions::release(&context, step, (&mechanic).into(), reason_code);
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Reports that the customer did not show up within ten minutes of the arrival. The customer is charged the call-out, which they
/// can contest for a time. If no position proved the arrival, nothing is due until an admin has decided: GET /jobs/{id}/no-show.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, too early included"),
    ),
)]
#[post("/jobs/{id}/no-show")]
pub async fn report_no_show(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let step = step_of(row.id, mechanic.caller.user_id, "/jobs/{id}/no-show", key, &body)?;
    body.read()?;
    let done = actions::report_no_show(&context, step, (&mechanic).into());
    let row = job_once(&context, step, done).await?;
    Ok(shown(&row, Viewer::Mechanic, &context))
}

/// Adds a photo, by its URL, as the customer or the mechanic of the job, or as an admin at the dispatch desk.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewPhoto,
    responses(
        (status = 201, body = Photo),
        (status = 409, body = ErrorBody, description = "CONFLICT: the job has 50 photos; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/jobs/{id}/photos")]
pub async fn add_job_photo(
    context: Data<JobsContext>,
    job: Owned<PhotographedJob, Caller>,
    key: IdempotencyKey,
    body: Body<NewPhoto>,
) -> ApiResult<HttpResponse> {
    let (PhotographedJob(job_id), caller) = job.into_parts();
    let key = key.read()?;
    // The same key for another job is another request.
    let digested = [job_id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/photos", key, &digested);
    let make = async |claim: &Claim| {
        let NewPhoto { stage, file_url } = body.read()?;
        actions::add_photo(&context, job_id, caller.user_id, stage, file_url, claim).await
    };
    let again = async |id, _| actions::photo(&context, job_id, id).await;
    let photo = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Photo::from(photo)))
}

/// Deletes a photo that the caller added, and its file if nothing else shows it. A photo that may be evidence can't be deleted:
/// as long as the finished work can be contested, and for good once it was contested.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "CONFLICT: the job was contested, or can be"),
    ),
)]
#[delete("/jobs/{id}/photos/{item_id}")]
pub async fn delete_job_photo(
    context: Data<JobsContext>,
    photo: Owned<OwnPhoto, Caller>,
) -> ApiResult<HttpResponse> {
    let (OwnPhoto { job_id, id, file_url }, caller) = photo.into_parts();
    actions::delete_photo(&context, job_id, id, &file_url, caller.user_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
