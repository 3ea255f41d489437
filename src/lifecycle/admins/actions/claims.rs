//! Admins whom the identity provider names by a claim (`identity.role_claim`). A person whose claim has one of the values becomes
//! an admin at their next sign-in, and loses the role when the value is gone. A role that was given by hand stays. The values of
//! desks make a person an admin at those desks only.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::{
            self, AdminAccountRow, AdminClaims, AuthContext, Role, UserStatus,
            desk::{Desk, Desks},
            suspended,
        },
        invites,
    },
    platform::{
        audit::{self, NewAuditEntry},
        error::{ApiError, ApiResult, Code, constraint},
    },
    providers::identity::Identity,
};

/// The claim's effect on an account.
pub(super) enum Standing {
    /// The claim does not concern the account.
    Unchanged(Option<AdminAccountRow>),
    /// The account is an admin's, with this role.
    Given(AdminAccountRow),
    /// The account has lost its role. Commit that, and refuse.
    Lost(Uuid),
}

/// The role and the desks that a claim gives.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Claimed {
    role: Role,
    /// `None` for all desks.
    desks: Option<Vec<Desk>>,
}

/// Returns whether the claim decides at which desks admins are; otherwise super-admins do.
pub(super) fn say_desks(claims: &AdminClaims) -> bool {
    Desk::ALL.iter().any(|desk| !claims.at(*desk).is_empty())
}

/// Returns the highest role that any of these values gives.
fn claimed(claims: &AdminClaims, values: &[String]) -> Option<Claimed> {
    let has_one_of = |named: &[String]| values.iter().any(|value| named.contains(value));
    if has_one_of(&claims.super_admin) {
        return Some(Claimed { role: Role::SuperAdmin, desks: None });
    }
    if has_one_of(&claims.admin) {
        return Some(Claimed { role: Role::Admin, desks: None });
    }
    let is_claimed = |desk: &Desk| has_one_of(claims.at(*desk));
    let desks: Vec<Desk> = Desk::ALL.iter().copied().filter(is_claimed).collect();
    (!desks.is_empty()).then(|| Claimed { role: Role::Admin, desks: Desks::narrowed(&desks) })
}

/// Changes the account as the claim says, if it certainly belongs to this identity.
pub(super) async fn settle(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: Option<AdminAccountRow>,
    identity: &Identity,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    let claimed = claimed(context.auth.claims(), &identity.roles);
    match (account, claimed) {
        (Some(account), _) if account.role != Role::Customer && !account.role_by_claim => {
            Ok(Standing::Unchanged(Some(account)))
        }
        (None, None) => Ok(Standing::Unchanged(None)),
        (Some(account), None) if account.role == Role::Customer => Ok(Standing::Unchanged(Some(account))),
        (None, Some(claimed)) => {
            let id = context.random.id(now);
            let given = (claimed.role, claimed.desks.as_deref());
            auth::insert_admin(tx, id, &identity.email, &identity.uid, given, now).await.map_err(taken)?;
            auth::set_claimed_role(tx, id, given, now).await?;
            record(context, tx, id, Value::Null, given, now).await?;
            let Claimed { role, desks } = claimed;
            Ok(Standing::Given(AdminAccountRow {
                id,
                role,
                desks,
                status: UserStatus::Active,
                email: Some(identity.email.clone()),
                idp_uid: Some(identity.uid.clone()),
                is_linked: false,
                role_by_claim: true,
            }))
        }
        (Some(account), Some(claimed)) if account.role == Role::Customer => {
            if account.status != UserStatus::Active {
                return Err(suspended());
            }
            super::roles::lock_future_admin(tx, account.id, now).await?;
            let given = (claimed.role, claimed.desks.as_deref());
            auth::make_admin_again(tx, account.id, &identity.email, given, now).await.map_err(taken)?;
            give(context, tx, account, claimed, now).await
        }
        (Some(account), claimed) => {
            let account = auth::may_sign_in_as(Some(account), identity)?;
            match claimed {
                Some(claimed) => give(context, tx, account, claimed, now).await,
                None => take(context, tx, &account, now).await,
            }
        }
    }
}

/// Gives the account the claimed role. Its sessions stay open only if the role is no lower than before.
async fn give(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: AdminAccountRow,
    Claimed { role, desks }: Claimed,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    let is_kept = account.role == role && !say_desks(context.auth.claims());
    let desks = if is_kept { account.desks.clone() } else { desks };
    if account.role != role || account.desks != desks {
        let given = (role, desks.as_deref());
        auth::set_claimed_role(tx, account.id, given, now).await?;
        if ![Role::Admin, role].contains(&account.role) {
            auth::revoke_sessions(tx, account.id, "role_changed", now).await?;
        }
        let before = state(account.role, account.desks.as_deref());
        record(context, tx, account.id, before, given, now).await?;
        end_invites(context, tx, &account, role, now).await?;
    }
    Ok(Standing::Given(AdminAccountRow { role, desks, role_by_claim: true, ..account }))
}

async fn take(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    now: DateTime<Utc>,
) -> ApiResult<Standing> {
    let given = (Role::Customer, None);
    auth::set_claimed_role(tx, account.id, given, now).await?;
    auth::revoke_sessions(tx, account.id, "role_changed", now).await?;
    let before = state(account.role, account.desks.as_deref());
    record(context, tx, account.id, before, given, now).await?;
    end_invites(context, tx, account, given.0, now).await?;
    Ok(Standing::Lost(account.id))
}

/// Ends the account's invitations if the role is not super-admin: only super-admins invite.
async fn end_invites(
    context: &AuthContext,
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    role: Role,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    if account.role == Role::SuperAdmin && role != Role::SuperAdmin {
        invites::revoke_invites_of(tx, &context.random, account.id, None, now).await?;
    }
    Ok(())
}

fn state(role: Role, desks: Option<&[Desk]>) -> Value {
    json!({"role": role, "desks": Desks::of(role, desks).list()})
}

async fn record(
    context: &AuthContext,
    tx: &mut PgConnection,
    id: Uuid,
    before: Value,
    (role, desks): (Role, Option<&[Desk]>),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let mut after = state(role, desks);
    after["given_by"] = json!("identity_provider");
    let entry = NewAuditEntry {
        actor_id: None,
        action: "user.role",
        subject_kind: "user",
        subject_id: id,
        before,
        after,
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
    use crate::service::settings::Settings;

    #[test]
    fn the_highest_claimed_role_counts_and_unknown_values_give_none() {
        let mut settings = Settings::defaults().identity;
        settings.admin_values = vec!["dispatch".to_owned(), "desk".to_owned()];
        settings.super_admin_values = vec!["leads".to_owned()];
        assert!(!say_desks(&AdminClaims::of(&settings)));
        settings.money_values = vec!["finance".to_owned()];
        settings.people_values = vec!["finance".to_owned(), "hr".to_owned()];
        let claims = AdminClaims::of(&settings);
        assert!(say_desks(&claims));
        let of = |values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            claimed(&claims, &values)
        };
        let given = |role, desks: Option<&[Desk]>| Some(Claimed { role, desks: desks.map(<[Desk]>::to_vec) });
        assert_eq!(of(&["staff", "desk", "finance"]), given(Role::Admin, None));
        assert_eq!(of(&["desk", "leads"]), given(Role::SuperAdmin, None));
        assert_eq!(of(&["hr"]), given(Role::Admin, Some(&[Desk::People])));
        assert_eq!(of(&["finance", "hr"]), given(Role::Admin, Some(&[Desk::Money, Desk::People])));
        for none in [&[][..], &["staff"], &["Desk"], &["desk "], &[""], &["Finance"]] {
            assert_eq!(of(none), None, "{none:?}");
        }
    }
}
