//! The statements of both sides of a dispute, until an admin has resolved it.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    dto::{DisputeStatement, DisputeStatus, NewDisputeStatement, Party},
    handlers::{evidence, party},
    queries::{self, DisputeRow, StatementRow},
};
use crate::{
    accounts::{
        auth::{Caller, Customer},
        uploads::FileRef,
    },
    http::{Body, IdempotencyKey, List, Owned},
    jobs::ViewedJob,
    money::payments::PaymentsContext,
    notifications::{self, Addressee, DomainEvent},
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
        idempotency::{self, Claim, Request},
    },
};

/// The most statements that each side can make.
const MAX_PER_SIDE: i64 = 10;

/// Adds the caller's statement to the dispute about a job, as its customer or its mechanic, until it is resolved. The other
/// side is notified.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewDisputeStatement,
    responses(
        (status = 201, body = DisputeStatement),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the dispute is resolved; CONFLICT: this side \
            has made 10 statements; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
    ),
)]
#[post("/jobs/{id}/dispute/statements")]
pub async fn add_dispute_statement(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Customer>,
    key: IdempotencyKey,
    body: Body<NewDisputeStatement>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, viewer }, Customer(caller)) = job.into_parts();
    let party = party(viewer).ok_or_else(|| ApiError::not_found("job"))?;
    let dispute = of_job(&context, row.id).await?;
    let key = key.read()?;
    // The same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(caller.user_id, "/jobs/{id}/dispute/statements", key, &digested);
    let make =
        async |claim: &Claim| add_statement(&context, &caller, dispute.id, party, body.read()?, claim).await;
    let again = async |id, _| kept(&context, id).await;
    let made = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(DisputeStatement::from(made)))
}

/// What both sides said in the dispute about a job, the oldest first: to its customer, its mechanic and admins.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = List<DisputeStatement>)),
)]
#[get("/jobs/{id}/dispute/statements")]
pub async fn list_dispute_statements(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<List<DisputeStatement>>> {
    let dispute = of_job(&context, job.row.id).await?;
    let rows = queries::statements_of(&context.db, &[dispute.id], 2 * MAX_PER_SIDE).await?;
    Ok(Json(List { data: rows.into_iter().map(DisputeStatement::from).collect() }))
}

async fn of_job(context: &PaymentsContext, job_id: Uuid) -> ApiResult<DisputeRow> {
    queries::of_job(&context.db, job_id).await?.ok_or_else(no_dispute)
}

async fn kept(context: &PaymentsContext, id: Uuid) -> ApiResult<StatementRow> {
    queries::statement(&context.db, id).await?.ok_or_else(|| ApiError::not_found("statement"))
}

async fn add_statement(
    context: &PaymentsContext,
    caller: &Caller,
    dispute_id: Uuid,
    stated_by: Party,
    new: NewDisputeStatement,
    claim: &Claim,
) -> ApiResult<StatementRow> {
    let files = evidence(context, caller, new.evidence_urls).await?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let dispute = queries::lock(&mut tx, dispute_id).await?.ok_or_else(no_dispute)?;
    may_state(dispute.status, queries::count_statements(&mut tx, dispute.id, stated_by).await?)?;
    let row = StatementRow {
        id: context.random.id(now),
        dispute_id,
        stated_by,
        statement: new.statement.0,
        evidence_urls: files.into_iter().map(FileRef::into_url).collect(),
        created_at: now,
    };
    queries::insert_statement(&mut tx, &row).await?;
    let stated =
        DomainEvent::DisputeStatement { to: other_side(&dispute, stated_by), job_id: dispute.job_id };
    notifications::record_unless_unread(&mut tx, &context.random, stated, now).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wakeups.notify();
    Ok(row)
}

/// Why a side can't add a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementRefusal {
    Resolved,
    TooMany,
}

/// Whether a side that has `made` so many statements can add one.
fn may_state(status: DisputeStatus, made: i64) -> Result<(), StatementRefusal> {
    match status {
        DisputeStatus::Resolved => Err(StatementRefusal::Resolved),
        DisputeStatus::Open if made >= MAX_PER_SIDE => Err(StatementRefusal::TooMany),
        DisputeStatus::Open => Ok(()),
    }
}

impl From<StatementRefusal> for ApiError {
    fn from(refusal: StatementRefusal) -> Self {
        match refusal {
            StatementRefusal::Resolved => {
                Self::new(Code::InvalidTransition, "This dispute has been resolved, so you can't add to it.")
            }
            StatementRefusal::TooMany => {
                let message = format!(
                    "You have already made {MAX_PER_SIDE} statements, the maximum. Please wait for the decision."
                );
                Self::new(Code::Conflict, message)
            }
        }
    }
}

fn other_side(dispute: &DisputeRow, stated_by: Party) -> Addressee {
    match stated_by {
        Party::Customer => Addressee::Mechanic(dispute.mechanic_profile_id),
        Party::Mechanic => Addressee::User(dispute.customer_id),
    }
}

fn no_dispute() -> ApiError {
    ApiError::not_found("dispute")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_states_its_case_until_the_dispute_is_resolved_or_it_has_said_enough() {
        for (status, made, expected) in [
            (DisputeStatus::Open, 0, Ok(())),
            (DisputeStatus::Open, MAX_PER_SIDE - 1, Ok(())),
            (DisputeStatus::Open, MAX_PER_SIDE, Err(StatementRefusal::TooMany)),
            (DisputeStatus::Resolved, 0, Err(StatementRefusal::Resolved)),
            (DisputeStatus::Resolved, MAX_PER_SIDE, Err(StatementRefusal::Resolved)),
        ] {
            assert_eq!(may_state(status, made), expected, "{status} with {made}");
        }
    }
}
