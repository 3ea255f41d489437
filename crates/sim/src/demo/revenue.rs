//! The payments of customers and the withdrawals of mechanics: counts and sums. Pure.

use std::collections::BTreeSet;

use uuid::Uuid;

/// The kind of a payment, and how it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentKind {
    Online,
    Cash,
    /// Cancellation fees, paid online.
    Fees,
}

/// Counts, and sums in whole paise.
#[derive(Debug, Clone, Default)]
pub struct Revenue {
    /// Completed jobs that are not yet shown as paid.
    pub owing: BTreeSet<Uuid>,
    /// The number of completed jobs that are shown as paid.
    pub paid: u64,
    pub online_paise: i64,
    pub cash_paise: i64,
    pub fees_paise: i64,
    /// The sum that mechanics withdrew.
    pub withdrawn_paise: i64,
    /// The number of failed payments.
    pub failed: u64,
    /// The number of line items that customers approved.
    pub items: u64,
}

impl Revenue {
    pub fn job_completed(&mut self, job: Uuid) {
        self.owing.insert(job);
    }

    /// Counts the job as paid, and returns true the first time.
    pub fn job_paid(&mut self, job: Uuid) -> bool {
        let is_new = self.owing.remove(&job);
        self.paid += u64::from(is_new);
        is_new
    }

    pub fn add(&mut self, kind: PaymentKind, paise: i64) {
        match kind {
            PaymentKind::Online => self.online_paise += paise,
            PaymentKind::Cash => self.cash_paise += paise,
            PaymentKind::Fees => self.fees_paise += paise,
        }
    }
}

/// Formats paise as rupees: `29900` paise are `299.00`.
pub fn rupees(paise: i64) -> String {
    let sign = if paise < 0 { "-" } else { "" };
    let paise = paise.unsigned_abs();
    format!("{sign}{}.{:02}", paise / 100, paise % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_paid_once_and_owed_until_then() {
        let (mut revenue, job) = (Revenue::default(), Uuid::from_u128(7));
        assert!(!revenue.job_paid(job));
        revenue.job_completed(job);
        assert_eq!((revenue.owing.len(), revenue.paid), (1, 0));
        assert!(revenue.job_paid(job));
        assert!(!revenue.job_paid(job));
        assert_eq!((revenue.owing.len(), revenue.paid), (0, 1));
    }

    #[test]
    fn sums_are_kept_apart_and_shown_with_two_places() {
        let mut revenue = Revenue::default();
        for (kind, paise) in [
            (PaymentKind::Online, 29_900),
            (PaymentKind::Cash, 5),
            (PaymentKind::Online, 10_001),
            (PaymentKind::Fees, 5_000),
        ] {
            revenue.add(kind, paise);
        }
        let shown = [revenue.online_paise, revenue.cash_paise, revenue.fees_paise, -150].map(rupees);
        assert_eq!(shown, ["399.01", "0.05", "50.00", "-1.50"]);
    }
}
