//! Use cases of admins with organisations.

use roadcall_platform::{
    error::{ApiError, ApiResult, commit_error},
    idempotency::{self, Claim},
};
use uuid::Uuid;

use super::{
    audited,
    context::OrganisationsContext,
    dto::{NewOrganisation, OrganisationChanges},
    queries::{self, OrganisationRow},
    state::OrganisationStatus,
};
use crate::auth::{Principal, keep_account_of_organisation};

/// Adds an organisation with an account of its own.
pub async fn create(
    context: &OrganisationsContext,
    admin: Principal,
    new: NewOrganisation,
    claim: &Claim,
) -> ApiResult<OrganisationRow> {
    let now = context.clock.now();
    let row = OrganisationRow {
        id: context.random.id(now),
        account_id: context.random.id(now),
        name: new.name.0,
        kind: new.kind,
        phone: new.phone.map(|phone| phone.0),
        email: new.email.map(|email| email.0),
        status: OrganisationStatus::Active,
        created_at: now,
        updated_at: now,
    };
    let mut tx = context.db.begin().await?;
    keep_account_of_organisation(&mut tx, row.account_id, &row.name, now).await?;
    queries::keep(&mut tx, &row).await?;
    audited::organisation(context, &mut tx, admin, None, &row).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Changes the given fields. A suspension takes effect at once.
pub async fn change(
    context: &OrganisationsContext,
    admin: Principal,
    id: Uuid,
    changes: OrganisationChanges,
) -> ApiResult<OrganisationRow> {
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_organisation)?;
    let row = OrganisationRow {
        name: changes.name.map(|name| name.0).over(before.name.clone()),
        kind: changes.kind.over(before.kind),
        phone: changes.phone.map(|phone| phone.0).over(before.phone.clone()),
        email: changes.email.map(|email| email.0).over(before.email.clone()),
        status: changes.status.over(before.status),
        updated_at: context.clock.now(),
        ..before
    };
    keep_account_of_organisation(&mut tx, row.account_id, &row.name, row.updated_at).await?;
    queries::keep(&mut tx, &row).await?;
    audited::organisation(context, &mut tx, admin, Some(&before), &row).await?;
    let committed = tx.commit().await;
    context.forget();
    committed.map_err(commit_error)?;
    Ok(row)
}

pub(super) fn no_such_organisation() -> ApiError {
    ApiError::not_found("organisation")
}
