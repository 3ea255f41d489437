//! The sandbox's decisions: when it sends which webhook, how a payout ends, who owns an address. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use super::dto::{PayOutcome, PayoutOutcome};
use super::queries::{SandboxPayment, SandboxPayout, SandboxRefund, SandboxValidation};
use super::settings::SandboxSettings;
use crate::{
    gateway::{Attempt, AttemptStatus, GatewayRefund, GatewayRefundStatus},
    payouts::{Payout, PayoutStatus, Validation, ValidationOutcome},
};

/// The number of tries of a webhook; the last is about ten minutes after the first.
pub const MAX_TRIES: i32 = 16;
const FIRST_PAUSE_MS: i64 = 200;
const LONGEST_PAUSE_MS: i64 = 60_000;

/// The moment at which a failing call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InjectedFailure {
    /// The call fails before anything happened.
    Before,
    /// The call fails after it happened: the answer is lost.
    After,
}

/// Decides whether a call fails: `percent` of all calls do, every other one after the effect. `draw(n)` is a number below n.
pub fn injected_failure(percent: u32, mut draw: impl FnMut(u32) -> u32) -> Option<InjectedFailure> {
    (draw(100) < percent).then(|| if draw(2) == 0 { InjectedFailure::Before } else { InjectedFailure::After })
}

/// Draws a delay between the two limits of the settings.
pub fn delay(settings: &SandboxSettings, mut draw: impl FnMut(u32) -> u32) -> TimeDelta {
    let span = settings.delay_max_ms.saturating_sub(settings.delay_min_ms).saturating_add(1);
    let drawn = u64::from(draw(u32::try_from(span).unwrap_or(u32::MAX)));
    TimeDelta::milliseconds(i64::try_from(settings.delay_min_ms + drawn).unwrap_or(i64::MAX / 1_000_000))
}

/// Returns when each of the events that happen at `times` is sent, as often as it is sent: in their order, a delay after each,
/// except for those that are held back until after all others.
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

/// Returns the pause between the failed try `attempts` and the next one; `None` once the webhook is given up.
pub fn pause_after(attempts: i32) -> Option<TimeDelta> {
    if attempts >= MAX_TRIES {
        return None;
    }
    let doublings = u32::try_from(attempts - 1).unwrap_or_default().min(20);
    Some(TimeDelta::milliseconds((FIRST_PAUSE_MS << doublings).min(LONGEST_PAUSE_MS)))
}

/// Decides how a payout to that address ends.
pub fn payout_ends(vpa: &str, settings: &SandboxSettings, mut draw: impl FnMut(u32) -> u32) -> PayoutOutcome {
    match local_part(vpa).as_str() {
        "failure" => PayoutOutcome::Failed,
        "reversed" => PayoutOutcome::Reversed,
        _ if draw(100) < settings.payout_failure_percent => PayoutOutcome::Failed,
        _ if draw(100) < settings.payout_failure_percent => PayoutOutcome::Reversed,
        _ => PayoutOutcome::Processed,
    }
}

/// Returns the name that an address is registered to; `None` if there is no such address.
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

pub fn attempt(row: SandboxPayment) -> Attempt {
    let is_returned = row.refunded_paise == row.amount_paise;
    let status = match row.status {
        PayOutcome::Captured if is_returned => AttemptStatus::Refunded,
        PayOutcome::Captured => AttemptStatus::Captured,
        PayOutcome::Authorized => AttemptStatus::Authorized,
        PayOutcome::Failed => AttemptStatus::Failed,
    };
    Attempt {
        id: row.id,
        order_id: Some(row.order_id),
        amount_paise: row.amount_paise,
        currency: row.currency,
        status,
        method: Some(row.method),
        error: row.error,
    }
}

pub fn refund(row: SandboxRefund, now: DateTime<Utc>) -> GatewayRefund {
    let is_settled = row.settles_at <= now;
    GatewayRefund {
        id: row.id,
        attempt_id: row.payment_id,
        amount_paise: row.amount_paise,
        currency: Some(row.currency),
        status: if is_settled { GatewayRefundStatus::Processed } else { GatewayRefundStatus::Pending },
        refund_id: Some(row.refund_id),
    }
}

pub fn payout(row: SandboxPayout, now: DateTime<Utc>) -> Payout {
    let outcome = payout_outcome(&row, now);
    Payout {
        id: row.id,
        withdrawal_id: Some(row.withdrawal_id),
        amount_paise: row.amount_paise,
        status: match outcome {
            None => PayoutStatus::Pending,
            Some(PayoutOutcome::Processed) => PayoutStatus::Processed,
            Some(PayoutOutcome::Failed) => PayoutStatus::Failed,
            Some(PayoutOutcome::Reversed) => PayoutStatus::Reversed,
        },
        utr: row.utr.filter(|_| matches!(outcome, Some(PayoutOutcome::Processed | PayoutOutcome::Reversed))),
        failure: outcome.and_then(failure_of).map(str::to_owned),
    }
}

/// Returns how the payout has ended at that time; `None` while it is in progress.
pub fn payout_outcome(row: &SandboxPayout, now: DateTime<Utc>) -> Option<PayoutOutcome> {
    match row.outcome {
        _ if now < row.settles_at => None,
        PayoutOutcome::Failed => Some(PayoutOutcome::Failed),
        _ if row.reverses_at.is_some_and(|at| at <= now) => Some(PayoutOutcome::Reversed),
        PayoutOutcome::Processed | PayoutOutcome::Reversed => Some(PayoutOutcome::Processed),
    }
}

/// Returns why a payout with this outcome brought no money.
pub fn failure_of(outcome: PayoutOutcome) -> Option<&'static str> {
    match outcome {
        PayoutOutcome::Failed => Some("The beneficiary's bank refused the payout"),
        PayoutOutcome::Reversed => Some("The beneficiary's bank sent the payout back"),
        PayoutOutcome::Processed => None,
    }
}

pub fn validation(row: SandboxValidation, now: DateTime<Utc>) -> Validation {
    let outcome = match row.name_at_bank {
        _ if now < row.settles_at => ValidationOutcome::Pending,
        Some(name_at_bank) => ValidationOutcome::Active { name_at_bank },
        None => ValidationOutcome::Invalid,
    };
    Validation { id: row.id, fund_account_id: Some(row.fund_account_id), outcome }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roadcall_platform::settings::testing::default_of;

    use super::{
        PayoutOutcome::{Failed, Processed, Reversed},
        *,
    };

    fn settings(delay_ms: (u64, u64), duplicate: u32, reorder: u32) -> SandboxSettings {
        SandboxSettings {
            delay_min_ms: delay_ms.0,
            delay_max_ms: delay_ms.1,
            duplicate_percent: duplicate,
            reorder_percent: reorder,
            ..default_of("sandbox")
        }
    }

    fn at(ms: i64) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(1_800_000_000_000 + ms).expect("a time")
    }

    proptest! {
        #[test]
        fn events_are_sent_after_they_happened_and_in_order_unless_held_back(
            gaps in prop::collection::vec(0_i64..500, 1..6),
            min in 0_u64..300, span in 0_u64..300,
            duplicate in 0_u32..=100, reorder in 0_u32..=100,
            seed in prop::collection::vec(any::<u32>(), 64),
        ) {
            let times: Vec<_> = gaps.iter().scan(0, |sum, gap| { *sum += gap; Some(at(*sum)) }).collect();
            let mut draws = seed.iter().cycle();
            let settings = settings((min, min + span), duplicate, reorder);
            let due = due_times(&times, &settings, |below| draws.next().copied().unwrap_or_default() % below);
            prop_assert_eq!(due.len(), times.len());
            for (sent, happened) in due.iter().zip(&times) {
                prop_assert!(!sent.is_empty() && sent.len() <= 2);
                prop_assert!(sent[0] >= *happened + TimeDelta::milliseconds(min as i64));
                prop_assert!(sent.windows(2).all(|pair| pair[0] < pair[1]));
            }
            let mut firsts: Vec<_> = due.iter().map(|sent| sent[0]).collect();
            if reorder == 0 {
                prop_assert!(firsts.windows(2).all(|pair| pair[0] < pair[1]));
            }
            firsts.sort();
            firsts.dedup();
            prop_assert_eq!(firsts.len(), times.len(), "no two at once, so that their order is theirs");
            if duplicate == 0 {
                prop_assert!(due.iter().all(|sent| sent.len() == 1));
            }
        }
    }

    #[test]
    fn an_event_that_is_held_back_comes_after_all_others() {
        // The first draw of each event is its delay, then another one decides whether it is held back.
        let times = [at(0), at(0), at(0)];
        let mut draws = [0, 0, 0, 0, 0, 99, 99, 99, 99, 99].into_iter();
        let draw = |below: u32| draws.next().unwrap_or_default() % below;
        let due = due_times(&times, &settings((5, 5), 0, 50), draw);
        assert!(due[0][0] > due[1][0] && due[0][0] > due[2][0], "{due:?}");
        assert!(due[1][0] < due[2][0], "{due:?}");
    }

    #[test]
    fn half_of_the_failing_calls_fail_before_the_effect() {
        assert_eq!(injected_failure(0, |_| 0), None);
        assert_eq!(injected_failure(100, |below| below - 1), Some(InjectedFailure::After));
        assert_eq!(injected_failure(1, |_| 0), Some(InjectedFailure::Before));
        assert_eq!(injected_failure(50, |below| below / 2), None);
    }

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<_> = (1..=MAX_TRIES).map_while(pause_after).collect();
        assert_eq!(pauses.len(), 15);
        assert_eq!(pauses[0], TimeDelta::milliseconds(200));
        assert!(pauses.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(pauses[14], TimeDelta::minutes(1));
        assert_eq!(pause_after(i32::MAX), None);
    }

    #[test]
    fn the_address_or_chance_decides_how_a_payout_ends() {
        let chance = |percent| SandboxSettings { payout_failure_percent: percent, ..default_of("sandbox") };
        assert_eq!(payout_ends("FAILURE@upi", &chance(0), |_| 0), PayoutOutcome::Failed);
        assert_eq!(payout_ends("reversed@upi", &chance(0), |_| 0), PayoutOutcome::Reversed);
        assert_eq!(payout_ends("ravi@upi", &chance(0), |_| 0), PayoutOutcome::Processed);
        assert_eq!(payout_ends("ravi@upi", &chance(100), |_| 99), PayoutOutcome::Failed);
        let mut draws = [99, 0].into_iter();
        let drawn = payout_ends("ravi@upi", &chance(10), |_| draws.next().unwrap_or_default());
        assert_eq!(drawn, PayoutOutcome::Reversed);
    }

    #[test]
    fn a_payout_reports_its_state_at_the_time() {
        let row = |outcome: PayoutOutcome| SandboxPayout {
            id: "pout_1".to_owned(),
            withdrawal_id: uuid::Uuid::nil(),
            amount_paise: 100,
            currency: "INR".to_owned(),
            outcome,
            settles_at: at(100),
            reverses_at: (outcome == PayoutOutcome::Reversed).then(|| at(200)),
            utr: Some("1".to_owned()),
            created_at: at(0),
        };
        let course = |outcome| [at(99), at(100), at(200)].map(|now| payout_outcome(&row(outcome), now));
        assert_eq!(course(Processed), [None, Some(Processed), Some(Processed)]);
        assert_eq!(course(Failed), [None, Some(Failed), Some(Failed)]);
        assert_eq!(course(Reversed), [None, Some(Processed), Some(Reversed)]);
        assert_eq!(payout(row(Processed), at(99)).utr, None);
        assert_eq!(payout(row(Reversed), at(300)).utr.as_deref(), Some("1"));
    }
}
