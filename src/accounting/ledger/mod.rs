//! The ledger: double-entry, append-only, whole paise.
//!
//! Everything is booked by [`post`]. An entry has a key that says what it books, so that it is booked once however often it is
//! asked for. The schema enforces that postings sum to zero when the transaction commits, are never changed, and
//! no mechanic's available or held balance falls below zero. Every transaction that moves money takes its locks in one
//! order: jobs, payments, refunds and earnings, the ledger last. The ledger has one lock for each mechanic's wallet, held until
//! the end of the transaction that books. The platform's accounts have neither lock nor balance: theirs is the sum of their
//! postings.

mod accounts;
mod queries;
mod shares;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

pub use accounts::{Account, EntryKind, MechanicAccount};
pub use queries::{Audit, LineRow};
pub use shares::{ShareRates, Shares};

use crate::{
    http::{Between, PageParams},
    platform::{
        db::Db,
        error::{ApiError, ApiResult},
    },
};

/// One entry.
#[derive(Debug, Clone)]
pub struct LedgerEntry<'a> {
    pub kind: EntryKind,
    /// What it books, once for ever: `capture:<payment id>`.
    pub key: String,
    pub job_id: Option<Uuid>,
    pub note: Option<&'a str>,
    /// Sums to zero. Postings to one account are added up, and what comes to nothing is left out.
    pub postings: Vec<(Account, i64)>,
}

/// What a mechanic has, in paise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balances {
    pub available_paise: i64,
    pub held_paise: i64,
    /// What the mechanic owes; zero or above, as against the account.
    pub owed_paise: i64,
}

impl Balances {
    /// What may be withdrawn: the debt is taken off first.
    pub fn withdrawable_paise(self) -> i64 {
        (self.available_paise - self.owed_paise).max(0)
    }
}

/// Books an entry within a transaction. `false` when its key was booked before, and nothing is done then. An entry of
/// nothing (every posting zero) is not written. Callers check balances first: the schema refuses one below zero, which is a 500.
pub async fn post(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    entry: LedgerEntry<'_>,
) -> ApiResult<bool> {
    let mut amounts: BTreeMap<Account, i64> = BTreeMap::new();
    for (account, paise) in entry.postings {
        *amounts.entry(account).or_default() += paise;
    }
    amounts.retain(|_, paise| *paise != 0);
    if amounts.is_empty() {
        return Ok(true);
    }
    if amounts.values().sum::<i64>() != 0 {
        return Err(ApiError::internal(format!("entry {} does not sum to zero", entry.key)));
    }
    let new = queries::NewTransaction {
        id: random.id(at),
        kind: entry.kind,
        key: &entry.key,
        job_id: entry.job_id,
        note: entry.note,
        at,
    };
    let mut postings = queries::NewPostings::default();
    for (account, paise) in amounts {
        postings.account_ids.push(random.id(at));
        postings.kinds.push(account.kind());
        postings.mechanic_profile_ids.push(account.mechanic());
        postings.amounts_paise.push(paise);
    }
    Ok(queries::book(tx, &new, &postings).await?)
}

/// A mechanic's balances; zero where nothing was ever booked.
pub async fn balances(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> ApiResult<Balances> {
    Ok(summed(queries::balances_of(db, mechanic_profile_id).await?))
}

/// The same, locked until the transaction ends. Take it after every other lock.
pub async fn lock_balances(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Balances> {
    lock(tx, &[mechanic_profile_id]).await?;
    balances(tx, mechanic_profile_id).await
}

/// Locks these mechanics' wallets until the transaction ends, in the order that all transactions take them in. Only needed
/// before the first of several entries that are not for the same mechanics: an entry takes its locks by itself.
pub async fn lock(tx: &mut PgConnection, mechanic_profile_ids: &[Uuid]) -> ApiResult<()> {
    Ok(queries::lock(tx, mechanic_profile_ids).await?)
}

/// The lines of a mechanic's accounts, the newest entry first, and how many there are.
pub async fn lines(
    db: &Db,
    mechanic_profile_id: Uuid,
    booked: Between,
    page: PageParams,
) -> ApiResult<(Vec<LineRow>, i64)> {
    let rows = queries::lines_of(db, mechanic_profile_id, booked, page.limit, page.offset()).await?;
    Ok((rows, queries::count_lines_of(db, mechanic_profile_id, booked).await?))
}

/// The newest of them, at most `limit`.
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

/// The tax that was booked when a payment was captured, in paise; zero if there was none.
pub async fn tax_of_payment(db: impl PgExecutor<'_>, payment_id: Uuid) -> ApiResult<i64> {
    Ok(queries::tax_of_payment(db, payment_id).await?)
}

/// Proves the ledger: every mechanic's balance is the sum of its postings, every transaction sums to zero, what is held is
/// accounted for. It reads the whole ledger, in one statement that has no limit of time.
pub async fn audit(db: &Db) -> ApiResult<Audit> {
    let mut tx = db.begin().await?;
    queries::lift_statement_timeout(&mut tx).await?;
    Ok(audit_of(&mut tx).await?)
}

/// The same, on a connection of the caller's.
pub async fn audit_of(db: &mut PgConnection) -> sqlx::Result<Audit> {
    queries::audit(db).await
}

/// A digest (SHA-256, in hexadecimal) of every account with its balance and the sum of its postings: two ledgers that have the same
/// one have the same sums.
pub async fn sums_digest(db: &mut PgConnection) -> sqlx::Result<String> {
    queries::sums_digest(db).await
}

impl Audit {
    pub fn is_sound(&self) -> bool {
        self.total_paise == 0 && self.wrong_balances == 0 && self.unbalanced == 0 && self.wrong_holds == 0
    }
}
