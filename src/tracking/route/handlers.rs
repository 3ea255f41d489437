use actix_web::{HttpResponse, get, web::Data};

use super::{dto::Trail, queries};
use crate::{
    accounts::auth::Caller,
    http::Owned,
    jobs::{JobsContext, ViewedJob},
    platform::error::ApiResult,
};

/// The maximum number of points that are shown of a trail.
const MAX_POINTS: i64 = 1_000;

/// Returns the trail of the mechanic who is on the job, or was when it ended, since their acceptance. Trails are kept for
/// `tracking.trail_retention_days`; mechanics without a job leave none.
#[utoipa::path(
    tag = "tracking",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Trail, content_type = "application/geo+json")),
)]
#[get("/jobs/{id}/route")]
pub async fn get_job_route(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let points = match (row.mechanic_profile_id, row.accepted_at) {
        (Some(mechanic), Some(since)) => {
            queries::trail(&context.db, row.id, mechanic, since, MAX_POINTS).await?
        }
        _ => Vec::new(),
    };
    let trail = Trail::of(row.id, row.mechanic_profile_id, &points, MAX_POINTS);
    // `json` keeps a content type that is already set.
    Ok(HttpResponse::Ok().content_type("application/geo+json").json(trail))
}
