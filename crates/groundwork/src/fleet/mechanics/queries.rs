use chrono::{DateTime, Utc};
use roadcall_accounts::auth::{MechanicStatus, UserStatus};
use roadcall_http::{Between, ListWindow, SearchText, list_filter};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{changes::Served, documents::DocumentType, state::ProfileStatus};
use crate::catalogue::vehicles::VehicleKind;

/// A row of `mechanic_profiles`, without the position.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ProfileRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub status: MechanicStatus,
    pub rejection_reason: Option<String>,
    pub suspension_reason: Option<String>,
    pub is_available: bool,
    pub service_radius_km: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub avg_rating: f64,
    pub total_ratings: i32,
    pub total_jobs: i32,
    /// The name that an admin verified with the documents.
    pub verified_name: Option<String>,
    /// When an admin last verified the profile.
    pub verified_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for ProfileRow {
    const TABLE: &str = "mechanic_profiles";
}

impl ProfileRow {
    /// Returns the state machine's view of the row.
    pub fn profile_status(&self) -> ProfileStatus {
        match self.status {
            MechanicStatus::PendingVerification => ProfileStatus::PendingVerification,
            MechanicStatus::Verified => ProfileStatus::Verified,
            MechanicStatus::Rejected => {
                ProfileStatus::Rejected { reason: self.rejection_reason.clone().unwrap_or_default() }
            }
            MechanicStatus::Suspended => {
                ProfileStatus::Suspended { reason: self.suspension_reason.clone().unwrap_or_default() }
            }
        }
    }

    /// Returns what the mechanic serves.
    pub fn served(&self) -> Served {
        Served {
            vehicle_types: self.vehicle_types.clone(),
            service_category_ids: self.service_category_ids.clone(),
        }
    }

    pub fn set_served(&mut self, served: Served) {
        (self.vehicle_types, self.service_category_ids) = (served.vehicle_types, served.service_category_ids);
    }

    /// Sets the row's status. Only a verified mechanic can be available.
    pub fn set_status(&mut self, standing: ProfileStatus) {
        self.status = standing.status();
        self.is_available &= self.status == MechanicStatus::Verified;
        (self.rejection_reason, self.suspension_reason) = match standing {
            ProfileStatus::PendingVerification | ProfileStatus::Verified => (None, None),
            ProfileStatus::Rejected { reason } => (Some(reason), None),
            ProfileStatus::Suspended { reason } => (None, Some(reason)),
        };
    }
}

#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct DocumentRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: DocumentType,
    pub file_url: String,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for DocumentRow {
    const TABLE: &str = "mechanic_documents";
}

/// A verified profile with its person's name.
#[derive(Debug, FromRow)]
pub struct CardRow {
    pub id: Uuid,
    pub name: Option<String>,
    pub avatar_url: Option<String>,
    pub avg_rating: f64,
    pub total_ratings: i32,
    pub total_jobs: i32,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for CardRow {
    const TABLE: &str = "mechanic_profiles";
}

/// A profile with its person, for admins.
#[derive(Debug, FromRow)]
pub struct AdminProfileRow {
    #[sqlx(flatten)]
    pub profile: ProfileRow,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub account_status: UserStatus,
    pub has_pending_change: bool,
    pub parked_until: Option<DateTime<Utc>>,
}

impl StoredRow for AdminProfileRow {
    const TABLE: &str = "mechanic_profiles";
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ProfileRow>> {
    sqlx::query("select * from mechanic_profiles where id = $1").bind(id).optional(db).await
}

/// Finds a profile like [`find`], but locks the row for a change.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<ProfileRow>> {
    sqlx::query(
        "select * from mechanic_profiles where id = $1
        for no key update",
    )
    .bind(id)
    .optional(tx)
    .await
}

/// Locks a person's profile for a change.
pub async fn lock_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<Option<ProfileRow>> {
    sqlx::query(
        "select * from mechanic_profiles where user_id = $1
        for no key update",
    )
    .bind(user_id)
    .optional(tx)
    .await
}

pub async fn find_card(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<CardRow>> {
    sqlx::query(
        "select profile.id, person.name, person.avatar_url, profile.avg_rating, profile.total_ratings,
            profile.total_jobs, profile.vehicle_types, profile.service_category_ids, profile.created_at
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where profile.id = $1 and profile.status = 'verified' and person.status = 'active'",
    )
    .bind(id)
    .optional(db)
    .await
}

/// Returns whether a verified mechanic was last seen within their radius and `around_km` of a place, on a plane with degrees of
/// 111.2 km. Positions are rounded to a tenth of a degree, so that asking from many places reveals nobody's.
pub async fn is_within_reach(db: impl PgExecutor<'_>, lat: f64, lng: f64, around_km: f64) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select from mechanic_profiles
            where status = 'verified' and 111.2 * sqrt(
                power(round(last_lat::numeric, 1)::double precision - $1, 2)
                + power((mod((round(last_lng::numeric, 1)::double precision - $2 + 540)::numeric, 360) - 180)::double precision * cosd($1), 2)
            ) <= service_radius_km + $3)",
    )
    .bind(lat)
    .bind(lng)
    .bind(around_km)
    .fetch_one(db)
    .await
}

/// Returns the names of those profiles whose person has one.
pub async fn names(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>> {
    sqlx::query_as(
        "select profile.id, person.name
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where profile.id = any((select $1)::uuid[]) and person.name is not null",
    )
    .bind(ids)
    .fetch_all(db)
    .await
}

pub async fn find_for_admin(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<AdminProfileRow>> {
    sqlx::query(
        "select profile.*, person.name, person.phone, person.status as account_status,
            exists (select from mechanic_changes where mechanic_profile_id = profile.id) as has_pending_change
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where profile.id = $1",
    )
    .bind(id)
    .optional(db)
    .await
}

list_filter! {
    /// The filter of the admins' list of mechanics.
    MechanicFilter {
        /// Only mechanics with this status.
        status: Option<MechanicStatus>,
        /// Words that begin words of the name or the email, or the last digits of the phone number, at least 4.
        q: SearchText,
        /// Registered in this time.
        made: Between,
    }
}

/// The condition of [`MechanicFilter`]: $1 is the status, $2 and $3 are the forms of the search text, $4 and $5 are the
/// period. Matching people are collected first, as in the list of accounts.
macro_rules! listed {
    () => {
        "($1::text is null or profile.status = $1)
            and ($2::text is null or profile.user_id = any(array(
                select id from users where search_words(name, email) @@ search_query($2) or reverse(phone) like $3)))
            and ($4::timestamptz is null or profile.created_at >= $4)
            and ($5::timestamptz is null or profile.created_at < $5)"
    };
}

/// Lists profiles, newest first.
pub async fn list_for_admin(
    db: impl PgExecutor<'_>,
    filter: &MechanicFilter,
    window: ListWindow,
) -> Result<Vec<AdminProfileRow>> {
    sqlx::query(concat!(
        "select profile.*, person.name, person.phone, person.status as account_status,
            exists (select from mechanic_changes where mechanic_profile_id = profile.id) as has_pending_change
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where ",
        listed!(),
        " and ($6::timestamptz is null or (profile.created_at, profile.id) < ($6, $7))
        order by profile.created_at desc, profile.id desc
        limit $8 offset $9",
    ))
    .bind(filter.status)
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    // The statement is planned for the given filters, so that a search uses its indexes.
    .persistent(false)
    .all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &MechanicFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from mechanic_profiles profile where ", listed!()))
        .bind(filter.status)
        .bind(&filter.q.words)
        .bind(&filter.q.phone)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

pub async fn insert(tx: &mut PgConnection, row: &ProfileRow) -> Result<()> {
    sqlx::query(
        "insert into mechanic_profiles (id, user_id, status, rejection_reason, suspension_reason, is_available,
            service_radius_km, vehicle_types, service_category_ids, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(row.status)
    .bind(&row.rejection_reason)
    .bind(&row.suspension_reason)
    .bind(row.is_available)
    .bind(row.service_radius_km)
    .bind(&row.vehicle_types)
    .bind(&row.service_category_ids)
    .bind(row.created_at)
    .bind(row.updated_at)
    .run(tx)
    .await
}

/// Writes the columns of this area: the status and what is served. Other areas write ratings, counts and the position.
pub async fn update(tx: &mut PgConnection, row: &ProfileRow) -> Result<()> {
    sqlx::query(
        "update mechanic_profiles set status = $2, rejection_reason = $3, suspension_reason = $4,
            is_available = $5, available_since = case when $5 then available_since end, service_radius_km = $6,
            vehicle_types = $7, service_category_ids = $8, verified_name = $9, verified_at = $10, updated_at = $11
        where id = $1",
    )
    .bind(row.id)
    .bind(row.status)
    .bind(&row.rejection_reason)
    .bind(&row.suspension_reason)
    .bind(row.is_available)
    .bind(row.service_radius_km)
    .bind(&row.vehicle_types)
    .bind(&row.service_category_ids)
    .bind(&row.verified_name)
    .bind(row.verified_at)
    .bind(row.updated_at)
    .run(tx)
    .await
}

/// Adds ratings of the mechanic to the average, a generated column, or removes them: `score` is the stars of `count` ratings,
/// both negative to remove. The row stays locked until the transaction ends.
pub async fn count_rating(tx: &mut PgConnection, id: Uuid, score: i32, count: i32) -> Result<()> {
    sqlx::query(
        "update mechanic_profiles set rating_sum = rating_sum + $2, total_ratings = total_ratings + $3 where id = $1",
    )
    .bind(id)
    .bind(score)
    .bind(count)
    .run(tx)
    .await
}

/// Lists a profile's documents in the order in which they were submitted.
pub async fn documents(db: impl PgExecutor<'_>, profile_id: Uuid) -> Result<Vec<DocumentRow>> {
    sqlx::query(
        "select id, mechanic_profile_id, type, file_url, created_at
        from mechanic_documents where mechanic_profile_id = $1
        order by ordinal",
    )
    .bind(profile_id)
    .all(db)
    .await
}

pub async fn count_documents(tx: &mut PgConnection, profile_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from mechanic_documents where mechanic_profile_id = $1")
        .bind(profile_id)
        .fetch_one(tx)
        .await
}

pub async fn insert_document(tx: &mut PgConnection, row: &DocumentRow) -> Result<()> {
    sqlx::query(
        "insert into mechanic_documents (id, mechanic_profile_id, type, file_url, created_at)
        values ($1, $2, $3, $4, $5)",
    )
    .bind(row.id)
    .bind(row.mechanic_profile_id)
    .bind(row.kind)
    .bind(&row.file_url)
    .bind(row.created_at)
    .run(tx)
    .await
}

pub async fn delete_document(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("delete from mechanic_documents where id = $1").bind(id).run(tx).await
}

pub async fn delete_documents(tx: &mut PgConnection, profile_id: Uuid) -> Result<()> {
    sqlx::query("delete from mechanic_documents where mechanic_profile_id = $1")
        .bind(profile_id)
        .run(tx)
        .await
}

/// Locks a verified profile, and returns whether there is one. Does not wait for other writers of the profile, only for a
/// deletion or suspension of the account. Locks the account first, as a deletion does.
pub async fn lock_verified(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    let person = sqlx::query(
        "select id from users
        where id = (select user_id from mechanic_profiles where id = $1) and status = 'active'
        for key share",
    );
    if person.bind(id).fetch_optional(&mut *tx).await?.is_none() {
        return Ok(false);
    }
    let held =
        sqlx::query("select id from mechanic_profiles where id = $1 and status = 'verified' for key share");
    Ok(held.bind(id).fetch_optional(tx).await?.is_some())
}

/// Locks the account of a profile as [`roadcall_accounts::auth::lock_account`] does, so that only one transaction at a time writes
/// the mechanic's rows. Lock it before the profile and its rows in other tables.
pub async fn lock_person(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    let locked = sqlx::query(
        "select id from users where id = (select user_id from mechanic_profiles where id = $1) for no key update",
    );
    locked.bind(id).run(tx).await
}

/// Returns the name that a person gave themselves.
pub async fn persons_name(tx: &mut PgConnection, user_id: Uuid) -> Result<Option<String>> {
    sqlx::query_scalar("select name from users where id = $1").bind(user_id).fetch_one(tx).await
}

/// Stores the person's present name, with which their profile is submitted.
pub async fn keep_submitted_name(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query(
        "update mechanic_profiles profile set submitted_name = person.name
        from users person where profile.id = $1 and person.id = profile.user_id",
    )
    .bind(id)
    .run(tx)
    .await
}

pub async fn submitted_name(tx: &mut PgConnection, id: Uuid) -> Result<Option<String>> {
    sqlx::query_scalar("select submitted_name from mechanic_profiles where id = $1")
        .bind(id)
        .fetch_one(tx)
        .await
}

/// Returns the name that an admin verified with the mechanic's documents; `None` until then.
pub async fn verified_name(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<String>> {
    sqlx::query_scalar("select verified_name from mechanic_profiles where id = $1")
        .bind(id)
        .fetch_one(db)
        .await
}

/// Waits for every job that is being assigned to the person, and prevents new assignments until the transaction ends: locks the
/// profile in conflict with [`lock_verified`].
pub async fn lock_of(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    let locked = sqlx::query("select id from mechanic_profiles where user_id = $1 for update");
    locked.bind(user_id).run(tx).await
}

/// Returns whether the person of a profile has left. [`lock`] the profile first, since a person who leaves waits for that lock.
pub async fn has_left(tx: &mut PgConnection, user_id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from users where id = $1 and status = 'deleted')")
        .bind(user_id)
        .fetch_one(tx)
        .await
}

/// Ends a person's work as a mechanic when their account is anonymised: suspended, not available, without documents and without
/// a pending change. Does nothing if there is no profile; otherwise call [`changed`](super::changed) after the commit.
pub async fn retire(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<Option<ProfileRow>> {
    sqlx::query(
        "delete from mechanic_documents
        where mechanic_profile_id in (select id from mechanic_profiles where user_id = $1)",
    )
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "delete from mechanic_changes
        where mechanic_profile_id in (select id from mechanic_profiles where user_id = $1)",
    )
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "update mechanic_profiles
        set status = 'suspended', rejection_reason = null, suspension_reason = 'the account was deleted',
            verified_name = null, submitted_name = null, is_available = false, available_since = null, last_lat = null, last_lng = null, last_accuracy_m = null,
            last_seq = null, last_recorded_at = null, last_received_at = null, parked_lat = null, parked_lng = null,
            parked_label = null, parked_since = null, parked_until = null, updated_at = $2
        where user_id = $1
        returning *",
    )
    .bind(user_id)
    .bind(now)
    .optional(tx)
    .await
}

/// Makes a mechanic whose account is suspended unavailable until they switch availability on again. Does nothing if there is no
/// profile; otherwise call [`changed`](super::changed) after the commit.
pub async fn take_off_the_road(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<ProfileRow>> {
    sqlx::query(
        "update mechanic_profiles
        set is_available = false, available_since = null, updated_at = $2
        where user_id = $1
        returning *",
    )
    .bind(user_id)
    .bind(now)
    .optional(tx)
    .await
}

/// Counts another completed job each time that a mechanic is named.
pub async fn count_jobs(tx: &mut PgConnection, mechanic_profile_ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update mechanic_profiles p set total_jobs = p.total_jobs + done.jobs
        from (select id, count(*)::integer as jobs from unnest((select $1::uuid[])) as id group by id) done
        where p.id = done.id",
    )
    .bind(mechanic_profile_ids)
    .run(tx)
    .await
}
