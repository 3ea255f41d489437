//! A case and its jobs, as their partner and admins see them. The part that events show, too, is a snapshot of `feeds`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::CasePlace;
use crate::{
    accounts::{organisations::OrganisationRow, uploads::UploadLink},
    http::Timestamp,
    jobs::{JobPhoto, LineItem, PhotoStage},
    partners::{
        cases::queries::CaseRow,
        contracts::BeneficiaryText,
        feeds::{CaseSnapshot, JobSnapshot},
    },
    tracking::{Eta, Location},
};

/// A case with its jobs. It has all that its events show, and what only the partner and admins need.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerCase {
    #[serde(flatten)]
    pub snapshot: CaseSnapshot,
    pub organisation_id: Uuid,
    /// The person who is helped; null while a club has not named them, and once they are forgotten.
    pub helped_person: Option<HelpedPerson>,
    /// Null if nothing was said about the place.
    pub place: Option<CasePlace>,
    /// Answers to the questions of the category, by their keys.
    pub answers: BTreeMap<String, Value>,
    /// The texts that the helped person gets.
    pub texts: Vec<BeneficiaryText>,
    /// Shown to the mechanic.
    pub notes_for_mechanic: Option<String>,
    /// Shown only to the organisation and to admins.
    pub internal_notes: Option<String>,
    pub updated_at: Timestamp,
    /// When it was closed; null before.
    pub closed_at: Option<Timestamp>,
}

/// The person who is helped.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HelpedPerson {
    pub name: Option<String>,
    #[schema(example = "+919876543210")]
    pub phone: Option<String>,
    /// The language of the texts.
    #[schema(example = "en")]
    pub language: String,
}

impl PartnerCase {
    pub fn of(row: CaseRow, snapshot: CaseSnapshot) -> Self {
        let is_named = row.beneficiary_name.is_some() || row.beneficiary_phone.is_some();
        let helped_person = is_named.then(|| HelpedPerson {
            name: row.beneficiary_name.clone(),
            phone: row.beneficiary_phone.clone(),
            language: row.beneficiary_language.clone(),
        });
        Self {
            snapshot,
            organisation_id: row.organisation_id,
            helped_person,
            place: row.place.map(|place| place.0),
            answers: row.answers.0,
            texts: row.texts,
            notes_for_mechanic: row.notes_for_mechanic,
            internal_notes: row.internal_notes,
            updated_at: row.updated_at.into(),
            closed_at: row.closed_at.map(Into::into),
        }
    }
}

/// A case as admins see it, with its organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminPartnerCase {
    #[serde(flatten)]
    pub case: PartnerCase,
    /// The name of the organisation.
    pub organisation_name: String,
    /// The organisation's number; null if unknown.
    pub organisation_phone: Option<String>,
}

impl AdminPartnerCase {
    pub fn of(case: PartnerCase, organisation: OrganisationRow) -> Self {
        Self { case, organisation_name: organisation.name, organisation_phone: organisation.phone }
    }
}

/// A job of a case, with the extra work that was proposed.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerJob {
    #[serde(flatten)]
    pub snapshot: JobSnapshot,
    /// The case to which the job belongs.
    pub case_id: Uuid,
    /// The extra work, in the order in which it was proposed.
    pub line_items: Vec<PartnerItem>,
}

/// Extra work, with the time that the partner has to decide about it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerItem {
    #[serde(flatten)]
    pub item: LineItem,
    /// Until when the partner can decide; null if it is decided, or left to the person who is helped.
    pub decide_by: Option<Timestamp>,
}

/// A photo of a job's work or of its extra work.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerPhoto {
    /// The stage of the work at which the photo was taken; null for a photo of extra work.
    pub stage: Option<PhotoStage>,
    /// The extra work whose reason the photo shows; null for all others.
    pub line_item_id: Option<Uuid>,
    /// A link that opens the photo for anyone who has it. Read the list again for another one.
    pub url: String,
    /// The end of the link.
    pub expires_at: Timestamp,
    /// When the photo was added; for extra work, when that was proposed.
    pub created_at: Timestamp,
}

/// A photo whose link is not made yet.
#[derive(Debug)]
pub struct UnlinkedPhoto {
    pub stage: Option<PhotoStage>,
    pub line_item_id: Option<Uuid>,
    pub file_url: String,
    pub created_at: Timestamp,
}

impl UnlinkedPhoto {
    /// Returns the photo of extra work; `None` if it has none.
    pub fn of_item(item: LineItem) -> Option<Self> {
        let (line_item_id, created_at) = (Some(item.id), item.created_at);
        item.photo_url.map(|file_url| Self { stage: None, line_item_id, file_url, created_at })
    }

    pub fn linked(self, UploadLink { url, expires_at }: UploadLink) -> PartnerPhoto {
        let Self { stage, line_item_id, created_at, .. } = self;
        PartnerPhoto { stage, line_item_id, url, expires_at, created_at }
    }
}

impl From<JobPhoto> for UnlinkedPhoto {
    fn from(JobPhoto { photo, .. }: JobPhoto) -> Self {
        let (stage, created_at) = (Some(photo.stage), photo.created_at);
        Self { stage, line_item_id: None, file_url: photo.file_url, created_at }
    }
}

/// The position of a job's mechanic.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountJobPosition {
    pub job_id: Uuid,
    /// The mechanic's last position with its age; null unless a mechanic has the job.
    pub location: Option<Location>,
    /// The way that is left; null if it is not known.
    pub eta: Option<Eta>,
}
