//! Settings of text messages.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{PhoneRegion, Secret, choice, list, template::placeholders};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmsProvider {
    Log,
    Twilio,
    Http,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: SmsProvider,
    /// The regions that receive text messages. If empty, these are all in development, and only
    /// `phone.region` in production.
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
    pub where_text: String,
    pub wheres_per_admin_per_day: i64,
    pub wheres_per_number_per_day: i64,
    pub status: bool,
    pub status_after_s: i64,
    pub status_per_job: i64,
    pub status_per_person_per_day: i64,
    pub status_links: bool,
    pub near_m: u32,
    /// The texts by [`TEMPLATE_KEYS`].
    pub status_texts: BTreeMap<String, String>,
    pub tests_per_day: i64,
    pub twilio_base_url: String,
    pub twilio_account_sid: String,
    pub twilio_auth_token: Secret,
    pub twilio_from: String,
    pub twilio_messaging_service_sid: String,
    pub http: SmsHttpSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SmsHttpMethod {
    Get,
    Post,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmsHttpContent {
    Form,
    Json,
}

/// A gateway whose requests are described by its settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsHttpSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub method: SmsHttpMethod,
    /// The address, which may hold a key.
    pub url: Secret,
    #[serde(deserialize_with = "choice::choice")]
    pub content: SmsHttpContent,
    /// The body, which may hold a key.
    pub body: Secret,
    /// The headers by name; `_` stands for `-`.
    pub headers: BTreeMap<String, Secret>,
    pub basic_user: String,
    pub basic_password: Secret,
    pub sender: String,
    pub entity_id: String,
    /// The ids of registered texts by [`TEMPLATE_KEYS`].
    pub templates: BTreeMap<String, String>,
    pub success_contains: String,
    pub success_pointer: String,
    pub success_value: String,
}

/// The placeholders of the URL and the body.
pub const SMS_PLACEHOLDERS: [&str; 9] =
    ["to", "to_digits", "text", "sender", "template_id", "entity_id", "id", "coding", "unicode"];

/// The keys of all texts, as in registers of texts: the kind, and the language if there are several.
pub const TEMPLATE_KEYS: [&str; 19] = [
    "otp",
    "share",
    "number_changed",
    "where",
    "found_en",
    "found_hi",
    "found_kn",
    "near_en",
    "near_hi",
    "near_kn",
    "arrived_en",
    "arrived_hi",
    "arrived_kn",
    "released_en",
    "released_hi",
    "released_kn",
    "cancelled_en",
    "cancelled_hi",
    "cancelled_kn",
];

impl SmsHttpSettings {
    /// Returns all templates of a request.
    pub(super) fn request_templates(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.values().map(|value| value.0.as_str());
        [self.url.0.as_str(), self.body.0.as_str()].into_iter().chain(headers)
    }

    pub(super) fn uses(&self, placeholder: &str) -> bool {
        self.request_templates().any(|template| placeholders(template).any(|name| name == placeholder))
    }
}

impl SmsSettings {
    /// Returns whether the text with that key can be sent: false if the gateway needs the id of a registered text, and there is
    /// none.
    pub fn may_send(&self, key: &str) -> bool {
        self.provider != SmsProvider::Http
            || !self.http.uses("template_id")
            || self.http.templates.contains_key(key)
    }

    /// Returns the distance in metres for the "almost there" text; `None` if it is switched off.
    pub fn near(&self) -> Option<u32> {
        (self.tells_status() && self.near_m > 0).then_some(self.near_m)
    }

    /// Returns whether customers get the progress of their job by SMS.
    pub fn tells_status(&self) -> bool {
        self.status && self.provider != SmsProvider::Log
    }
}
