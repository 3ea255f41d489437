//! Narrowing an admin to some desks.

use serde_json::json;
use uuid::Uuid;

use super::claims;
use crate::{
    accounts::{
        auth::{
            self, AuthContext, Role, UserStatus,
            desk::{Desk, Desks},
        },
        users::{self, UserRow},
    },
    lifecycle::actions::lock_for_super_admin,
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// Lets an admin work at these desks, and at no other.
pub async fn change_desks(
    context: &AuthContext,
    super_admin: Uuid,
    id: Uuid,
    desks: &[Desk],
) -> ApiResult<UserRow> {
    let row = commit_desks(context, super_admin, id, desks).await?;
    auth::forget(context, id).await;
    Ok(row)
}

async fn commit_desks(
    context: &AuthContext,
    super_admin: Uuid,
    id: Uuid,
    desks: &[Desk],
) -> ApiResult<UserRow> {
    let now = context.clock.now();
    let (mut tx, before) = lock_for_super_admin(context, super_admin, id).await?;
    may_be_narrowed(context, &before)?;
    let narrowed = Desks::narrowed(desks);
    if narrowed == before.desks {
        return Ok(before);
    }
    users::set_desks(&mut tx, id, narrowed.as_deref(), now).await?;
    let after = users::find(&mut *tx, id).await?.ok_or_else(users::no_user)?;
    let entry = NewAuditEntry {
        actor_id: Some(super_admin),
        action: "user.desks",
        subject_kind: "user",
        subject_id: id,
        before: json!({"desks": before.at().list()}),
        after: json!({"desks": after.at().list()}),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(after)
}

fn may_be_narrowed(context: &AuthContext, row: &UserRow) -> ApiResult<()> {
    let conflict = |why: &'static str| Err(ApiError::new(Code::Conflict, why));
    match row.role {
        _ if row.status == UserStatus::Deleted => conflict("This account was deleted."),
        Role::Customer => conflict("This person is no admin."),
        Role::SuperAdmin => conflict("A super-admin is at every desk. Make them an admin first."),
        Role::Admin if row.role_by_claim && claims::say_desks(context.auth.claims()) => {
            conflict("The identity provider says which desks this admin is at. Change it there.")
        }
        Role::Admin => Ok(()),
    }
}
