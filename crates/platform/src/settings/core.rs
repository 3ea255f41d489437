//! The settings that every area may know.

use super::{
    DbSettings, Environment, HttpSettings, LimitSettings, OperatorSettings, PhoneSettings, ServerSettings,
};

/// The settings that belong to no area: the service's address, its operator and its limits. The sections of areas are in the
/// areas' contexts.
#[derive(Debug, Clone)]
pub struct CoreSettings {
    pub environment: Environment,
    pub server: ServerSettings,
    pub http: HttpSettings,
    pub database: DbSettings,
    pub phone: PhoneSettings,
    pub limits: LimitSettings,
    pub operator: OperatorSettings,
    /// The hosts, beside the service's own, of files that requests may refer to.
    pub file_hosts: Vec<String>,
    /// The currency of all amounts.
    pub currency: String,
    /// The maximum number of rows of a list that is exported.
    pub max_exported_rows: i64,
}

impl CoreSettings {
    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }
}
