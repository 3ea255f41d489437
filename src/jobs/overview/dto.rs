use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    accounts::users::{CustomerContact, MechanicContact},
    http::{CsvRow, Id, ListFormat, Param, Several, Text, Timestamp, ValidationErrors, Whole},
    jobs::dto::{ConcernFilter, Job, JobStatus},
};

/// A job with the people on it, as only admins see them.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobForAdmin {
    #[serde(flatten)]
    pub job: Job,
    #[serde(flatten)]
    pub customer: CustomerContact,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
}

impl CsvRow for JobForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] =
        &[Job::COLUMNS, CustomerContact::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

/// Parameters of `GET /admin/jobs`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AllJobsParams {
    #[deserr(default)]
    pub status: Option<Several<JobStatus>>,
    #[deserr(default)]
    pub concern: Option<Param<ConcernFilter>>,
    #[deserr(default)]
    pub service_category_id: Option<Param<Id>>,
    #[deserr(default)]
    pub customer_id: Option<Param<Id>>,
    #[deserr(default)]
    pub mechanic_profile_id: Option<Param<Id>>,
    #[deserr(default)]
    pub from: Option<Timestamp>,
    #[deserr(default)]
    pub to: Option<Timestamp>,
    #[deserr(default)]
    pub q: Option<Text<2, 100>>,
    #[deserr(default)]
    pub format: Option<Param<ListFormat>>,
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}
