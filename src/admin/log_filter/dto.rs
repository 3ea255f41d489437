//! The log's filter on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    http::{Text, Timestamp, ValidationErrors, WholeNumber},
    platform::log_filter,
};

/// The filter of one server's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogFilter {
    /// The server that answered: the other servers of a cluster have their own filters.
    pub server_id: Uuid,
    /// The present filter.
    #[schema(example = "info,roadcall=debug")]
    pub filter: String,
    /// When another filter ends; null if the present filter is the usual one.
    pub until: Option<Timestamp>,
    /// The filter of the settings (`log.filter`), which applies afterwards and after a restart.
    #[schema(example = "info,sqlx=warn,actix_server=warn")]
    pub usual_filter: String,
}

impl LogFilter {
    pub fn of(server_id: Uuid, held: log_filter::HeldFilter) -> Self {
        let (filter, until) = match held.other {
            Some(other) => (other.filter, Some(other.until.into())),
            None => (held.usual.clone(), None),
        };
        Self { server_id, filter, until, usual_filter: held.usual }
    }
}

/// Another filter, for a limited time.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SetLogFilter {
    /// Levels by target, as in `log.filter`. `debug` and `trace` are for roadcall's own targets.
    #[schema(example = "info,roadcall=debug")]
    pub filter: Text<1, 200>,
    /// The duration in seconds, at most an hour.
    #[schema(value_type = i64, minimum = 1, maximum = 3600, example = 600)]
    pub duration_s: WholeNumber<1, 3600>,
}
