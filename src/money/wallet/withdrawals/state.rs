//! The state machine of a withdrawal, and the bookings of each step. Pure.
//!
//! Reports about a payout come in any order and any number of times, so the statuses have a rank and a withdrawal only
//! rises: requested, processing, failed, processed, reversed. In any order, it ends at the highest status that was
//! reported, and the bookings add up to the same.

use crate::{accounting::ledger::EntryKind, http::text_enum, providers::payouts::PayoutStatus};

text_enum! {
    /// The progress of a withdrawal.
    WithdrawalStatus {
        /// The amount is held; the payout provider has not confirmed that it has the order.
        Requested = "requested",
        Processing = "processing",
        Processed = "processed",
        /// The money did not leave; the amount is available again.
        Failed = "failed",
        /// The money came back after it had left; the amount is available again.
        Reversed = "reversed",
    }
}

/// An entry in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Booking {
    /// From held to the payout provider: the amount left.
    Paid,
    /// From held to available: the amount did not leave.
    Released,
    /// From available, or from the mechanic as a debt, to the payout provider: the amount left although it was reported
    /// as failed.
    Retaken,
    /// From the payout provider to available: the amount came back.
    Returned,
}

impl Booking {
    /// Returns the last part of the entry's key.
    pub fn key_part(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Released => "release",
            Self::Retaken => "retaken",
            Self::Returned => "returned",
        }
    }

    pub fn kind(self) -> EntryKind {
        match self {
            Self::Paid => EntryKind::WithdrawalPaid,
            Self::Released => EntryKind::WithdrawalRelease,
            Self::Retaken => EntryKind::WithdrawalRetaken,
            Self::Returned => EntryKind::WithdrawalReturned,
        }
    }
}

impl WithdrawalStatus {
    /// Returns the status after a report and the bookings of the move; `None` if the report brings nothing new.
    pub fn after(self, reported: PayoutStatus) -> Option<(Self, &'static [Booking])> {
        match (self, reported) {
            (Self::Requested, PayoutStatus::Pending) => Some((Self::Processing, &[])),
            (Self::Requested | Self::Processing, PayoutStatus::Failed) => {
                Some((Self::Failed, &[Booking::Released]))
            }
            (Self::Requested | Self::Processing, PayoutStatus::Processed) => {
                Some((Self::Processed, &[Booking::Paid]))
            }
            (Self::Requested | Self::Processing, PayoutStatus::Reversed) => {
                Some((Self::Reversed, &[Booking::Paid, Booking::Returned]))
            }
            (Self::Failed, PayoutStatus::Processed) => Some((Self::Processed, &[Booking::Retaken])),
            (Self::Failed, PayoutStatus::Reversed) => Some((Self::Reversed, &[])),
            (Self::Processed, PayoutStatus::Reversed) => Some((Self::Reversed, &[Booking::Returned])),
            (Self::Processing | Self::Failed | Self::Processed | Self::Reversed, PayoutStatus::Pending)
            | (Self::Failed | Self::Processed | Self::Reversed, PayoutStatus::Failed)
            | (Self::Processed | Self::Reversed, PayoutStatus::Processed)
            | (Self::Reversed, PayoutStatus::Reversed) => None,
        }
    }

    /// Returns whether the amount is neither with the mechanic nor with the bank.
    pub fn is_under_way(self) -> bool {
        match self {
            Self::Requested | Self::Processing => true,
            Self::Processed | Self::Failed | Self::Reversed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORTS: [PayoutStatus; 4] =
        [PayoutStatus::Pending, PayoutStatus::Failed, PayoutStatus::Processed, PayoutStatus::Reversed];

    /// Books on the balances of a mechanic with an amount of one: held, with the provider, and available less owed.
    fn booked(balances: [i64; 3], booking: Booking) -> [i64; 3] {
        let [held, left, free] = balances;
        match booking {
            Booking::Paid => [held - 1, left + 1, free],
            Booking::Released => [held - 1, left, free + 1],
            Booking::Retaken => [held, left + 1, free - 1],
            Booking::Returned => [held, left - 1, free + 1],
        }
    }

    fn end_of(reports: &[PayoutStatus]) -> (WithdrawalStatus, [i64; 3]) {
        reports.iter().fold((WithdrawalStatus::Requested, [1, 0, 0]), |(status, balances), report| {
            match status.after(*report) {
                Some((to, bookings)) => (to, bookings.iter().copied().fold(balances, booked)),
                None => (status, balances),
            }
        })
    }

    // The test runs every sequence of up to six reports, so every permutation with every repeat.
    #[test]
    fn every_order_and_repetition_of_reports_ends_the_same() {
        let mut sequences: Vec<Vec<PayoutStatus>> = vec![Vec::new()];
        let mut longest = sequences.clone();
        for _ in 0..6 {
            longest = longest
                .iter()
                .flat_map(|start| REPORTS.map(|next| start.iter().copied().chain([next]).collect::<Vec<_>>()))
                .collect();
            sequences.extend(longest.iter().cloned());
        }
        assert_eq!(sequences.len(), 5461);
        for sequence in &sequences {
            let has = |status| sequence.contains(&status);
            let expected = if has(PayoutStatus::Reversed) {
                (WithdrawalStatus::Reversed, [0, 0, 1])
            } else if has(PayoutStatus::Processed) {
                (WithdrawalStatus::Processed, [0, 1, 0])
            } else if has(PayoutStatus::Failed) {
                (WithdrawalStatus::Failed, [0, 0, 1])
            } else if has(PayoutStatus::Pending) {
                (WithdrawalStatus::Processing, [1, 0, 0])
            } else {
                (WithdrawalStatus::Requested, [1, 0, 0])
            };
            assert_eq!(end_of(sequence), expected, "{sequence:?}");
        }
    }
}
