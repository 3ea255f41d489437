//! Statements and photos of a job's mechanic.

use deserr::Deserr;
use roadcall_actors::job::state::Outcome as EngineOutcome;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Outcome, PhotoStage, ReleaseReason};
use crate::{
    accounts::uploads::FileUrl,
    http::{Items, Name, Text, Timestamp, ValidationErrors},
    jobs::queries::{JobPhotoRow, PhotoRow},
};

/// Whether another app shows the mechanic the way from now on.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Navigating {
    /// False if the mechanic is back in this app. True if left out.
    #[deserr(default)]
    pub is_elsewhere: Option<bool>,
}

/// The mechanic's arrival. `override_reason` accepts an arrival without a plausible position near the pickup; the timeline shows
/// it. Such an arrival makes no cancellation dearer, and an admin decides about a no-show after it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Arrive {
    /// The reason why the mechanic has arrived although no position proves it.
    #[deserr(default)]
    pub override_reason: Option<Text<3, 200>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct StartWork {
    /// The customer's four digits.
    #[deserr(default)]
    pub start_code: Option<Text<1, 10>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CompleteWork {
    pub outcome: Outcome,
    /// The mechanic's notes on the work.
    #[deserr(default)]
    pub notes: Option<Text<1, 2000>>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub photo_urls: Option<Items<FileUrl, 0, 10>>,
    /// The person who received the vehicle at its destination: only with the outcome `towed`, which needs this and at least one
    /// photo.
    #[deserr(default)]
    pub received_by: Option<Name<100>>,
    /// Accepts a towed vehicle without a plausible position near its destination. An admin reads the reason before the mechanic's
    /// share clears.
    #[deserr(default)]
    pub override_reason: Option<Text<3, 200>>,
}

impl CompleteWork {
    /// Checks the rules that the fields' types can't express.
    pub fn faults(&self) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        let is_towed = self.outcome == EngineOutcome::Towed;
        if is_towed && self.photo_urls.as_ref().is_none_or(|urls| urls.0.is_empty()) {
            faults.add("photo_urls", "must show the vehicle at its destination");
        }
        match (is_towed, &self.received_by) {
            (true, None) => faults.add("received_by", "must name who received the vehicle"),
            (false, Some(_)) => faults.add("received_by", "is only for the outcome towed"),
            (true, Some(_)) | (false, None) => {}
        }
        faults
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Release {
    pub reason_code: ReleaseReason,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPhoto {
    pub stage: PhotoStage,
    pub file_url: FileUrl,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Photo {
    pub id: Uuid,
    /// The stage of the work at which the photo was taken.
    pub stage: PhotoStage,
    pub file_url: String,
    pub created_at: Timestamp,
}

/// A photo of a job, with the job's id.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobPhoto {
    #[schema(example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01")]
    pub job_id: Uuid,
    #[serde(flatten)]
    pub photo: Photo,
}

impl From<JobPhotoRow> for JobPhoto {
    fn from(row: JobPhotoRow) -> Self {
        Self { job_id: row.job_id, photo: row.photo.into() }
    }
}

impl From<PhotoRow> for Photo {
    fn from(row: PhotoRow) -> Self {
        let PhotoRow { id, stage, file_url, created_at } = row;
        Self { id, stage, file_url, created_at: created_at.into() }
    }
}
