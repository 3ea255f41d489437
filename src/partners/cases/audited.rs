//! Actions of partners and admins on cases, in the audit log: no names, numbers or places of people.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{documents::CaseDocumentRow, fleet::drivers::DriverRow, queries::CaseRow};
use crate::{
    accounts::auth::Principal,
    http::Timestamp,
    jobs::{CancelReason, LineItem, line_items::ItemDecision},
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        error::ApiResult,
    },
};

pub async fn made(core: &Core, tx: &mut PgConnection, by: Principal, case: &CaseRow) -> ApiResult<()> {
    let after = json!({
        "organisation_id": case.organisation_id, "contract_id": case.contract_id,
        "partner_reference": case.partner_reference, "status": case.status,
    });
    record(core, tx, by, ("partner_case.create", "partner_case", case.id), (Value::Null, after)).await
}

pub async fn closed(core: &Core, tx: &mut PgConnection, by: Principal, case: &CaseRow) -> ApiResult<()> {
    let after = json!({"organisation_id": case.organisation_id, "status": case.status});
    record(core, tx, by, ("partner_case.close", "partner_case", case.id), (json!({"status": "open"}), after))
        .await
}

/// A step of a job that a partner or an admin took.
#[derive(Debug)]
pub enum CaseJobAction<'a> {
    Cancel(CancelReason),
    SearchAgain,
    DecideItem(ItemDecision, &'a LineItem),
    AcceptPromise,
    /// The job's log has the reason, and forgets it with the case.
    RefusePromise,
    ExtendPromise {
        minutes: i32,
        reason: &'a str,
        promised_at: Option<DateTime<Utc>>,
    },
}

impl CaseJobAction<'_> {
    fn shown(&self) -> (&'static str, Value) {
        let of_item =
            |item: &LineItem| json!({"line_item_id": item.id, "total": item.total, "version": item.version});
        match self {
            Self::Cancel(reason_code) => ("job.cancel", json!({ "reason_code": reason_code })),
            Self::SearchAgain => ("job.retry", json!({})),
            Self::DecideItem(ItemDecision::Approve, item) => ("job.approve_item", of_item(item)),
            Self::DecideItem(ItemDecision::Reject, item) => ("job.reject_item", of_item(item)),
            Self::AcceptPromise => ("job.accept_promise", json!({})),
            Self::RefusePromise => ("job.refuse_promise", json!({})),
            Self::ExtendPromise { minutes, reason, promised_at } => {
                let after = json!({
                    "minutes": minutes, "reason": reason, "promised_at": promised_at.map(Timestamp),
                });
                ("job.extend_promise", after)
            }
        }
    }
}

/// Records a step of a job. The job's log only says that the organisation took it.
pub async fn on_job(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    job_id: Uuid,
    action: CaseJobAction<'_>,
) -> ApiResult<()> {
    let (action, after) = action.shown();
    record(core, tx, by, (action, "job", job_id), (Value::Null, after)).await
}

/// Records how many vehicles or drivers a partner imported. `action` says which.
pub async fn imported(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    (action, organisation_id, added): (&str, Uuid, usize),
) -> ApiResult<()> {
    let after = json!({ "added": added });
    let subject = (action, "organisation", organisation_id);
    record(core, tx, by, subject, (Value::Null, after)).await
}

/// Records that a partner added or deleted a driver.
pub async fn of_driver(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    action: &str,
    row: &DriverRow,
) -> ApiResult<()> {
    let after = json!({"organisation_id": row.organisation_id});
    record(core, tx, by, (action, "partner_driver", row.id), (Value::Null, after)).await
}

/// Records that a partner added or deleted a document of a case.
pub async fn of_document(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    action: &str,
    row: &CaseDocumentRow,
) -> ApiResult<()> {
    let after = json!({"document_id": row.id, "kind": row.kind});
    record(core, tx, by, (action, "partner_case", row.case_id), (Value::Null, after)).await
}

async fn record(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    (action, subject_kind, subject_id): (&str, &str, Uuid),
    (before, after): (Value, Value),
) -> ApiResult<()> {
    let actor_id = by.audit_actor();
    let entry = NewAuditEntry { actor_id, action, subject_kind, subject_id, before, after };
    Ok(audit::record_via(tx, &core.random, core.clock.now(), by.audit_via(), entry).await?)
}
