use chrono::{DateTime, Utc};
use roadcall_http::Between;
use roadcall_platform::db::{StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, postgres::PgBindIterExt};
use uuid::Uuid;

use super::accounts::{Account, EntryKind, MechanicAccount};

/// "ledger" in ASCII: the seed of the keys of the wallets' locks.
const LOCK_SEED: i64 = 0x6c65_6467_6572;

/// Locks these mechanics' wallets until the transaction ends, in the order in which all transactions take these locks.
/// Only needed before the first of several entries for different mechanics: an entry takes its own locks. Repeating it
/// has no effect.
pub async fn lock(tx: &mut PgConnection, mechanic_profile_ids: &[Uuid]) -> Result<()> {
    sqlx::query("select ledger_lock($1, $2)")
        .bind(LOCK_SEED)
        .bind(mechanic_profile_ids)
        .execute(tx)
        .await
        .map(drop)
}

/// An entry that is ready to be written, with one posting for each account.
#[derive(Debug, Clone)]
pub struct PreparedEntry<'a> {
    pub id: Uuid,
    pub kind: EntryKind,
    pub key: String,
    pub job_id: Option<Uuid>,
    pub note: Option<&'a str>,
    pub at: DateTime<Utc>,
    pub postings: Vec<PreparedPosting>,
}

/// A posting of an entry.
#[derive(Debug, Clone, Copy)]
pub struct PreparedPosting {
    /// The id for the account if it does not exist yet.
    pub account_id: Uuid,
    pub account: Account,
    pub paise: i64,
}

/// Locks the mechanics' wallets and writes the entry, the accounts that a mechanic does not have yet, the balances and
/// the postings. Returns false if the key was booked before.
pub async fn book(tx: &mut PgConnection, entry: &PreparedEntry<'_>) -> Result<bool> {
    let postings = || entry.postings.iter();
    sqlx::query_scalar("select ledger_book($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .bind(LOCK_SEED)
        .bind(entry.id)
        .bind(entry.kind)
        .bind(&entry.key)
        .bind(entry.job_id)
        .bind(entry.note)
        .bind(entry.at)
        .bind(postings().map(|posting| posting.account_id).bind_iter())
        .bind(postings().map(|posting| posting.account.kind()).bind_iter())
        .bind(postings().map(|posting| posting.account.mechanic()).bind_iter())
        .bind(postings().map(|posting| posting.paise).bind_iter())
        .fetch_one(tx)
        .await
}

/// Returns the SQL that books entries, like [`book`], in a statement that has their postings as rows `posting`. It is an error if a
/// key was booked before.
pub fn booking_sql() -> String {
    format!(
        "ledger_book_all({LOCK_SEED}, array_agg(posting.entry_id), array_agg(posting.entry_kind), array_agg(posting.entry_key),
            array_agg(posting.job_id), array_agg(posting.entry_at), array_agg(posting.account_id),
            array_agg(posting.account_kind), array_agg(posting.mechanic), array_agg(posting.paise))"
    )
}

/// A balance of a mechanic.
#[derive(Debug, FromRow)]
pub struct BalanceRow {
    pub kind: MechanicAccount,
    pub balance_paise: i64,
}

impl StoredRow for BalanceRow {
    const TABLE: &'static str = "ledger_accounts";
}

pub async fn balances_of(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Vec<BalanceRow>> {
    sqlx::query("select * from ledger_accounts where mechanic_profile_id = $1")
        .bind(mechanic_profile_id)
        .try_map(read::<BalanceRow>)
        .fetch_all(db)
        .await
}

/// A posting to an account of a mechanic, with the entry that it belongs to.
#[derive(Debug, FromRow)]
pub struct LineRow {
    /// The id of the entry, which may have a line for each of the mechanic's accounts.
    pub transaction_id: Uuid,
    pub kind: EntryKind,
    pub account: MechanicAccount,
    pub amount_paise: i64,
    pub job_id: Option<Uuid>,
    pub note: Option<String>,
    pub at: DateTime<Utc>,
}

impl StoredRow for LineRow {
    const TABLE: &'static str = "ledger_transactions";
    const KEY: &'static str = "transaction_id";
}

/// The condition on a line's entry `t`: $2 and $3 are the period. $1 is the mechanic.
macro_rules! booked {
    () => {
        "((select $2::timestamptz) is null or t.at >= (select $2::timestamptz))
            and ((select $3::timestamptz) is null or t.at < (select $3::timestamptz))"
    };
}

pub async fn lines_of(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    booked: Between,
    limit: i64,
    offset: i64,
) -> Result<Vec<LineRow>> {
    sqlx::query(concat!(
        "select t.id as transaction_id, t.kind, a.kind as account, p.amount_paise, t.job_id, t.note, t.at
        from ledger_accounts a
        join ledger_postings p on p.account_id = a.id
        join ledger_transactions t on t.id = p.transaction_id
        where a.mechanic_profile_id = $1 and ",
        booked!(),
        " order by t.at desc, t.id desc, a.kind limit $4 offset $5",
    ))
    .bind(mechanic_profile_id)
    .bind(booked.0)
    .bind(booked.1)
    .bind(limit)
    .bind(offset)
    .try_map(read::<LineRow>)
    .fetch_all(db)
    .await
}

pub async fn count_lines_of(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    booked: Between,
) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select count(*) from ledger_accounts a join ledger_postings p on p.account_id = a.id
        where a.mechanic_profile_id = (select $1::uuid)
            -- The subqueries hide whose lines these are and whether there is a period: Postgres then makes one plan, once.
            and ((select $2::timestamptz) is null and (select $3::timestamptz) is null or exists (
                select from ledger_transactions t where t.id = p.transaction_id and ",
        booked!(),
        "))",
    ))
    .bind(mechanic_profile_id)
    .bind(booked.0)
    .bind(booked.1)
    .fetch_one(db)
    .await
}

/// Returns the tax that was booked when a payment was captured, in paise; zero without such a booking.
pub async fn tax_of_payment(db: impl PgExecutor<'_>, payment_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select coalesce(sum(p.amount_paise), 0)::bigint
        from ledger_transactions t
            join ledger_postings p on p.transaction_id = t.id
            join ledger_accounts a on a.id = p.account_id
        where t.key in ('capture:' || $1::uuid, 'cash:' || $1::uuid) and a.kind = 'tax'",
    )
    .bind(payment_id)
    .fetch_one(db)
    .await
}

/// The result of an audit of the whole ledger.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Audit {
    pub accounts: i64,
    pub transactions: i64,
    pub postings: i64,
    pub total_paise: i64,
    /// Accounts whose balance is not the sum of their postings.
    pub wrong_balances: i64,
    /// Transactions whose postings do not sum to zero, or that have fewer than two.
    pub unbalanced: i64,
    /// Mechanics whose held account differs from the sum of their held earnings and unsettled withdrawals.
    pub wrong_holds: i64,
}

/// Audits the ledger in one statement, so that everything is read at one moment.
pub async fn audit(tx: &mut PgConnection) -> Result<Audit> {
    sqlx::query_as(
        "with of_account as (
            select account_id, sum(amount_paise) as sum_paise from ledger_postings group by account_id),
        of_transaction as (
            select transaction_id, count(*) as postings, sum(amount_paise) as sum_paise
            from ledger_postings group by transaction_id),
        held as (
            select mechanic_profile_id, sum(paise) as sum_paise
            from (
                select mechanic_profile_id, held_paise as paise from earnings
                union all
                select mechanic_profile_id, amount_paise from withdrawals where settled_at is null) parts
            group by mechanic_profile_id)
        select
            (select count(*) from ledger_accounts) as accounts,
            (select count(*) from ledger_transactions) as transactions,
            (select count(*) from ledger_postings) as postings,
            (select coalesce(sum(sum_paise), 0)::bigint from of_account) as total_paise,
            (select count(*) from ledger_accounts a left join of_account p on p.account_id = a.id
                where a.balance_paise <> coalesce(p.sum_paise, 0)) as wrong_balances,
            (select count(*) from ledger_transactions t left join of_transaction p on p.transaction_id = t.id
                where coalesce(p.postings, 0) < 2 or p.sum_paise <> 0) as unbalanced,
            (select count(*) from ledger_accounts a left join held h using (mechanic_profile_id)
                where a.kind = 'mechanic_held' and a.balance_paise <> coalesce(h.sum_paise, 0)) as wrong_holds",
    )
    .fetch_one(tx)
    .await
}

/// Returns a digest (SHA-256, in hexadecimal) of every account in the order of ids, with its balance and the sum of its
/// postings: two ledgers with the same digest have the same sums.
pub async fn sums_digest(db: &mut PgConnection) -> Result<String> {
    sqlx::query_scalar(
        "select encode(sha256(convert_to(coalesce(
            string_agg(concat_ws(' ', a.id, a.balance_paise, coalesce(p.sum_paise, 0)), ',' order by a.id), ''), 'UTF8')), 'hex')
        from ledger_accounts a left join (
            select account_id, sum(amount_paise) as sum_paise from ledger_postings group by account_id) p
            on p.account_id = a.id",
    )
    .fetch_one(db)
    .await
}
