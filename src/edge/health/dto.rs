use std::collections::BTreeMap;

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Flag, Param, ValidationErrors};

/// The process is alive.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// "ok"
    #[schema(example = "ok")]
    pub status: &'static str,
    /// Version of the interface, as in the OpenAPI document.
    #[schema(example = "1.0.0-rc1")]
    pub version: &'static str,
    /// Version of the program that serves it; `x-service-version` in the document.
    #[schema(example = "0.1.0")]
    pub service_version: &'static str,
}

/// `?standby_ok=`. Probes may add parameters of their own.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors)]
pub struct ReadyFor {
    #[deserr(default)]
    standby_ok: Option<Param<Flag>>,
}

impl ReadyFor {
    /// Whether a server that could take over counts as ready.
    pub fn standby_is_enough(&self) -> bool {
        self.standby_ok.is_some_and(|Param(Flag(is_enough))| is_enough)
    }
}

/// Whether requests should be sent here.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ready {
    pub status: ReadyStatus,
    /// From the name of a check (`database`, `writes`, `migrations`, `recovery`, `engine`, `leadership`, `draining`, `load`; in a cluster `bus` and `clock`, too) to "ok" or to what is wrong.
    #[schema(example = json!({"database": "ok", "writes": "ok", "migrations": "ok", "recovery": "ok", "engine": "ok", "leadership": "ok", "draining": "ok", "load": "ok"}))]
    pub checks: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadyStatus {
    Ready,
    NotReady,
    /// Another server leads on the database; this one takes over when that ends.
    Standby,
}
