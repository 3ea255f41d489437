//! SQL of accounts.

use chrono::{DateTime, Utc};
use roadcall_http::{Between, ListWindow, PageParams, Patch, SearchText, list_filter};
use roadcall_platform::db::{StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor};
use uuid::Uuid;

use crate::auth::{
    Role, UserStatus,
    desk::{Desk, Desks},
};

/// An account.
#[derive(Debug, Clone, FromRow)]
pub struct UserRow {
    pub id: Uuid,
    pub phone: Option<String>,
    pub name: Option<String>,
    pub email: Option<String>,
    pub email_verified: bool,
    pub role: Role,
    /// Whether the identity provider gave the role, by a claim.
    pub role_by_claim: bool,
    /// The desks to which an admin is restricted.
    pub desks: Option<Vec<Desk>>,
    pub avatar_url: Option<String>,
    pub language: String,
    pub status: UserStatus,
    pub suspension_reason: Option<String>,
    pub max_open_jobs: Option<i32>,
    pub idp_uid: Option<String>,
    pub mechanic_profile_id: Option<Uuid>,
    pub phone_changed_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for UserRow {
    const TABLE: &str = "users";
}

impl UserRow {
    /// Returns the desks at which the person works as an admin.
    pub fn at(&self) -> Desks {
        Desks::of(self.role, self.desks.as_deref())
    }
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query(
        "select u.*, p.id as mechanic_profile_id
         from users u left join mechanic_profiles p on p.user_id = u.id
         where u.id = $1",
    )
    .bind(id)
    .try_map(read::<UserRow>)
    .fetch_optional(db)
    .await
}

/// Locks the account. Waits for other writers of the account and for rows that are just being made for it: a new
/// row's foreign key holds the account `for key share`, which this lock excludes.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query("select id from users where id = $1 for update").bind(id).execute(&mut *tx).await?;
    find(tx, id).await
}

/// The fields that a person may change of their own account.
#[derive(Debug, Clone)]
pub struct Changes {
    pub name: Patch<String>,
    pub email: Patch<String>,
    pub avatar_url: Patch<String>,
    pub language: Option<String>,
}

/// Returns whether the field is changed, and its new value.
fn change(patch: Patch<String>) -> (bool, Option<String>) {
    let is_touched = patch != Patch::Keep;
    (is_touched, patch.over(None))
}

/// Updates the account. A changed email is no longer verified. Returns false if the account was anonymised a moment
/// ago.
pub async fn update(
    tx: &mut PgConnection,
    id: Uuid,
    changes: Changes,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let (name, email, avatar) = (change(changes.name), change(changes.email), change(changes.avatar_url));
    let done = sqlx::query(
        "update users
         set name = case when $2 then $3 else name end,
             email_verified = email_verified and (not $4 or $5 is not distinct from email),
             email = case when $4 then $5 else email end,
             avatar_url = case when $6 then $7 else avatar_url end,
             language = coalesce($8, language),
             updated_at = $9
         where id = $1 and status <> 'deleted'",
    )
    .bind(id)
    .bind(name.0)
    .bind(name.1)
    .bind(email.0)
    .bind(email.1)
    .bind(avatar.0)
    .bind(avatar.1)
    .bind(changes.language)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Gives the person an address that is confirmed as their own.
pub async fn confirm_email(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update users set email = $2, email_verified = true, updated_at = $3 where id = $1")
        .bind(id)
        .bind(email)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns the version of the privacy notice to which the person agrees.
pub async fn agreed_notice(db: impl PgExecutor<'_>, id: Uuid) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar("select agreed_notice from users where id = $1")
        .bind(id)
        .fetch_optional(db)
        .await
        .map(Option::flatten)
}

/// Stores the version of the privacy notice to which the person agrees, or `None`.
pub async fn set_agreed_notice(tx: &mut PgConnection, id: Uuid, version: Option<i64>) -> sqlx::Result<()> {
    sqlx::query("update users set agreed_notice = $2 where id = $1")
        .bind(id)
        .bind(version)
        .execute(tx)
        .await
        .map(drop)
}

/// Removes the person's address.
pub async fn clear_email(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("update users set email = null, email_verified = false, updated_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns whether the person has a job from pending to in_progress, as a customer or as its mechanic.
pub async fn has_open_job(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (
             select from jobs
             where customer_id = $1
                 and is_open
         ) or exists (
             select from job_states j join mechanic_profiles p on p.id = j.mechanic_profile_id
             where p.user_id = $1 and j.is_active
         )",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Lets one transaction at a time change who is an admin, so that the last two super-admins can't leave at the same
/// moment. This lock precedes every other lock: the locks of users, of invitations and of the embedded provider's
/// accounts follow, in this order.
pub async fn lock_admins(tx: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_xact_lock(3, 0)").execute(tx).await?;
    Ok(())
}

/// Returns whether there is a super-admin besides this one; [`lock_admins`] first.
pub async fn has_other_super_admin(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (
             select from users where role = 'super_admin' and status = 'active' and id <> $1
         )",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Removes everything that identifies the person; rows of jobs still refer to the account.
pub async fn anonymise(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query(
        "update users
         set phone = null, name = null, email = null, email_verified = false, verified_email = null, avatar_url = null, idp_uid = null,
             idp_linked_at = null, suspension_reason = null, status = 'deleted', updated_at = $2
         where id = $1",
    )
    .bind(id)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn set_status(
    tx: &mut PgConnection,
    id: Uuid,
    status: UserStatus,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update users set status = $2, suspension_reason = $3, updated_at = $4 where id = $1")
        .bind(id)
        .bind(status)
        .bind(reason)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn set_role(tx: &mut PgConnection, id: Uuid, role: Role, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query(
        "update users set role = $2, role_by_claim = false, desks = null, updated_at = $3 where id = $1",
    )
    .bind(id)
    .bind(role)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Restricts an admin to these desks; `None` means every desk.
pub async fn set_desks(
    tx: &mut PgConnection,
    id: Uuid,
    desks: Option<&[Desk]>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update users set desks = $2, updated_at = $3 where id = $1")
        .bind(id)
        .bind(desks)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns the people who may act as an admin at this desk, the oldest accounts first, at most `limit`.
pub async fn active_admins(db: impl PgExecutor<'_>, desk: Desk, limit: i64) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from users
         where status = 'active' and (role = 'super_admin' or role = 'admin' and (desks is null or $2 = any(desks)))
         order by created_at, id
         limit $1",
    )
    .bind(limit)
    .bind(desk)
    .fetch_all(db)
    .await
}

/// The condition on admins of both kinds who have not left.
macro_rules! listed_admins {
    () => {
        "u.role in ('admin', 'super_admin') and u.status <> 'deleted'"
    };
}

/// Lists admins of both kinds, the newest first, without those who have left.
pub async fn list_admins(db: impl PgExecutor<'_>, page: PageParams) -> sqlx::Result<Vec<UserRow>> {
    sqlx::query(concat!(
        "select u.*, p.id as mechanic_profile_id
         from users u left join mechanic_profiles p on p.user_id = u.id
         where ",
        listed_admins!(),
        " order by u.created_at desc, u.id desc limit $1 offset $2",
    ))
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<UserRow>)
    .fetch_all(db)
    .await
}

pub async fn count_admins(db: impl PgExecutor<'_>) -> sqlx::Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from users u where ", listed_admins!())).fetch_one(db).await
}

list_filter! {
    /// The filter of the admins' list of accounts.
    UserFilter {
        role: Option<Role>,
        status: Option<UserStatus>,
        /// Words that begin words of the name or the email; or the last digits of the phone number, also of one that they had
        /// in the last half year, or the beginning or end of the plate of one of their vehicles, at least 4 characters. `total`
        /// counts at most 1,000 of the people that it finds.
        q: SearchText,
        /// Made in this time.
        made: Between,
    }
}

/// The conditions of [`UserFilter`] other than the search: $1 is the role, $2 the status, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or u.role = $1)
             and ($2::text is null or u.status = $2)
             and ($3::timestamptz is null or u.created_at >= $3)
             and ($4::timestamptz is null or u.created_at < $4)"
    };
}

/// The accounts that a search finds: $5 to $8 are the forms of its text, and $9 is the most that each part gives, if not all. Each index
/// gives its part, and the subquery hides the words: together with the order, the newest accounts would be looked through one by one.
macro_rules! found {
    () => {
        concat!(
            "(select u.id, u.created_at from users u
              where search_words(u.name, u.email) @@ (select search_query($5)) and ",
            listed!(),
            " limit $9::bigint) union
             (select u.id, u.created_at from users u where reverse(u.phone) like $6 and ",
            listed!(),
            " limit $9::bigint) union
             (select u.id, u.created_at from users u
              where u.id = any(array(select user_id from phone_changes where reverse(old_phone) like $6)) and ",
            listed!(),
            " limit $9::bigint) union
             (select u.id, u.created_at from users u
              where u.id = any(array(
                  select user_id from vehicles
                  where (registration_number like $7 or reverse(registration_number) like $8) and deleted_at is null)) and ",
            listed!(),
            " limit $9::bigint)",
        )
    };
}

/// The condition that a search finds an account, for accounts that are looked at one by one: each clause is the one in `found` for which
/// there is an index.
macro_rules! is_found {
    () => {
        "(lower(concat_ws(chr(10), u.name, u.email)) ~ all((select search_patterns($5))::text[])
             or reverse(u.phone) like $6
             or u.id in (select user_id from phone_changes where reverse(old_phone) like $6)
             or u.id in (
                 select user_id from vehicles
                 where (registration_number like $7 or reverse(registration_number) like $8) and deleted_at is null))"
    };
}

/// Lists accounts, the newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &UserFilter,
    window: ListWindow,
) -> sqlx::Result<Vec<UserRow>> {
    if filter.q.words.is_some() {
        return list_found(db, filter, window).await;
    }
    sqlx::query(concat!(
        "select u.*, p.id as mechanic_profile_id
         from users u left join mechanic_profiles p on p.user_id = u.id
         where ",
        listed!(),
        " and ($5::timestamptz is null or (u.created_at, u.id) < ($5, $6))
         order by u.created_at desc, u.id desc
         limit $7 offset $8",
    ))
    .bind(filter.role)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    // The statement is planned anew for the given filters.
    .persistent(false)
    .try_map(read::<UserRow>)
    .fetch_all(db)
    .await
}

/// Lists the accounts that a search finds. The newest 1,000 accounts are looked at first, one by one: if many fit the search, the page is
/// full before long. The indexes find all others, which are few enough to be sorted.
async fn list_found(
    db: impl PgExecutor<'_>,
    filter: &UserFilter,
    window: ListWindow,
) -> sqlx::Result<Vec<UserRow>> {
    sqlx::query(concat!(
        "with recent as materialized (
             select u.id, u.created_at from (
                 select * from users
                 where ($10::timestamptz is null or (created_at, id) < ($10, $11))
                 order by created_at desc, id desc
                 limit 1000) u
             where ",
        listed!(),
        " and ",
        is_found!(),
        " order by created_at desc, id desc
            limit $12::bigint + $13::bigint
         ), page as (
             select id, created_at from recent where (select count(*) from recent) >= $12::bigint + $13::bigint
             union all
             select id, created_at from (",
        found!(),
        ") hit
             where (select count(*) from recent) < $12::bigint + $13::bigint
                 and ($10::timestamptz is null or (created_at, id) < ($10, $11))
             order by created_at desc, id desc
             limit $12 offset $13)
         select u.*, p.id as mechanic_profile_id
         from page join users u on u.id = page.id left join mechanic_profiles p on p.user_id = u.id
         order by u.created_at desc, u.id desc",
    ))
    .bind(filter.role)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .bind(None::<i64>)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    // The statement is planned anew for the given filters, so that a search uses its indexes.
    .persistent(false)
    .try_map(read::<UserRow>)
    .fetch_all(db)
    .await
}

/// Counts the accounts; of those that a search finds, at most as many as that.
pub async fn count(
    db: impl PgExecutor<'_>,
    filter: &UserFilter,
    most_found: Option<i64>,
) -> sqlx::Result<i64> {
    if filter.q.words.is_some() {
        return count_found(db, filter, most_found).await;
    }
    sqlx::query_scalar(concat!("select count(*) from users u where ", listed!()))
        .bind(filter.role)
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Counts what a search finds. If most of the newest accounts fit, no index is read: it would have to name every account that fits before
/// the first is counted.
async fn count_found(db: impl PgExecutor<'_>, filter: &UserFilter, most: Option<i64>) -> sqlx::Result<i64> {
    sqlx::query_scalar(concat!(
        "with recent as materialized (
             select u.id from (select * from users order by created_at desc, id desc limit 2000) u
             where ",
        listed!(),
        " and ",
        is_found!(),
        " limit $9::bigint
         )
         select case when (select count(*) from recent) >= $9::bigint then $9::bigint
             else (select count(*) from (select from (",
        found!(),
        ") hit limit $9::bigint) counted) end",
    ))
    .bind(filter.role)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .bind(most)
    .persistent(false)
    .fetch_one(db)
    .await
}

/// Returns people who left before then and whose jobs have exact places, by id, after that one.
pub async fn left_before(
    db: impl PgExecutor<'_>,
    before: DateTime<Utc>,
    after: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from users
         where status = 'deleted' and coarsened_at is null and updated_at < $1 and id > $2
         order by id limit $3",
    )
    .bind(before)
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Notes that exact places were removed from this person's jobs.
pub async fn mark_coarsened(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("update users set coarsened_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Sets how many jobs a customer may have open at once; `None` restores everybody's limit.
pub async fn set_max_open_jobs(
    tx: &mut PgConnection,
    id: Uuid,
    most: Option<i32>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update users set max_open_jobs = $2, updated_at = $3 where id = $1")
        .bind(id)
        .bind(most)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}
