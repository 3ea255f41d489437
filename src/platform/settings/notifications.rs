//! Settings of notifications: rows and pushes.

use serde::Deserialize;

use super::{Secret, choice};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotificationSettings {
    pub retention_days: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PushProvider {
    Log,
    Fcm,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: PushProvider,
    pub timeout_ms: u64,
    pub attempts: i32,
    pub retry_s: i64,
    pub late_after_s: i64,
    pub offer_repeat_s: i64,
    pub offer_repeats: i32,
    pub tests_per_day: i64,
    pub fcm_base_url: String,
    pub fcm_service_account_file: String,
    pub fcm_project_id: String,
    pub fcm_client_email: String,
    pub fcm_private_key_id: String,
    pub fcm_private_key: Secret,
    pub fcm_token_uri: String,
}
