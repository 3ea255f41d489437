//! Grievances on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::GrievanceRow,
    state::{GrievanceKind, GrievanceStatus},
};
use crate::{
    accounts::users::CustomerContact,
    http::{CsvRow, ListFormat, Param, Text, Timestamp, ValidationErrors, Whole},
    pages::PrivacyContact,
};

/// What somebody asks or complains about their data.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewGrievance {
    pub kind: GrievanceKind,
    /// What the person asks or complains about.
    pub text: Text<1, 2000>,
}

/// A grievance, as its person sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Grievance {
    pub id: Uuid,
    pub kind: GrievanceKind,
    pub status: GrievanceStatus,
    /// In the person's words.
    pub text: Option<String>,
    pub created_at: Timestamp,
    /// By when it is answered.
    pub due_at: Timestamp,
    /// Null until it is answered.
    pub answer: Option<String>,
    pub answered_at: Option<Timestamp>,
    /// Whom to ask further; null if the operator names nobody.
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

/// Parameters of `GET /users/me/grievances`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct OwnGrievanceParams {
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

/// A grievance in the list of admins, without what it says.
#[derive(Debug, Serialize, ToSchema)]
pub struct GrievanceEntry {
    pub id: Uuid,
    /// Whose it is.
    pub user_id: Uuid,
    pub kind: GrievanceKind,
    pub status: GrievanceStatus,
    pub created_at: Timestamp,
    /// By when it has to be answered.
    pub due_at: Timestamp,
    /// When it was answered, or its account was deleted before that.
    pub done_at: Option<Timestamp>,
    /// The admin.
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

/// The same with the person whose it is.
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
    /// In the person's words; null once their account is deleted, as the answer is.
    pub text: Option<String>,
    pub answer: Option<String>,
}

impl AdminGrievance {
    pub fn of(row: GrievanceRow, person: CustomerContact) -> Self {
        Self { entry: GrievanceEntry::from(&row), person, text: row.text, answer: row.answer }
    }
}

/// Parameters of `GET /admin/grievances`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct GrievanceParams {
    #[deserr(default)]
    pub status: Option<Param<GrievanceStatus>>,
    #[deserr(default)]
    pub kind: Option<Param<GrievanceKind>>,
    #[deserr(default)]
    pub from: Option<Timestamp>,
    #[deserr(default)]
    pub to: Option<Timestamp>,
    #[deserr(default)]
    pub format: Option<Param<ListFormat>>,
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

/// What a person is answered.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct GrievanceAnswer {
    pub answer: Text<1, 4000>,
}
