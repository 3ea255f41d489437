//! Promised times of arrival: accepted, refused, extended and missed.

use chrono::{DateTime, Utc};
use roadcall_actors::{ids::UserId, job::state::Actor};
use uuid::Uuid;

use super::jobs::recorded;
use crate::{
    accounts::auth::{PartnerCaller, Principal},
    jobs::{
        self, JobStep, job_once,
        on_account::{self, DuePromise, PromiseState},
    },
    partners::{
        cases::{
            audited::{self, CaseJobAction},
            owned::JobOfCase,
        },
        feeds::{self, FeedsContext, NewPartnerEvent, PartnerEventKind},
    },
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// The most that one transaction, or one round, works on.
const AT_ONCE: i64 = 100;

/// Accepts the proposed time of arrival. A repeat changes nothing.
pub async fn accept(context: &FeedsContext, caller: &PartnerCaller, job: &JobOfCase) -> ApiResult<()> {
    let now = context.clock.now();
    feeds::catch_up(context, job.row.id).await?;
    let mut tx = context.db.begin().await?;
    let is_new = on_account::accept_promise(&mut tx, job.row.id).await?.ok_or_else(not_proposed)?;
    if is_new {
        let event = NewPartnerEvent::of_job(PartnerEventKind::JobPromiseAccepted, now, job.row.id);
        feeds::append(&mut tx, context, job.side.partner.case_id, vec![event]).await?;
        let by = Principal::from(*caller);
        audited::on_job(context, &mut tx, by, job.row.id, CaseJobAction::AcceptPromise).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(())
}

fn not_proposed() -> ApiError {
    ApiError::new(Code::InvalidTransition, "No time of arrival is proposed now. Read the job again.")
}

/// Refuses the proposed time of arrival: the mechanic loses the job, and another one is sought. A repeat changes nothing.
pub async fn refuse(
    context: &FeedsContext,
    caller: &PartnerCaller,
    step: JobStep,
    job: &JobOfCase,
    reason: String,
) -> ApiResult<()> {
    let row = on_account::of_jobs(&context.db, &[job.row.id]).await?.pop().ok_or_else(not_proposed)?;
    match row.promise {
        PromiseState::Refused => return Ok(()),
        PromiseState::Proposed => {}
        PromiseState::None | PromiseState::Accepted => return Err(not_proposed()),
    }
    if job.row.arrived_at.is_some() {
        let message =
            "The mechanic has arrived, so the time can't be refused any more. Cancel the job instead.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let by = Actor::Partner(UserId(caller.account_id));
    job_once(context, step, jobs::actions::reassign(context, step, by, reason)).await?;
    recorded(context, caller, step.job_id, CaseJobAction::RefusePromise).await;
    Ok(())
}

/// Extends the promised time, as an admin, while the mechanic is on the way and the time is not over. Completes the claim.
pub async fn extend(
    context: &FeedsContext,
    admin: Principal,
    job: &JobOfCase,
    (minutes, reason): (i64, String),
    claim: &Claim,
) -> ApiResult<()> {
    let now = context.clock.now();
    feeds::catch_up(context, job.row.id).await?;
    let mut tx = context.db.begin().await?;
    let minutes = i32::try_from(minutes).unwrap_or(i32::MAX);
    let extended = on_account::extend_promise(&mut tx, job.row.id, minutes, &reason, now).await?;
    let extended = extended.ok_or_else(|| {
        let message = "Nothing is promised now, the promised time is over, or the mechanic has arrived.";
        ApiError::new(Code::InvalidTransition, message)
    })?;
    let event = NewPartnerEvent::of_job(PartnerEventKind::JobPromiseExtended, now, job.row.id);
    feeds::append(&mut tx, context, job.side.partner.case_id, vec![event.because(Some(reason.clone()))])
        .await?;
    let promised_at = extended.promised_at;
    let action = CaseJobAction::ExtendPromise { minutes, reason: &reason, promised_at };
    audited::on_job(context, &mut tx, admin, job.row.id, action).await?;
    idempotency::complete(&mut tx, claim, job.row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(())
}

/// Looks at promises whose time has come, and tells the partners of those that are broken, once each. Returns how many it looked at:
/// there may be more. If they can't be noted together, each is noted by itself, so that a case that fails keeps no other back.
pub async fn note_missed(context: &FeedsContext) -> ApiResult<u64> {
    let now = context.clock.now();
    if let Ok(known) = note_due(context, None, now).await {
        return Ok(known);
    }
    let (mut known, mut failure) = (0, None);
    for job_id in on_account::overdue(&context.db, now, AT_ONCE).await? {
        match note_due(context, Some(job_id), now).await {
            Ok(noted) => known += noted,
            Err(error) => failure = Some(error),
        }
    }
    failure.map_or(Ok(known), Err)
}

/// Notes what became of due promises, or of the promise of one job, in one transaction.
async fn note_due(context: &FeedsContext, of_job: Option<Uuid>, now: DateTime<Utc>) -> ApiResult<u64> {
    let mut tx = context.db.begin().await?;
    let due = on_account::due_promises(&mut tx, of_job, now, AT_ONCE).await?;
    let mut missed: Vec<&DuePromise> = due.iter().filter(|promise| promise.is_missed()).collect();
    let known: Vec<Uuid> = due.iter().map(|promise| promise.job_id).collect();
    let broken: Vec<Uuid> = missed.iter().map(|promise| promise.job_id).collect();
    on_account::close_promises(&mut tx, &known, &broken, now).await?;
    // Cases are locked in the order of their ids, so that no two transactions wait for each other.
    missed.sort_by_key(|promise| promise.case_id);
    for promise in missed {
        let event = NewPartnerEvent::of_job(PartnerEventKind::JobPromiseMissed, now, promise.job_id);
        feeds::append(&mut tx, context, promise.case_id, vec![event]).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    if !known.is_empty() {
        context.wake();
    }
    Ok(known.len() as u64)
}
