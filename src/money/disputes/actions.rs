//! The actions on a dispute: opening it, stating a case, and resolving it.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command, Completion},
};
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::{DisputeStatus, NewDispute, NewDisputeStatement, Party, Resolve},
    queries::{self, DisputeRow, Resolution, StatementRow},
};
use crate::{
    accounting::dues,
    accounts::uploads::{self, EvidenceFile, FileRef, FileUrl},
    http::{Items, ValidationErrors},
    jobs::{self, JobRow, log},
    money::payments::{self, PaymentsContext},
    notifications::{self, Addressee, DomainEvent},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// The maximum number of statements that each side can make.
pub const MAX_PER_SIDE: i64 = 10;

/// Opens a dispute: changes the job, holds its money and inserts the row in one transaction.
pub async fn open(
    context: &PaymentsContext,
    user_id: Uuid,
    row: &JobRow,
    party: Party,
    mut new: NewDispute,
    claim: &Claim,
) -> ApiResult<DisputeRow> {
    let evidence = evidence(context, user_id, new.evidence_urls.take()).await?;
    let (now, user) = (context.clock.now(), UserId(user_id));
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

/// Returns the dispute as it was when it was opened, which is the answer that its opener got.
pub async fn as_opened(context: &PaymentsContext, id: Uuid) -> ApiResult<DisputeRow> {
    let row = queries::find(&context.db, id).await?.ok_or_else(no_dispute)?;
    let status = DisputeStatus::Open;
    // Later payments were not part of that answer.
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

/// Adds a side's statement until the dispute is resolved, and notifies the other side.
pub async fn add_statement(
    context: &PaymentsContext,
    user_id: Uuid,
    dispute_id: Uuid,
    stated_by: Party,
    new: NewDisputeStatement,
    claim: &Claim,
) -> ApiResult<StatementRow> {
    let files = evidence(context, user_id, new.evidence_urls).await?;
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

fn other_side(dispute: &DisputeRow, stated_by: Party) -> Addressee {
    match stated_by {
        Party::Customer => Addressee::Mechanic(dispute.mechanic_profile_id),
        Party::Mechanic => Addressee::User(dispute.customer_id),
    }
}

/// Checks the files that a side shows as evidence, which must be its own, and returns them.
async fn evidence(
    context: &PaymentsContext,
    user_id: Uuid,
    urls: Option<Items<FileUrl, 0, 10>>,
) -> ApiResult<Vec<FileRef<EvidenceFile>>> {
    let mut faults = ValidationErrors::default();
    let urls = uploads::numbered("evidence_urls", urls.map(|items| items.0).unwrap_or_default());
    let files = uploads::refer(&context.db, context, user_id, urls, &mut faults).await?;
    faults.into_result()?;
    Ok(files)
}

/// Resolves a dispute as an admin: changes the job, its money, the row and the audit log in one transaction.
pub async fn resolve(
    context: &PaymentsContext,
    admin_id: Uuid,
    row: &JobRow,
    how: Resolve,
    claim: &Claim,
) -> ApiResult<()> {
    let checked = row.final_price_paise.map(|price| how.due_paise(price));
    if let Some(Err(why)) = checked {
        return Err(ApiError::invalid("price_reduction", why));
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let by = Actor::Admin(UserId(admin_id));
    log::command(&mut tx, context, row.id, by, &Command::Resolve, now).await.map_err(jobs::refused)?;
    let resolution = Resolution {
        outcome: how.outcome,
        amount_paise: how.price_reduction.map(|off| off.0),
        note: &how.note.0,
        resolved_by: admin_id,
    };
    let dispute = queries::resolve(&mut tx, row.id, &resolution, now).await?;
    let dispute = dispute.ok_or_else(|| ApiError::internal("a disputed job without an open dispute"))?;
    let due_paise = how.due_paise(dispute.final_price_paise);
    let due_paise = due_paise.map_err(|why| ApiError::invalid("price_reduction", why))?;
    let settled = (due_paise, "A dispute was resolved.");
    payments::settle_dispute(&mut tx, context, row.id, settled, admin_id, now).await?;
    audit::record(&mut tx, &context.random, now, entry(admin_id, &dispute, due_paise)).await?;
    idempotency::complete(&mut tx, claim, dispute.id).await?;
    tx.commit().await.map_err(commit_error)?;
    payments::wake_refunds(context);
    log::notify_committed(context, row.id).await;
    Ok(())
}

/// Returns the audit entry, in addition to the journal's record of the job's transition.
fn entry(admin_id: Uuid, dispute: &DisputeRow, due_paise: i64) -> audit::NewAuditEntry<'static> {
    audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "dispute.resolve",
        subject_kind: "dispute",
        subject_id: dispute.id,
        before: json!({"status": DisputeStatus::Open, "due_paise": dispute.final_price_paise}),
        after: json!({
            "status": dispute.status, "outcome": dispute.outcome, "amount_paise": dispute.amount_paise,
            "note": dispute.note, "due_paise": due_paise,
        }),
    }
}

pub fn no_dispute() -> ApiError {
    ApiError::not_found("dispute")
}

/// The reason why a side can't add a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementRefusal {
    Resolved,
    TooMany,
}

/// Checks whether a side that has `made` this many statements can add another.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_can_add_statements_until_the_dispute_is_resolved_or_the_limit_is_reached() {
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
