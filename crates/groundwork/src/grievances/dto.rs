//! Grievances on the wire.

use deserr::Deserr;
use roadcall_accounts::users::CustomerContact;
use roadcall_http::{CsvRow, Text, Timestamp, ValidationErrors, pages::PrivacyContact};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::GrievanceRow,
    state::{GrievanceKind, GrievanceStatus},
};

/// A person's question or complaint about their data.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewGrievance {
    pub kind: GrievanceKind,
    /// The question or complaint in the person's words.
    pub text: Text<1, 2000>,
}

/// A grievance, as its person sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Grievance {
    pub id: Uuid,
    pub kind: GrievanceKind,
    pub status: GrievanceStatus,
    /// The text in the person's words.
    pub text: Option<String>,
    pub created_at: Timestamp,
    /// The time by which it will be answered.
    pub due_at: Timestamp,
    /// Null until it is answered.
    pub answer: Option<String>,
    pub answered_at: Option<Timestamp>,
    /// The contact for further questions; null if the operator names none.
    pub contact: Option<PrivacyContact>,
}

impl Grievance {
    pub fn of(row: GrievanceRow, contact: Option<&PrivacyContact>) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            status: row.status(),
            text: row.text,
            created_at: row.created_at.into(),
            due_at: row.due_at.into(),
            answered_at: row.done_at.filter(|_| row.answered_by.is_some()).map(Into::into),
            answer: row.answer,
            contact: contact.cloned(),
        }
    }
}

/// A grievance in the admins' list, without its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct GrievanceEntry {
    pub id: Uuid,
    /// The person who wrote it.
    pub user_id: Uuid,
    pub kind: GrievanceKind,
    pub status: GrievanceStatus,
    pub created_at: Timestamp,
    /// The time by which it has to be answered.
    pub due_at: Timestamp,
    /// When it was answered, or when its account was deleted before that.
    pub done_at: Option<Timestamp>,
    /// The admin who answered; null if nobody did.
    pub answered_by: Option<Uuid>,
}

impl From<&GrievanceRow> for GrievanceEntry {
    fn from(row: &GrievanceRow) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            kind: row.kind,
            status: row.status(),
            created_at: row.created_at.into(),
            due_at: row.due_at.into(),
            done_at: row.done_at.map(Into::into),
            answered_by: row.answered_by,
        }
    }
}

impl CsvRow for GrievanceEntry {
    const COLUMNS: &'static [&'static str] =
        &["id", "user_id", "kind", "status", "created_at", "due_at", "done_at", "answered_by"];
}

/// A grievance in the list, with the person who wrote it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedGrievance {
    #[serde(flatten)]
    pub entry: GrievanceEntry,
    #[serde(flatten)]
    pub person: CustomerContact,
}

impl CsvRow for ListedGrievance {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[GrievanceEntry::COLUMNS, CustomerContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

/// A grievance as an admin reads and answers it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminGrievance {
    #[serde(flatten)]
    pub entry: GrievanceEntry,
    #[serde(flatten)]
    pub person: CustomerContact,
    /// The text in the person's words; null once their account is deleted, like the answer.
    pub text: Option<String>,
    pub answer: Option<String>,
}

impl AdminGrievance {
    pub fn of(row: GrievanceRow, person: CustomerContact) -> Self {
        Self { entry: GrievanceEntry::from(&row), person, text: row.text, answer: row.answer }
    }
}

/// An answer to a grievance.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct GrievanceAnswer {
    pub answer: Text<1, 4000>,
}
