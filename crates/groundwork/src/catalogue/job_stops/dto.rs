//! Stops of new jobs on the wire.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_http::{Text, Timestamp, ValidationErrors};
use roadcall_platform::error::ApiResult;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{NamedStopRow, StopRow};

/// How far ahead an end may be. For a longer stop an admin has to confirm it again.
const MAX_DAYS: i64 = 14;

/// A stop of new jobs.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewJobStop {
    /// The text that customers read.
    #[schema(example = "The roads are flooded. We take jobs again tomorrow morning.")]
    pub message: Text<1, 300>,
    /// When the stop ends by itself, within 14 days. Without a time, an admin has to end it.
    #[deserr(default)]
    pub ends_at: Option<Timestamp>,
}

impl NewJobStop {
    /// Returns the message and the end, if the end is acceptable.
    pub fn checked(self, now: DateTime<Utc>) -> ApiResult<(String, Option<DateTime<Utc>>)> {
        let mut faults = ValidationErrors::default();
        let ends_at = self.ends_at.map(|at| at.0);
        if ends_at.is_some_and(|at| at <= now) {
            faults.add("ends_at", "must be in the future");
        } else if ends_at.is_some_and(|at| at - now > TimeDelta::days(MAX_DAYS)) {
            faults.add("ends_at", format!("must be within {MAX_DAYS} days"));
        }
        faults.into_result()?;
        Ok((self.message.0, ends_at))
    }
}

/// Whether new jobs are taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobStopState {
    /// Null while new jobs are taken.
    #[schema(required)]
    pub stop: Option<JobStop>,
}

/// Why no new jobs are taken, and since when.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobStop {
    /// The text that customers read.
    #[schema(example = "The roads are flooded. We take jobs again tomorrow morning.")]
    pub message: String,
    /// When the stop ends by itself; null if an admin has to end it.
    pub ends_at: Option<Timestamp>,
    /// When the stop was set.
    pub set_at: Timestamp,
    /// The admin who set the stop.
    pub set_by: Uuid,
    /// The name of the admin who set the stop; null if they gave no name.
    pub set_by_name: Option<String>,
}

impl JobStopState {
    pub fn of(newest: Option<NamedStopRow>, now: DateTime<Utc>) -> Self {
        let stop = newest.and_then(|NamedStopRow { stop, set_by_name }| {
            let message = stop.holding(now)?.to_owned();
            let StopRow { ends_at, set_at, set_by, .. } = stop;
            let (ends_at, set_at) = (ends_at.map(Into::into), set_at.into());
            Some(JobStop { message, ends_at, set_at, set_by, set_by_name })
        });
        Self { stop }
    }
}
