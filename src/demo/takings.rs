//! What the people of the city pay and are paid: counts and sums. Pure.

use std::collections::BTreeSet;

use uuid::Uuid;

/// How money changed hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Online,
    Cash,
    /// Cancellation fees, online.
    Fees,
}

/// Counts, and sums in whole paise.
#[derive(Debug, Clone, Default)]
pub struct Takings {
    /// Completed jobs that are not yet shown as paid.
    pub owing: BTreeSet<Uuid>,
    /// Completed jobs that are.
    pub paid: u64,
    pub online_paise: i64,
    pub cash_paise: i64,
    pub fees_paise: i64,
    /// What mechanics had sent to their banks.
    pub withdrawn_paise: i64,
    /// Tries to pay that failed.
    pub failed: u64,
    /// Line items that customers approved.
    pub items: u64,
}

impl Takings {
    pub fn job_completed(&mut self, job: Uuid) {
        self.owing.insert(job);
    }

    /// True the first time.
    pub fn job_paid(&mut self, job: Uuid) -> bool {
        let is_new = self.owing.remove(&job);
        self.paid += u64::from(is_new);
        is_new
    }

    pub fn take(&mut self, way: Way, paise: i64) {
        match way {
            Way::Online => self.online_paise += paise,
            Way::Cash => self.cash_paise += paise,
            Way::Fees => self.fees_paise += paise,
        }
    }
}

/// `29900` paise are `299.00`.
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
        let (mut takings, job) = (Takings::default(), Uuid::from_u128(7));
        assert!(!takings.job_paid(job));
        takings.job_completed(job);
        assert_eq!((takings.owing.len(), takings.paid), (1, 0));
        assert!(takings.job_paid(job));
        assert!(!takings.job_paid(job));
        assert_eq!((takings.owing.len(), takings.paid), (0, 1));
    }

    #[test]
    fn sums_are_kept_apart_and_shown_with_two_places() {
        let mut takings = Takings::default();
        for (way, paise) in [(Way::Online, 29_900), (Way::Cash, 5), (Way::Online, 10_001), (Way::Fees, 5_000)]
        {
            takings.take(way, paise);
        }
        let shown = [takings.online_paise, takings.cash_paise, takings.fees_paise, -150].map(rupees);
        assert_eq!(shown, ["399.01", "0.05", "50.00", "-1.50"]);
    }
}
