//! Accepting an invitation: an identity whose verified email was invited becomes an admin, and is signed in.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::{
            self, AdminAccountRow, AuthContext, Role, SignedIn, UserStatus,
            desk::Desk,
            idp,
            sessions::{self, SessionOwner},
            suspended,
        },
        invites, users,
    },
    platform::error::{ApiError, ApiResult, Code, commit_error, constraint},
    providers::identity::Identity,
};

/// Makes the holder of an invited, verified identity an admin, and signs them in.
pub async fn accept_invite(
    context: &AuthContext,
    token: &str,
    identity: &Identity,
    user_agent: Option<&str>,
) -> ApiResult<SignedIn> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    users::lock_admins(&mut tx).await?;
    let invite = invites::pending_invite_locked(&mut tx, token, now).await?;
    if !identity.email.eq_ignore_ascii_case(&invite.email) {
        return Err(ApiError::forbidden("This invitation is for a different email address."));
    }
    let account = auth::account_of_identity(&mut tx, &identity.uid).await?;
    if idp::lock_account(&mut tx, identity).await?.is_some_and(|id| id != invite.id) {
        return Err(ApiError::forbidden("This account was created with a different invitation."));
    }
    let returning = returning(account)?;
    if let Some(id) = returning {
        super::roles::lock_future_admin(&mut tx, id, now).await?;
        // Sessions that began with a phone number must not continue as an admin's.
        auth::revoke_sessions(&mut tx, id, "role_changed", now).await?;
    }
    let role = Role::from(invite.role);
    let fresh = context.random.id(now);
    let kept = (role, invite.desks.as_deref());
    let user_id = keep(&mut tx, returning, fresh, identity, kept, now).await?;
    invites::accept_invite(&mut tx, &context.random, &invite, user_id, now).await?;
    if identity.account_version.is_some() {
        idp::settle_account(&mut tx, &identity.uid).await?;
    }
    let signed_in =
        sessions::open(context, &mut tx, SessionOwner::admin(user_id, role), user_agent, now).await?;
    tx.commit().await.map_err(commit_error)?;
    auth::forget(context, user_id).await;
    Ok(signed_in)
}

/// Returns the account that this identity had as an admin before; `None` if the identity is new here.
fn returning(account: Option<AdminAccountRow>) -> ApiResult<Option<Uuid>> {
    match account {
        None => Ok(None),
        Some(AdminAccountRow { role: Role::Admin | Role::SuperAdmin, .. }) => {
            Err(ApiError::new(Code::Conflict, "You are already an admin. Sign in."))
        }
        Some(account) if account.status != UserStatus::Active => Err(suspended()),
        Some(account) => Ok(Some(account.id)),
    }
}

/// Stores the account with the uid of the accepting identity. By rule 3 of contract 4.1, the first login may later update it.
async fn keep(
    tx: &mut PgConnection,
    returning: Option<Uuid>,
    fresh: Uuid,
    identity: &Identity,
    role: (Role, Option<&[Desk]>),
    now: DateTime<Utc>,
) -> ApiResult<Uuid> {
    let email = identity.email.to_ascii_lowercase();
    let kept = match returning {
        Some(id) => auth::make_admin_again(tx, id, &email, role, now).await.map(|()| id),
        None => auth::insert_admin(tx, fresh, &email, &identity.uid, role, now).await.map(|()| fresh),
    };
    kept.map_err(|error| match constraint(&error) {
        Some("users_admin_email_key" | "users_idp_uid_key") => {
            ApiError::new(Code::Conflict, "An admin already uses this email address.")
        }
        _ => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_returns_to_its_account_and_no_admin_is_made_twice() {
        let account = |role, status| {
            let (id, idp_uid) = (Uuid::from_u128(1), Some("u1".to_owned()));
            Some(AdminAccountRow {
                id,
                role,
                status,
                email: None,
                idp_uid,
                is_linked: true,
                role_by_claim: false,
                desks: None,
            })
        };
        let cases = [
            (None, Ok(None)),
            (account(Role::Customer, UserStatus::Active), Ok(Some(Uuid::from_u128(1)))),
            (account(Role::Customer, UserStatus::Suspended), Err(Code::AccountSuspended)),
            (account(Role::Admin, UserStatus::Active), Err(Code::Conflict)),
            (account(Role::SuperAdmin, UserStatus::Suspended), Err(Code::Conflict)),
        ];
        for (account, expected) in cases {
            let case = format!("{account:?}");
            assert_eq!(returning(account).map_err(|error| error.code), expected, "{case}");
        }
    }
}
