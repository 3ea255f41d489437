//! Settings of notifications: rows, pushes and text messages.

use serde::Deserialize;

use super::{PhoneRegion, Secret, list};

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
    pub provider: PushProvider,
    pub timeout_ms: u64,
    pub attempts: i32,
    pub retry_s: i64,
    pub late_after_s: i64,
    pub fcm_base_url: String,
    pub fcm_service_account_file: String,
    pub fcm_project_id: String,
    pub fcm_client_email: String,
    pub fcm_private_key_id: String,
    pub fcm_private_key: Secret,
    pub fcm_token_uri: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmsProvider {
    Log,
    Twilio,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    pub provider: SmsProvider,
    /// Empty: all in development, and `phone.region` alone in production.
    #[serde(deserialize_with = "list::list")]
    pub regions: Vec<PhoneRegion>,
    pub timeout_ms: u64,
    pub otp_text: String,
    pub per_hour: i64,
    pub per_day: i64,
    pub per_country_per_hour: i64,
    pub per_country_per_day: i64,
    pub reserved_percent: i64,
    pub share_text: String,
    pub number_changed_text: String,
    pub twilio_base_url: String,
    pub twilio_account_sid: String,
    pub twilio_auth_token: Secret,
    pub twilio_from: String,
    pub twilio_messaging_service_sid: String,
}
