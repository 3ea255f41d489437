//! Actions of partners and admins on cases, in the audit log: no names, numbers or places of people.

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::CaseRow;
use crate::{
    accounts::auth::Principal,
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

/// Records an action on a promise or on extra work of a job.
pub async fn on_job(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    (action, job_id): (&str, Uuid),
    after: Value,
) -> ApiResult<()> {
    record(core, tx, by, (action, "job", job_id), (Value::Null, after)).await
}

/// Records how many vehicles a partner imported.
pub async fn imported(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    (organisation_id, added): (Uuid, usize),
) -> ApiResult<()> {
    let after = json!({ "added": added });
    let subject = ("partner_vehicles.import", "organisation", organisation_id);
    record(core, tx, by, subject, (Value::Null, after)).await
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
