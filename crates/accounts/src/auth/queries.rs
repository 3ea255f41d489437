//! SQL of signing in, and of callers' rights.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor};
use uuid::Uuid;

use super::{Role, UserStatus};
use crate::auth::{MechanicStatus, desk::Desk};

/// Returns the secret stored under `name`; stores `fresh` if there was none. Two processes that start at once agree
/// on one secret.
pub async fn kept_secret(db: &Db, name: &str, fresh: &[u8], now: DateTime<Utc>) -> sqlx::Result<Vec<u8>> {
    sqlx::query(
        "insert into generated_secrets (name, value, created_at) values ($1, $2, $3)
         on conflict (name) do nothing",
    )
    .bind(name)
    .bind(fresh)
    .bind(now)
    .execute(db)
    .await?;
    sqlx::query_scalar("select value from generated_secrets where name = $1").bind(name).fetch_one(db).await
}

/// Returns the stored secret of that name.
pub async fn find_secret(db: impl PgExecutor<'_>, name: &str) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar("select value from generated_secrets where name = $1")
        .bind(name)
        .fetch_optional(db)
        .await
}

/// Stores another secret under that name.
pub async fn replace_secret(
    db: &mut PgConnection,
    name: &str,
    secret: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into generated_secrets (name, value, created_at) values ($1, $2, $3)
        on conflict (name) do update set value = excluded.value",
    )
    .bind(name)
    .bind(secret)
    .bind(now)
    .execute(db)
    .await
    .map(drop)
}

/// The account of a person who signs in.
#[derive(Debug, Clone, FromRow)]
pub struct SignInRow {
    pub id: Uuid,
    pub role: Role,
    pub status: UserStatus,
    /// The mechanic's profile, if the person is a mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    /// Whether the account was made just now.
    pub is_new: bool,
}

impl StoredRow for SignInRow {
    const TABLE: &str = "users";
}

/// Returns the person of a phone number, who is made with this id and name at first use. Locks the row either way, so
/// that the account can't be deleted while a session is opened for it.
pub async fn person_of_phone(
    tx: &mut PgConnection,
    id: Uuid,
    phone: &str,
    name: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<SignInRow> {
    sqlx::query(
        "insert into users (id, phone, name, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (phone) do update set phone = excluded.phone
         returning id, role, status, id = $1 as is_new,
             (select p.id from mechanic_profiles p where p.user_id = users.id) as mechanic_profile_id",
    )
    .bind(id)
    .bind(phone)
    .bind(name)
    .bind(now)
    .try_map(read::<SignInRow>)
    .fetch_one(tx)
    .await
}

/// An account that an admin's sign-in may belong to.
#[derive(Debug, Clone, FromRow)]
pub struct AdminAccountRow {
    pub id: Uuid,
    pub role: Role,
    pub status: UserStatus,
    pub email: Option<String>,
    pub idp_uid: Option<String>,
    /// Whether someone has signed in to it before.
    pub is_linked: bool,
    /// Whether the identity provider gave the role, by a claim.
    pub role_by_claim: bool,
    /// The desks to which an admin is restricted.
    pub desks: Option<Vec<Desk>>,
}

impl StoredRow for AdminAccountRow {
    const TABLE: &str = "users";
}

/// Returns the account with this identity, else the admin's account with this email, which is in lower case; locked
/// until the end of the transaction, so that two first logins can't both claim it.
pub async fn admin_of_identity(
    tx: &mut PgConnection,
    uid: &str,
    email: &str,
) -> sqlx::Result<Option<AdminAccountRow>> {
    sqlx::query(
        "select id, role, status, email, idp_uid, idp_linked_at is not null as is_linked, role_by_claim, desks
         from users
         where idp_uid = $1 or (lower(email collate \"C\") = $2 and role in ('admin', 'super_admin'))
         order by (idp_uid = $1) desc nulls last
         limit 1
         for update",
    )
    .bind(uid)
    .bind(email)
    .try_map(read::<AdminAccountRow>)
    .fetch_optional(tx)
    .await
}

/// Links the identity that signs in first to the account (contract 4.1, rule 3). Each login stores its email, which
/// is verified.
pub async fn link_identity(
    tx: &mut PgConnection,
    user_id: Uuid,
    uid: &str,
    verified_email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update users set idp_uid = $2, idp_linked_at = coalesce(idp_linked_at, $4), verified_email = $3, updated_at = $4
         where id = $1",
    )
    .bind(user_id)
    .bind(uid)
    .bind(verified_email)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// A person's rights, and their sessions.
#[derive(Debug, Clone, FromRow)]
pub struct PersonRow {
    pub id: Uuid,
    pub phone: Option<String>,
    pub role: Role,
    pub desks: Option<Vec<Desk>>,
    pub status: UserStatus,
    pub agreed_notice: Option<i64>,
    pub profile_id: Option<Uuid>,
    pub profile_status: Option<MechanicStatus>,
    /// Live sessions, each with its end at the same index of `session_ends`.
    pub session_ids: Vec<Uuid>,
    pub session_ends: Vec<DateTime<Utc>>,
}

impl StoredRow for PersonRow {
    const TABLE: &str = "users";
}

pub async fn people(db: &Db, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<Vec<PersonRow>> {
    sqlx::query(
        "select u.id, u.phone, u.role, u.desks, u.status, u.agreed_notice, p.id as profile_id, p.status as profile_status,
                coalesce(s.ids, '{}') as session_ids, coalesce(s.ends, '{}') as session_ends
         from users u
         left join mechanic_profiles p on p.user_id = u.id
         left join lateral (
             select array_agg(id order by id) as ids, array_agg(expires_at order by id) as ends
             from sessions
             where user_id = u.id and revoked_at is null and expires_at > $2
         ) s on true
         -- The subquery hides how many there are: Postgres then makes one plan for any number, once.
         where u.id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .bind(now)
    .try_map(read::<PersonRow>)
    .fetch_all(db)
    .await
}

/// Remembers for a day which person had this account, for limits that count what accounts did.
pub async fn keep_former_account(
    tx: &mut PgConnection,
    user_id: Uuid,
    person_key: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into former_accounts (user_id, person_key, ended_at) values ($1, $2, $3)
         on conflict (user_id) do nothing",
    )
    .bind(user_id)
    .bind(person_key)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes rows that no rule needs any longer, at most `limit` of each kind: old attempts and counts, dead codes,
/// tokens and sessions.
pub async fn sweep(
    db: &Db,
    now: DateTime<Utc>,
    attempts_before: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<u64> {
    let attempts = sqlx::query(
        "delete from otp_attempts where id in (select id from otp_attempts where at < $1 order by at limit $2)",
    )
    .bind(attempts_before);
    let codes = sqlx::query(
        "delete from otp_codes where phone in (select phone from otp_codes where expires_at < $1 limit $2) and expires_at < $1",
    )
    .bind(now);
    let tokens = sqlx::query(
        "delete from refresh_tokens where id in (
             select id from refresh_tokens where expires_at < $1 order by expires_at limit $2)",
    )
    .bind(now);
    let sessions = sqlx::query(
        "delete from sessions where id in (
             select s.id from sessions s
             where s.expires_at < $1
                 and not exists (select from refresh_tokens t where t.session_id = s.id)
                 and not exists (select from ws_tickets w where w.session_id = s.id)
             order by s.expires_at limit $2)",
    )
    .bind(now);
    let former = sqlx::query(
        "delete from former_accounts where user_id in (
             select user_id from former_accounts where ended_at < $1 order by ended_at limit $2)",
    )
    .bind(attempts_before);
    let text_messages = sqlx::query(
        "delete from text_message_counts where (scope, hour) in (
             select scope, hour from text_message_counts where hour < $1 order by hour limit $2)",
    )
    .bind(attempts_before);
    let mut swept = 0;
    for delete in [attempts, codes, tokens, sessions, former, text_messages] {
        swept += delete.bind(limit).execute(db).await?.rows_affected();
    }
    Ok(swept)
}

/// Makes an admin who has not signed in yet.
pub async fn insert_admin(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    uid: &str,
    (role, desks): (Role, Option<&[Desk]>),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into users (id, email, email_verified, verified_email, role, desks, idp_uid, created_at, updated_at)
         values ($1, $2, true, $2, $3, $6, $4, $5, $5)",
    )
    .bind(id)
    .bind(email)
    .bind(role)
    .bind(uid)
    .bind(now)
    .bind(desks)
    .execute(tx)
    .await?;
    Ok(())
}

/// Gives an account this email, identity and role, and reinstates it.
pub async fn keep_admin(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    uid: &str,
    role: Role,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update users
         set email = $2, email_verified = true, verified_email = $2, role = $3, role_by_claim = false, desks = null, idp_uid = $4,
             status = 'active', suspension_reason = null, updated_at = $5
         where id = $1",
    )
    .bind(id)
    .bind(email)
    .bind(role)
    .bind(uid)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns the account that belongs to this identity, whatever its role; locked until the end of the transaction.
pub async fn account_of_identity(tx: &mut PgConnection, uid: &str) -> sqlx::Result<Option<AdminAccountRow>> {
    sqlx::query(
        "select id, role, status, email, idp_uid, idp_linked_at is not null as is_linked, role_by_claim, desks
         from users where idp_uid = $1 for update",
    )
    .bind(uid)
    .try_map(read::<AdminAccountRow>)
    .fetch_optional(tx)
    .await
}

/// Gives a former admin's account its role back; its identity does not change.
pub async fn make_admin_again(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    (role, desks): (Role, Option<&[Desk]>),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update users
         set role = $3, role_by_claim = false, desks = $5, email = $2, email_verified = true, verified_email = $2, updated_at = $4
         where id = $1",
    )
    .bind(id)
    .bind(email)
    .bind(role)
    .bind(now)
    .bind(desks)
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the role that the identity provider's claim gives, or `customer` if the claim no longer gives one.
pub async fn set_claimed_role(
    tx: &mut PgConnection,
    id: Uuid,
    (role, desks): (Role, Option<&[Desk]>),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update users set role = $2, role_by_claim = $2 <> 'customer', desks = $4, updated_at = $3 where id = $1",
    )
    .bind(id)
    .bind(role)
    .bind(now)
    .bind(desks)
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns whether an admin has this email, which is in lower case.
pub async fn is_admins_email(tx: &mut PgConnection, email: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (
             select from users where lower(email collate \"C\") = $1 and role in ('admin', 'super_admin')
         )",
    )
    .bind(email)
    .fetch_one(tx)
    .await
}

/// Locks an account against changes until the transaction ends; rows may refer to it meanwhile. Returns its role and
/// status, unless it was anonymised.
pub async fn lock_account(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<(Role, UserStatus)>> {
    sqlx::query_as("select role, status from users where id = $1 and status <> 'deleted' for no key update")
        .bind(id)
        .fetch_optional(tx)
        .await
}

/// Makes the account of an organisation, which nobody signs in to, or gives it another name.
pub async fn keep_account_of_organisation(
    tx: &mut PgConnection,
    id: Uuid,
    name: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into users (id, name, created_at, updated_at) values ($1, $2, $3, $3)
         on conflict (id) do update set name = excluded.name, updated_at = excluded.updated_at",
    )
    .bind(id)
    .bind(name)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}
