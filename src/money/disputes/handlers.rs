//! Opening a dispute, and what its two parties read of it.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command, Completion},
};
use uuid::Uuid;

use super::{
    dto::{Dispute, DisputeStatus, NewDispute, Party},
    queries::{self, DisputeRow},
};
use crate::{
    accounting::dues,
    accounts::{
        auth::{Caller, Customer},
        uploads::{self, EvidenceFile, FileRef, FileUrl},
    },
    http::{Body, IdempotencyKey, Items, Owned, ValidationErrors},
    jobs::{self, JobRow, ViewedJob, Viewer, log},
    money::payments::{self, PaymentsContext},
    platform::{
        error::{ApiError, ApiResult, ErrorBody, commit_error},
        idempotency::{self, Claim, Request},
    },
};

/// Contests the work or its price, as the job's customer or its mechanic, within 48 hours of its completion. What the job
/// earned is held until an admin has resolved it.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewDispute,
    responses(
        (status = 201, body = Dispute),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is not completed, was disputed, or \
            was completed too long ago; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
    ),
)]
#[post("/jobs/{id}/dispute")]
pub async fn dispute_job(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NewDispute>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let party = party(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let key = key.read()?;
    // The same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/dispute", key, &digested);
    let make = async |claim: &Claim| open(&context, &caller, &row, party, body.read()?, claim).await;
    open_once(&context, request, make).await
}

/// The dispute about a job, to its customer, its mechanic and admins.
#[utoipa::path(tag = "disputes", params(("id" = Uuid, Path)), responses((status = 200, body = Dispute)))]
#[get("/jobs/{id}/dispute")]
pub async fn get_job_dispute(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<Dispute>> {
    let (ViewedJob { row, .. }, _) = job.into_parts();
    let dispute = queries::of_job(&context.db, row.id).await?;
    Ok(Json(dispute.ok_or_else(|| ApiError::not_found("dispute"))?.into()))
}

/// Opens a dispute, or answers a repeated request with the dispute as it was opened.
pub(super) async fn open_once(
    context: &PaymentsContext,
    request: Request,
    make: impl AsyncFnOnce(&Claim) -> ApiResult<DisputeRow>,
) -> ApiResult<HttpResponse> {
    let row = idempotency::once(context, request, make, async |id, _| as_opened(context, id).await).await?;
    Ok(HttpResponse::Created().json(Dispute::from(row)))
}

async fn as_opened(context: &PaymentsContext, id: Uuid) -> ApiResult<DisputeRow> {
    let row = queries::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found("dispute"))?;
    let status = DisputeStatus::Open;
    // What was paid since is no part of it.
    let settled_at = row.settled_at.filter(|at| *at <= row.created_at);
    Ok(DisputeRow {
        status,
        outcome: None,
        amount_paise: None,
        note: None,
        resolved_at: None,
        settled_at,
        ..row
    })
}

/// Opens the dispute: the job, its money and the row in one transaction.
pub(super) async fn open(
    context: &PaymentsContext,
    caller: &Caller,
    row: &JobRow,
    party: Party,
    mut new: NewDispute,
    claim: &Claim,
) -> ApiResult<DisputeRow> {
    let evidence = evidence(context, caller, new.evidence_urls.take()).await?;
    let (now, user) = (context.clock.now(), UserId(caller.user_id));
    let by = match party {
        Party::Customer => Actor::Customer(user),
        Party::Mechanic => Actor::Mechanic(user),
    };
    let mut tx = context.db.begin().await?;
    let job = log::command(&mut tx, context, row.id, by, &Command::Dispute, now).await;
    let job = job.map_err(jobs::refused)?;
    let completion = job.completion();
    let completion = completion.ok_or_else(|| ApiError::internal("a disputed job without a completion"))?;
    let dispute = new_row(context.random.id(now), row, completion, party, (new, evidence), now);
    let settled_at = dues::find(&mut *tx, row.id).await?.and_then(|due| due.settled_at);
    let dispute = DisputeRow { settled_at, ..dispute };
    queries::insert(&mut tx, &dispute).await?;
    payments::hold_for_dispute(&mut tx, context, row.id, now).await?;
    idempotency::complete(&mut tx, claim, dispute.id).await?;
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, row.id).await;
    Ok(dispute)
}

fn new_row(
    id: Uuid,
    job: &JobRow,
    completion: &Completion,
    opened_by: Party,
    (new, evidence): (NewDispute, Vec<FileRef<EvidenceFile>>),
    now: DateTime<Utc>,
) -> DisputeRow {
    DisputeRow {
        id,
        job_id: job.id,
        customer_id: job.customer_id,
        mechanic_profile_id: completion.assignment.mechanic_id.0,
        opened_by,
        reason_code: new.reason_code,
        description: new.description.0,
        evidence_urls: evidence.into_iter().map(FileRef::into_url).collect(),
        status: DisputeStatus::Open,
        final_price_paise: completion.final_price_paise,
        outcome: None,
        amount_paise: None,
        note: None,
        created_at: now,
        resolved_at: None,
        settled_at: None,
    }
}

pub(super) async fn evidence(
    context: &PaymentsContext,
    caller: &Caller,
    urls: Option<Items<FileUrl, 0, 10>>,
) -> ApiResult<Vec<FileRef<EvidenceFile>>> {
    let mut faults = ValidationErrors::default();
    let urls = uploads::numbered("evidence_urls", urls.map(|items| items.0).unwrap_or_default());
    let files = uploads::refer(&context.db, context, caller.user_id, urls, &mut faults).await?;
    faults.into_result()?;
    Ok(files)
}

pub(super) fn party(viewer: Viewer) -> Option<Party> {
    match viewer {
        Viewer::Customer => Some(Party::Customer),
        Viewer::Mechanic => Some(Party::Mechanic),
        Viewer::Admin => None,
    }
}
