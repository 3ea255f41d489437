//! SQL of deliveries.

use std::fmt;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{
    dto::WebhookDeliveryStatus,
    state::{AfterWebhookTry, DueDelivery},
};
use crate::{
    http::{Between, ListWindow, PageParams, list_filter},
    partners::feeds::kind::PartnerEventKind,
    platform::db::{StoredRow, read},
};

/// Returns the first deliveries that are due of each active subscription whose maker still acts for its organisation, in the order of
/// the queues. Leaves out these subscriptions, and those of these organisations.
pub async fn due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    (but, but_of): (&[Uuid], &[Uuid]),
    (of_each, limit): (i64, i64),
) -> Result<Vec<DueDelivery>> {
    sqlx::query_as(
        "select d.id, s.id as subscription_id, s.organisation_id, d.case_id
        from partner_subscriptions s
            cross join lateral (
                select id, case_id, seq, next_try_at from partner_deliveries
                where subscription_id = s.id and status = 'pending' and next_try_at <= $1
                order by next_try_at, case_id, seq limit $3
            ) d
        where s.status = 'active' and s.id <> all((select $2)::uuid[]) and s.organisation_id <> all((select $5)::uuid[])
            and partner_may_hear(s.organisation_id, s.made_by, $1)
        order by d.next_try_at, d.case_id, d.seq limit $4",
    )
    .bind(now)
    .bind(but)
    .bind(of_each)
    .bind(limit)
    .bind(but_of)
    .fetch_all(db)
    .await
}

/// A delivery that this server sends now.
#[derive(Clone, FromRow)]
pub struct TakenRow {
    pub id: Uuid,
    pub event_id: Uuid,
    /// The number of this try.
    pub tries: i32,
    pub created_at: DateTime<Utc>,
    pub body: String,
    pub subscription_id: Uuid,
    pub url: String,
    pub secret: Vec<u8>,
    pub former_secret: Option<Vec<u8>>,
    pub former_until: Option<DateTime<Utc>>,
}

impl StoredRow for TakenRow {
    const TABLE: &'static str = "partner_deliveries";
}

/// Written by hand: names and secrets must not be logged.
impl fmt::Debug for TakenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakenRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Takes deliveries that are still due. No other server takes them before `again_at`.
pub async fn take(
    db: impl PgExecutor<'_>,
    ids: &[Uuid],
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
) -> Result<Vec<TakenRow>> {
    sqlx::query(
        "update partner_deliveries d set tries = d.tries + 1, next_try_at = $3
        from partner_events e, partner_subscriptions s
        where d.id = any((select $1)::uuid[]) and d.status = 'pending' and d.next_try_at <= $2
            and e.id = d.event_id and s.id = d.subscription_id
        returning d.id, d.event_id, d.tries, d.created_at, e.body::text as body, d.subscription_id, s.url, s.secret, s.former_secret,
            s.former_until",
    )
    .bind(ids)
    .bind(now)
    .bind(again_at)
    .try_map(read::<TakenRow>)
    .fetch_all(db)
    .await
}

/// Puts deliveries back that were taken for their first try by a sender that has died, each to its place in its queue.
pub async fn release(db: impl PgExecutor<'_>) -> Result<u64> {
    let released = sqlx::query(
        "update partner_deliveries set tries = 0, next_try_at = created_at
        where status = 'pending' and tries = 1 and answer_status is null and failure is null",
    );
    Ok(released.execute(db).await?.rows_affected())
}

/// Stores the outcomes of tries. A delivery that was given up meanwhile stays so, and one that was not sent keeps its last answer.
pub async fn settle(
    db: impl PgExecutor<'_>,
    tries: &[(Uuid, AfterWebhookTry)],
    now: DateTime<Utc>,
) -> Result<()> {
    let ids: Vec<Uuid> = tries.iter().map(|(id, _)| *id).collect();
    let statuses: Vec<&str> = tries.iter().map(|(_, after)| after.status.as_str()).collect();
    let numbers: Vec<i32> = tries.iter().map(|(_, after)| after.tries).collect();
    let next: Vec<Option<DateTime<Utc>>> = tries.iter().map(|(_, after)| after.next_try_at).collect();
    let answers: Vec<Option<i32>> = tries.iter().map(|(_, after)| after.answer_status).collect();
    let failures: Vec<Option<&str>> = tries.iter().map(|(_, after)| after.failure.as_deref()).collect();
    sqlx::query(
        "update partner_deliveries d set status = tried.status, tries = tried.tries, next_try_at = tried.next_try_at,
            answer_status = case when tried.was_sent then tried.answer_status else d.answer_status end,
            failure = case when tried.was_sent then tried.failure else d.failure end,
            settled_at = case when tried.status <> 'pending' then $7::timestamptz end
        from (
            select *, answer_status is not null or failure is not null as was_sent
            from unnest((select $1)::uuid[], (select $2)::text[], (select $3)::integer[], (select $4)::timestamptz[],
                    (select $5)::integer[], (select $6)::text[])
                as tried (id, status, tries, next_try_at, answer_status, failure)
        ) tried
        where d.id = tried.id and d.status = 'pending'",
    )
    .bind(ids)
    .bind(statuses)
    .bind(numbers)
    .bind(next)
    .bind(answers)
    .bind(failures)
    .bind(now)
    .execute(db)
    .await
    .map(drop)
}

/// A row of `partner_deliveries`, with the kind of its event.
#[derive(Debug, Clone, FromRow)]
pub struct DeliveryRow {
    pub id: Uuid,
    pub subscription_id: Uuid,
    pub organisation_id: Uuid,
    pub event_id: Uuid,
    pub kind: PartnerEventKind,
    pub case_id: Uuid,
    pub seq: i64,
    pub status: WebhookDeliveryStatus,
    pub tries: i32,
    pub next_try_at: Option<DateTime<Utc>>,
    pub answer_status: Option<i32>,
    pub failure: Option<String>,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for DeliveryRow {
    const TABLE: &'static str = "partner_deliveries";
}

list_filter! {
    /// The filter of a partner's list of deliveries.
    OwnDeliveryFilter {
        /// All if not given.
        status: Option<WebhookDeliveryStatus> = "dead",
        /// All if not given.
        subscription_id: Option<Uuid> = "019ceb77-7340-7c30-8f43-7e2a6bbc7c01",
        /// All if not given.
        case_id: Option<Uuid> = "019ceb77-7340-7b20-9e32-6d1f5aab7a01",
        /// Made in this time.
        made: Between,
    }
}

list_filter! {
    /// The filter of the admins' list of deliveries.
    PartnerDeliveryFilter {
        /// All if not given.
        status: Option<WebhookDeliveryStatus> = "dead",
        /// All if not given.
        organisation_id: Option<Uuid> = "019ceb77-7340-7c30-8f43-7e2a6bbc6e01",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`OwnDeliveryFilter`]: $1 is the organisation, $2 who has made the subscription, $3 to $5 the status, the
/// subscription and the case, $6 and $7 the period.
macro_rules! listed_own {
    () => {
        "d.organisation_id = $1
            and ($2 = $1 or exists (
                select from partner_subscriptions s where s.id = d.subscription_id and s.made_by = $2))
            and ($3::text is null or d.status = $3) and ($4::uuid is null or d.subscription_id = $4)
            and ($5::uuid is null or d.case_id = $5)
            and ($6::timestamptz is null or d.created_at >= $6) and ($7::timestamptz is null or d.created_at < $7)"
    };
}

/// Lists the deliveries of an organisation, newest first: all of them, or those to an agency's own subscriptions.
pub async fn list_own(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Uuid),
    filter: &OwnDeliveryFilter,
    page: PageParams,
) -> Result<Vec<DeliveryRow>> {
    sqlx::query(concat!(
        "select d.*, e.kind from partner_deliveries d join partner_events e on e.id = d.event_id where ",
        listed_own!(),
        " order by d.created_at desc, d.id desc limit $8 offset $9",
    ))
    .bind(organisation_id)
    .bind(made_by)
    .bind(filter.status)
    .bind(filter.subscription_id)
    .bind(filter.case_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .try_map(read::<DeliveryRow>)
    .fetch_all(db)
    .await
}

pub async fn count_own(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Uuid),
    filter: &OwnDeliveryFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_deliveries d where ", listed_own!()))
        .bind(organisation_id)
        .bind(made_by)
        .bind(filter.status)
        .bind(filter.subscription_id)
        .bind(filter.case_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// The condition of [`PartnerDeliveryFilter`]: $1 is the status, $2 the organisation, $3 and $4 the period.
macro_rules! listed {
    () => {
        "($1::text is null or d.status = $1) and ($2::uuid is null or d.organisation_id = $2)
            and ($3::timestamptz is null or d.created_at >= $3) and ($4::timestamptz is null or d.created_at < $4)"
    };
}

/// Lists deliveries, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &PartnerDeliveryFilter,
    window: ListWindow,
) -> Result<Vec<DeliveryRow>> {
    sqlx::query(concat!(
        "select d.*, e.kind from partner_deliveries d join partner_events e on e.id = d.event_id where ",
        listed!(),
        " and ($5::timestamptz is null or (d.created_at, d.id) < ($5, $6))
        order by d.created_at desc, d.id desc limit $7 offset $8",
    ))
    .bind(filter.status)
    .bind(filter.organisation_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<DeliveryRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &PartnerDeliveryFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_deliveries d where ", listed!()))
        .bind(filter.status)
        .bind(filter.organisation_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// The events that a replay sends, and to whom.
#[derive(Debug)]
pub struct ReplayOf {
    pub organisation_id: Uuid,
    /// The agency that asks, or the organisation itself.
    pub made_by: Uuid,
    pub since: DateTime<Utc>,
    pub case_id: Option<Uuid>,
    pub job_id: Option<Uuid>,
    pub subscription_id: Option<Uuid>,
}

/// An event to send again.
#[derive(Debug, Clone, FromRow)]
pub struct ReplayedRow {
    pub subscription_id: Uuid,
    pub event_id: Uuid,
    pub case_id: Uuid,
    pub seq: i64,
    pub created_at: DateTime<Utc>,
}

/// Returns the events that each active subscription of the caller asks for, the oldest first.
pub async fn replayed(
    tx: &mut PgConnection,
    of: &ReplayOf,
    before: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<ReplayedRow>> {
    sqlx::query_as(
        "select s.id as subscription_id, e.id as event_id, e.case_id, e.seq, e.created_at
        from partner_events e
            join partner_cases c on c.id = e.case_id
            join partner_subscriptions s on s.organisation_id = e.organisation_id and s.status = 'active'
                and (s.made_by = e.organisation_id or s.made_by = c.made_by)
                and ($6::uuid is null or s.id = $6)
                and (s.events = '{}' or e.kind = any(s.events))
        where e.organisation_id = $1 and e.created_at >= $3 and ($9::timestamptz is null or e.created_at < $9)
            and ($2 = $1 or s.made_by = $2)
            and ($4::uuid is null or e.case_id = $4) and ($5::uuid is null or e.job_id = $5)
            and partner_may_hear(s.organisation_id, s.made_by, $8)
        order by e.created_at, e.id, s.id limit $7",
    )
    .bind(of.organisation_id)
    .bind(of.made_by)
    .bind(of.since)
    .bind(of.case_id)
    .bind(of.job_id)
    .bind(of.subscription_id)
    .bind(limit)
    .bind(now)
    .bind(before)
    .persistent(false)
    .fetch_all(tx)
    .await
}

/// Lets one transaction at a time add to the queues of these subscriptions, each named once for each delivery that it adds, and
/// returns the length of the longest queue with what it adds. Queues are counted to `most` only.
pub async fn longest_queue(tx: &mut PgConnection, subscriptions: &[Uuid], most: i64) -> Result<i64> {
    sqlx::query(
        "select from partner_subscriptions where id = any((select $1)::uuid[]) order by id for no key update",
    )
    .bind(subscriptions)
    .execute(&mut *tx)
    .await?;
    let longest = sqlx::query_scalar::<_, Option<i64>>(
        "select max(added.deliveries + (
            select count(*) from (
                select from partner_deliveries d
                where d.subscription_id = added.subscription_id and d.status = 'pending' limit $2
            ) waiting))
        from (
            select subscription_id, count(*) as deliveries from unnest((select $1)::uuid[]) as new (subscription_id)
            group by subscription_id
        ) added",
    );
    Ok(longest.bind(subscriptions).bind(most).fetch_one(tx).await?.unwrap_or_default())
}

/// Stores deliveries of events that are sent again, due at once.
pub async fn insert_replayed(
    tx: &mut PgConnection,
    organisation_id: Uuid,
    ids: &[Uuid],
    rows: &[ReplayedRow],
    now: DateTime<Utc>,
) -> Result<()> {
    let subscriptions: Vec<Uuid> = rows.iter().map(|row| row.subscription_id).collect();
    let events: Vec<Uuid> = rows.iter().map(|row| row.event_id).collect();
    let cases: Vec<Uuid> = rows.iter().map(|row| row.case_id).collect();
    let seqs: Vec<i64> = rows.iter().map(|row| row.seq).collect();
    sqlx::query(
        "insert into partner_deliveries (id, subscription_id, organisation_id, event_id, case_id, seq, status, next_try_at,
            created_at)
        select d.id, d.subscription_id, $1::uuid, d.event_id, d.case_id, d.seq, 'pending', $2::timestamptz, $2::timestamptz
        from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::bigint[])
            as d (id, subscription_id, event_id, case_id, seq)",
    )
    .bind(organisation_id)
    .bind(now)
    .bind(ids)
    .bind(subscriptions)
    .bind(events)
    .bind(cases)
    .bind(seqs)
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes settled deliveries, and those that wait for a subscription whose maker no longer acts for its organisation.
pub async fn sweep(
    db: impl PgExecutor<'_>,
    (before, now): (DateTime<Utc>, DateTime<Utc>),
    limit: i64,
) -> Result<u64> {
    let swept = sqlx::query(
        "delete from partner_deliveries where id in (
            select d.id from partner_deliveries d
            where d.created_at < $1 and (d.status <> 'pending' or exists (
                select from partner_subscriptions s
                where s.id = d.subscription_id and not partner_may_hear(s.organisation_id, s.made_by, $3)))
            order by d.created_at limit $2)",
    );
    Ok(swept.bind(before).bind(limit).bind(now).execute(db).await?.rows_affected())
}
