use actix_web::{get, post, web::Data, web::Json};
use roadcall_actors::mechanic::state::PositionSource;

use super::{
    actions,
    dto::{EventsAfter, JobEventView, JobEvents, JobLocation, Location, LocationReceipt, Points},
    log::logged,
    sighting::latest,
};
use crate::{
    accounts::auth::{AnyMechanic, Caller, OwnProfile},
    http::{Body, Owned, Query, RateLimits, ValidationErrors},
    jobs::{self, JobsContext, ViewedJob},
    platform::{
        db::in_place,
        error::{ApiError, ApiResult},
    },
};

/// Takes 1 to 100 points from the caller's phone, for example after it was offline. They are handled like points over a socket.
/// Points sent before the mechanic was available are stored.
#[utoipa::path(
    tag = "tracking",
    request_body = Points,
    responses((status = 200, body = LocationReceipt)),
)]
#[post("/mechanics/me/location")]
pub async fn send_my_location(
    context: Data<JobsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    body: Body<Points>,
) -> ApiResult<Json<LocationReceipt>> {
    let points = body.read()?;
    Ok(Json(
        in_place(actions::locate(&context, mechanic.profile_id, points.pings(), PositionSource::App))
            .await??,
    ))
}

/// Returns where the job's mechanic is, how old that position is, and how far they have to go.
#[utoipa::path(
    tag = "tracking",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = JobLocation)),
)]
#[get("/jobs/{id}/location")]
pub async fn get_job_location(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<JobLocation>> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let sighting = latest(&context, &row).await?;
    let fresh = context.dispatch.fresh_position();
    let now = context.clock.now();
    let location =
        sighting.as_ref().map(|sighting| Location::of(sighting.mechanic_id.0, &sighting.fix, fresh, now));
    let eta = sighting.and_then(|sighting| sighting.estimate).map(Into::into);
    Ok(Json(JobLocation { job_id: row.id, location, eta }))
}

/// Lists the events of the job after `since_seq` (default 0), in order: the same events as over the socket. A mechanic's events
/// begin with their own assignment.
#[utoipa::path(
    tag = "tracking",
    params(
        ("id" = Uuid, Path),
        ("since_seq" = Option<i64>, Query, minimum = 0),
        ("limit" = Option<i64>, Query, description = "1 to 100, default 100", minimum = 1, maximum = 100),
    ),
    responses((status = 200, body = JobEvents)),
)]
#[get("/jobs/{id}/events")]
pub async fn list_job_events(
    context: Data<JobsContext>,
    limits: Data<RateLimits>,
    job: Owned<ViewedJob, Caller>,
    query: Query<EventsAfter>,
) -> ApiResult<Json<JobEvents>> {
    let (ViewedJob { mut row, viewer }, caller) = job.into_parts();
    let (since_seq, limit) = range(query.read()?)?;
    if since_seq > row.seq {
        let found = jobs::find_seen(&context, row.id, since_seq).await?;
        row = found.ok_or_else(|| ApiError::not_found("job"))?;
    }
    let first = row.first_visible_seq(&context.db, viewer).await?;
    let since_seq = since_seq.max(first - 1);
    let events = match since_seq < row.seq {
        true => logged(&context, row.id, since_seq, None, limit).await?,
        false => Vec::new(),
    };
    let last_seq = events.last().map_or(row.seq, |event| event.seq().max(row.seq));
    let count = u32::try_from(events.len()).unwrap_or(u32::MAX);
    let covered = limits.check_replay(caller.budget, count);
    covered.map_err(|wait| ApiError::rate_limited(wait.as_secs() + 1))?;
    let data = events.into_iter().map(|event| {
        let data = event.shown(viewer, &context);
        JobEventView { seq: event.seq(), kind: data.kind(), at: event.at().into(), data }
    });
    Ok(Json(JobEvents { data: data.collect(), last_seq }))
}

fn range(query: EventsAfter) -> ApiResult<(i64, i64)> {
    let since_seq = query.since_seq.map_or(0, |param| param.0.0);
    let limit = query.limit.map_or(100, |param| param.0.0);
    let mut faults = ValidationErrors::default();
    if since_seq < 0 {
        faults.add("since_seq", "must be at least 0");
    }
    if !(1..=100).contains(&limit) {
        faults.add("limit", "must be 1 to 100");
    }
    faults.into_result()?;
    Ok((since_seq, limit))
}
