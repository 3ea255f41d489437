//! The audit entries of organisations, their members and their keys. They never hold a key or a phone number.

use roadcall_http::Timestamp;
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    core::Core,
    error::ApiResult,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{keys::PartnerKeyRow, members::MemberRow, queries::OrganisationRow};
use crate::auth::{Principal, Scopes};

/// Records what an organisation was and is; `None` if there was none.
pub async fn organisation(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    before: Option<&OrganisationRow>,
    after: &OrganisationRow,
) -> ApiResult<()> {
    let shown = |row: &OrganisationRow| {
        json!({
            "name": row.name, "kind": row.kind, "status": row.status, "email": row.email,
            "has_phone": row.phone.is_some(),
        })
    };
    let action = if before.is_some() { "organisation.update" } else { "organisation.create" };
    write(core, tx, by, (action, "organisation", after.id), before.map_or(Value::Null, shown), shown(after))
        .await
}

pub async fn member_added(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    row: &MemberRow,
) -> ApiResult<()> {
    let after = member(row);
    write(core, tx, by, ("organisation_member.add", "organisation_member", row.id), Value::Null, after).await
}

pub async fn member_removed(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    row: &MemberRow,
) -> ApiResult<()> {
    let before = member(row);
    write(core, tx, by, ("organisation_member.remove", "organisation_member", row.id), before, Value::Null)
        .await
}

fn member(row: &MemberRow) -> Value {
    json!({"organisation_id": row.organisation_id, "user_id": row.user_id, "role": row.role})
}

/// Records a new key, and the key that it replaces.
pub async fn key_made(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    row: &PartnerKeyRow,
    replaced: Option<Uuid>,
) -> ApiResult<()> {
    let after = json!({
        "organisation_id": row.organisation_id, "name": row.name, "handle": row.handle,
        "scopes": Scopes::of(&row.scopes).list(), "acts_for": row.acts_for,
        "requests_per_minute": row.requests_per_minute, "expires_at": Timestamp(row.expires_at), "replaces": replaced,
    });
    let action = if replaced.is_some() { "partner_key.rotate" } else { "partner_key.create" };
    write(core, tx, by, (action, "partner_key", row.id), Value::Null, after).await
}

pub async fn key_revoked(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    row: &PartnerKeyRow,
) -> ApiResult<()> {
    let before = json!({"organisation_id": row.organisation_id, "name": row.name, "handle": row.handle});
    write(core, tx, by, ("partner_key.revoke", "partner_key", row.id), before, Value::Null).await
}

async fn write(
    core: &Core,
    tx: &mut PgConnection,
    by: Principal,
    (action, subject_kind, subject_id): (&str, &str, Uuid),
    before: Value,
    after: Value,
) -> ApiResult<()> {
    let actor_id = by.audit_actor();
    let entry = NewAuditEntry { actor_id, action, subject_kind, subject_id, before, after };
    Ok(audit::record_via(tx, &core.random, core.clock.now(), by.audit_via(), entry).await?)
}
