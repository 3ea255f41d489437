//! The state machine of a payment, in whatever order events come. Pure.
//!
//! Every event about an attempt or a refund is a status with a rank, and the highest rank so far counts: repeated and older
//! events change nothing, and every order ends the same.
//!
//! ```text
//! created ──▶ authorized ──▶ captured ──▶ partially_refunded ──▶ refunded
//!    └───────────┴──▶ failed ──▶ captured (a late authorization)
//! ```

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    http::text_enum,
    providers::gateway::{Attempt, AttemptStatus, GatewayRefund, GatewayRefundStatus},
};

text_enum! {
    /// The progress of a payment.
    PaymentStatus {
        Created = "created",
        Authorized = "authorized",
        Captured = "captured",
        PartiallyRefunded = "partially_refunded",
        Refunded = "refunded",
        Failed = "failed",
    }
}

text_enum! {
    /// The progress of a refund: requested, at the gateway, failed, or with the customer.
    RefundStatus { Requested = "requested", Pending = "pending", Failed = "failed", Processed = "processed", }
}

text_enum! {
    /// The state of a parked payment: it waits for an admin, the gateway is refunding it or has refunded it, or an
    /// admin dismissed it.
    ParkedStatus { Open = "open", Refunding = "refunding", Refunded = "refunded", Dismissed = "dismissed", }
}

text_enum! {
    /// The reason why money at the gateway fits no payment.
    ParkReason {
        UnknownOrder = "unknown_order",
        WrongAmount = "wrong_amount",
        WrongCurrency = "wrong_currency",
        /// Appears only in rows of earlier releases: now a second capture is refunded.
        CapturedTwice = "captured_twice",
    }
}

/// The known state of a payment when an event comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentState {
    pub amount_paise: i64,
    pub currency: String,
    pub status: PaymentStatus,
    pub captured_attempt: Option<String>,
    /// Every known attempt, with its latest known status.
    pub attempts: Vec<(String, AttemptStatus)>,
}

/// The transition that an event about an attempt causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// The attempt's status was known already, or a newer one is known.
    Unchanged,
    /// The money is not what we asked for: it is shown to admins, and never booked.
    Park(ParkReason),
    /// The attempt and the payment have these statuses now.
    Record { attempt: AttemptStatus, payment: PaymentStatus },
    /// The money has arrived.
    Capture,
    /// The money has arrived a second time, by another attempt: it goes back.
    CaptureAgain,
}

impl PaymentState {
    /// Returns the transition that `attempt`, an attempt to pay this payment's order, causes.
    pub fn after(&self, attempt: &Attempt) -> Transition {
        let before = self.attempts.iter().find(|(id, _)| *id == attempt.id).map(|(_, status)| *status);
        if before.is_some_and(|before| is_old(before, attempt.status)) {
            return Transition::Unchanged;
        }
        let is_captured = matches!(attempt.status, AttemptStatus::Captured | AttemptStatus::Refunded);
        let moves_money = is_captured || attempt.status == AttemptStatus::Authorized;
        if moves_money && attempt.currency != self.currency {
            return Transition::Park(ParkReason::WrongCurrency);
        }
        if moves_money && attempt.amount_paise != self.amount_paise {
            return Transition::Park(ParkReason::WrongAmount);
        }
        match &self.captured_attempt {
            Some(captured) if is_captured && *captured != attempt.id => Transition::CaptureAgain,
            Some(_) => Transition::Record { attempt: attempt.status, payment: self.status },
            None if is_captured => Transition::Capture,
            None => Transition::Record { attempt: attempt.status, payment: self.status_with(attempt) },
        }
    }

    /// Returns the status that follows from all attempts, if none is captured.
    fn status_with(&self, attempt: &Attempt) -> PaymentStatus {
        let others = self.attempts.iter().filter(|(id, _)| *id != attempt.id).map(|(_, status)| *status);
        let all: Vec<AttemptStatus> = others.chain([attempt.status]).collect();
        if all.contains(&AttemptStatus::Authorized) {
            PaymentStatus::Authorized
        } else if all.contains(&AttemptStatus::Failed) {
            PaymentStatus::Failed
        } else {
            PaymentStatus::Created
        }
    }
}

/// Returns whether `reported` says nothing new of an attempt whose status was `before`.
pub fn is_old(before: AttemptStatus, reported: AttemptStatus) -> bool {
    rank(before) >= rank(reported)
}

/// Ranks the statuses. An authorization may lapse (failed), and a lapsed one may be captured late: never the other way
/// round.
pub fn rank(status: AttemptStatus) -> u8 {
    match status {
        AttemptStatus::Created => 0,
        AttemptStatus::Authorized => 1,
        AttemptStatus::Failed => 2,
        AttemptStatus::Captured => 3,
        AttemptStatus::Refunded => 4,
    }
}

impl RefundStatus {
    /// Returns the refund's status after the gateway's event. Money that reached the customer stays there.
    pub fn after(self, reported: GatewayRefundStatus) -> Self {
        let next = match reported {
            GatewayRefundStatus::Pending => Self::Pending,
            GatewayRefundStatus::Failed => Self::Failed,
            GatewayRefundStatus::Processed => Self::Processed,
        };
        if next.rank() > self.rank() { next } else { self }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Requested => 0,
            Self::Pending => 1,
            Self::Failed => 2,
            Self::Processed => 3,
        }
    }
}

/// The part of a parked payment that changes.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ParkedState {
    pub status: ParkedStatus,
    /// Our id of the refund, which the gateway takes as the key of the request.
    pub refund_id: Option<Uuid>,
    pub failure: Option<String>,
    pub settled_at: Option<DateTime<Utc>>,
}

/// A move of a parked payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParkedMove {
    /// An admin has it refunded, under this id unless a refund is under way.
    Refund {
        refund_id: Uuid,
    },
    Dismiss,
    /// The gateway refunded all of it, for us or from its dashboard.
    Refunded,
    /// The gateway refused this refund, or could not make it.
    RefundFailed {
        refund_id: Uuid,
        why: String,
    },
}

impl ParkedMove {
    /// Returns the move that follows from the gateway's report. A refund of a part, which only the gateway's dashboard
    /// can make, settles nothing.
    pub fn reported(refund: &GatewayRefund, parked_paise: i64) -> Option<Self> {
        match refund.status {
            GatewayRefundStatus::Processed => (refund.amount_paise == parked_paise).then_some(Self::Refunded),
            GatewayRefundStatus::Failed => {
                let why = "the gateway could not refund it".to_owned();
                refund.refund_id.map(|refund_id| Self::RefundFailed { refund_id, why })
            }
            GatewayRefundStatus::Pending => None,
        }
    }
}

impl ParkedState {
    /// Returns the state after `step`; `None` if the step is not allowed or changes nothing.
    pub fn after(&self, step: ParkedMove, at: DateTime<Utc>) -> Option<Self> {
        use ParkedStatus::{Dismissed, Open, Refunded, Refunding};
        let settled = |status| Self { status, failure: None, settled_at: Some(at), ..self.clone() };
        match (self.status, step) {
            (Open | Refunding, ParkedMove::Refund { refund_id }) => Some(Self {
                status: Refunding,
                refund_id: self.refund_id.or(Some(refund_id)),
                failure: None,
                settled_at: None,
            }),
            (Open, ParkedMove::Dismiss) => Some(Self { failure: self.failure.clone(), ..settled(Dismissed) }),
            (Open | Refunding | Dismissed, ParkedMove::Refunded) => Some(settled(Refunded)),
            // The next refund gets another id: under the same id the gateway would repeat its answer.
            (Refunding, ParkedMove::RefundFailed { refund_id, why }) if self.refund_id == Some(refund_id) => {
                Some(Self { status: Open, refund_id: None, failure: Some(why), settled_at: None })
            }
            (Open | Refunding | Refunded | Dismissed, ParkedMove::RefundFailed { .. })
            | (Refunding | Refunded | Dismissed, ParkedMove::Dismiss)
            | (Refunded | Dismissed, ParkedMove::Refund { .. })
            | (Refunded, ParkedMove::Refunded) => None,
        }
    }
}

/// Returns the status of a captured payment after refunds of `processed_paise`.
pub fn refunded(amount_paise: i64, processed_paise: i64) -> PaymentStatus {
    match processed_paise {
        0 => PaymentStatus::Captured,
        part if part < amount_paise => PaymentStatus::PartiallyRefunded,
        _ => PaymentStatus::Refunded,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn known() -> PaymentState {
        PaymentState {
            amount_paise: 29_900,
            currency: "INR".to_owned(),
            status: PaymentStatus::Created,
            captured_attempt: None,
            attempts: Vec::new(),
        }
    }

    fn attempt(id: &str, status: AttemptStatus) -> Attempt {
        Attempt {
            id: id.to_owned(),
            order_id: Some("order_1".to_owned()),
            amount_paise: 29_900,
            currency: "INR".to_owned(),
            status,
            method: None,
            error: None,
        }
    }

    /// Returns the payment after an event, as `apply.rs` writes it.
    fn apply(mut known: PaymentState, event: &Attempt) -> PaymentState {
        let (attempt, status) = match known.after(event) {
            Transition::Unchanged | Transition::Park(_) => return known,
            Transition::Record { attempt, payment } => (attempt, payment),
            Transition::CaptureAgain => (event.status, known.status),
            Transition::Capture => {
                known.captured_attempt = Some(event.id.clone());
                (event.status, PaymentStatus::Captured)
            }
        };
        known.status = status;
        known.attempts.retain(|(id, _)| *id != event.id);
        known.attempts.push((event.id.clone(), attempt));
        known.attempts.sort_by(|a, b| a.0.cmp(&b.0));
        known
    }

    #[test]
    fn a_late_authorization_is_captured_and_a_capture_stays() {
        let failed = apply(known(), &attempt("a", AttemptStatus::Failed));
        assert_eq!(failed.status, PaymentStatus::Failed);
        let captured = apply(failed, &attempt("a", AttemptStatus::Captured));
        assert_eq!(captured.status, PaymentStatus::Captured);
        for late in [AttemptStatus::Failed, AttemptStatus::Authorized, AttemptStatus::Created] {
            assert_eq!(captured.after(&attempt("a", late)), Transition::Unchanged);
        }
    }

    #[test]
    fn a_second_attempt_pays_after_the_first_has_failed() {
        let both = apply(
            apply(known(), &attempt("a", AttemptStatus::Failed)),
            &attempt("b", AttemptStatus::Authorized),
        );
        assert_eq!(both.status, PaymentStatus::Authorized);
        let paid = apply(both, &attempt("b", AttemptStatus::Captured));
        assert_eq!(paid.after(&attempt("a", AttemptStatus::Captured)), Transition::CaptureAgain);
    }

    #[test]
    fn a_second_capture_goes_back_once_and_only_with_the_right_amount() {
        let captured = apply(known(), &attempt("a", AttemptStatus::Captured));
        let second = attempt("b", AttemptStatus::Captured);
        assert_eq!(captured.after(&second), Transition::CaptureAgain);
        let both = apply(captured.clone(), &second);
        assert_eq!((both.status, both.captured_attempt.as_deref()), (PaymentStatus::Captured, Some("a")));
        for again in [second, attempt("b", AttemptStatus::Authorized), attempt("a", AttemptStatus::Captured)]
        {
            assert_eq!(both.after(&again), Transition::Unchanged, "{again:?}");
        }
        let refunded = attempt("b", AttemptStatus::Refunded);
        assert_eq!(captured.after(&refunded), Transition::CaptureAgain, "its capture was not known");
        let odd = Attempt { amount_paise: 1, ..attempt("c", AttemptStatus::Captured) };
        assert_eq!(both.after(&odd), Transition::Park(ParkReason::WrongAmount));
    }

    #[test]
    fn a_wrong_amount_or_currency_is_parked() {
        let odd = Attempt { amount_paise: 29_899, ..attempt("a", AttemptStatus::Captured) };
        assert_eq!(known().after(&odd), Transition::Park(ParkReason::WrongAmount));
        let odd = Attempt { currency: "USD".to_owned(), ..attempt("a", AttemptStatus::Authorized) };
        assert_eq!(known().after(&odd), Transition::Park(ParkReason::WrongCurrency));
    }

    #[test]
    fn a_parked_payment_moves_as_the_table_says() {
        use ParkedStatus::{Dismissed, Open, Refunded, Refunding};
        let at = DateTime::UNIX_EPOCH;
        let (current, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let failed = |refund_id| ParkedMove::RefundFailed { refund_id, why: "refused".to_owned() };
        let table = [
            (ParkedMove::Refund { refund_id: other }, [Some(Refunding), Some(Refunding), None, None]),
            (ParkedMove::Dismiss, [Some(Dismissed), None, None, None]),
            (ParkedMove::Refunded, [Some(Refunded), Some(Refunded), None, Some(Refunded)]),
            // A payment that was refunded in the dashboard meanwhile stays refunded when the gateway then refuses our
            // refund.
            (failed(current), [None, Some(Open), None, None]),
            (failed(other), [None; 4]),
        ];
        for (step, expected) in table {
            for (status, expected) in [Open, Refunding, Refunded, Dismissed].into_iter().zip(expected) {
                let refund_id = (status != Open).then_some(current);
                let before = ParkedState { status, refund_id, failure: None, settled_at: None };
                let after = before.after(step.clone(), at);
                assert_eq!(after.as_ref().map(|after| after.status), expected, "{step:?} while {status}");
                let Some(after) = after else { continue };
                let is_settled = matches!(after.status, Refunded | Dismissed);
                assert_eq!(after.settled_at, is_settled.then_some(at), "{step:?} while {status}");
                let expected = match (status, after.status) {
                    (Open, Refunding) => Some(other),
                    (_, Open) => None,
                    _ => refund_id,
                };
                assert_eq!(after.refund_id, expected, "{step:?} while {status}");
            }
        }
    }

    #[test]
    fn only_a_refund_of_the_whole_amount_settles_a_parked_payment() {
        let ours = Some(Uuid::from_u128(1));
        let report = |amount_paise, status, refund_id| {
            let (id, attempt_id) = ("rfnd_1".to_owned(), "pay_1".to_owned());
            let refund = GatewayRefund {
                id,
                attempt_id,
                amount_paise,
                currency: Some("INR".to_owned()),
                status,
                refund_id,
            };
            ParkedMove::reported(&refund, 100)
        };
        assert_eq!(report(100, GatewayRefundStatus::Processed, None), Some(ParkedMove::Refunded));
        assert_eq!(report(99, GatewayRefundStatus::Processed, ours), None);
        assert_eq!(report(100, GatewayRefundStatus::Pending, ours), None);
        assert_eq!(report(100, GatewayRefundStatus::Failed, None), None);
        let failed = report(100, GatewayRefundStatus::Failed, ours);
        assert!(matches!(failed, Some(ParkedMove::RefundFailed { .. })), "{failed:?}");
    }

    /// Returns all orders of `events`, by Heap's algorithm.
    fn orders(events: &[Attempt]) -> Vec<Vec<Attempt>> {
        fn go(k: usize, events: &mut Vec<Attempt>, all: &mut Vec<Vec<Attempt>>) {
            if k <= 1 {
                return all.push(events.clone());
            }
            for i in 0..k {
                go(k - 1, events, all);
                events.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
        let (mut events, mut all) = (events.to_vec(), Vec::new());
        go(events.len(), &mut events, &mut all);
        all
    }

    #[test]
    fn every_order_of_events_ends_the_same() {
        // One attempt fails, and one goes all the way; a single event comes twice, because more events would have too
        // many orders.
        let events = [
            attempt("a", AttemptStatus::Failed),
            attempt("a", AttemptStatus::Created),
            attempt("b", AttemptStatus::Authorized),
            attempt("b", AttemptStatus::Captured),
            attempt("b", AttemptStatus::Refunded),
            attempt("b", AttemptStatus::Failed),
            attempt("b", AttemptStatus::Captured),
        ];
        let mut ends = orders(&events).into_iter().map(|order| order.iter().fold(known(), apply_ref));
        let first = ends.next().expect("there are orders");
        assert_eq!(first.status, PaymentStatus::Captured);
        assert!(ends.all(|end| end == first));
    }

    fn apply_ref(known: PaymentState, event: &Attempt) -> PaymentState {
        apply(known, event)
    }

    proptest! {
        #[test]
        fn refunds_only_go_forward(events in prop::collection::vec(0_usize..3, 0..12)) {
            let mut forward = RefundStatus::Requested;
            for event in &events {
                let next = forward.after(GatewayRefundStatus::ALL[*event]);
                prop_assert!(next.rank() >= forward.rank());
                forward = next;
            }
            let backward = events.iter().rev().fold(RefundStatus::Requested, |known, event| {
                known.after(GatewayRefundStatus::ALL[*event])
            });
            prop_assert_eq!(forward, backward);
        }
    }
}
