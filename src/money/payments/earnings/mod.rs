//! The earnings of mechanics from payments, and the parts that refunds take of them. Every function runs in its
//! caller's transaction. The postings that it returns become one ledger entry per payment or refund.

pub(crate) mod queries;

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use queries::{EarningKind, EarningRow, PartRow, PastPartRow};

use crate::{
    accounting::ledger::{self, Account, EntryKind, Shares},
    money::payments::{context::PaymentsContext, dto::Channel},
    platform::error::ApiResult,
};

/// A job, or a fee, that a payment paid for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Earned {
    pub payment_id: Uuid,
    pub job_id: Uuid,
    /// `None` if no mechanic was on the job: then the mechanic's share is the platform's.
    pub mechanic_profile_id: Option<Uuid>,
    pub is_fee: bool,
    pub is_cash: bool,
    pub gross_paise: i64,
}

/// Shares out a payment, and stores the mechanic's earning.
pub(super) async fn credit(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    earned: Earned,
    at: DateTime<Utc>,
) -> ApiResult<Vec<(Account, i64)>> {
    let (earning, postings) = share_out(context, earned, at);
    if let Some(earning) = earning {
        queries::insert(tx, &earning).await?;
    }
    Ok(postings)
}

/// Returns the mechanic's earning from a payment, if one was on the job, and the postings. Online the shares come out of the
/// clearing account; in cash the mechanic has the money and owes commission and tax.
pub(super) fn share_out(
    context: &PaymentsContext,
    earned: Earned,
    at: DateTime<Utc>,
) -> (Option<EarningRow>, Vec<(Account, i64)>) {
    let shares = Shares::of(earned.gross_paise, context.rates);
    let Some(mechanic) = earned.mechanic_profile_id else {
        let platform = shares.commission_paise + shares.mechanic_paise;
        return (None, vec![(Account::Tax, shares.tax_paise), (Account::PlatformCommission, platform)]);
    };
    let held_paise = if earned.is_cash { 0 } else { shares.mechanic_paise };
    let clears_at = at + TimeDelta::hours(context.wallet.wallet_settings.clearing_hours);
    let row = EarningRow {
        id: context.random.id(at),
        payment_id: earned.payment_id,
        job_id: earned.job_id,
        mechanic_profile_id: mechanic,
        kind: if earned.is_fee { EarningKind::Fee } else { EarningKind::Job },
        channel: if earned.is_cash { Channel::Cash } else { Channel::Online },
        gross_paise: earned.gross_paise,
        commission_paise: shares.commission_paise,
        tax_paise: shares.tax_paise,
        share_paise: shares.mechanic_paise,
        returned_paise: 0,
        held_paise,
        clears_at: (!earned.is_cash).then_some(clears_at),
        cleared_at: earned.is_cash.then_some(at),
        created_at: at,
    };
    let mut postings =
        vec![(Account::PlatformCommission, shares.commission_paise), (Account::Tax, shares.tax_paise)];
    if earned.is_cash {
        postings.push((Account::Owed(mechanic), -shares.commission_paise - shares.tax_paise));
    } else {
        postings.push((Account::Held(mechanic), shares.mechanic_paise));
    }
    (Some(row), postings)
}

/// The amounts that a refund took, or put back.
#[derive(Debug, Default)]
pub(super) struct Reversal {
    pub postings: Vec<(Account, i64)>,
    /// The parts of the gross, by job.
    pub gross_of_jobs: Vec<(Uuid, i64)>,
}

/// Takes `gross_paise` of a payment back from those who shared it: the platform, the tax, and the mechanic. The
/// mechanic's part comes from the held amount of the earning first, then from the available balance, and the rest is
/// owed. Of a payment for several fees, the earning of the job `first_from` gives first. A refund that was put back
/// takes from each earning the amount that it took before. Any other refund begins with the amounts that failed refunds
/// took and no later refund has taken: most likely it is made in their place.
pub(super) async fn take_back(
    tx: &mut PgConnection,
    refund_id: Uuid,
    payment_id: Uuid,
    gross_paise: i64,
    first_from: Option<Uuid>,
) -> ApiResult<Reversal> {
    let mut taken = Reversal::default();
    let mut wallets = Wallets::default();
    let mut earnings = queries::lock_of_payment(tx, payment_id).await?;
    lock_wallets(tx, &earnings).await?;
    if let Some(job_id) = first_from {
        earnings.sort_by_key(|earning| earning.job_id != job_id);
    }
    let before = queries::parts(tx, refund_id).await?;
    queries::forget_parts(tx, refund_id).await?;
    let mut meant: BTreeMap<Uuid, i64> =
        before.iter().map(|part| (part.earning_id, part.gross_paise)).collect();
    if meant.is_empty() && first_from.is_none() && earnings.len() > 1 {
        meant = not_replaced(&queries::past_parts(tx, payment_id).await?);
        for earning in &earnings {
            if let Some(paise) = meant.get_mut(&earning.id) {
                *paise = (*paise).min(earning.left_paise());
            }
        }
    }
    let (parts, left) = parts_of(&earnings, &meant, gross_paise);
    for (earning, part) in earnings.into_iter().zip(parts) {
        if part == 0 {
            continue;
        }
        let mechanic = earning.mechanic_profile_id;
        let back = earning.shares().returned(earning.returned_paise, part);
        let held = back.mechanic_paise.min(earning.held_paise);
        let rest = back.mechanic_paise - held;
        let available = match rest {
            0 => 0,
            rest => wallets.take_available(tx, mechanic, rest).await?,
        };
        let row = PartRow {
            refund_id,
            earning_id: earning.id,
            gross_paise: part,
            commission_paise: back.commission_paise,
            tax_paise: back.tax_paise,
            held_paise: held,
            available_paise: available,
            owed_paise: rest - available,
        };
        queries::insert_part(tx, &row).await?;
        queries::take(tx, earning.id, part, held).await?;
        taken.postings.extend(row.postings(mechanic));
        taken.gross_of_jobs.push((earning.job_id, part));
    }
    // The platform had the part that was not shared (the fee of a job without a mechanic), and it bears refunds that a
    // customer gets twice.
    if left > 0 {
        taken.postings.push((Account::PlatformCommission, -left));
    }
    Ok(taken)
}

/// Shares an amount out among earnings, in paise of the gross: first the amounts that are meant to be taken of each,
/// then in their order. Returns the part of each, and the amount that is left for the platform. If another refund has
/// already taken a meant amount, the platform bears it, and no other mechanic does.
fn parts_of(earnings: &[EarningRow], meant: &BTreeMap<Uuid, i64>, gross_paise: i64) -> (Vec<i64>, i64) {
    let (mut left, mut of_platform) = (gross_paise, 0);
    let mut parts: Vec<i64> = Vec::with_capacity(earnings.len());
    for earning in earnings {
        let wanted = left.min(meant.get(&earning.id).copied().unwrap_or(0));
        let part = wanted.min(earning.left_paise());
        left -= wanted;
        of_platform += wanted - part;
        parts.push(part);
    }
    for (earning, part) in earnings.iter().zip(&mut parts) {
        let more = left.min(earning.left_paise() - *part);
        left -= more;
        *part += more;
    }
    (parts, left + of_platform)
}

/// Returns the amounts that failed refunds of a payment took of each earning, in paise of the gross, less the amounts
/// that refunds made after the failure took of it.
fn not_replaced(past: &[PastPartRow]) -> BTreeMap<Uuid, i64> {
    let mut steps = Vec::new();
    for part in past {
        steps.push((part.created_at, 1, part.earning_id, -part.gross_paise));
        if let Some(failed_at) = part.failed_at {
            // Steps at one moment have an order: a refund that replaces a failed one comes after the failure, and its
            // own failure comes last.
            let order = if failed_at > part.created_at { 0 } else { 2 };
            steps.push((failed_at, order, part.earning_id, part.gross_paise));
        }
    }
    steps.sort_unstable();
    let mut open: BTreeMap<Uuid, i64> = BTreeMap::new();
    for (_, _, earning_id, paise) in steps {
        let sum = open.entry(earning_id).or_default();
        *sum = (*sum + paise).max(0);
    }
    open
}

/// Puts back the amounts that a failed refund took, and keeps its parts, in case it succeeds after all. The part that
/// the mechanic still owes is no longer owed; the rest, including debt that was paid off since, goes to where the
/// earning is now: held, or available once it has cleared.
pub(super) async fn put_back(
    tx: &mut PgConnection,
    refund_id: Uuid,
    payment_id: Uuid,
    gross_paise: i64,
) -> ApiResult<Reversal> {
    let mut put = Reversal::default();
    let earnings = queries::lock_of_payment(tx, payment_id).await?;
    lock_wallets(tx, &earnings).await?;
    let mut left = gross_paise;
    let mut wallets = Wallets::default();
    for part in queries::parts(tx, refund_id).await? {
        let Some(earning) = earnings.iter().find(|earning| earning.id == part.earning_id) else { continue };
        left -= part.gross_paise;
        let mechanic = earning.mechanic_profile_id;
        let owed = match part.owed_paise {
            0 => 0,
            owed => wallets.take_owed(tx, mechanic, owed).await?,
        };
        let rest = part.held_paise + part.available_paise + part.owed_paise - owed;
        let (held, available) = if earning.cleared_at.is_some() { (0, rest) } else { (rest, 0) };
        let back = PartRow { held_paise: held, available_paise: available, owed_paise: owed, ..part };
        queries::take(tx, earning.id, -back.gross_paise, -held).await?;
        put.postings.extend(back.postings(mechanic).map(|(account, paise)| (account, -paise)));
        put.gross_of_jobs.push((earning.job_id, back.gross_paise));
    }
    if left > 0 {
        put.postings.push((Account::PlatformCommission, left));
    }
    Ok(put)
}

/// Locks the wallets of several mechanics in the order that every transaction uses, because each of the following entries
/// may concern only some of them. A single mechanic's wallet is locked by the first entry.
async fn lock_wallets(tx: &mut PgConnection, earnings: &[EarningRow]) -> ApiResult<()> {
    let mechanics: BTreeSet<Uuid> = earnings.iter().map(|earning| earning.mechanic_profile_id).collect();
    if mechanics.len() < 2 {
        return Ok(());
    }
    Ok(ledger::lock(tx, &mechanics.into_iter().collect::<Vec<_>>()).await?)
}

/// The balances after the booking of one entry's postings: several earnings of a mechanic share them.
#[derive(Debug, Default)]
struct Wallets(BTreeMap<Uuid, ledger::Balances>);

impl Wallets {
    async fn of(&mut self, tx: &mut PgConnection, mechanic: Uuid) -> ApiResult<&mut ledger::Balances> {
        match self.0.entry(mechanic) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => Ok(unknown.insert(ledger::lock_balances(tx, mechanic).await?)),
        }
    }

    /// Takes the amount from the available balance, as far as it suffices, and returns the taken part.
    async fn take_available(&mut self, tx: &mut PgConnection, mechanic: Uuid, paise: i64) -> ApiResult<i64> {
        let balances = self.of(tx, mechanic).await?;
        let taken = paise.min(balances.available_paise);
        balances.available_paise -= taken;
        Ok(taken)
    }

    /// Takes the amount off the debt, as far as there is debt, and returns the taken part.
    async fn take_owed(&mut self, tx: &mut PgConnection, mechanic: Uuid, paise: i64) -> ApiResult<i64> {
        let balances = self.of(tx, mechanic).await?;
        let taken = paise.min(balances.owed_paise);
        balances.owed_paise -= taken;
        Ok(taken)
    }
}

/// The reason why earnings are held, even if they have cleared.
#[derive(Debug, Clone, Copy)]
pub(super) enum HoldReason<'a> {
    /// The job is disputed, which happens once in its life.
    Job(Uuid),
    /// The customer's bank disputes the payment, once under this id.
    Payment { payment_id: Uuid, dispute_id: &'a str },
}

/// Holds the earnings that a dispute is about, including cleared amounts that are still there.
pub(super) async fn hold(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    reason: HoldReason<'_>,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let earnings = match reason {
        HoldReason::Job(job_id) => queries::lock_of_job(tx, job_id).await?,
        HoldReason::Payment { payment_id, .. } => queries::lock_of_payment(tx, payment_id).await?,
    };
    lock_wallets(tx, &earnings).await?;
    for earning in earnings.into_iter().filter(|earning| earning.channel == Channel::Online) {
        let mechanic = earning.mechanic_profile_id;
        let kept = earning.share_paise - earning.shares().returned(0, earning.returned_paise).mechanic_paise;
        let missing = (kept - earning.held_paise).max(0);
        // An earning that never cleared can't have been spent.
        if earning.cleared_at.is_none() && missing == 0 {
            continue;
        }
        let paise = missing.min(ledger::lock_balances(tx, mechanic).await?.available_paise);
        let key = match reason {
            HoldReason::Job(_) => format!("hold:{}", earning.id),
            HoldReason::Payment { dispute_id, .. } => format!("hold:{}:{dispute_id}", earning.id),
        };
        let entry = ledger::LedgerEntry {
            kind: EntryKind::DisputeHold,
            key,
            job_id: Some(earning.job_id),
            note: None,
            postings: vec![(Account::Available(mechanic), -paise), (Account::Held(mechanic), paise)],
        };
        if ledger::post(tx, &context.random, at, entry).await? {
            queries::hold_again(tx, earning.id, paise).await?;
        }
    }
    Ok(())
}

impl EarningRow {
    /// Returns the part of the gross that no refund has taken.
    fn left_paise(&self) -> i64 {
        self.gross_paise - self.returned_paise
    }

    fn shares(&self) -> Shares {
        Shares {
            commission_paise: self.commission_paise,
            tax_paise: self.tax_paise,
            mechanic_paise: self.share_paise,
        }
    }
}

impl PartRow {
    /// Returns postings that take the part off each account that it comes from.
    fn postings(&self, mechanic: Uuid) -> impl Iterator<Item = (Account, i64)> {
        [
            (Account::PlatformCommission, -self.commission_paise),
            (Account::Tax, -self.tax_paise),
            (Account::Held(mechanic), -self.held_paise),
            (Account::Available(mechanic), -self.available_paise),
            (Account::Owed(mechanic), -self.owed_paise),
        ]
        .into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn earning(number: u128, gross_paise: i64, returned_paise: i64) -> EarningRow {
        EarningRow {
            id: Uuid::from_u128(number),
            payment_id: Uuid::nil(),
            job_id: Uuid::from_u128(number),
            mechanic_profile_id: Uuid::nil(),
            kind: EarningKind::Fee,
            channel: Channel::Online,
            gross_paise,
            commission_paise: 0,
            tax_paise: 0,
            share_paise: gross_paise,
            returned_paise,
            held_paise: gross_paise - returned_paise,
            clears_at: None,
            cleared_at: None,
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    fn meant(parts: &[(u128, i64)]) -> BTreeMap<Uuid, i64> {
        parts.iter().map(|(number, paise)| (Uuid::from_u128(*number), *paise)).collect()
    }

    #[test]
    fn a_refund_takes_the_meant_amounts_first_and_the_rest_in_order() {
        let earnings = [earning(1, 150, 0), earning(2, 150, 30), earning(3, 150, 0)];
        type Case<'a> = (&'a [(u128, i64)], i64, [i64; 3], i64);
        let cases: [Case; 7] = [
            (&[], 100, [100, 0, 0], 0),
            (&[], 500, [150, 120, 150], 80),
            (&[(2, 120)], 120, [0, 120, 0], 0),
            // Another refund has taken 30 of it meanwhile.
            (&[(2, 150)], 150, [0, 120, 0], 30),
            (&[(2, 150)], 250, [100, 120, 0], 30),
            (&[(1, 20), (3, 150)], 170, [20, 0, 150], 0),
            (&[(4, 50)], 0, [0, 0, 0], 0),
        ];
        for (parts, gross_paise, taken, left) in cases {
            let shared = parts_of(&earnings, &meant(parts), gross_paise);
            assert_eq!(shared, (taken.to_vec(), left), "{gross_paise}, meant {parts:?}");
        }
    }

    /// Returns a refund's part of an earning, made and failed at these minutes.
    fn past(earning: u128, gross_paise: i64, made: i64, failed: Option<i64>) -> PastPartRow {
        let at = |minute| DateTime::UNIX_EPOCH + TimeDelta::minutes(minute);
        PastPartRow {
            earning_id: Uuid::from_u128(earning),
            gross_paise,
            created_at: at(made),
            failed_at: failed.map(at),
        }
    }

    #[test]
    fn amounts_of_failed_refunds_are_open_until_a_later_refund_takes_them() {
        let cases: [(&[PastPartRow], i64, &str); 8] = [
            (&[past(1, 100, 1, None)], 0, "it has not failed"),
            (&[past(1, 100, 1, Some(2))], 100, "it has failed"),
            (&[past(1, 100, 1, Some(1))], 100, "it was reported when it had failed"),
            (&[past(1, 100, 1, Some(2)), past(1, 60, 3, None)], 40, "a part was refunded again"),
            (&[past(1, 100, 1, Some(2)), past(1, 100, 3, Some(4))], 100, "the second one failed too"),
            (&[past(1, 50, 1, Some(3)), past(1, 70, 2, Some(3))], 120, "neither replaces the other"),
            (&[past(1, 50, 1, Some(2)), past(1, 90, 3, None), past(1, 40, 4, Some(5))], 40, "the last one"),
            (&[past(1, 50, 1, Some(2)), past(2, 50, 3, None)], 50, "another earning was refunded"),
        ];
        for (past, expected, why) in cases {
            let open = not_replaced(past);
            assert_eq!(open.get(&Uuid::from_u128(1)).copied().unwrap_or(0), expected, "{why}");
        }
    }
}
