//! Offers of clubs: made, answered, confirmed, and ended by the time.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use uuid::Uuid;

use super::{
    audited,
    queries::{self, ClubOfferRow, DueOrder},
};
use crate::{
    accounts::auth::PartnerCaller,
    http::{ValidationErrors, read_json, with_region},
    jobs::on_account,
    partners::{
        cases::{self, NewCase, NewCaseJob},
        club_offer::{ClubCommand, ClubOffer, ClubStage, ClubUnchanged},
        feeds::{self, CaseStatus, FeedsContext, NewPartnerEvent, PartnerEventKind},
    },
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim, Request},
    },
};

/// The name in a 404.
pub(super) const NAME: &str = "offer";
/// The route under whose name the key of a confirmed job is kept.
const CONFIRMING: &str = "/partner/offers/{id}/confirm";
/// The seconds after which a club may confirm again if the job could not be made, and a worker tries to make it if the confirmation was
/// cut off.
const TRY_AGAIN_S: i64 = 30;
/// The most offers that expire in one round, and the most jobs that are made in one.
const AT_ONCE: i64 = 200;

/// Makes an offer, or finds the one that the same request made. Returns the case's id, and whether it is new. `sent` is the request's
/// body.
pub async fn offer(
    context: &FeedsContext,
    caller: &PartnerCaller,
    new: NewCase,
    sent: &[u8],
) -> ApiResult<(Uuid, bool)> {
    let within_s = new.answer_within_s.map_or(context.partner_settings.offer_answer_s, |seconds| seconds.0);
    let offer = ClubOffer::new(read_json(sent)?["job"].take(), within_s);
    let (case, is_new) = cases::offer(context, caller, new, Sha256::digest(sent).into(), offer).await?;
    if is_new || queries::find(&context.db, case.id).await?.is_some() {
        return Ok((case.id, is_new));
    }
    Err(ApiError::new(
        Code::Conflict,
        "This partner_reference was used for a case that is no offer. Choose a different one.",
    ))
}

/// Carries out a command of a club or of a dispatcher, in whose name it is audited. A repeat changes nothing.
pub async fn carry_out(
    context: &FeedsContext,
    id: Uuid,
    command: ClubCommand,
    admin: Option<Uuid>,
) -> ApiResult<ClubOfferRow> {
    step(context, id, command, admin).await?.map_err(refused)
}

async fn step(
    context: &FeedsContext,
    id: Uuid,
    command: ClubCommand,
    admin: Option<Uuid>,
) -> ApiResult<Result<ClubOfferRow, ClubUnchanged>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, id).await?.ok_or_else(|| ApiError::not_found(NAME))?;
    let before = row.offer.stage;
    let stage = match row.offer.decide(command, row.offered_until, now) {
        Ok(stage) => stage,
        Err(ClubUnchanged::AlreadyDone) => return Ok(Ok(row)),
        Err(unchanged) => return Ok(Err(unchanged)),
    };
    // A confirmed offer is ended by the time alone, and only if it has no job. A job that is being made holds the case's lock.
    if before == ClubStage::Confirmed && cases::first_job(&mut *tx, id).await?.is_some() {
        return Ok(Err(ClubUnchanged::NothingDue));
    }
    let row = after(row, command, stage, now);
    let job_due_at = (stage == ClubStage::Confirmed).then(|| now + TimeDelta::seconds(TRY_AGAIN_S));
    queries::update(&mut tx, &row, job_due_at, now).await?;
    feeds::append(&mut tx, context, id, event(command, now).into_iter().collect()).await?;
    if let Some(admin) = admin {
        audited::answered(&mut tx, context, admin, (before, command), &row).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(Ok(row))
}

/// Returns the row after a command that led to this stage.
fn after(row: ClubOfferRow, command: ClubCommand, stage: ClubStage, now: DateTime<Utc>) -> ClubOfferRow {
    let (offer, offered_until) = row.offer.0.apply(command, stage, row.offered_until, now);
    let status = match stage {
        ClubStage::Waiting | ClubStage::CallAsked | ClubStage::Accepted => CaseStatus::Offered,
        ClubStage::Confirmed => CaseStatus::Open,
        ClubStage::Refused => CaseStatus::Refused,
        ClubStage::Expired => CaseStatus::Expired,
        ClubStage::Withdrawn => CaseStatus::Withdrawn,
    };
    ClubOfferRow { status, offer: Json(offer), offered_until, ..row }
}

/// Returns the event of a command. A confirmation has none: the job that it makes has its own.
fn event(command: ClubCommand, now: DateTime<Utc>) -> Option<NewPartnerEvent> {
    let of = |kind| Some(NewPartnerEvent::of_case(kind, now));
    match command {
        ClubCommand::Accept { .. } => of(PartnerEventKind::CaseAccepted),
        ClubCommand::AskForCall => of(PartnerEventKind::CaseCallRequested),
        ClubCommand::Withdraw => of(PartnerEventKind::CaseWithdrawn),
        ClubCommand::Expire => of(PartnerEventKind::CaseExpired),
        ClubCommand::Confirm { .. } => None,
        ClubCommand::Refuse(reason) => {
            of(PartnerEventKind::CaseRefused).map(|event| event.because(Some(reason.to_string())))
        }
    }
}

fn refused(unchanged: ClubUnchanged) -> ApiError {
    match unchanged {
        ClubUnchanged::TooLate | ClubUnchanged::Is(ClubStage::Expired) => {
            ApiError::new(Code::OfferExpired, "This offer has expired.")
        }
        ClubUnchanged::OtherMinutes(told) => {
            let message =
                format!("The promised time is {told} minutes. Confirm these, or withdraw the offer.");
            ApiError::new(Code::Conflict, message)
        }
        ClubUnchanged::Is(stage) => {
            let message = format!("This offer is {stage}. Read it again.");
            ApiError::new(Code::InvalidTransition, message)
        }
        ClubUnchanged::AlreadyDone | ClubUnchanged::NothingDue => {
            ApiError::internal("a step of an offer that changes nothing is no refusal")
        }
    }
}

/// Confirms the promised time as the club, and makes the job. A repeat makes the job if it is still missing.
pub async fn confirm(
    context: &FeedsContext,
    caller: &PartnerCaller,
    id: Uuid,
    eta_min: i64,
) -> ApiResult<()> {
    let row = carry_out(context, id, ClubCommand::Confirm { eta_min }, None).await?;
    let done = fulfil(context, caller.account_id, &row).await;
    if let Err(refusal) = &done
        && is_refusal(refusal)
        && refusal.code != Code::IdempotencyInFlight
    {
        // The club learns of it, so whether there is a job is its decision again.
        queries::close_order(&context.db, id).await?;
    }
    done
}

fn is_refusal(error: &ApiError) -> bool {
    !error.code.status().is_server_error()
}

/// Makes the job of a confirmed offer, if it is missing, with the confirmed time as its promise.
async fn fulfil(context: &FeedsContext, account_id: Uuid, row: &ClubOfferRow) -> ApiResult<()> {
    let job_id = ordered(context, account_id, row).await?;
    if let Some(promised_at) = row.offer.promised_at {
        let mut db = context.db.acquire().await?;
        on_account::promise_to_club(&mut db, job_id, promised_at).await?;
    }
    Ok(queries::close_order(&context.db, row.id).await?)
}

/// Makes the job of a confirmed offer, once. A refusal is not kept under the key: the next confirmation tries again.
async fn ordered(context: &FeedsContext, account_id: Uuid, row: &ClubOfferRow) -> ApiResult<Uuid> {
    // A key is forgotten after some time, and the job is not.
    if let Some(job_id) = cases::first_job(&context.db, row.id).await? {
        return Ok(job_id);
    }
    let case = cases::find(&context.db, row.id).await?.ok_or_else(|| ApiError::not_found(NAME))?;
    let request = Request::new(account_id, CONFIRMING, Some(row.id.to_string()), row.id.as_bytes());
    let make = async |claim: &Claim| {
        let job = asked(context, &row.offer)?;
        let made = cases::create_job(context, account_id, &case, job, claim).await;
        made.map(|job| job.id).map_err(may_pass)
    };
    let again = async |job_id, _| Ok::<_, ApiError>(job_id);
    idempotency::once(context, request, make, again).await
}

/// Says when to try again, unless the refusal says so itself.
fn may_pass(refusal: ApiError) -> ApiError {
    if refusal.retry_after_s.is_some() { refusal } else { refusal.retry_after(TRY_AGAIN_S.unsigned_abs()) }
}

/// Reads the job that a club asks for, as it was sent.
fn asked(context: &FeedsContext, offer: &ClubOffer) -> ApiResult<NewCaseJob> {
    let job = offer.job.clone();
    let region = context.settings.phone.region;
    Ok(with_region(region, || deserr::deserialize::<NewCaseJob, _, ValidationErrors>(job))?)
}

/// Ends offers whose time is over. Returns whether more may be due. An offer that fails keeps no other back.
pub async fn expire_due(context: &FeedsContext) -> ApiResult<bool> {
    let due = queries::due(&context.db, context.clock.now(), AT_ONCE).await?;
    let mut failure = None;
    for id in &due {
        // Somebody may have answered it meanwhile.
        if let Err(error) = step(context, *id, ClubCommand::Expire, None).await {
            failure = Some(error);
        }
    }
    failure.map_or(Ok(due.len() as i64 == AT_ONCE), Err)
}

/// Makes the jobs of offers whose confirmation was cut off before. Returns whether more may be due. An offer that fails keeps no other
/// back.
pub async fn complete_due(context: &FeedsContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let again_at = now + TimeDelta::seconds(TRY_AGAIN_S);
    let due = queries::take_due_orders(&context.db, now, again_at, AT_ONCE).await?;
    let mut failure = None;
    for confirmed in &due {
        if let Err(error) = complete(context, *confirmed).await {
            failure = Some(error);
        }
    }
    failure.map_or(Ok(due.len() as i64 == AT_ONCE), Err)
}

/// Makes the job of a confirmed offer. If that is refused, it is tried again until the promised time. Without a job the offer expires
/// then: nobody waits for help that was promised for an earlier time.
async fn complete(context: &FeedsContext, DueOrder { id, account_id }: DueOrder) -> ApiResult<()> {
    if step(context, id, ClubCommand::Expire, None).await?.is_ok() {
        return Ok(());
    }
    let row = queries::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found(NAME))?;
    match fulfil(context, account_id, &row).await {
        Err(error) if is_refusal(&error) => Ok(()),
        done => done,
    }
}
