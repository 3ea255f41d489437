//! What the sandbox decides: when it tells of what, how a payout ends, whom an address belongs to, what a row says by now.

use chrono::{DateTime, TimeDelta, Utc};

use super::queries::{PaymentRow, PayoutRow, RefundRow, ValidationRow};
use crate::{
    providers::{
        gateway::{Attempt, AttemptStatus, Refund, RefundStatus},
        payouts::{Payout, PayoutStatus, Validation, ValidationOutcome},
    },
    settings::SandboxSettings,
};

/// Tries of one webhook; the last is about ten minutes after the first.
pub const MAX_TRIES: i32 = 16;
const FIRST_PAUSE_MS: i64 = 200;
const LONGEST_PAUSE_MS: i64 = 60_000;

/// How a call fails that was told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    /// Before anything happened.
    Before,
    /// After it happened: the answer is lost.
    After,
}

/// Of 100 calls `percent` fail, every other one after the effect. `draw(n)` is a number below n.
pub fn mishap(percent: u32, mut draw: impl FnMut(u32) -> u32) -> Option<Mishap> {
    (draw(100) < percent).then(|| if draw(2) == 0 { Mishap::Before } else { Mishap::After })
}

/// A delay between the two of the settings.
pub fn delay(settings: &SandboxSettings, mut draw: impl FnMut(u32) -> u32) -> TimeDelta {
    let span = settings.delay_max_ms.saturating_sub(settings.delay_min_ms).saturating_add(1);
    let drawn = u64::from(draw(u32::try_from(span).unwrap_or(u32::MAX)));
    TimeDelta::milliseconds(i64::try_from(settings.delay_min_ms + drawn).unwrap_or(i64::MAX / 1_000_000))
}

/// When each of the events that happen at `times` is sent, as often as it is sent: in their order, a delay after each,
/// save for those that are held back behind all the others.
pub fn due_times(
    times: &[DateTime<Utc>],
    settings: &SandboxSettings,
    mut draw: impl FnMut(u32) -> u32,
) -> Vec<Vec<DateTime<Utc>>> {
    let step = TimeDelta::microseconds(1);
    let mut last = DateTime::<Utc>::MIN_UTC;
    let mut due: Vec<Vec<DateTime<Utc>>> = Vec::new();
    for at in times {
        last = (*at + delay(settings, &mut draw)).max(last.checked_add_signed(step).unwrap_or(last));
        due.push(vec![last]);
    }
    for sent in &mut due {
        if draw(100) < settings.reorder_percent {
            last += delay(settings, &mut draw) + TimeDelta::milliseconds(1);
            sent[0] = last;
        }
    }
    for sent in &mut due {
        if draw(100) < settings.duplicate_percent {
            let again = sent[0] + delay(settings, &mut draw) + step;
            sent.push(again);
        }
    }
    due
}

/// How long after the failed try `attempts` the next one follows; `None` once it is given up.
pub fn pause_after(attempts: i32) -> Option<TimeDelta> {
    if attempts >= MAX_TRIES {
        return None;
    }
    let doublings = u32::try_from(attempts - 1).unwrap_or_default().min(20);
    Some(TimeDelta::milliseconds((FIRST_PAUSE_MS << doublings).min(LONGEST_PAUSE_MS)))
}

/// "processed", "failed" or "reversed".
pub fn ending(vpa: &str, settings: &SandboxSettings, mut draw: impl FnMut(u32) -> u32) -> &'static str {
    match local_part(vpa).as_str() {
        "failure" => "failed",
        "reversed" => "reversed",
        _ if draw(100) < settings.payout_failure_percent => "failed",
        _ if draw(100) < settings.payout_failure_percent => "reversed",
        _ => "processed",
    }
}

/// To whom an address is registered; `None` where there is no such address.
pub fn name_at_bank(vpa: &str, holder_name: &str) -> Option<String> {
    match local_part(vpa).as_str() {
        "invalid" => None,
        local if local.starts_with("mismatch") => Some("Someone Else".to_owned()),
        _ => Some(holder_name.to_uppercase()),
    }
}

fn local_part(vpa: &str) -> String {
    vpa.split('@').next().unwrap_or_default().to_lowercase()
}

pub fn attempt(row: PaymentRow) -> Attempt {
    let is_returned = row.status == "captured" && row.refunded_paise == row.amount_paise;
    let status = AttemptStatus::parse(&row.status).unwrap_or(AttemptStatus::Created);
    Attempt {
        id: row.id,
        order_id: Some(row.order_id),
        amount_paise: row.amount_paise,
        currency: row.currency,
        status: if is_returned { AttemptStatus::Refunded } else { status },
        method: Some(row.method),
        error: row.error,
    }
}

pub fn refund(row: RefundRow, now: DateTime<Utc>) -> Refund {
    let is_settled = row.settles_at <= now;
    Refund {
        id: row.id,
        attempt_id: row.payment_id,
        amount_paise: row.amount_paise,
        currency: row.currency,
        status: if is_settled { RefundStatus::Processed } else { RefundStatus::Pending },
        refund_id: Some(row.refund_id),
    }
}

pub fn payout(row: PayoutRow, now: DateTime<Utc>) -> Payout {
    let status = payout_status(&row, now);
    Payout {
        id: row.id,
        withdrawal_id: Some(row.withdrawal_id),
        amount_paise: row.amount_paise,
        status: PayoutStatus::parse(status).unwrap_or(PayoutStatus::Pending),
        utr: row.utr.filter(|_| ["processed", "reversed"].contains(&status)),
        failure: failure_of(status).map(str::to_owned),
    }
}

/// The provider's word at that time.
pub fn payout_status(row: &PayoutRow, now: DateTime<Utc>) -> &'static str {
    match row.ending.as_str() {
        _ if now < row.settles_at => "processing",
        "failed" => "failed",
        _ if row.reverses_at.is_some_and(|at| at <= now) => "reversed",
        _ => "processed",
    }
}

/// Why a payout of that status brought no money.
pub fn failure_of(status: &str) -> Option<&'static str> {
    match status {
        "failed" => Some("The beneficiary's bank refused the payout"),
        "reversed" => Some("The beneficiary's bank sent the payout back"),
        _ => None,
    }
}

pub fn validation(row: ValidationRow, now: DateTime<Utc>) -> Validation {
    let outcome = match row.name_at_bank {
        _ if now < row.settles_at => ValidationOutcome::Pending,
        Some(name_at_bank) => ValidationOutcome::Active { name_at_bank },
        None => ValidationOutcome::Invalid,
    };
    Validation { id: row.id, fund_account_id: Some(row.fund_account_id), outcome }
}
