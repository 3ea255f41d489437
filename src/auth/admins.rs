//! Making an admin from the command line: the first super-admin has nobody to invite them.

use roadcall_actors::{clock::Clock, random::Random};
use serde_json::json;
use sqlx::PgPool;
use uuid::Uuid;

use super::{Role, queries, sessions};
use crate::{
    admin::audit::{self, Entry},
    idp::{self, PasswordError},
    web::Email,
};

/// Why no admin was made.
#[derive(Debug, thiserror::Error)]
pub enum CreateAdminError {
    #[error("the email {0}")]
    Email(String),
    #[error("the role must be admin or super_admin")]
    Role,
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

/// Makes an account of the embedded identity provider and the admin who signs in with it; the email counts as
/// verified. Where the email is an admin's already, that admin gets the password and the role, is reinstated where
/// suspended, and their sessions end. Works on the database alone, so a running server may use it meanwhile.
pub async fn create_admin(
    db: &PgPool,
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
    let password_hash = idp::hash_password(password.to_owned()).await?;
    let now = clock.now();
    let mut tx = db.begin().await?;
    let fresh_uid = random.id(now).to_string();
    let uid = idp::keep_account(&mut tx, &fresh_uid, &email, &password_hash, now).await?;
    let user_id = queries::keep_admin(&mut tx, random.id(now), &email, &uid, role, now).await?;
    sessions::queries::revoke_sessions(&mut tx, user_id, "new_password", now).await?;
    let after = json!({"role": role, "email": email});
    let entry = Entry {
        actor_id: None,
        action: "admin.create",
        subject_kind: "user",
        subject_id: user_id,
        before: json!(null),
        after,
    };
    audit::record(&mut tx, random, now, entry).await?;
    tx.commit().await?;
    Ok(user_id)
}
