//! How a payment moves, whatever order the world's words come in. Pure.
//!
//! Every word about an attempt or a refund is a status with a rank, and what is known is the highest rank heard:
//! hearing the same again, or something older, changes nothing, and any order ends the same.
//!
//! ```text
//! created ──▶ authorized ──▶ captured ──▶ partially_refunded ──▶ refunded
//!    └───────────┴──▶ failed ──▶ captured (a late authorization)
//! ```

use crate::{
    http::text_enum,
    providers::gateway::{Attempt, AttemptStatus, GatewayRefundStatus},
};

text_enum! {
    /// Where a payment stands.
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
    /// Where a refund stands: asked for, at the gateway, with the customer.
    RefundStatus { Requested = "requested", Pending = "pending", Failed = "failed", Processed = "processed", }
}

text_enum! {
    /// Why money at the gateway fits nothing of ours.
    ParkReason {
        UnknownOrder = "unknown_order",
        WrongAmount = "wrong_amount",
        WrongCurrency = "wrong_currency",
        CapturedTwice = "captured_twice",
    }
}

/// What is known of a payment when something is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub amount_paise: i64,
    pub currency: String,
    pub status: PaymentStatus,
    pub captured_attempt: Option<String>,
    /// Every attempt heard of, as far as it came.
    pub attempts: Vec<(String, AttemptStatus)>,
}

/// What follows from a word about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// It was known already, or newer things are.
    Nothing,
    /// Not what was asked for: shown to admins, never paid.
    Park(ParkReason),
    /// The attempt came this far, and so did the payment.
    Record { attempt: AttemptStatus, payment: PaymentStatus },
    /// The money is here.
    Capture,
}

impl Known {
    /// What follows from `heard`, an attempt to pay this payment's order.
    pub fn weigh(&self, heard: &Attempt) -> Move {
        let before = self.attempts.iter().find(|(id, _)| *id == heard.id).map(|(_, status)| *status);
        if before.is_some_and(|before| rank(before) >= rank(heard.status)) {
            return Move::Nothing;
        }
        let is_captured = matches!(heard.status, AttemptStatus::Captured | AttemptStatus::Refunded);
        let moves_money = is_captured || heard.status == AttemptStatus::Authorized;
        if moves_money && heard.currency != self.currency {
            return Move::Park(ParkReason::WrongCurrency);
        }
        if moves_money && heard.amount_paise != self.amount_paise {
            return Move::Park(ParkReason::WrongAmount);
        }
        match &self.captured_attempt {
            Some(captured) if is_captured && *captured != heard.id => Move::Park(ParkReason::CapturedTwice),
            Some(_) => Move::Record { attempt: heard.status, payment: self.status },
            None if is_captured => Move::Capture,
            None => Move::Record { attempt: heard.status, payment: self.with(heard) },
        }
    }

    /// The status that the attempts, none captured, come to.
    fn with(&self, heard: &Attempt) -> PaymentStatus {
        let others = self.attempts.iter().filter(|(id, _)| *id != heard.id).map(|(_, status)| *status);
        let all: Vec<AttemptStatus> = others.chain([heard.status]).collect();
        if all.contains(&AttemptStatus::Authorized) {
            PaymentStatus::Authorized
        } else if all.contains(&AttemptStatus::Failed) {
            PaymentStatus::Failed
        } else {
            PaymentStatus::Created
        }
    }
}

/// An authorization may lapse (failed), and a lapsed one may be captured late: never the other way round.
fn rank(status: AttemptStatus) -> u8 {
    match status {
        AttemptStatus::Created => 0,
        AttemptStatus::Authorized => 1,
        AttemptStatus::Failed => 2,
        AttemptStatus::Captured => 3,
        AttemptStatus::Refunded => 4,
    }
}

impl RefundStatus {
    /// The refund after the gateway's word. What has reached the customer stays there.
    pub fn after(self, heard: GatewayRefundStatus) -> Self {
        let heard = match heard {
            GatewayRefundStatus::Pending => Self::Pending,
            GatewayRefundStatus::Failed => Self::Failed,
            GatewayRefundStatus::Processed => Self::Processed,
        };
        if heard.rank() > self.rank() { heard } else { self }
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

/// The status of a captured payment of which so much is back with the customer.
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

    fn known() -> Known {
        Known {
            amount_paise: 29_900,
            currency: "INR".to_owned(),
            status: PaymentStatus::Created,
            captured_attempt: None,
            attempts: Vec::new(),
        }
    }

    fn heard(id: &str, status: AttemptStatus) -> Attempt {
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

    /// The payment after a word, as the door writes it.
    fn hear(mut known: Known, word: &Attempt) -> Known {
        let (attempt, status) = match known.weigh(word) {
            Move::Nothing | Move::Park(_) => return known,
            Move::Record { attempt, payment } => (attempt, payment),
            Move::Capture => {
                known.captured_attempt = Some(word.id.clone());
                (word.status, PaymentStatus::Captured)
            }
        };
        known.status = status;
        known.attempts.retain(|(id, _)| *id != word.id);
        known.attempts.push((word.id.clone(), attempt));
        known.attempts.sort_by(|a, b| a.0.cmp(&b.0));
        known
    }

    #[test]
    fn a_late_authorization_is_captured_and_a_capture_stays() {
        let failed = hear(known(), &heard("a", AttemptStatus::Failed));
        assert_eq!(failed.status, PaymentStatus::Failed);
        let captured = hear(failed, &heard("a", AttemptStatus::Captured));
        assert_eq!(captured.status, PaymentStatus::Captured);
        for late in [AttemptStatus::Failed, AttemptStatus::Authorized, AttemptStatus::Created] {
            assert_eq!(captured.weigh(&heard("a", late)), Move::Nothing);
        }
    }

    #[test]
    fn a_second_try_pays_what_a_first_failed_to() {
        let both =
            hear(hear(known(), &heard("a", AttemptStatus::Failed)), &heard("b", AttemptStatus::Authorized));
        assert_eq!(both.status, PaymentStatus::Authorized);
        let paid = hear(both, &heard("b", AttemptStatus::Captured));
        assert_eq!(paid.weigh(&heard("a", AttemptStatus::Captured)), Move::Park(ParkReason::CapturedTwice));
    }

    #[test]
    fn what_was_not_asked_for_is_parked() {
        let odd = Attempt { amount_paise: 29_899, ..heard("a", AttemptStatus::Captured) };
        assert_eq!(known().weigh(&odd), Move::Park(ParkReason::WrongAmount));
        let odd = Attempt { currency: "USD".to_owned(), ..heard("a", AttemptStatus::Authorized) };
        assert_eq!(known().weigh(&odd), Move::Park(ParkReason::WrongCurrency));
    }

    /// All orders of `words`, by Heap's algorithm.
    fn orders(words: &[Attempt]) -> Vec<Vec<Attempt>> {
        fn go(k: usize, words: &mut Vec<Attempt>, all: &mut Vec<Vec<Attempt>>) {
            if k <= 1 {
                return all.push(words.clone());
            }
            for i in 0..k {
                go(k - 1, words, all);
                words.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
        let (mut words, mut all) = (words.to_vec(), Vec::new());
        go(words.len(), &mut words, &mut all);
        all
    }

    #[test]
    fn every_order_of_words_ends_the_same() {
        // One attempt that fails, one that goes all the way, each word twice as far as eight words allow.
        let words = [
            heard("a", AttemptStatus::Failed),
            heard("a", AttemptStatus::Created),
            heard("b", AttemptStatus::Authorized),
            heard("b", AttemptStatus::Captured),
            heard("b", AttemptStatus::Refunded),
            heard("b", AttemptStatus::Failed),
            heard("b", AttemptStatus::Captured),
        ];
        let mut ends = orders(&words).into_iter().map(|order| order.iter().fold(known(), hear_ref));
        let first = ends.next().expect("there are orders");
        assert_eq!(first.status, PaymentStatus::Captured);
        assert!(ends.all(|end| end == first));
    }

    fn hear_ref(known: Known, word: &Attempt) -> Known {
        hear(known, word)
    }

    proptest! {
        #[test]
        fn refunds_only_go_forward(words in prop::collection::vec(0_usize..3, 0..12)) {
            let mut forward = RefundStatus::Requested;
            for word in &words {
                let next = forward.after(GatewayRefundStatus::ALL[*word]);
                prop_assert!(next.rank() >= forward.rank());
                forward = next;
            }
            let backward = words.iter().rev().fold(RefundStatus::Requested, |known, word| {
                known.after(GatewayRefundStatus::ALL[*word])
            });
            prop_assert_eq!(forward, backward);
        }
    }
}
