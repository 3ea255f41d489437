//! The handlers for every participant.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::auth::{Caller, Customer},
    http::{List, ListQuery, Owned, Page},
    jobs::{
        callbacks,
        context::JobsContext,
        dto::{Job, JobListFilter, ListRole, Photo, TimelineEntry, TimelineEvent},
        line_items, on_account, outlook,
        owned::ViewedJob,
        queries::{self, JobFilter, TimelineRow},
        remembered::has_event,
        view::{is_rough, present, present_listed},
        viewer::{Viewer, viewer_among},
    },
    platform::error::ApiResult,
};

/// Lists the caller's own jobs, newest first: those they created and those they served, unless `role` picks one.
#[utoipa::path(
    tag = "jobs",
    params(ListQuery<JobListFilter>),
    responses((status = 200, body = Page<Job>)),
)]
#[get("/jobs")]
pub async fn list_jobs(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    query: ListQuery<JobListFilter>,
) -> ApiResult<HttpResponse> {
    let (JobListFilter { statuses, role, made }, page) = query.read()?;
    let profile = caller.mechanic.map(|mechanic| mechanic.profile_id);
    let filter = JobFilter {
        customer_id: (role != Some(ListRole::Mechanic)).then_some(caller.user_id),
        mechanic_profile_id: profile.filter(|_| role != Some(ListRole::Customer)),
        statuses,
        made,
    };
    let rows = match (filter.customer_id, filter.mechanic_profile_id) {
        (Some(customer_id), None) => {
            queries::list_of_customer(&context.db, customer_id, &filter, page).await?
        }
        _ => queries::list(&context.db, &filter, page).await?,
    };
    let (count, now) = (rows.len(), context.clock.now());
    let shown = rows.into_iter().filter_map(|row| {
        has_event(&context, row.job.id, row.job.seq);
        let viewer = viewer_among(&caller, row.job.customer_id, row.job.mechanic_profile_id)?;
        Some(present_listed(row, viewer, &context.visibility, now))
    });
    let shown: Vec<Job> = shown.collect();
    let total = page.total(count, queries::count(&context.db, &filter)).await?;
    Ok(HttpResponse::Ok().json(page.of(shown, total)))
}

/// Returns one job, for its participants and admins.
#[utoipa::path(tag = "jobs", params(("id" = Uuid, Path)), responses((status = 200, body = Job)))]
#[get("/jobs/{id}")]
pub async fn get_job(context: Data<JobsContext>, job: Owned<ViewedJob, Caller>) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let outlook = outlook::of_job(&context, &row, viewer).await?;
    let callback = callbacks::of_job(&context.db, &row, viewer).await?;
    let mut job = Job { outlook, callback, ..present(&row, viewer, &context) };
    if let Some(partner) = &mut job.partner {
        partner.driver_pays = on_account::driver_pays(&context, &row).await?;
    }
    Ok(HttpResponse::Ok().json(job))
}

/// Lists the events of the job so far. A mechanic's timeline begins with their own assignment.
#[utoipa::path(tag = "jobs", params(("id" = Uuid, Path)), responses((status = 200, body = List<TimelineEntry>)))]
#[get("/jobs/{id}/timeline")]
pub async fn get_job_timeline(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, _) = job.into_parts();
    let events = row.timeline(&context.db).await?;
    // A mechanic sees nothing about mechanics who were on the job before.
    let is_shown = |at| viewer != Viewer::Mechanic || row.accepted_at.is_some_and(|accepted| at >= accepted);
    let is_rough = is_rough(&row, viewer, &context.visibility, context.clock.now());
    let data = |event: &TimelineRow| {
        let mut data = line_items::shown_data(row.id, &event.kind, event.data.clone(), is_rough);
        // An organisation's reason is for its own programs, and for admins.
        if let (true, Some(fields)) = (viewer != Viewer::Admin, data.as_object_mut()) {
            fields.remove("refusal");
        }
        data
    };
    let entries = events.iter().filter(|event| is_shown(event.at)).map(|event| TimelineEntry {
        seq: event.seq,
        status: event.status,
        data: data(event),
        event: TimelineEvent(event.kind.clone()),
        by: event.actor_kind,
        at: event.at.into(),
    });
    Ok(HttpResponse::Ok().json(List { data: entries.collect() }))
}

/// Lists the job's photos, in the order in which they were added.
#[utoipa::path(tag = "jobs", params(("id" = Uuid, Path)), responses((status = 200, body = List<Photo>)))]
#[get("/jobs/{id}/photos")]
pub async fn list_job_photos(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let photos = queries::photos(&context.db, row.id).await?;
    Ok(HttpResponse::Ok().json(List { data: photos.into_iter().map(Photo::from).collect() }))
}
