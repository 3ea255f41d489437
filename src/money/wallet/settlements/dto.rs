use chrono::{Days, NaiveDate};
use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::SettlementRow;
use crate::{
    accounts::users::MechanicContact,
    http::{CsvRow, Day, Money, Text, Timestamp, ValidationErrors, text_enum},
};

text_enum! {
    /// Whether a settlement was paid.
    SettlementStatus {
        Open = "open",
        Paid = "paid",
    }
}

/// The maximum length of a period in days.
pub const MAX_DAYS: u64 = 92;

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RunSettlements {
    /// The first day, in local time (`operator.time_zone`).
    pub period_start: Day,
    /// The day after the last day, in local time, too.
    pub period_end: Day,
}

impl RunSettlements {
    /// Returns the faults that the fields' own types can't find. `settled_until` is the last end that a period may
    /// have.
    pub fn faults(&self, settled_until: NaiveDate) -> ValidationErrors {
        let (start, end) = (self.period_start.0, self.period_end.0);
        let mut faults = ValidationErrors::default();
        if end <= start {
            faults.add("period_end", "must be after period_start");
        } else if start.checked_add_days(Days::new(MAX_DAYS)).is_none_or(|most| end > most) {
            faults.add("period_end", format!("must be at most {MAX_DAYS} days after period_start"));
        }
        if end > settled_until {
            faults.add("period_end", format!("must lie in the past: at most {settled_until}"));
        }
        faults
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MarkSettlementPaid {
    /// The reference by which the payment is found at the bank.
    pub reference: Text<1, 100>,
}

/// A mechanic's earnings in a period, added up once.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settlement {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    /// The first day, in the local time (`operator.time_zone`) when the settlement was made. Release 0.1.0 settled days
    /// in UTC.
    #[schema(format = Date, example = "2026-01-01")]
    pub period_start: String,
    /// The day after the last day, in the same time zone.
    #[schema(format = Date, example = "2026-01-08")]
    pub period_end: String,
    /// The payments of customers, cash included. Of a job whose organisation hides its prices, the mechanic sees only their share.
    pub gross: Money,
    /// The commission on the gross, before refunds.
    pub commission: Money,
    /// The tax contained in the gross, before refunds.
    pub tax: Money,
    /// The part of the gross that was refunded before the settlement was made.
    pub refunds: Money,
    /// The part of the gross that the mechanic took in cash.
    pub cash_collected: Money,
    /// The mechanic's shares of payments that were not refunded, less the cash that the mechanic has: the ledger's sum
    /// of these earnings. Below zero if cash outweighs.
    pub net: Money,
    pub status: SettlementStatus,
    /// The bank's reference of the transfer; null before it is paid.
    pub reference: Option<String>,
    /// When it was marked as paid; null before.
    pub paid_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl CsvRow for Settlement {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "mechanic_profile_id",
        "period_start",
        "period_end",
        "gross",
        "commission",
        "tax",
        "refunds",
        "cash_collected",
        "net",
        "status",
        "reference",
        "paid_at",
        "created_at",
    ];
}

/// A settlement with its mechanic, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementForAdmin {
    #[serde(flatten)]
    pub settlement: Settlement,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

impl CsvRow for SettlementForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Settlement::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

impl From<SettlementRow> for Settlement {
    fn from(row: SettlementRow) -> Self {
        Self {
            id: row.id,
            mechanic_profile_id: row.mechanic_profile_id,
            period_start: row.period_start.to_string(),
            period_end: row.period_end.to_string(),
            gross: Money(row.gross_paise),
            commission: Money(row.commission_paise),
            tax: Money(row.tax_paise),
            refunds: Money(row.refunds_paise),
            cash_collected: Money(row.cash_collected_paise),
            net: Money(row.net_paise),
            status: row.status,
            reference: row.reference,
            paid_at: row.paid_at.map(Into::into),
            created_at: row.created_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(start: &str, end: &str) -> Vec<String> {
        let day = |text: &str| Day::parse(text.to_owned()).expect(text);
        let run = RunSettlements { period_start: day(start), period_end: day(end) };
        run.faults(day("2026-06-01").0).0.into_keys().collect()
    }

    #[test]
    fn a_period_lies_in_the_past_and_is_not_too_long() {
        assert!(fields("2026-05-31", "2026-06-01").is_empty());
        assert!(fields("2026-03-01", "2026-06-01").is_empty(), "92 days");
        for (start, end) in [
            ("2026-06-01", "2026-06-01"),
            ("2026-05-02", "2026-05-01"),
            ("2026-02-28", "2026-06-01"),
            ("2026-05-31", "2026-06-02"),
        ] {
            assert_eq!(fields(start, end), ["period_end"], "{start} {end}");
        }
        for text in ["", "2026-1-1", "2026-02-30", "01-01-2026", "2026-01-01T00:00:00Z", "+2026-01-01"] {
            assert!(Day::parse(text.to_owned()).is_err(), "{text}");
        }
    }
}
