//! Decides whether a link admits its holder to follow its job, or to talk about it.

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::LocalBoxFuture;
use roadcall_actors::job::state::Status;
use sha2::{Digest, Sha256};

use super::queries::{self, LinkRow};
use crate::{
    http::{OwnedBy, PathIds, PathText},
    jobs::{self, JobRow, JobStatus, JobsContext},
    messaging::{
        calls::OwnCall,
        guests::{self, Guest},
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// How long after the end of the work the holder of a link who decides about it can pay their part and rate it.
const OPEN_AFTER_END: TimeDelta = TimeDelta::hours(48);

/// Finds the link with this token, and its job: 404 for an unknown token, 410 if the link has ended.
pub(super) async fn follow(core: &Core, token: &str) -> ApiResult<(LinkRow, JobRow)> {
    // Any token costs one hash and one look-up, so response times do not reveal how close a guess is.
    let link = queries::by_token(&core.db, &hash(token)).await?;
    let link = link.ok_or_else(|| ApiError::not_found("share link"))?;
    let job = jobs::find(&core.db, link.job_id).await?.ok_or_else(|| ApiError::not_found("share link"))?;
    let now = core.clock.now();
    let is_open =
        is_live(&link, job.status, now) || settles_until(&link, &job).is_some_and(|until| now < until);
    if !is_open {
        return Err(guests::link_expired());
    }
    Ok((link, job))
}

/// Returns until when the holder of a link can settle what is left after the work: only if they decide about it.
pub(super) fn settles_until(link: &LinkRow, job: &JobRow) -> Option<DateTime<Utc>> {
    let decides = link.may_decide && link.revoked_at.is_none();
    let ended_at = job.completed_at.filter(|_| decides && is_over(job.status))?;
    Some(ended_at + OPEN_AFTER_END)
}

/// The guest whose link is in the path, and their job. 403 if the link only shows the job.
#[derive(Debug, Clone)]
pub struct Admitted {
    pub guest: Guest,
    pub job: JobRow,
}

impl FromRequest for Admitted {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let core = Core::of(request).clone();
        let path = PathText::from_request(request, payload);
        Box::pin(async move {
            let (link, job) = follow(&core, path.await?.text("token")).await?;
            if !is_live(&link, job.status, core.clock.now()) {
                return Err(guests::link_expired());
            }
            let why = "This link only shows the job. Ask the customer for one that lets you write and call.";
            let guest = guest(&link).ok_or_else(|| ApiError::forbidden(why))?;
            Ok(Self { guest, job })
        })
    }
}

impl OwnedBy<Admitted> for OwnCall {
    const NAME: &'static str = "call";

    async fn find(core: &Core, by: &Admitted, path: &PathIds) -> ApiResult<Option<Self>> {
        Self::get_as_guest(core, by.guest, &by.job, path.id("id")?).await.map(Some)
    }
}

/// Returns the guest who talks through this link; `None` if it only shows the job.
pub(super) fn guest(link: &LinkRow) -> Option<Guest> {
    let guest = Guest { link_id: link.id, job_id: link.job_id, expires_at: link.expires_at };
    link.may_contact.then_some(guest)
}

/// Returns until when the guest may talk, unless the link ends earlier; `None` if it has ended.
pub async fn admitted_until(context: &JobsContext, guest: Guest) -> ApiResult<Option<DateTime<Utc>>> {
    let link = queries::find(&context.db, guest.link_id).await?.filter(|link| link.may_contact);
    let job = jobs::find(&context.db, guest.job_id).await?;
    let live = link.zip(job).filter(|(link, job)| is_live(link, job.status, context.clock.now()));
    Ok(live.map(|(link, _)| link.expires_at))
}

pub(super) fn is_live(link: &LinkRow, job_status: JobStatus, now: DateTime<Utc>) -> bool {
    link.revoked_at.is_none() && link.expires_at > now && !is_over(job_status)
}

/// Returns whether the job's links have ended. After `no_mechanic_found` the customer may try again.
pub(super) fn is_over(job_status: JobStatus) -> bool {
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

pub(super) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
