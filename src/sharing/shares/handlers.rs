use actix_web::{
    HttpRequest, HttpResponse, ResponseError as _, delete, get,
    http::{
        StatusCode,
        header::{self, Accept, Header as _},
    },
    mime, post,
    web::{Data, Json},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::job::state::Status;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    dto::{NewShareLink, ShareLink, SharedJob, SharedVehicle},
    page::page,
    queries::{self, LinkRow},
};
use crate::{
    accounts::auth::{Caller, Customer},
    fleet::mechanics,
    http::{Body, List, NoFields, PathIds},
    jobs::{self, JobRow, JobStatus, JobsContext},
    platform::error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
    tracking::{self, Location},
};

/// Links that are listed; with `shares.max_live` at once a job has far fewer.
const LISTED: i64 = 100;

/// Makes a link by which anyone may follow the job, without an account, until it is over.
#[utoipa::path(
    tag = "shares",
    params(("id" = Uuid, Path)),
    responses(
        (status = 201, body = NewShareLink),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is over; CONFLICT: it has as many live \
            links as one may (`shares.max_live`)"),
    ),
)]
#[post("/jobs/{id}/share")]
pub async fn share_job(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    path: PathIds,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let row = own(&context, &caller, path.id("id")?).await?;
    body.read()?;
    Ok(HttpResponse::Created().json(share(&context, row.id).await?))
}

/// The links to a job that were made so far, newest first.
#[utoipa::path(tag = "shares", params(("id" = Uuid, Path)), responses((status = 200, body = List<ShareLink>)))]
#[get("/jobs/{id}/shares")]
pub async fn list_job_shares(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    path: PathIds,
) -> ApiResult<Json<List<ShareLink>>> {
    let row = own(&context, &caller, path.id("id")?).await?;
    let links = queries::newest_of_job(&context.db, row.id, LISTED).await?;
    let now = context.clock.now();
    let shown = links.into_iter().map(|link| {
        let is_live = is_live(&link, row.status, now);
        ShareLink::of(link, is_live)
    });
    Ok(Json(List { data: shown.collect() }))
}

/// Ends a link. Ending it again changes nothing.
#[utoipa::path(
    tag = "shares",
    params(("id" = Uuid, Path), ("share_id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/jobs/{id}/share/{share_id}")]
pub async fn revoke_job_share(
    context: Data<JobsContext>,
    Customer(caller): Customer,
    path: PathIds,
) -> ApiResult<HttpResponse> {
    let row = own(&context, &caller, path.id("id")?).await?;
    if queries::revoke(&context.db, row.id, path.id("share_id")?, context.clock.now()).await? {
        Ok(HttpResponse::NoContent().finish())
    } else {
        Err(ApiError::not_found("share link"))
    }
}

/// Where help is, to whoever has the link. It shows no phone number, no address, no plate, and no id of a person. A browser
/// (`Accept: text/html`) gets a page that follows the job, whose status, too, tells when the link shows nothing (any more).
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, description = "From POST /jobs/{id}/share",
        example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 200, description = "A job to whoever has a link to it: how far it is, and where help is",
            content((SharedJob = "application/json"), (String = "text/html"))),
        (status = 404, description = "NOT_FOUND: there is no such link",
            content((ErrorBody = "application/json"), (String = "text/html"))),
        (status = 410, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired",
            content((ErrorBody = "application/json"), (String = "text/html"))),
    ),
)]
#[get("/track/{token}")]
pub async fn track_shared_job(
    context: Data<JobsContext>,
    path: PathIds,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let found = followed(&context, path.text("token")).await;
    let vary = (header::VARY, "accept");
    if !wants_page(&request) {
        return Ok(HttpResponse::Ok().insert_header(vary).json(found?));
    }
    let status = match found {
        Ok(_) => StatusCode::OK,
        // The page itself says so.
        Err(error) if [Code::NotFound, Code::LinkExpired].contains(&error.code) => error.status_code(),
        Err(error) => return Err(error),
    };
    let page = page();
    let policy = (header::CONTENT_SECURITY_POLICY, page.policy.as_str());
    let mut answer = HttpResponse::build(status);
    answer.insert_header(vary).insert_header(policy).content_type("text/html; charset=utf-8");
    Ok(answer.body(page.html.as_str()))
}

/// As browsers do, which name it before all else. Programs that take anything get JSON.
fn wants_page(request: &HttpRequest) -> bool {
    let Ok(accept) = Accept::parse(request) else { return false };
    accept.ranked().first().is_some_and(|first| *first == mime::TEXT_HTML)
}

async fn followed(context: &JobsContext, token: &str) -> ApiResult<SharedJob> {
    // Whatever stands there costs one hash and one look by it, so that no answer comes sooner for a better guess.
    let link = queries::by_token(&context.db, &hash(token)).await?;
    let link = link.ok_or_else(|| ApiError::not_found("share link"))?;
    let row = jobs::find(&context.db, link.job_id).await?.ok_or_else(|| ApiError::not_found("share link"))?;
    if !is_live(&link, row.status, context.clock.now()) {
        return Err(ApiError::new(Code::LinkExpired, "This link has expired. Ask for a new one."));
    }
    shown(context, &link, &row).await
}

async fn share(context: &JobsContext, job_id: Uuid) -> ApiResult<NewShareLink> {
    let (now, settings) = (context.clock.now(), &context.settings.shares);
    let mut tx = context.db.begin().await?;
    // The lock makes the count exact, and the job can't end meanwhile.
    let job = jobs::lock(&mut tx, job_id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    if is_over(job.status) {
        let why = format!("This job is {}. It can no longer be shared.", job.status);
        return Err(ApiError::new(Code::InvalidTransition, why));
    }
    if queries::count_live(&mut tx, job_id, now).await? >= settings.max_live {
        let why = format!("This job already has {} links. Revoke one first.", settings.max_live);
        return Err(ApiError::new(Code::Conflict, why));
    }
    let token = URL_SAFE_NO_PAD.encode(context.random.bytes::<32>());
    let expires_at = now.max(job.begin_at) + TimeDelta::seconds(settings.ttl_s);
    let link = LinkRow { id: context.random.id(now), job_id, created_at: now, expires_at, revoked_at: None };
    queries::insert(&mut tx, &link, &hash(&token)).await?;
    tx.commit().await.map_err(commit_error)?;
    let url = format!("{}/track/{token}", context.settings.server.public_url.trim_end_matches('/'));
    Ok(NewShareLink { id: link.id, url, token, expires_at: expires_at.into() })
}

async fn shown(context: &JobsContext, link: &LinkRow, row: &JobRow) -> ApiResult<SharedJob> {
    // Of the row that was read, so that after a release nothing is told of who was on the job.
    let on_it: Vec<Uuid> = tracking::assigned_while_shown(row).into_iter().collect();
    let mechanic_first_name = mechanics::first_names(&context.db, &on_it).await?.into_values().next();
    let sighting = tracking::latest(context, row).await?;
    let fresh = TimeDelta::seconds(context.settings.dispatch.fresh_position_s);
    let now = context.clock.now();
    let eta = sighting.as_ref().and_then(|sighting| sighting.estimate).map(tracking::Eta::from);
    let location = sighting.map(|sighting| Location::of(sighting.mechanic_id.0, &sighting.fix, fresh, now));
    let vehicle = SharedVehicle {
        vehicle_type: row.vehicle_type,
        make: row.vehicle_make.clone(),
        model: row.vehicle_model.clone(),
        color: row.vehicle_color.clone(),
    };
    Ok(SharedJob {
        status: row.status,
        customer_first_name: row.customer_name.as_deref().and_then(mechanics::first_name),
        mechanic_first_name,
        service_category: row.service_category_name.clone(),
        vehicle,
        eta: eta.map(Into::into),
        position: location.map(Into::into),
        updated_at: row.updated_at.into(),
        expires_at: link.expires_at.into(),
    })
}

pub(super) fn is_live(link: &LinkRow, job_status: JobStatus, now: DateTime<Utc>) -> bool {
    link.revoked_at.is_none() && link.expires_at > now && !is_over(job_status)
}

/// Whether nobody is coming, or at work, any more. Where no mechanic was found the customer may try again.
fn is_over(job_status: JobStatus) -> bool {
    match job_status.0 {
        Status::Pending
        | Status::Dispatching
        | Status::Accepted
        | Status::EnRoute
        | Status::Arrived
        | Status::InProgress
        | Status::NoMechanicFound => false,
        Status::Completed | Status::Paid | Status::Cancelled | Status::Disputed | Status::Resolved => true,
    }
}

/// The customer's own job.
async fn own(context: &JobsContext, caller: &Caller, id: Uuid) -> ApiResult<JobRow> {
    let row = jobs::find(&context.db, id).await?;
    row.filter(|row| row.customer_id == caller.user_id).ok_or_else(|| ApiError::not_found("job"))
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
