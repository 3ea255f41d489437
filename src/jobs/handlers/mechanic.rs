//! What the assigned mechanic does.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    ids::{MechanicId, UserId},
    job::state::{Actor, Command, Status},
};

use super::{answer, job_id};
use crate::{
    accounts::{
        auth::{AnyMechanic, Caller, Mechanic, OwnProfile},
        uploads::{self, FileRef, JobPhotoFile},
    },
    http::{Body, List, NoFields, Owned, ValidationErrors},
    jobs::{
        self, JobRow, JobsContext, ViewedJob, Viewer,
        dto::{Arrive, CompleteWork, Job, LostJob, Navigating, NewPhoto, Photo, Release, StartWork},
        owned::{LostJobId, OwnPhoto},
        queries,
    },
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
        settings::Settings,
    },
};

/// Gives a command as the mechanic and responds with the job.
async fn command(
    context: Data<JobsContext>,
    caller: Caller,
    row: JobRow,
    command: Command,
) -> ApiResult<HttpResponse> {
    let done = context.engine.order(job_id(row.id), Actor::Mechanic(UserId(caller.user_id)), command).await;
    answer(&context, Viewer::Mechanic, done).await
}

/// The mechanic sets out.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/jobs/{id}/en-route")]
pub async fn start_driving(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    body.read()?;
    let mechanic_id = MechanicId(mechanic.profile_id);
    command(context, mechanic.caller, row, Command::EnRoute { mechanic_id }).await
}

/// The mechanic hands the way over to another app, such as a map, or is back from it. Browsers stop the positions of a page that
/// is not in front, so silence is expected until they should have arrived (`watch.navigation_grace_s`), and the customer sees why.
/// An app sends it when it opens the other one, and `is_elsewhere: false` when it is in front again. Saying the same twice changes
/// nothing.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
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
    body: Body<Navigating>,
) -> ApiResult<Json<Job>> {
    let (row, mechanic) = job.into_parts();
    let is_elsewhere = body.read()?.is_elsewhere.unwrap_or(true);
    Ok(Json(jobs::navigate(&context, mechanic, &row, is_elsewhere).await?))
}

/// A mechanic who lost the job because nothing came from their phone takes it back, ahead of everybody who is offered it. Possible
/// while nobody has it, also after `no_mechanic_found`, with a recent position. What the customer may expect is computed anew.
/// Repeating it gives the same job.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "OFFER_TAKEN: another mechanic has it; INVALID_TRANSITION: it is over; \
            ACTIVE_JOB_EXISTS: the caller is on another job; CONFLICT: where the caller is is not known, or they no longer \
            offer this kind of help"),
    ),
)]
#[post("/jobs/{id}/take-back")]
pub async fn take_back_job(
    context: Data<JobsContext>,
    job: Owned<LostJobId, Mechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (LostJobId(id), mechanic) = job.into_parts();
    body.read()?;
    let (profile, user) = (MechanicId(mechanic.profile_id), UserId(mechanic.caller.user_id));
    let done = context.engine.take_back(job_id(id), profile, user).await;
    answer(&context, Viewer::Mechanic, done).await
}

/// Jobs that the caller lost because nothing came from their phone, and may take back: nobody else has them. The newest ten.
#[utoipa::path(tag = "jobs", responses((status = 200, body = List<LostJob>)))]
#[get("/mechanics/me/lost-jobs")]
pub async fn list_my_lost_jobs(
    context: Data<JobsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<Json<List<LostJob>>> {
    let rows = queries::lost_by_silence(&context.db, mechanic.profile_id).await?;
    Ok(Json(List { data: rows.into_iter().map(LostJob::from).collect() }))
}

/// The mechanic has arrived, according to their own recent, plausible position near the pickup or to their word.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
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
    body: Body<Arrive>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let reason = body.read()?.override_reason.map(|reason| reason.0);
    let (profile, user) = (MechanicId(mechanic.profile_id), UserId(mechanic.caller.user_id));
    let done = context.engine.arrive(job_id(row.id), profile, user, reason).await;
    answer(&context, Viewer::Mechanic, done).await
}

/// Work begins, with the four digits that the customer gives the mechanic.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
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
    body: Body<StartWork>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let code = body.read()?.start_code.map(|code| code.0);
    if context.settings.jobs.start_code && code.is_none() {
        return Err(ApiError::invalid("start_code", "is required"));
    }
    let mechanic_id = MechanicId(mechanic.profile_id);
    command(context, mechanic.caller, row, Command::Start { mechanic_id, code }).await
}

/// The work is done, one way or another.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = CompleteWork,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, or PENDING_APPROVAL: the customer has yet to \
            decide on a line item"),
    ),
)]
#[post("/jobs/{id}/complete")]
pub async fn complete_work(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    body: Body<CompleteWork>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let CompleteWork { outcome, notes, photo_urls } = body.read()?;
    let mut faults = ValidationErrors::default();
    let urls = uploads::numbered("photo_urls", photo_urls.map(|items| items.0).unwrap_or_default());
    let owner = mechanic.caller.user_id;
    let photos: Vec<FileRef<JobPhotoFile>> =
        uploads::refer(&context.db, &context, owner, urls, &mut faults).await?;
    faults.into_result()?;
    let done = Command::Complete {
        mechanic_id: MechanicId(mechanic.profile_id),
        outcome: outcome.0,
        notes: notes.map(|notes| notes.0),
        photo_urls: photos.into_iter().map(FileRef::into_url).collect(),
    };
    command(context, mechanic.caller, row, done).await
}

/// Gives the job back before work has begun. The service looks for another mechanic at the same price.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = Release,
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION")),
)]
#[post("/jobs/{id}/release")]
pub async fn release_job(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    body: Body<Release>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    let reason_code = body.read()?.reason_code.to_string();
    let mechanic_id = MechanicId(mechanic.profile_id);
    command(context, mechanic.caller, row, Command::Release { mechanic_id, reason_code }).await
}

/// The customer did not show up within ten minutes of the arrival, and is charged the call-out. If no position proved the arrival,
/// nothing is due until an admin has decided: GET /jobs/{id}/no-show.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Job), (status = 409, body = ErrorBody, description = "INVALID_TRANSITION, too \
        early included")),
)]
#[post("/jobs/{id}/no-show")]
pub async fn report_no_show(
    context: Data<JobsContext>,
    job: Owned<JobRow, AnyMechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (row, mechanic) = job.into_parts();
    body.read()?;
    let (profile, user) = (MechanicId(mechanic.profile_id), UserId(mechanic.caller.user_id));
    let done = context.engine.no_show(job_id(row.id), profile, user).await;
    answer(&context, Viewer::Mechanic, done).await
}

/// Adds a photo, by its URL, as the customer or the mechanic of the job.
#[utoipa::path(
    tag = "jobs",
    params(("id" = Uuid, Path)),
    request_body = NewPhoto,
    responses(
        (status = 201, body = Photo),
        (status = 409, body = ErrorBody, description = "CONFLICT: the job has 50 photos"),
    ),
)]
#[post("/jobs/{id}/photos")]
pub async fn add_job_photo(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
    body: Body<NewPhoto>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, caller) = job.into_parts();
    let NewPhoto { stage, file_url } = body.read()?;
    let (now, user) = (context.clock.now(), caller.user_id);
    let file = uploads::refer_one(&context.db, &context, user, "file_url", file_url).await?;
    let photo =
        queries::insert_photo(&context.db, context.random.id(now), row.id, stage, file, user, now).await?;
    let full =
        || ApiError::new(Code::Conflict, format!("A job can have at most {} photos.", queries::MAX_PHOTOS));
    Ok(HttpResponse::Created().json(crate::jobs::dto::Photo::from(photo.ok_or_else(full)?)))
}

/// Deletes a photo that the caller added, with its file if nothing else shows it. Not while it may prove something: as long as the
/// finished work can be contested, and for good once it was.
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
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    if proves_something(&row, &context.settings, now) {
        let why =
            "This photo may prove what was done. It can be deleted once the job can't be contested any more.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    queries::delete_photo(&mut tx, id).await?;
    uploads::discard(&mut tx, caller.user_id, &file_url, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Whether photos of the job may be evidence: somebody contested it, or still may.
fn proves_something(row: &JobRow, settings: &Settings, now: DateTime<Utc>) -> bool {
    let window = TimeDelta::seconds(settings.money.dispute_window_s);
    match row.status.0 {
        Status::Disputed | Status::Resolved => true,
        Status::Completed | Status::Paid => row.completed_at.is_some_and(|at| now < at + window),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_of_finished_work_stay_as_long_as_it_can_be_contested() {
        let mut settings = Settings::defaults();
        settings.money.dispute_window_s = 100;
        let at = |seconds| chrono::DateTime::from_timestamp(seconds, 0).expect("a time");
        for (status, now, stays) in [
            ("in_progress", 50, false),
            ("completed", 99, true),
            ("paid", 99, true),
            ("paid", 100, false),
            ("disputed", 1000, true),
            ("resolved", 1000, true),
            ("cancelled", 50, false),
        ] {
            let mut row = crate::jobs::view::tests::row(status);
            row.completed_at = Some(at(0));
            assert_eq!(proves_something(&row, &settings, at(now)), stays, "{status} at {now}");
        }
    }
}
