//! Admins whom the identity provider names by a claim (`identity.role_claim`). Whoever has one of its values is an admin at their
//! next sign-in, and somebody who has lost it is no admin any more. A role that was given by hand stays as it is.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::{self, AdminAccountRow, AuthContext, Role, UserStatus, suspended},
        invites,
    },
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, constraint},
        settings::IdentitySettings,
    },
    providers::identity::Identity,
};

/// What the claim made of an account.
pub(super) enum Standing {
    /// It says nothing about it.
    Unchanged(Option<AdminAccountRow>),
    /// It is an admin's, with this role.
    Given(AdminAccountRow),
    /// It is no admin's any more. Commit that, and refuse.
    Lost(Uuid),
}

/// The role that these values give: the higher one, if they give both.
fn role_of(settings: &IdentitySettings, values: &[String]) -> Option<Role> {
    let has_one_of = |named: &[String]| values.iter().any(|value| named.contains(value));
    if has_one_of(&settings.super_admin_values) {
        Some(Role::SuperAdmin)
    } else {
        has_one_of(&settings.admin_values).then_some(Role::Admin)
    }
}

/// Makes of the account what the claim says. Changes only an account that is certainly this identity's.
pub(super) async fn settle(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: Option<AdminAccountRow>,
    identity: &Identity,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    let claimed = role_of(&context.settings.identity, &identity.roles);
    match (account, claimed) {
        (Some(account), _) if account.role != Role::Customer && !account.role_by_claim => {
            Ok(Standing::Unchanged(Some(account)))
        }
        (None, None) => Ok(Standing::Unchanged(None)),
        (Some(account), None) if account.role == Role::Customer => Ok(Standing::Unchanged(Some(account))),
        (None, Some(role)) => {
            let id = context.random.id(now);
            auth::insert_admin(tx, id, &identity.email, &identity.uid, role, now).await.map_err(taken)?;
            auth::set_claimed_role(tx, id, role, now).await?;
            record(context, tx, id, Value::Null, role, now).await?;
            Ok(Standing::Given(AdminAccountRow {
                id,
                role,
                status: UserStatus::Active,
                email: Some(identity.email.clone()),
                idp_uid: Some(identity.uid.clone()),
                is_linked: false,
                role_by_claim: true,
            }))
        }
        (Some(account), Some(role)) if account.role == Role::Customer => {
            if account.status != UserStatus::Active {
                return Err(suspended());
            }
            super::roles::lock_future_admin(tx, account.id, now).await?;
            auth::make_admin_again(tx, account.id, &identity.email, role, now).await.map_err(taken)?;
            give(context, tx, account, role, now).await
        }
        (Some(account), claimed) => {
            let account = auth::may_sign_in_as(Some(account), identity)?;
            match claimed {
                Some(role) => give(context, tx, account, role, now).await,
                None => take(context, tx, &account, now).await,
            }
        }
    }
}

/// Gives the account this role. What it has open goes on only if the role is not less than before.
async fn give(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: AdminAccountRow,
    role: Role,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    if account.role != role {
        auth::set_claimed_role(tx, account.id, role, now).await?;
        if account.role != Role::Admin {
            auth::revoke_sessions(tx, account.id, "role_changed", now).await?;
        }
        record(context, tx, account.id, json!({"role": account.role}), role, now).await?;
        end_invites(context, tx, &account, now).await?;
    }
    Ok(Standing::Given(AdminAccountRow { role, role_by_claim: true, ..account }))
}

async fn take(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    auth::set_claimed_role(tx, account.id, Role::Customer, now).await?;
    auth::revoke_sessions(tx, account.id, "role_changed", now).await?;
    record(context, tx, account.id, json!({"role": account.role}), Role::Customer, now).await?;
    end_invites(context, tx, account, now).await?;
    Ok(Standing::Lost(account.id))
}

/// Only super-admins invite.
async fn end_invites(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    if account.role == Role::SuperAdmin {
        invites::revoke_invites_of(tx, &context.random, account.id, None, now).await?;
    }
    Ok(())
}

async fn record(
    context: &AuthContext,
    tx: &mut PgConnection,
    id: Uuid,
    before: Value,
    role: Role,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let entry = NewAuditEntry {
        actor_id: None,
        action: "user.role",
        subject_kind: "user",
        subject_id: id,
        before,
        after: json!({"role": role, "given_by": "identity_provider"}),
    };
    audit::record(tx, &context.random, now, entry).await
}

fn taken(error: sqlx::Error) -> ApiError {
    match constraint(&error) {
        Some("users_admin_email_key" | "users_idp_uid_key") => {
            ApiError::new(Code::Conflict, "An admin already uses this email address.")
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::settings::Settings;

    #[test]
    fn the_higher_of_two_roles_counts_and_other_values_give_none() {
        let mut settings = Settings::defaults().identity;
        settings.admin_values = vec!["dispatch".to_owned(), "desk".to_owned()];
        settings.super_admin_values = vec!["leads".to_owned()];
        let role = |values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            role_of(&settings, &values)
        };
        assert_eq!(role(&["staff", "desk"]), Some(Role::Admin));
        assert_eq!(role(&["desk", "leads"]), Some(Role::SuperAdmin));
        for none in [&[][..], &["staff"], &["Desk"], &["desk "], &[""]] {
            assert_eq!(role(none), None, "{none:?}");
        }
    }
}
