//! Who is let in by a link: to follow its job, or to talk about it.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::Status;
use sha2::{Digest, Sha256};

use super::queries::{self, LinkRow};
use crate::{
    jobs::{self, JobRow, JobStatus, JobsContext},
    messaging::guests::Guest,
    platform::error::{ApiError, ApiResult, Code},
};

/// The link with this token and its job: 404 where there is none, 410 where it shows nothing any more.
pub(super) async fn follow(context: &JobsContext, token: &str) -> ApiResult<(LinkRow, JobRow)> {
    // Whatever stands there costs one hash and one look by it, so that no answer comes sooner for a better guess.
    let link = queries::by_token(&context.db, &hash(token)).await?;
    let link = link.ok_or_else(|| ApiError::not_found("share link"))?;
    let job = jobs::find(&context.db, link.job_id).await?.ok_or_else(|| ApiError::not_found("share link"))?;
    if !is_live(&link, job.status, context.clock.now()) {
        return Err(ApiError::new(Code::LinkExpired, "This link has expired. Ask for a new one."));
    }
    Ok((link, job))
}

/// The guest who holds this token, and their job; 403 where the link shows the job alone.
pub async fn admit(context: &JobsContext, token: &str) -> ApiResult<(Guest, JobRow)> {
    let (link, job) = follow(context, token).await?;
    if !link.may_contact {
        let why = "This link only shows the job. Ask for one that lets you write and call.";
        return Err(ApiError::forbidden(why));
    }
    Ok((Guest { link_id: link.id, job_id: job.id }, job))
}

/// Whether the guest may still talk.
pub async fn is_admitted(context: &JobsContext, guest: Guest) -> ApiResult<bool> {
    let link = queries::find(&context.db, guest.link_id).await?.filter(|link| link.may_contact);
    let job = jobs::find(&context.db, guest.job_id).await?;
    let now = context.clock.now();
    Ok(link.zip(job).is_some_and(|(link, job)| is_live(&link, job.status, now)))
}

pub(super) fn is_live(link: &LinkRow, job_status: JobStatus, now: DateTime<Utc>) -> bool {
    link.revoked_at.is_none() && link.expires_at > now && !is_over(job_status)
}

/// Whether nobody is coming, or at work, any more. Where no mechanic was found the customer may try again.
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
