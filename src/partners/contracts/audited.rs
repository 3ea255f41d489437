//! Contracts in the audit log.

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::{ContractRow, TermsRow};
use crate::{
    http::Timestamp,
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        error::ApiResult,
    },
};

pub async fn made(
    core: &Core,
    tx: &mut PgConnection,
    admin: Uuid,
    row: &ContractRow,
    terms: &[TermsRow],
) -> ApiResult<()> {
    let categories: Vec<&str> = terms.iter().map(|terms| terms.service_category_slug.as_str()).collect();
    let after = json!({
        "organisation_id": row.organisation_id, "reference": row.reference, "cover_paise": row.cover_paise,
        "cover_km": row.cover_km, "accepts_promises": row.accepts_promises, "approval_default": row.approval_default,
        "shows_prices": row.shows_prices, "valid_from": Timestamp(row.valid_from),
        "valid_until": row.valid_until.map(Timestamp), "categories": categories,
    });
    record(core, tx, admin, ("partner_contract.create", row.id), (Value::Null, after)).await
}

pub async fn ended(core: &Core, tx: &mut PgConnection, admin: Uuid, row: &ContractRow) -> ApiResult<()> {
    let after = json!({"organisation_id": row.organisation_id, "ended_at": row.ended_at.map(Timestamp)});
    record(core, tx, admin, ("partner_contract.end", row.id), (json!({"ended_at": null}), after)).await
}

async fn record(
    core: &Core,
    tx: &mut PgConnection,
    admin: Uuid,
    (action, subject_id): (&str, Uuid),
    (before, after): (Value, Value),
) -> ApiResult<()> {
    let subject_kind = "partner_contract";
    let entry = NewAuditEntry { actor_id: Some(admin), action, subject_kind, subject_id, before, after };
    Ok(audit::record(tx, &core.random, core.clock.now(), entry).await?)
}
