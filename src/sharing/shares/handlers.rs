use actix_web::{
    HttpRequest, HttpResponse, ResponseError as _, delete, get,
    http::{StatusCode, header},
    post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions::{self, Wanted, share},
    admission::{follow, guest, is_live, settles_until},
    context::SharesContext,
    dto::{NewShare, NewShareLink, SendShare, ShareLink, SharedJob, SharedVehicle},
    own_part::{self, SharedMoney},
    queries::{self, LinkRow},
};
use crate::{
    accounts::auth::{Admin, Customer, desk},
    fleet::mechanics,
    http::{Body, List, NoIdempotencyKey, Owned, OwnedBy, PathIds, PathText},
    jobs::{self, Job, JobRow, JobsContext, Viewer, outlook},
    messaging::calls,
    pages,
    platform::core::Core,
    platform::error::{ApiError, ApiResult, Code, ErrorBody},
    sharing::ratings::RatingsContext,
    tracking::{self, Location, WayAhead},
};

/// The number of links that are listed. With at most `shares.max_live` at once, a job has far fewer.
const LISTED: i64 = 100;
/// The length of a route's end that a link does not show, since it leads to the customer.
const HIDDEN_END_M: f64 = 200.0;

/// Makes a link with which anyone can follow the job without an account until it is over. The customer decides what else it
/// allows, and can have it sent to the beneficiary by SMS: in 24 hours `shares.sms_per_job_per_day` for a job,
/// `shares.sms_per_person_per_day` for a customer and `shares.sms_per_number_per_day` to one number by all customers; only to
/// numbers that can get codes as well (`POST /auth/send-otp`).
#[utoipa::path(
    tag = "shares",
    params(("id" = Uuid, Path)),
    request_body = NewShare,
    responses(
        (status = 201, body = NewShareLink),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is over; CONFLICT: it has as many live \
            links as one may (`shares.max_live`)"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is shown only once"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the message could not be sent; no link was made"),
    ),
)]
#[post("/jobs/{id}/shares")]
pub async fn share_job(
    context: Data<SharesContext>,
    row: Owned<JobRow, Customer>,
    key: NoIdempotencyKey,
    body: Body<NewShare>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let wanted = Wanted::by_customer(&body.read()?);
    let (link, url, token) = share(&context, &row, &wanted).await?;
    Ok(HttpResponse::Created().json(NewShareLink::of(link, url, token)))
}

/// Sends a link to somebody who has no app, by SMS: with it they see where help is and the start code, and can write to and call
/// the mechanic. The link counts for the limits of `POST /jobs/{id}/shares`. It is not shown in the answer, since it is for its
/// holder alone.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    request_body = SendShare,
    responses(
        (status = 201, body = ShareLink),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is over; CONFLICT: it has as many live \
            links as one may (`shares.max_live`)"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is sent only once"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the message could not be sent; no link was made"),
    ),
)]
#[post("/admin/jobs/{id}/shares")]
pub async fn send_job_share(
    context: Data<SharesContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
    key: NoIdempotencyKey,
    body: Body<SendShare>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    key.check()?;
    let wanted = Wanted::by_admin(admin.user_id, body.read()?.send_to);
    let (link, _, _) = share(&context, &row, &wanted).await?;
    Ok(HttpResponse::Created().json(ShareLink::of(link, true)))
}

/// Lists the links to a job, newest first.
#[utoipa::path(tag = "shares", params(("id" = Uuid, Path)), responses((status = 200, body = List<ShareLink>)))]
#[get("/jobs/{id}/shares")]
pub async fn list_job_shares(
    context: Data<JobsContext>,
    row: Owned<JobRow, Customer>,
) -> ApiResult<Json<List<ShareLink>>> {
    let links = queries::newest_of_job(&context.db, row.id, LISTED).await?;
    let now = context.clock.now();
    let shown = links.into_iter().map(|link| {
        let is_live = is_live(&link, row.status, now);
        ShareLink::of(link, is_live)
    });
    Ok(Json(List { data: shown.collect() }))
}

/// Ends a link, its open streams, and a call that its holder made or answered with it. A repeat changes nothing.
#[utoipa::path(
    tag = "shares",
    params(("id" = Uuid, Path), ("share_id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/jobs/{id}/shares/{share_id}")]
pub async fn revoke_job_share(
    context: Data<SharesContext>,
    link: Owned<LinkOfJob, Customer>,
) -> ApiResult<HttpResponse> {
    actions::revoke(&context, link.job_id, link.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The link in the path, to a job of the caller.
#[derive(Debug)]
pub struct LinkOfJob {
    job_id: Uuid,
    id: Uuid,
}

impl OwnedBy<Customer> for LinkOfJob {
    const NAME: &'static str = "share link";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        let job = JobRow::find(core, by, path).await?.ok_or_else(|| ApiError::not_found("job"))?;
        Ok(Some(Self { job_id: job.id, id: path.id("share_id")? }))
    }
}

/// Shows the holder of a link where help is. The answer contains no phone number, no address, no plate and no id of a person, and
/// the start code only if the customer allowed it for this link. A browser (`Accept: text/html`) gets a page that follows the
/// job, with the same status, if the service has the web apps. The link that people get is `/track/{token}`, which leads to the
/// same page.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, description = "From POST /jobs/{id}/shares",
        example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 200, description = "The job as the holder of a link sees it: how far it is, and where help is",
            content((SharedJob = "application/json"), (String = "text/html"))),
        (status = 404, description = "NOT_FOUND: there is no such link",
            content((ErrorBody = "application/json"), (String = "text/html"))),
        (status = 410, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired",
            content((ErrorBody = "application/json"), (String = "text/html"))),
    ),
)]
#[get("/shares/{token}")]
pub async fn track_shared_job(
    context: Data<SharesContext>,
    ratings: Data<RatingsContext>,
    path: PathText,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let found = followed(&context, &ratings, path.text("token")).await;
    // The page itself explains why there is nothing to follow.
    let page_status = match &found {
        Ok(_) => Some(StatusCode::OK),
        Err(error) => [Code::NotFound, Code::LinkExpired].contains(&error.code).then(|| error.status_code()),
    };
    if let Some(status) = page_status.filter(|_| pages::prefers_page(&request))
        && let Some(page) = pages::share_page(&request, status).await?
    {
        return Ok(page);
    }
    Ok(HttpResponse::Ok().insert_header((header::VARY, "accept")).json(found?))
}

/// Returns the mechanic's route ahead by road, for the holder of a link, without its last 200 m, which lead to an address. See
/// `GET /jobs/{id}/way-ahead`.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, description = "From POST /jobs/{id}/shares",
        example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 200, body = WayAhead, content_type = "application/geo+json"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[get("/shares/{token}/way-ahead")]
pub async fn get_shared_way_ahead(context: Data<SharesContext>, path: PathText) -> ApiResult<HttpResponse> {
    let (_, row) = follow(&context, path.text("token")).await?;
    let way = WayAhead::without_end(tracking::way_ahead(&context, &row).await?, HIDDEN_END_M);
    Ok(HttpResponse::Ok().content_type("application/geo+json").json(way))
}

/// Returns what the link with this token shows.
pub(super) async fn followed(
    context: &SharesContext,
    ratings: &RatingsContext,
    token: &str,
) -> ApiResult<SharedJob> {
    let (link, row) = follow(context, token).await?;
    let may_rate = own_part::may_rate(ratings, &link, &row).await?;
    Ok(SharedJob { may_rate, ..shown(context, &link, &row).await? })
}

/// Returns the name of the person who is helped: an organisation's account has the organisation's name.
fn helped_person(row: &JobRow) -> Option<&str> {
    let name = if row.case_id.is_some() { &row.beneficiary_name } else { &row.customer_name };
    name.as_deref()
}

async fn shown(context: &SharesContext, link: &LinkRow, row: &JobRow) -> ApiResult<SharedJob> {
    // The name comes from the same row, so that after a release nothing shows who was on the job.
    let on_it: Vec<Uuid> = tracking::assigned_while_shown(row).into_iter().collect();
    let mechanic_first_name = mechanics::first_names(&context.db, &on_it).await?.into_values().next();
    let sighting = tracking::latest(context, row).await?;
    let fresh = context.dispatch.fresh_position();
    let now = context.clock.now();
    let eta = sighting.as_ref().and_then(|sighting| sighting.estimate).map(tracking::Eta::from);
    let location = sighting.map(|sighting| Location::of(sighting.mechanic_id.0, &sighting.fix, fresh, now));
    // The code and the destination are shown as long as the customer sees them.
    let Job { start_code, destination, is_unconfirmed, mechanic_left, .. } =
        jobs::present(row, Viewer::Customer, context);
    let is_live = is_live(link, row.status, now);
    let call = match guest(link).filter(|_| is_live) {
        Some(guest) => calls::live_of_guest(&context.calls, guest, row).await?,
        None => None,
    };
    let vehicle = SharedVehicle {
        vehicle_type: row.vehicle_type,
        make: row.vehicle_make.clone(),
        model: row.vehicle_model.clone(),
        color: row.vehicle_color.clone(),
    };
    let outlook = outlook::of_job(context, row, Viewer::Customer).await?;
    let SharedMoney { partner_name, price, own_part } = own_part::money(context, link, row).await?;
    Ok(SharedJob {
        status: row.status,
        customer_first_name: helped_person(row).and_then(mechanics::first_name),
        mechanic_first_name,
        is_unconfirmed,
        service_category: row.service_category_name.clone(),
        urgency: row.urgency,
        vehicle,
        eta: eta.map(Into::into),
        outlook,
        destination: destination.map(Into::into),
        loaded_at: row.loaded_at.map(Into::into),
        position: location.map(Into::into),
        navigating_since: row.navigating_since.map(Into::into),
        mechanic_left,
        start_code: start_code.filter(|_| link.shows_start_code),
        may_contact: link.may_contact && is_live,
        call,
        partner_name,
        price,
        own_part,
        may_rate: false,
        updated_at: row.updated_at.into(),
        expires_at: settles_until(link, row).unwrap_or(link.expires_at).into(),
    })
}
