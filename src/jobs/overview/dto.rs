use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    accounts::users::{CustomerContact, MechanicContact},
    http::CsvRow,
    jobs::dto::Job,
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
