//! Settings for admins: `[admin]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdminSettings {
    pub invite_ttl_s: i64,
    pub export_max_rows: i64,
    pub audit_retention_days: i64,
    pub session_ttl_s: i64,
    pub second_factor_required: bool,
    pub second_factor_grace_s: i64,
}
