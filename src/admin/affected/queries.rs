//! SQL that resolves an admin's entries of the audit log to people. It reads tables of other areas.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, Result};
use uuid::Uuid;

pub async fn is_account(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from users where id = $1) or exists (select from audit_log where actor_id = $1)",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Returns the accounts that have this email, or had it when they did something in that time.
pub async fn accounts_of_email(
    tx: &mut PgConnection,
    email: &str,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from users where lower(verified_email) = lower($1)
        union
        select actor_id from audit_log
        where at >= $2 and at < $3 and actor_id is not null and lower(actor_email) = lower($1)",
    )
    .bind(email)
    .bind(from)
    .bind(to)
    .fetch_all(tx)
    .await
}

/// The actions of one kind that concerned one person.
#[derive(Debug, FromRow)]
pub struct SeenRow {
    /// The person's account; `None` for a person without an account, whom only the job names.
    pub user_id: Option<Uuid>,
    pub job_id: Option<Uuid>,
    pub side: String,
    pub action: String,
    /// The route of a read.
    pub route: String,
    pub times: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
}

/// Returns the actions, ordered by person, at most `limit` rows. The accounts' own data is left out.
pub async fn seen(
    tx: &mut PgConnection,
    admins: &[Uuid],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<SeenRow>> {
    sqlx::query_as(
        "with acts as materialized (
            select subject_kind as kind, subject_id as id, action, coalesce(after ->> 'route', '') as route,
                count(*) as times, min(at) as first_at, max(at) as last_at
            from audit_log
            where actor_id = any($1) and at >= $2 and at < $3 and subject_id is not null
            group by 1, 2, 3, 4
        ), about as (
            select a.*, j.id as job_id, j.customer_id, j.mechanic_profile_id from acts a join job_states j on j.id = a.id
            where a.kind = 'job'
            union all
            select a.*, p.job_id, p.customer_id, j.mechanic_profile_id
            from acts a join payments p on p.id = a.id left join job_states j on j.id = p.job_id
            where a.kind = 'payment'
            union all
            select a.*, p.job_id, p.customer_id, j.mechanic_profile_id
            from acts a join refunds r on r.id = a.id join payments p on p.id = r.payment_id
                left join job_states j on j.id = p.job_id
            where a.kind = 'refund'
            union all
            select a.*, p.job_id, p.customer_id, null
            from acts a join parked_payments k on k.id = a.id join payments p on p.id = k.payment_id
            where a.kind = 'parked_payment'
            union all
            select a.*, d.job_id, d.customer_id, d.mechanic_profile_id from acts a join disputes d on d.id = a.id
            where a.kind = 'dispute'
            union all
            select a.*, r.job_id, r.customer_id, r.mechanic_profile_id from acts a join ratings r on r.id = a.id
            where a.kind = 'rating'
            union all
            select a.*, c.job_id, j.customer_id, c.mechanic_profile_id
            from acts a join calls c on c.id = a.id join job_states j on j.id = c.job_id
            where a.kind = 'call'
            union all
            select a.*, null, null, a.id from acts a where a.kind = 'mechanic_profile'
            union all
            select a.*, null, null, s.mechanic_profile_id from acts a join settlements s on s.id = a.id
            where a.kind = 'settlement'
            union all
            select a.*, null, null, u.mechanic_profile_id from acts a join upi_accounts u on u.id = a.id
            where a.kind = 'upi_account'
            union all
            select a.*, null, null, w.mechanic_profile_id from acts a join withdrawals w on w.id = a.id
            where a.kind = 'withdrawal'
            union all
            select a.*, null, null, (e.data ->> 'mechanic_profile_id')::uuid
            from acts a join job_events e on e.job_id = a.id and e.kind = 'released'
            where a.kind = 'job'
        ), seen as (
            select customer_id as user_id, null::uuid as job_id, 'customer' as side, action, route, times, first_at, last_at
            from about where customer_id is not null
            union all
            select p.user_id, null, 'mechanic', a.action, a.route, a.times, a.first_at, a.last_at
            from (select distinct kind, id, action, route, times, first_at, last_at, mechanic_profile_id from about) a
                join mechanic_profiles p on p.id = a.mechanic_profile_id
            union all
            select p.user_id, null, 'asked', a.action, a.route, a.times, a.first_at, a.last_at
            from acts a join lateral (
                select distinct o.mechanic_profile_id from offers o where o.job_id = a.id
            ) o on true join mechanic_profiles p on p.id = o.mechanic_profile_id
            where a.kind = 'job' and a.route in ('/admin/jobs/{id}/dispatch', '/admin/jobs/{id}/candidates')
            union all
            select null, a.job_id, 'beneficiary', a.action, a.route, a.times, a.first_at, a.last_at
            from about a join job_facts j on j.id = a.job_id
            where a.kind = 'job' and (j.beneficiary_name is not null or j.beneficiary_phone is not null)
            union all
            select null, a.job_id, 'receiver', a.action, a.route, a.times, a.first_at, a.last_at
            from about a join job_facts j on j.id = a.job_id
            where a.kind = 'job' and (j.receiver_name is not null or j.receiver_phone is not null)
            union all
            select a.id, null, 'account', a.action, a.route, a.times, a.first_at, a.last_at
            from acts a join users u on u.id = a.id where a.kind = 'user'
            union all
            select v.user_id, null, 'account', a.action, a.route, a.times, a.first_at, a.last_at
            from acts a join vehicles v on v.id = a.id where a.kind = 'vehicle'
            union all
            select f.user_id, null, 'account', a.action, a.route, a.times, a.first_at, a.last_at
            from acts a join uploads f on f.id = a.id where a.kind = 'upload'
            union all
            select g.user_id, null, 'account', a.action, a.route, a.times, a.first_at, a.last_at
            from acts a join grievances g on g.id = a.id where a.kind = 'grievance'
        )
        select user_id, job_id, side, action, route, sum(times)::bigint as times, min(first_at) as first_at,
            max(last_at) as last_at
        from seen where user_id is null or user_id <> all($1)
        group by user_id, job_id, side, action, route
        order by user_id nulls last, job_id, side, action, route
        limit $4",
    )
    .bind(admins)
    .bind(from)
    .bind(to)
    .bind(limit)
    .fetch_all(tx)
    .await
}

/// The number of entries of one kind that lead to nobody.
#[derive(Debug, PartialEq, Eq, FromRow)]
pub struct UnresolvedRow {
    pub kind: String,
    pub times: i64,
}

/// Counts entries about deleted things, or things that never named anybody.
pub async fn unresolved(
    tx: &mut PgConnection,
    admins: &[Uuid],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<UnresolvedRow>> {
    sqlx::query_as(
        "select subject_kind as kind, count(*) as times from audit_log a
        where actor_id = any($1) and at >= $2 and at < $3
            and case subject_kind
                when 'user' then not exists (select from users x where x.id = a.subject_id)
                when 'mechanic_profile' then not exists (select from mechanic_profiles x where x.id = a.subject_id)
                when 'job' then not exists (select from job_states x where x.id = a.subject_id)
                when 'payment' then not exists (select from payments x where x.id = a.subject_id)
                when 'refund' then not exists (select from refunds x where x.id = a.subject_id)
                when 'parked_payment' then not exists (
                    select from parked_payments x where x.id = a.subject_id and x.payment_id is not null)
                when 'dispute' then not exists (select from disputes x where x.id = a.subject_id)
                when 'rating' then not exists (select from ratings x where x.id = a.subject_id)
                when 'call' then not exists (select from calls x where x.id = a.subject_id)
                when 'settlement' then not exists (select from settlements x where x.id = a.subject_id)
                when 'upi_account' then not exists (select from upi_accounts x where x.id = a.subject_id)
                when 'withdrawal' then not exists (select from withdrawals x where x.id = a.subject_id)
                when 'vehicle' then not exists (select from vehicles x where x.id = a.subject_id)
                when 'upload' then not exists (select from uploads x where x.id = a.subject_id)
                when 'grievance' then not exists (select from grievances x where x.id = a.subject_id)
                when 'place_request' then true
                when 'webhook_event' then true
                else false
            end
        group by 1 order by 1",
    )
    .bind(admins)
    .bind(from)
    .bind(to)
    .fetch_all(tx)
    .await
}

/// A list whose pages or exports were read.
#[derive(Debug, FromRow)]
pub struct ListRow {
    pub name: String,
    pub action: String,
    pub times: i64,
    /// The rows of all these pages together.
    pub rows: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
}

/// Returns the lists that showed people, at most 100 of them.
pub async fn lists(
    tx: &mut PgConnection,
    admins: &[Uuid],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<ListRow>> {
    sqlx::query_as(
        "select subject_kind as name, action, count(*) as times,
            coalesce(sum((after ->> 'rows')::bigint), 0)::bigint as rows, min(at) as first_at, max(at) as last_at
        from audit_log
        where actor_id = any($1) and at >= $2 and at < $3 and action in ('list.read', 'export')
            and after -> 'personal_data' <> '[]'
        group by 1, 2 order by 1, 2 limit 100",
    )
    .bind(admins)
    .bind(from)
    .bind(to)
    .fetch_all(tx)
    .await
}

/// The name and the number of an affected person.
#[derive(derive_more::Debug, Clone, FromRow)]
// The data must not be logged.
#[debug("ReachedRow {{ id: {id:?}, .. }}")]
pub struct ReachedRow {
    /// The account's id, or the job's for a person without an account.
    pub id: Uuid,
    pub side: String,
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// Returns the names and numbers of accounts, and of people whom only jobs name. A person who has left has neither.
pub async fn reached(tx: &mut PgConnection, users: &[Uuid], jobs: &[Uuid]) -> Result<Vec<ReachedRow>> {
    sqlx::query_as(
        "select id, '' as side, name, phone from users where id = any($1)
        union all
        select id, 'beneficiary', beneficiary_name, beneficiary_phone from job_facts where id = any($2)
        union all
        select id, 'receiver', receiver_name, receiver_phone from job_facts where id = any($2)",
    )
    .bind(users)
    .bind(jobs)
    .fetch_all(tx)
    .await
}

/// Returns the time of the oldest entry: nothing is known about earlier actions.
pub async fn oldest(tx: &mut PgConnection) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select min(at) from audit_log").fetch_one(tx).await
}
