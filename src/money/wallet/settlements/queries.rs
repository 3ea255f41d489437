//! The queries of settlements.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::SettlementStatus;
use crate::{
    http::{Between, ListWindow, PageParams, list_filter},
    platform::db::{StoredRow, read},
};

/// A row of `settlements`.
#[derive(Debug, Clone, FromRow)]
pub struct SettlementRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub period_start: NaiveDate,
    pub period_end: NaiveDate,
    pub gross_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub refunds_paise: i64,
    pub cash_collected_paise: i64,
    pub net_paise: i64,
    /// The part of the commission that the mechanic does not see, because an organisation hides the prices of its jobs. The same parts
    /// of the tax and of the refunds follow.
    pub hidden_commission_paise: i64,
    pub hidden_tax_paise: i64,
    pub hidden_refunds_paise: i64,
    pub status: SettlementStatus,
    pub reference: Option<String>,
    pub paid_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for SettlementRow {
    const TABLE: &'static str = "settlements";
}

impl SettlementRow {
    /// Returns the settlement as its mechanic sees it: of jobs whose organisations hide prices, the sums contain only the mechanic's
    /// share. They still result in the same net.
    pub fn for_mechanic(self) -> Self {
        Self {
            gross_paise: self.gross_paise - self.hidden_commission_paise - self.hidden_tax_paise,
            commission_paise: self.commission_paise - self.hidden_commission_paise,
            tax_paise: self.tax_paise - self.hidden_tax_paise,
            refunds_paise: self.refunds_paise - self.hidden_refunds_paise,
            ..self
        }
    }
}

/// Locks runs until the transaction ends, so that there is only one at a time.
pub async fn lock_runs(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtext('settlements.run'))").execute(tx).await.map(drop)
}

/// Returns the mechanics with earnings in the period that no settlement counts.
pub async fn unsettled(tx: &mut PgConnection, start: DateTime<Utc>, end: DateTime<Utc>) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select distinct mechanic_profile_id from earnings
        where settlement_id is null and created_at >= $1 and created_at < $2
        order by mechanic_profile_id",
    )
    .bind(start)
    .bind(end)
    .fetch_all(tx)
    .await
}

/// Returns a settlement of another period that shares a day with this one. Runs are for everyone, so settlements of all
/// mechanics count.
pub async fn overlaps(
    tx: &mut PgConnection,
    start: NaiveDate,
    end: NaiveDate,
) -> Result<Option<SettlementRow>> {
    sqlx::query(
        "select * from settlements
        where period_start < $2 and period_end > $1 and (period_start, period_end) <> ($1, $2)
        order by period_start, id limit 1",
    )
    .bind(start)
    .bind(end)
    .try_map(read::<SettlementRow>)
    .fetch_optional(tx)
    .await
}

/// Returns whether a period was settled that ends before this day.
pub async fn has_end(tx: &mut PgConnection, day: NaiveDate) -> Result<bool> {
    sqlx::query_scalar("select exists (select from settlements where period_end = $1)")
        .bind(day)
        .fetch_one(tx)
        .await
}

/// Returns whether a period was settled that begins with this day.
pub async fn has_start(tx: &mut PgConnection, day: NaiveDate) -> Result<bool> {
    sqlx::query_scalar("select exists (select from settlements where period_start = $1)")
        .bind(day)
        .fetch_one(tx)
        .await
}

/// Inserts empty settlements, once for each mechanic.
pub async fn insert(
    tx: &mut PgConnection,
    ids: &[Uuid],
    mechanic_profile_ids: &[Uuid],
    start: NaiveDate,
    end: NaiveDate,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into settlements (id, mechanic_profile_id, period_start, period_end, gross_paise, commission_paise,
            tax_paise, refunds_paise, cash_collected_paise, net_paise, status, created_at)
        select new.id, new.mechanic_profile_id, $3, $4, 0, 0, 0, 0, 0, 0, 'open', $5
        from unnest($1::uuid[], $2::uuid[]) as new (id, mechanic_profile_id)
        on conflict on constraint settlements_once do nothing",
    )
    .bind(ids)
    .bind(mechanic_profile_ids)
    .bind(start)
    .bind(end)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Marks the earnings of the period as counted by the new settlements with these ids.
pub async fn take_earnings(
    tx: &mut PgConnection,
    ids: &[Uuid],
    start: DateTime<Utc>,
    end: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update earnings e set settlement_id = s.id from settlements s
        where s.id = any($1) and e.mechanic_profile_id = s.mechanic_profile_id
            and e.settlement_id is null and e.created_at >= $2 and e.created_at < $3",
    )
    .bind(ids)
    .bind(start)
    .bind(end)
    .execute(tx)
    .await
    .map(drop)
}

/// Adds up the earnings that the settlements count. Refunds are shared out like in the ledger (`Shares::returned`):
/// commission and tax are rounded half up, and the rest is the mechanic's. The mechanic has the whole gross of a cash
/// payment, and keeps it: the service paid its refunds, and the mechanic owes their part of them. What somebody paid in
/// cash is not hidden.
pub async fn add_up(tx: &mut PgConnection, ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "with kept as (
            select settlement_id, channel, gross_paise, commission_paise, tax_paise, share_paise, returned_paise,
                round(commission_paise * returned_paise::numeric / greatest(gross_paise, 1))::bigint as commission_back,
                round(tax_paise * returned_paise::numeric / greatest(gross_paise, 1))::bigint as tax_back,
                channel <> 'cash' and exists (select from job_facts job
                    where job.id = earnings.job_id and job.partner_order ->> 'shows_prices' = 'false') as is_hidden
            from earnings where settlement_id = any($1)
        ), sums as (
            select settlement_id, sum(gross_paise)::bigint as gross, sum(commission_paise)::bigint as commission,
                sum(tax_paise)::bigint as tax, sum(returned_paise)::bigint as refunds,
                (coalesce(sum(gross_paise) filter (where channel = 'cash'), 0))::bigint as cash,
                sum(share_paise - (returned_paise - commission_back - tax_back)
                    - case channel when 'cash' then gross_paise else 0 end)::bigint as net,
                coalesce(sum(commission_paise) filter (where is_hidden), 0)::bigint as hidden_commission,
                coalesce(sum(tax_paise) filter (where is_hidden), 0)::bigint as hidden_tax,
                coalesce(sum(commission_back + tax_back) filter (where is_hidden), 0)::bigint as hidden_refunds
            from kept group by settlement_id
        )
        update settlements s set gross_paise = sums.gross, commission_paise = sums.commission, tax_paise = sums.tax,
            refunds_paise = sums.refunds, cash_collected_paise = sums.cash, net_paise = sums.net,
            hidden_commission_paise = sums.hidden_commission, hidden_tax_paise = sums.hidden_tax,
            hidden_refunds_paise = sums.hidden_refunds
        from sums where s.id = sums.settlement_id",
    )
    .bind(ids)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn of_period(
    tx: &mut PgConnection,
    start: NaiveDate,
    end: NaiveDate,
    limit: i64,
) -> Result<Vec<SettlementRow>> {
    sqlx::query(
        "select * from settlements where period_start = $1 and period_end = $2 order by mechanic_profile_id limit $3",
    )
    .bind(start)
    .bind(end)
    .bind(limit)
    .try_map(read::<SettlementRow>).fetch_all(tx)
    .await
}

pub async fn count_of_period(tx: &mut PgConnection, start: NaiveDate, end: NaiveDate) -> Result<i64> {
    sqlx::query_scalar("select count(*) from settlements where period_start = $1 and period_end = $2")
        .bind(start)
        .bind(end)
        .fetch_one(tx)
        .await
}

list_filter! {
    /// The filter of the admins' list of settlements.
    SettlementFilter {
        /// Only those with this status.
        status: Option<SettlementStatus>,
        /// Made in this time.
        made: Between,
    }
}

list_filter! {
    /// The filter of the list of a mechanic's own settlements.
    OwnSettlementFilter {
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`SettlementFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1)
            and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)"
    };
}

/// Returns a part of the list, the newest period first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &SettlementFilter,
    slice: ListWindow,
) -> Result<Vec<SettlementRow>> {
    sqlx::query(concat!(
        "select * from settlements where ",
        listed!(),
        " and ($4::date is null or (period_start, id) < ($4, $5))
        order by period_start desc, id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(slice.after_at().map(|at| at.date_naive()))
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .persistent(false)
    .try_map(read::<SettlementRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &SettlementFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from settlements where ", listed!()))
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// The condition of [`OwnSettlementFilter`]: $1 is the mechanic, $2 and $3 are the period.
macro_rules! listed_of_mechanic {
    () => {
        "mechanic_profile_id = $1
            and created_at >= coalesce($2::timestamptz, '-infinity')
            and created_at < coalesce($3::timestamptz, 'infinity')"
    };
}

/// Returns a mechanic's own settlements, the newest period first.
pub async fn list_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &OwnSettlementFilter,
    page: PageParams,
) -> Result<Vec<SettlementRow>> {
    sqlx::query(concat!(
        "select * from settlements where ",
        listed_of_mechanic!(),
        " order by period_start desc, id desc limit $4 offset $5",
    ))
    .bind(mechanic_profile_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<SettlementRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &OwnSettlementFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from settlements where ", listed_of_mechanic!()))
        .bind(mechanic_profile_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .fetch_one(db)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<SettlementRow>> {
    sqlx::query("select * from settlements where id = $1")
        .bind(id)
        .try_map(read::<SettlementRow>)
        .fetch_optional(db)
        .await
}

/// Marks the settlement as paid and returns it; `None` if it was paid before.
pub async fn mark_paid(
    tx: &mut PgConnection,
    id: Uuid,
    reference: &str,
    now: DateTime<Utc>,
) -> Result<Option<SettlementRow>> {
    sqlx::query(
        "update settlements set status = 'paid', reference = $2, paid_at = $3 where id = $1 and status = 'open'
        returning *",
    )
    .bind(id)
    .bind(reference)
    .bind(now)
    .try_map(read::<SettlementRow>).fetch_optional(tx)
    .await
}
