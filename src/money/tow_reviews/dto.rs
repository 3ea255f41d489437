//! Reviews of tows on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::TowReviewRow;
use crate::{
    accounts::users::{Contacts, CustomerContact, MechanicContact},
    http::{CsvRow, Money, Text, Timestamp, ValidationErrors, text_enum},
    jobs::on_account::ShownPrices,
};

text_enum! {
    /// The status of a review: open, or ended by releasing the mechanic's share or by taking the tow off the price.
    TowReviewStatus { Open = "open", Released = "released", Reduced = "reduced", }
}

/// A tow that no position shows at its destination, as admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TowReview {
    /// The job's id: a job has one tow at most.
    pub id: Uuid,
    pub job_id: Uuid,
    pub status: TowReviewStatus,
    /// The price of the tow.
    pub amount: Money,
    /// The reason that the mechanic gave for the delivery.
    pub reason: String,
    /// The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
    /// without a position.
    pub distance_m: Option<i32>,
    /// The distance to the destination when it was agreed, in metres.
    pub quoted_m: Option<i32>,
    /// The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way.
    pub driven_m: Option<i32>,
    /// The mechanic's share clears from this time on, decided or not.
    pub held_until: Timestamp,
    pub note: Option<String>,
    /// When an admin decided; null before.
    pub decided_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    #[serde(flatten)]
    pub customer: CustomerContact,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

/// A tow that no position shows at its destination, as its customer and its mechanic find it in the file with their
/// data.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewedTow {
    /// The job's id: a job has one tow at most.
    pub id: Uuid,
    pub job_id: Uuid,
    pub status: TowReviewStatus,
    /// The price of the tow.
    pub amount: Money,
    /// The reason that the mechanic gave for the delivery.
    pub reason: String,
    /// The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
    /// without a position.
    pub distance_m: Option<i32>,
    /// The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way.
    pub driven_m: Option<i32>,
    /// The mechanic's share clears from this time on, decided or not.
    pub held_until: Timestamp,
    /// When an admin decided; null before.
    pub decided_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl ReviewedTow {
    /// Builds the tow for a reader who sees the prices of its job in this way.
    pub fn of(row: TowReviewRow, prices: ShownPrices) -> Self {
        Self {
            id: row.job_id,
            job_id: row.job_id,
            status: row.status,
            amount: prices.shown(row.amount_paise),
            reason: row.reason,
            distance_m: row.distance_m,
            driven_m: row.driven_m,
            held_until: row.held_until.into(),
            decided_at: row.decided_at.map(Into::into),
            created_at: row.created_at.into(),
        }
    }
}

impl CsvRow for TowReview {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[CustomerContact::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "status",
        "amount",
        "reason",
        "distance_m",
        "quoted_m",
        "driven_m",
        "held_until",
        "note",
        "decided_at",
        "created_at",
        "customer_id",
        "mechanic_profile_id",
    ];
}

impl TowReview {
    /// Returns the row with the contacts of its people.
    pub fn of(row: TowReviewRow, contacts: &Contacts) -> Self {
        Self {
            id: row.job_id,
            job_id: row.job_id,
            status: row.status,
            amount: Money(row.amount_paise),
            reason: row.reason,
            distance_m: row.distance_m,
            quoted_m: row.quoted_m,
            driven_m: row.driven_m,
            held_until: row.held_until.into(),
            note: row.note,
            decided_at: row.decided_at.map(Into::into),
            created_at: row.created_at.into(),
            customer_id: row.customer_id,
            mechanic_profile_id: row.mechanic_profile_id,
            customer: contacts.customer(row.customer_id),
            mechanic: contacts.mechanic(row.mechanic_profile_id),
        }
    }
}

/// The decision whether the tow is paid, and the reason for it. The note is for admins.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DecideTow {
    /// Whether the mechanic is paid for the tow; if not, its price is taken off.
    pub pay: bool,
    pub note: Text<1, 2000>,
}
