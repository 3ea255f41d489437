//! Settings of what admins do.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdminSettings {
    pub invite_ttl_s: i64,
    pub export_max_rows: i64,
    pub audit_retention_days: i64,
}
