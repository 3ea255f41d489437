//! The ledger: double-entry, append-only, whole paise.
//!
//! Every booking goes through [`post`], or is part of a statement that books several entries ([`booking_sql`]). The key of an
//! entry names the booked event, so that it is booked once, however often this is requested. The schema enforces that postings
//! sum to zero when the transaction commits, that they are never changed, and that no mechanic's available or held balance falls
//! below zero. Every transaction that moves money takes its locks in one order: jobs, payments, refunds and earnings, the ledger
//! last. The ledger has one lock for each mechanic's wallet, held until the end of the transaction that books. The platform's
//! accounts have neither a lock nor a stored balance: their balance is the sum of their postings.

mod accounts;
mod queries;
mod shares;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use roadcall_http::{Between, PageParams};
use roadcall_platform::{
    db::{Db, allow_long_reads},
    error::{ApiError, ApiResult},
};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

pub use accounts::{Account, EntryKind, MechanicAccount};
pub use queries::{
    Audit, LineRow, PreparedEntry, PreparedPosting, audit as audit_of, booking_sql, lock, sums_digest,
    tax_of_payment,
};
pub use shares::{ShareRates, Shares};

/// An entry of the ledger.
#[derive(Debug, Clone)]
pub struct LedgerEntry<'a> {
    pub kind: EntryKind,
    /// The name of the booked event, which is booked only once: `capture:<payment id>`.
    pub key: String,
    pub job_id: Option<Uuid>,
    pub note: Option<&'a str>,
    /// The postings, which sum to zero. Postings to the same account are added up, and zero amounts are left out.
    pub postings: Vec<(Account, i64)>,
}

/// The balances of a mechanic, in paise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balances {
    pub available_paise: i64,
    pub held_paise: i64,
    /// The mechanic's debt: zero or above, whereas the account's balance is zero or below.
    pub owed_paise: i64,
}

impl Balances {
    /// Returns the amount that may be withdrawn: debts are subtracted first.
    pub fn withdrawable_paise(self) -> i64 {
        (self.available_paise - self.owed_paise).max(0)
    }
}

/// Books an entry within a transaction. Returns false, and books nothing, if its key was booked before. An entry whose
/// postings are all zero is not written. Callers check balances first: the schema refuses a balance below zero, which
/// is a 500.
pub async fn post(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    entry: LedgerEntry<'_>,
) -> ApiResult<bool> {
    match entry.prepared(random, at)? {
        Some(prepared) => Ok(queries::book(tx, &prepared).await?),
        None => Ok(true),
    }
}

impl<'a> LedgerEntry<'a> {
    /// Adds up the postings to each account. Returns `None` if all of them are zero.
    pub fn prepared(self, random: &Random, at: DateTime<Utc>) -> ApiResult<Option<PreparedEntry<'a>>> {
        let Self { kind, key, job_id, note, postings } = self;
        let mut amounts: BTreeMap<Account, i64> = BTreeMap::new();
        for (account, paise) in postings {
            *amounts.entry(account).or_default() += paise;
        }
        amounts.retain(|_, paise| *paise != 0);
        if amounts.is_empty() {
            return Ok(None);
        }
        if amounts.values().sum::<i64>() != 0 {
            return Err(ApiError::internal(format!("entry {key} does not sum to zero")));
        }
        let id = random.id(at);
        let posting = |(account, paise)| PreparedPosting { account_id: random.id(at), account, paise };
        let postings = amounts.into_iter().map(posting).collect();
        Ok(Some(PreparedEntry { id, kind, key, job_id, note, at, postings }))
    }
}

/// Returns a mechanic's balances; zero for an account without bookings.
pub async fn balances(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> ApiResult<Balances> {
    Ok(summed(queries::balances_of(db, mechanic_profile_id).await?))
}

/// Returns a mechanic's balances, locked until the transaction ends. Take this lock after every other lock.
pub async fn lock_balances(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Balances> {
    lock(tx, &[mechanic_profile_id]).await?;
    balances(tx, mechanic_profile_id).await
}

/// Returns the lines of a mechanic's accounts, the newest entry first, and the total number of lines.
pub async fn lines(
    db: &Db,
    mechanic_profile_id: Uuid,
    booked: Between,
    page: PageParams,
) -> ApiResult<(Vec<LineRow>, i64)> {
    let rows = queries::lines_of(db, mechanic_profile_id, booked, page.limit, page.offset()).await?;
    Ok((rows, queries::count_lines_of(db, mechanic_profile_id, booked).await?))
}

/// Returns the newest lines of a mechanic's accounts, at most `limit`.
pub async fn newest_lines(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<LineRow>> {
    Ok(queries::lines_of(db, mechanic_profile_id, (None, None), limit, 0).await?)
}

fn summed(rows: Vec<queries::BalanceRow>) -> Balances {
    let mut balances = Balances::default();
    for row in rows {
        match row.kind {
            MechanicAccount::Available => balances.available_paise = row.balance_paise,
            MechanicAccount::Held => balances.held_paise = row.balance_paise,
            MechanicAccount::Owed => balances.owed_paise = -row.balance_paise,
        }
    }
    balances
}

/// Audits the ledger: every mechanic's balance must be the sum of its postings, every transaction must sum to zero, and
/// held money must be accounted for. Reads the whole ledger, in one statement without a time limit.
pub async fn audit(db: &Db) -> ApiResult<Audit> {
    let mut tx = db.begin().await?;
    allow_long_reads(&mut tx).await?;
    Ok(audit_of(&mut tx).await?)
}

impl Audit {
    pub fn is_sound(&self) -> bool {
        self.total_paise == 0 && self.wrong_balances == 0 && self.unbalanced == 0 && self.wrong_holds == 0
    }
}
