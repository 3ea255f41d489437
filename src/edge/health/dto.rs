use std::collections::BTreeMap;

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Flag, Param, ValidationErrors};

/// The answer of a process that is alive.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always "ok".
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The version of the interface, as in the OpenAPI document.
    #[schema(example = "1.0.0-rc1")]
    pub version: &'static str,
    /// The version of the program, `x-service-version` in the document.
    #[schema(example = "0.1.0")]
    pub service_version: &'static str,
}

/// The query `?standby_ok=`. Probes may add parameters of their own.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors)]
pub struct ReadyFor {
    #[deserr(default)]
    standby_ok: Option<Param<Flag>>,
}

impl ReadyFor {
    /// Returns whether a server that could take over counts as ready.
    pub fn standby_is_enough(&self) -> bool {
        self.standby_ok.is_some_and(|Param(Flag(is_enough))| is_enough)
    }
}

/// Whether the server should get requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ready {
    pub status: ReadyStatus,
    /// The result of each check (`database`, `writes`, `migrations`, `recovery`, `engine`, `leadership`, `draining`, `load`; in a
    /// cluster also `bus` and `clock`): "ok" or the fault.
    #[schema(example = json!({"database": "ok", "writes": "ok", "migrations": "ok", "recovery": "ok", "engine": "ok", "leadership": "ok", "draining": "ok", "load": "ok"}))]
    pub checks: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadyStatus {
    Ready,
    NotReady,
    /// Another server leads on the database; this one takes over when that one ends.
    Standby,
}
