//! Cases in lists.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    http::{CsvRow, Timestamp},
    jobs::JobStatus,
    partners::{cases::queries::CaseEntryRow, feeds::CaseStatus},
};

/// A case in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseEntry {
    pub id: Uuid,
    /// The organisation's own name for the case.
    pub partner_reference: String,
    pub status: CaseStatus,
    /// The organisation's name for the contract.
    pub contract_reference: String,
    /// The policy or the cover of the person who is helped.
    pub policy_reference: Option<String>,
    /// The name of the person who is helped.
    pub beneficiary_name: Option<String>,
    /// The vehicle's number; null while it is not known.
    pub registration_number: Option<String>,
    /// How many jobs the case has taken so far.
    pub job_count: i64,
    /// The latest of them; null before there is one, like the next two.
    pub job_id: Option<Uuid>,
    pub job_status: Option<JobStatus>,
    pub service_category_slug: Option<String>,
    pub created_at: Timestamp,
    /// When it was closed; null before.
    pub closed_at: Option<Timestamp>,
}

impl From<CaseEntryRow> for CaseEntry {
    fn from(row: CaseEntryRow) -> Self {
        Self {
            id: row.id,
            partner_reference: row.partner_reference,
            status: row.status,
            contract_reference: row.contract_reference,
            policy_reference: row.policy_reference,
            beneficiary_name: row.beneficiary_name,
            registration_number: row.registration_number,
            job_count: row.job_count,
            job_id: row.job_id,
            job_status: row.job_status,
            service_category_slug: row.service_category_slug,
            created_at: row.created_at.into(),
            closed_at: row.closed_at.map(Into::into),
        }
    }
}

impl CsvRow for CaseEntry {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "partner_reference",
        "status",
        "contract_reference",
        "policy_reference",
        "beneficiary_name",
        "registration_number",
        "job_count",
        "job_id",
        "job_status",
        "service_category_slug",
        "created_at",
        "closed_at",
    ];
}

/// A case in the admins' list, with its organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminCaseEntry {
    #[serde(flatten)]
    pub entry: CaseEntry,
    pub organisation_id: Uuid,
    /// The name of the organisation.
    pub organisation_name: String,
    /// Until when an offered case can be answered; null for all others.
    pub offered_until: Option<Timestamp>,
}

impl From<CaseEntryRow> for AdminCaseEntry {
    fn from(row: CaseEntryRow) -> Self {
        Self {
            organisation_id: row.organisation_id,
            organisation_name: row.organisation_name.clone(),
            offered_until: row.offered_until.map(Into::into),
            entry: row.into(),
        }
    }
}

impl CsvRow for AdminCaseEntry {
    const FLATTENED: &'static [&'static [&'static str]] = &[CaseEntry::COLUMNS];
    const COLUMNS: &'static [&'static str] = &["organisation_id", "organisation_name", "offered_until"];
}
