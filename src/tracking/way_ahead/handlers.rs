use actix_web::{HttpResponse, get, web::Data};

use super::{actions::way_ahead, dto::WayAhead};
use crate::{
    accounts::auth::Caller,
    http::Owned,
    jobs::{JobsContext, ViewedJob},
    platform::error::ApiResult,
};

/// Returns the mechanic's route ahead by road: from acceptance to arrival, and to the destination once the vehicle is loaded. Ask
/// for it when a map is opened, and again once a position is more than 75 m off its line: the service keeps the line meanwhile,
/// and asks its router for another one at most every `eta.router_way_ahead_every_s`.
#[utoipa::path(
    tag = "tracking",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = WayAhead, content_type = "application/geo+json")),
)]
#[get("/jobs/{id}/way-ahead")]
pub async fn get_way_ahead(
    context: Data<JobsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let way = WayAhead::of(way_ahead(&context, &row).await?);
    Ok(HttpResponse::Ok().content_type("application/geo+json").json(way))
}
