//! The log's filter on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    http::{Text, Timestamp, ValidationErrors, WholeNumber},
    platform::log_filter,
};

/// What the log of one server is filtered by.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogFilter {
    /// The server that answered: the others of a cluster have their own.
    pub server_id: Uuid,
    /// What holds now.
    #[schema(example = "info,roadcall=debug")]
    pub filter: String,
    /// Until when; null if it is the usual one.
    pub until: Option<Timestamp>,
    /// What its settings say (`log.filter`), which holds afterwards and after a restart.
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

/// Another filter, for a while.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SetLogFilter {
    /// Levels, by target, as `log.filter` has them. `debug` and `trace` are for roadcall's own targets.
    #[schema(example = "info,roadcall=debug")]
    pub filter: Text<1, 200>,
    /// For how many seconds, at most an hour.
    #[schema(value_type = i64, minimum = 1, maximum = 3600, example = 600)]
    pub duration_s: WholeNumber<1, 3600>,
}
