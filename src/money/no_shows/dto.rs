//! The wire format of no-shows.

use chrono::TimeDelta;
use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{NoShowRow, PositionMarks};
use crate::{
    accounts::users::{Contacts, CustomerContact, MechanicContact},
    http::{CsvRow, Money, Text, Timestamp, ValidationErrors, text_enum},
    jobs::on_account::ShownPrices,
};

text_enum! {
    /// The status of a no-show: the fee is due, an admin has yet to decide, or an admin has charged the customer or
    /// dropped the claim.
    NoShowStatus { Due = "due", Open = "open", Charged = "charged", Dropped = "dropped", }
}

/// A no-show that the mechanic reported. If a position proves the arrival, the fee is due at once; if not, nothing is
/// due until an admin has decided. The customer can contest it in either case.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NoShow {
    /// The job's id: a job has one no-show at most.
    pub id: Uuid,
    pub job_id: Uuid,
    pub status: NoShowStatus,
    /// The amount that is due, or will be due if the customer is charged.
    pub amount: Money,
    /// The reason that the mechanic gave for having arrived.
    pub override_reason: Option<String>,
    /// The distance from the pickup to the mechanic's last plausible position at the arrival, in metres; null without a
    /// position.
    pub distance_m: Option<f64>,
    /// The time until which the customer can contest a fee, once. An open no-show without a statement can be contested
    /// until it is decided.
    pub contestable_until: Timestamp,
    /// The customer's account of what happened.
    pub statement: Option<String>,
    /// When the customer made the statement; null before.
    pub stated_at: Option<Timestamp>,
    /// The reason for the decision.
    pub note: Option<String>,
    /// When an admin decided; null before.
    pub decided_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl CsvRow for NoShow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "status",
        "amount",
        "override_reason",
        "distance_m",
        "contestable_until",
        "statement",
        "stated_at",
        "note",
        "decided_at",
        "created_at",
    ];
}

impl NoShow {
    /// Builds the no-show for a reader who sees the prices of its job in this way.
    pub fn of(row: NoShowRow, dispute_window: TimeDelta, prices: ShownPrices) -> Self {
        let contestable_until = row.created_at + dispute_window;
        Self {
            id: row.job_id,
            job_id: row.job_id,
            status: row.status,
            amount: prices.shown(row.amount_paise),
            override_reason: row.override_reason,
            distance_m: row.distance_m,
            contestable_until: contestable_until.into(),
            statement: row.statement,
            stated_at: row.stated_at.map(Into::into),
            note: row.note,
            decided_at: row.decided_at.map(Into::into),
            created_at: row.created_at.into(),
        }
    }
}

/// A no-show with the people on both sides, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoShowForAdmin {
    #[serde(flatten)]
    pub no_show: NoShow,
    /// Whether the phone marked a position of the mechanic as simulated, or a position was too far from the previous
    /// one to have been driven. Null if no position is kept any longer.
    pub positions_jump: Option<bool>,
    /// Whether all positions between the acceptance and the report come from one place. Null if no position is kept any
    /// longer.
    pub positions_stand_still: Option<bool>,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    #[serde(flatten)]
    pub customer: CustomerContact,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

impl NoShowForAdmin {
    /// Returns the row with the known data of its people and positions.
    pub fn of(
        row: NoShowRow,
        contacts: &Contacts,
        marks: Option<&PositionMarks>,
        dispute_window: TimeDelta,
    ) -> Self {
        Self {
            positions_jump: marks.map(|marks| marks.jump),
            positions_stand_still: marks.map(|marks| marks.stand_still),
            customer_id: row.customer_id,
            mechanic_profile_id: row.mechanic_profile_id,
            customer: contacts.customer(row.customer_id),
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            no_show: NoShow::of(row, dispute_window, ShownPrices::IN_FULL),
        }
    }
}

impl CsvRow for NoShowForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[NoShow::COLUMNS, CustomerContact::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] =
        &["positions_jump", "positions_stand_still", "customer_id", "mechanic_profile_id"];
}

/// The customer's account of what happened.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ContestNoShow {
    pub statement: Text<1, 2000>,
}

/// The decision whether the customer has to pay, and the reason for it. The note is shown to both sides.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DecideNoShow {
    /// Whether the customer pays the fee.
    pub charge: bool,
    pub note: Text<1, 2000>,
}
