//! Creating an admin from the command line: no one can invite the first super-admin.

use chrono::{DateTime, Utc};
use roadcall_actors::{clock::Clock, random::Random};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::{
            self, AdminAccountRow, Role, UserStatus,
            idp::{self, PasswordError},
        },
        invites, users,
    },
    http::Email,
    platform::{
        audit::{self, NewAuditEntry},
        db::Db,
        error::{ApiError, constraint},
    },
};

/// Why no admin was created.
#[derive(Debug, thiserror::Error)]
pub enum CreateAdminError {
    #[error("the email {0}")]
    Email(String),
    #[error("the role must be admin or super_admin")]
    Role,
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("this is the last active super-admin; create another one first")]
    LastSuperAdmin,
    #[error("the email already belongs to another admin")]
    EmailTaken,
    #[error(transparent)]
    Refused(#[from] ApiError),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Creates an account of the embedded identity provider and the admin who signs in with it; the email counts as verified. If an
/// account already signs in with that email, or an admin has it, that account gets the email, the password and the role, at every
/// desk; it is reinstated if suspended, and its sessions end. Works on the database alone, so a server may be running.
pub async fn create_admin(
    db: &Db,
    email: &str,
    password: &str,
    role: Role,
    clock: &Clock,
    random: &Random,
) -> Result<Uuid, CreateAdminError> {
    let email = Email::new(email.to_owned()).map_err(|why| CreateAdminError::Email(why.0))?.0;
    if role == Role::Customer {
        return Err(CreateAdminError::Role);
    }
    let password_hash = idp::hash_password(password.to_owned(), email.clone()).await?;
    create_admin_with_hash(db, &email, &password_hash, role, clock, random).await
}

/// Creates an admin like [`create_admin`], from the PHC string of a password. The caller has checked the email and the role.
pub async fn create_admin_with_hash(
    db: &Db,
    email: &str,
    password_hash: &str,
    role: Role,
    clock: &Clock,
    random: &Random,
) -> Result<Uuid, CreateAdminError> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    users::lock_admins(&mut tx).await?;
    let fresh_uid = random.id(now).to_string();
    let uid = idp::uid_of(&mut tx, email).await?.unwrap_or_else(|| fresh_uid.clone());
    let before = auth::admin_of_identity(&mut tx, &uid, email).await?;
    let mut audited_before = Value::Null;
    if let Some(account) = &before {
        may_be_kept(&mut tx, account, role, now).await?;
        let own_uid = account.idp_uid.as_deref().unwrap_or(&uid);
        let has_factor = idp::has_factor(&mut tx, own_uid).await?;
        audited_before = audited(account.role, account.email.as_deref(), account.status, has_factor);
    }
    let uid = idp::keep_account(&mut tx, &fresh_uid, email, password_hash, now).await?;
    let fresh_id = random.id(now);
    let user_id = keep(&mut tx, before.as_ref(), fresh_id, &Wanted { email, uid: &uid, role }, now).await?;
    if before.as_ref().is_some_and(|account| account.role == Role::SuperAdmin) && role != Role::SuperAdmin {
        invites::revoke_invites_of(&mut tx, random, user_id, None, now).await?;
    }
    auth::revoke_sessions(&mut tx, user_id, "new_password", now).await?;
    let entry = NewAuditEntry {
        actor_id: None,
        action: "admin.create",
        subject_kind: "user",
        subject_id: user_id,
        before: audited_before,
        // The new password comes without a second factor.
        after: audited(role, Some(email), UserStatus::Active, false),
    };
    audit::record(&mut tx, random, now, entry).await?;
    tx.commit().await?;
    Ok(user_id)
}

fn audited(role: Role, email: Option<&str>, status: UserStatus, has_factor: bool) -> Value {
    json!({"role": role, "email": email, "status": status, "second_factor": has_factor})
}

/// The email, the identity and the role that an account is to have.
struct Wanted<'a> {
    email: &'a str,
    uid: &'a str,
    role: Role,
}

async fn may_be_kept(
    tx: &mut PgConnection,
    account: &AdminAccountRow,
    role: Role,
    now: DateTime<Utc>,
) -> Result<(), CreateAdminError> {
    match account.role {
        // A former admin with the same identity.
        Role::Customer => Ok(super::roles::lock_future_admin(tx, account.id, now).await?),
        Role::SuperAdmin if role != Role::SuperAdmin => {
            let has_other = users::has_other_super_admin(tx, account.id).await?;
            if has_other { Ok(()) } else { Err(CreateAdminError::LastSuperAdmin) }
        }
        Role::Admin | Role::SuperAdmin => Ok(()),
    }
}

async fn keep(
    tx: &mut PgConnection,
    before: Option<&AdminAccountRow>,
    fresh_id: Uuid,
    &Wanted { email, uid, role }: &Wanted<'_>,
    now: DateTime<Utc>,
) -> Result<Uuid, CreateAdminError> {
    let Some(account) = before else {
        auth::insert_admin(tx, fresh_id, email, uid, (role, None), now).await?;
        return Ok(fresh_id);
    };
    auth::keep_admin(tx, account.id, email, uid, role, now).await.map_err(|error| {
        match constraint(&error) {
            Some("users_admin_email_key") => CreateAdminError::EmailTaken,
            _ => error.into(),
        }
    })?;
    if let Some(old) = account.idp_uid.as_deref().filter(|old| *old != uid) {
        idp::remove_account(tx, old).await?;
    }
    Ok(account.id)
}
