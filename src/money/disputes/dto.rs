//! Disputes on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{DisputeRow, StatementRow};
use crate::{
    accounts::{
        uploads::FileUrl,
        users::{CustomerContact, MechanicContact},
    },
    http::{CsvRow, Id, Items, Money, Text, Timestamp, ValidationErrors, text_enum},
    jobs::{Viewer, on_account::ShownPrices},
};

text_enum! {
    /// The reason for a dispute.
    DisputeReason {
        WorkNotDone = "work_not_done",
        PoorWork = "poor_work",
        Overcharged = "overcharged",
        WrongItems = "wrong_items",
        Damage = "damage",
        Behaviour = "behaviour",
        NotPaid = "not_paid",
        Other = "other",
    }
}

text_enum! {
    /// A side of the job.
    Party { Customer = "customer", Mechanic = "mechanic", }
}

impl Party {
    /// Returns the side of a job's viewer; `None` for admins, who are on neither side.
    pub fn of(viewer: Viewer) -> Option<Self> {
        match viewer {
            Viewer::Customer => Some(Self::Customer),
            Viewer::Mechanic => Some(Self::Mechanic),
            Viewer::Admin => None,
        }
    }
}

text_enum! {
    /// The status of a dispute: open or resolved.
    DisputeStatus { Open = "open", Resolved = "resolved", }
}

text_enum! {
    /// The outcome of a dispute: the customer pays nothing, everything, or less than the price.
    DisputeOutcome { Customer = "customer", Mechanic = "mechanic", Split = "split", }
}

/// A dispute about a job, as its customer, its mechanic and admins see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Dispute {
    pub id: Uuid,
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub opened_by: Party,
    pub reason_code: DisputeReason,
    pub description: String,
    pub evidence_urls: Vec<String>,
    pub status: DisputeStatus,
    /// The price of the job when the dispute began.
    pub final_price: Money,
    pub outcome: Option<DisputeOutcome>,
    /// The amount that the decision took off the price: nothing, all of it, or a part of it with a split. Null before
    /// the decision.
    pub price_reduction: Option<Money>,
    /// The total that the customer pays for the job after the decision; null before it.
    pub price_after: Option<Money>,
    /// The reason for the decision.
    pub note: Option<String>,
    pub created_at: Timestamp,
    pub resolved_at: Option<Timestamp>,
    /// The time since which the customer owes nothing for the job; null while a part is unpaid.
    pub settled_at: Option<Timestamp>,
}

impl CsvRow for Dispute {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "customer_id",
        "mechanic_profile_id",
        "opened_by",
        "reason_code",
        "description",
        "evidence_urls",
        "status",
        "final_price",
        "outcome",
        "price_reduction",
        "price_after",
        "note",
        "created_at",
        "resolved_at",
        "settled_at",
    ];
}

impl Dispute {
    /// Builds the dispute for a reader who sees the prices of its job in this way.
    pub fn of(row: DisputeRow, prices: ShownPrices) -> Self {
        let price = row.final_price_paise;
        let reduction = row.outcome.map(|outcome| match outcome {
            DisputeOutcome::Customer => price,
            DisputeOutcome::Mechanic => 0,
            DisputeOutcome::Split => row.amount_paise.unwrap_or_default(),
        });
        let final_price = prices.shown(price);
        let price_after = reduction.map(|reduction| prices.shown(price - reduction));
        Self {
            id: row.id,
            job_id: row.job_id,
            customer_id: row.customer_id,
            mechanic_profile_id: row.mechanic_profile_id,
            opened_by: row.opened_by,
            reason_code: row.reason_code,
            description: row.description,
            evidence_urls: row.evidence_urls,
            status: row.status,
            final_price,
            outcome: row.outcome,
            price_reduction: price_after.map(|after| Money(final_price.0 - after.0)),
            price_after,
            note: row.note,
            created_at: row.created_at.into(),
            resolved_at: row.resolved_at.map(Into::into),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}

/// A dispute with the people on both sides, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DisputeForAdmin {
    #[serde(flatten)]
    pub dispute: Dispute,
    #[serde(flatten)]
    pub customer: CustomerContact,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

impl CsvRow for DisputeForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[Dispute::COLUMNS, CustomerContact::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

/// A statement of one side of a dispute.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DisputeStatement {
    pub id: Uuid,
    /// The dispute that the statement is about.
    pub dispute_id: Uuid,
    pub stated_by: Party,
    pub statement: String,
    pub evidence_urls: Vec<String>,
    pub created_at: Timestamp,
}

impl From<StatementRow> for DisputeStatement {
    fn from(row: StatementRow) -> Self {
        Self {
            id: row.id,
            dispute_id: row.dispute_id,
            stated_by: row.stated_by,
            statement: row.statement,
            evidence_urls: row.evidence_urls,
            created_at: row.created_at.into(),
        }
    }
}

/// The caller's statement, and the evidence for it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewDisputeStatement {
    pub statement: Text<1, 2000>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub evidence_urls: Option<Items<FileUrl, 0, 10>>,
}

/// The reason for a dispute, with a description and evidence.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewDispute {
    pub reason_code: DisputeReason,
    pub description: Text<1, 2000>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub evidence_urls: Option<Items<FileUrl, 0, 10>>,
}

/// A dispute that a mechanic opens about one of their jobs.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewMechanicDispute {
    pub job_id: Id,
    pub reason_code: DisputeReason,
    pub description: Text<1, 2000>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub evidence_urls: Option<Items<FileUrl, 0, 10>>,
}

impl NewMechanicDispute {
    pub fn dispute(self) -> (Uuid, NewDispute) {
        let Self { job_id, reason_code, description, evidence_urls } = self;
        (job_id.0, NewDispute { reason_code, description, evidence_urls })
    }
}

/// The outcome of a dispute, and the reason for it. `price_reduction` is given with a split only: the amount taken off
/// the price, which the customer gets back or need not pay; above zero and below the final price.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Resolve {
    pub outcome: DisputeOutcome,
    #[deserr(default)]
    pub price_reduction: Option<Money>,
    pub note: Text<1, 2000>,
}

impl Resolve {
    /// Returns the total that the customer owes for a job of this final price. The error says what is wrong with the
    /// reduction.
    pub fn due_paise(&self, final_price_paise: i64) -> Result<i64, &'static str> {
        match (self.outcome, self.price_reduction) {
            (DisputeOutcome::Customer, None) => Ok(0),
            (DisputeOutcome::Mechanic, None) => Ok(final_price_paise),
            (DisputeOutcome::Customer | DisputeOutcome::Mechanic, Some(_)) => {
                Err("can only be given with a split")
            }
            (DisputeOutcome::Split, None) => Err("is required for a split"),
            (DisputeOutcome::Split, Some(Money(off))) if off <= 0 || off >= final_price_paise => {
                Err("must be above zero and below the final price")
            }
            (DisputeOutcome::Split, Some(Money(off))) => Ok(final_price_paise - off),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_determines_the_amount_due() {
        let due = |outcome, amount: Option<i64>| {
            let note = Text::new("so".to_owned()).expect("a text");
            Resolve { outcome, price_reduction: amount.map(Money), note }.due_paise(29_900).ok()
        };
        for (outcome, amount, expected) in [
            (DisputeOutcome::Customer, None, Some(0)),
            (DisputeOutcome::Mechanic, None, Some(29_900)),
            (DisputeOutcome::Customer, Some(1), None),
            (DisputeOutcome::Mechanic, Some(1), None),
            (DisputeOutcome::Split, None, None),
            (DisputeOutcome::Split, Some(0), None),
            (DisputeOutcome::Split, Some(-1), None),
            (DisputeOutcome::Split, Some(1), Some(29_899)),
            (DisputeOutcome::Split, Some(29_899), Some(1)),
            (DisputeOutcome::Split, Some(29_900), None),
        ] {
            assert_eq!(due(outcome, amount), expected, "{outcome} with {amount:?}");
        }
    }
}
