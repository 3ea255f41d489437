//! Settings of text messages: `[sms]`.

use std::{borrow::Cow, collections::BTreeMap, net::IpAddr};

use roadcall_platform::settings::{
    NOT_HTTPS, PhoneRegion, Rule, RulesOf, Secret, Section, WEB_URL, choice, fill, list, placeholders,
    web_url,
};
use serde::Deserialize;

/// Four segments of a text message, of 160 characters less their headers.
const MAX_TEXT: usize = 600;
/// A higher number would not limit anything.
const MAX_SENDS: i64 = 100_000_000;
/// The maximum length of a URL, a body or a header, with their placeholders.
const MAX_TEMPLATE: usize = 8192;
const MAX_HEADERS: usize = 20;
const MAX_TEMPLATE_ID: usize = 64;
/// The placeholders of texts about a job.
const STATUS_PLACEHOLDERS: [&str; 6] = ["brand", "name", "wait", "link", "partner", "until"];
/// The headers that the client writes by itself.
const OWN_HEADERS: [&str; 5] = ["content-type", "content-length", "host", "transfer-encoding", "connection"];

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
    #[serde(deserialize_with = "choice")]
    pub provider: SmsProvider,
    /// The regions that receive text messages. If empty, these are all in development, and only
    /// `phone.region` in production.
    #[serde(deserialize_with = "list")]
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
    #[serde(deserialize_with = "choice")]
    pub method: SmsHttpMethod,
    /// The address, which may hold a key.
    pub url: Secret,
    #[serde(deserialize_with = "choice")]
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
pub const TEMPLATE_KEYS: [&str; 28] = [
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
    "follow_en",
    "follow_hi",
    "follow_kn",
    "expected_en",
    "expected_hi",
    "expected_kn",
    "rate_en",
    "rate_hi",
    "rate_kn",
];

impl SmsHttpSettings {
    /// Returns all templates of a request.
    fn request_templates(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.values().map(|value| value.0.as_str());
        [self.url.0.as_str(), self.body.0.as_str()].into_iter().chain(headers)
    }

    fn uses(&self, placeholder: &str) -> bool {
        self.request_templates().any(|template| placeholders(template).any(|name| name == placeholder))
    }

    fn rules(&self) -> Vec<Rule> {
        let http = RulesOf("sms.http");
        let is_get = self.method == SmsHttpMethod::Get;
        let is_json = self.content == SmsHttpContent::Json;
        let has_number = self.uses("to") || self.uses("to_digits");
        let body = &self.body.0;
        let mut rules = vec![
            http.says(
                "url",
                is_url(&self.url.0),
                "must be an http or https URL without a user or a fragment, whose host has no placeholder",
            ),
            http.says(
                "url",
                self.request_templates().all(|template| template.len() <= MAX_TEMPLATE),
                "and the body and the headers must each have at most 8192 bytes",
            ),
            http.says(
                "url",
                self.request_templates().flat_map(placeholders).all(|name| SMS_PLACEHOLDERS.contains(&name)),
                "and the body and the headers know only {to}, {to_digits}, {text}, {sender}, {template_id}, {entity_id}, {id}, {coding} and {unicode}",
            ),
            http.says("url", has_number, "or sms.http.body must have {to} or {to_digits} in it"),
            http.says("url", self.uses("text"), "or sms.http.body must have {text} in it"),
            http.says("body", !is_get || body.is_empty(), "must be empty with sms.http.method = \"GET\""),
            http.says(
                "body",
                is_get || !is_json || serde_json::from_str::<serde_json::Value>(body).is_ok(),
                "must be JSON with sms.http.content = \"json\", with its placeholders inside of texts",
            ),
        ];
        rules.extend(self.rules_of_headers());
        rules.extend(self.rules_of_texts());
        rules.extend(self.rules_of_success());
        rules
    }

    fn rules_of_headers(&self) -> Vec<Rule> {
        let http = RulesOf("sms.http");
        let is_name = |name: &str| {
            let name = name.replace('_', "-").to_ascii_lowercase();
            let is_token = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            is_token && !OWN_HEADERS.contains(&name.as_str())
        };
        let is_value = |value: &str| {
            value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
                && placeholders(value).all(|name| name != "text")
        };
        let named_twice = self.headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
        vec![
            http.says(
                "headers",
                self.headers.len() <= MAX_HEADERS && self.headers.keys().all(|name| is_name(name)),
                "must be at most 20, and none of Content-Type, Content-Length, Host, Connection and Transfer-Encoding",
            ),
            http.says(
                "headers",
                self.headers.values().all(|value| is_value(&value.0)),
                "must be visible ASCII characters, without {text}",
            ),
            http.says(
                "basic_user",
                self.basic_password.0.is_empty() || !self.basic_user.is_empty(),
                "is needed with sms.http.basic_password",
            ),
            http.says(
                "headers",
                self.basic_user.is_empty() || !named_twice,
                "must not have Authorization with sms.http.basic_user",
            ),
            http.says("basic_user", !self.basic_user.contains(':'), "must not have a colon in it"),
        ]
    }

    /// Returns the rules that come from registers of senders and texts.
    fn rules_of_texts(&self) -> Vec<Rule> {
        let http = RulesOf("sms.http");
        let is_id =
            |id: &str| (1..=MAX_TEMPLATE_ID).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic());
        let fits = |placeholder, value: &str| !self.uses(placeholder) || is_id(value);
        let is_visible = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        vec![
            http.says(
                "sender",
                fits("sender", &self.sender),
                "is needed for {sender}: 1 to 64 visible characters",
            ),
            http.says(
                "entity_id",
                fits("entity_id", &self.entity_id),
                "is needed for {entity_id}: 1 to 64 visible characters",
            ),
            http.says(
                "sender",
                is_visible(&self.sender) && is_visible(&self.entity_id),
                "and sms.http.entity_id must be visible ASCII characters",
            ),
            http.says(
                "templates",
                self.templates.keys().all(|key| TEMPLATE_KEYS.contains(&key.as_str())),
                "may only have otp, share, number_changed, where, and found, near, arrived, released, cancelled, follow, expected and rate, each of these eight with _en, _hi or _kn",
            ),
            http.says(
                "templates",
                self.templates.values().all(|id| is_id(id)),
                "must be ids of 1 to 64 visible characters",
            ),
        ]
    }

    fn rules_of_success(&self) -> Vec<Rule> {
        let http = RulesOf("sms.http");
        let Self { success_pointer: pointer, success_value: value, .. } = self;
        vec![
            http.says(
                "success_pointer",
                pointer.is_empty() || pointer.starts_with('/'),
                "must be a JSON pointer, such as /status",
            ),
            http.says(
                "success_pointer",
                pointer.is_empty() == value.is_empty(),
                "and sms.http.success_value must be set together",
            ),
        ]
    }

    /// Returns whether nobody on the way can read the request.
    fn is_private(&self) -> bool {
        let Some(url) = sample(&self.url.0, "a") else { return false };
        let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        url.scheme() == "https" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
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

    /// Returns whether messages are sent at all.
    pub fn is_sent(&self) -> bool {
        self.provider != SmsProvider::Log
    }

    /// Returns whether customers get the progress of their job by SMS.
    pub fn tells_status(&self) -> bool {
        self.status && self.is_sent()
    }

    fn rules_of_status(&self) -> Vec<Rule> {
        let sms = RulesOf("sms");
        let is_key = |key: &str| TEMPLATE_KEYS[4..].contains(&key);
        let is_text = |text: &str| {
            !text.trim().is_empty()
                && text.chars().count() <= MAX_TEXT
                && placeholders(text).all(|name| STATUS_PLACEHOLDERS.contains(&name))
        };
        vec![
            sms.within("status_after_s", self.status_after_s, 5..=300),
            sms.within("near_m", self.near_m, 0..=5000),
            sms.within("status_per_job", self.status_per_job, 1..=20),
            sms.within("status_per_person_per_day", self.status_per_person_per_day, 1..=1000),
            sms.says(
                "status",
                !self.status || self.provider != SmsProvider::Log,
                "needs a provider that sends: sms.provider is \"log\"",
            ),
            sms.says(
                "status_texts",
                self.status_texts.keys().all(|key| is_key(key)),
                "may only have found, near, arrived, released, cancelled, follow, expected and rate, each with _en, _hi or _kn",
            ),
            sms.says(
                "status_texts",
                self.status_texts.values().all(|text| is_text(text)),
                "must each have 1 to 600 characters, and no placeholder but {name}, {wait}, {link}, {partner} and {until}",
            ),
        ]
    }

    fn rules_of_twilio(&self) -> Vec<Rule> {
        let sms = RulesOf("sms");
        // The ids become part of a path and of forms.
        let is_sid = |sid: &str, kind: &str| {
            sid.starts_with(kind) && sid.len() == 34 && sid.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let service = &self.twilio_messaging_service_sid;
        let one_sender = self.twilio_from.trim().is_empty() != service.is_empty();
        vec![
            sms.says(
                "twilio_account_sid",
                is_sid(&self.twilio_account_sid, "AC"),
                "is needed for twilio: AC and 32 letters and digits",
            ),
            sms.says(
                "twilio_auth_token",
                !self.twilio_auth_token.0.trim().is_empty(),
                "is needed for twilio",
            ),
            sms.says(
                "twilio_from",
                one_sender,
                "or sms.twilio_messaging_service_sid is needed for twilio, one of them",
            ),
            sms.says(
                "twilio_messaging_service_sid",
                service.is_empty() || is_sid(service, "MG"),
                "must be MG and 32 letters and digits",
            ),
        ]
    }

    /// Returns the rules for the ids of registered texts that the gateway wants.
    fn rules_of_templates(&self) -> Vec<Rule> {
        let http = RulesOf("sms.http");
        let has = |keys: &[&str]| keys.iter().all(|key| self.may_send(key));
        vec![
            http.says(
                "templates",
                has(&["otp", "share", "number_changed"]),
                "must have otp, share and number_changed for {template_id}",
            ),
            http.says(
                "templates",
                !self.status || has(&["found_en", "arrived_en", "released_en", "cancelled_en"]),
                "must have found_en, arrived_en, released_en and cancelled_en for {template_id} with sms.status",
            ),
        ]
    }
}

impl Section for SmsSettings {
    fn rules(&self) -> Vec<Rule> {
        let sms = RulesOf("sms");
        let is_text = |text: &str, part: &str| text.contains(part) && text.chars().count() <= MAX_TEXT;
        let with_link = |field, text: &str| {
            sms.says(field, is_text(text, "{link}"), "must have {link} in it, and at most 600 characters")
        };
        let sends = |field, most: i64| sms.within(field, most, 0..=MAX_SENDS);
        let mut rules = vec![
            sms.within("timeout_ms", self.timeout_ms, 100..=60_000),
            sends("per_hour", self.per_hour),
            sends("per_day", self.per_day),
            sends("per_country_per_hour", self.per_country_per_hour),
            sends("per_country_per_day", self.per_country_per_day),
            sms.within("reserved_percent", self.reserved_percent, 0..=49),
            sms.says(
                "otp_text",
                is_text(&self.otp_text, "{code}"),
                "must have {code} in it, and at most 600 characters",
            ),
            with_link("share_text", &self.share_text),
            sms.says(
                "number_changed_text",
                is_text(&self.number_changed_text, "") && !self.number_changed_text.trim().is_empty(),
                "must have 1 to 600 characters",
            ),
            with_link("where_text", &self.where_text),
            sms.within("wheres_per_admin_per_day", self.wheres_per_admin_per_day, 0..=10_000),
            sms.within("wheres_per_number_per_day", self.wheres_per_number_per_day, 0..=100),
            sms.says("twilio_base_url", web_url(&self.twilio_base_url).is_some(), WEB_URL),
            sms.within("tests_per_day", self.tests_per_day, 0..=1000),
        ];
        rules.extend(self.rules_of_status());
        match self.provider {
            SmsProvider::Log => {}
            SmsProvider::Twilio => rules.extend(self.rules_of_twilio()),
            SmsProvider::Http => {
                rules.extend(self.http.rules());
                rules.extend(self.rules_of_templates());
            }
        }
        rules
    }

    /// Returns the rules for production, which make sure that messages reach the right people.
    fn rules_of_production(&self) -> Vec<Rule> {
        let sms = RulesOf("sms");
        let is_twilio = self.provider == SmsProvider::Twilio;
        let is_http = self.provider == SmsProvider::Http;
        vec![
            sms.says("provider", self.provider != SmsProvider::Log, "= \"log\" sends no one-time password"),
            sms.says(
                "twilio_base_url",
                !is_twilio || self.twilio_base_url.starts_with("https://"),
                NOT_HTTPS,
            ),
            RulesOf("sms.http")
                .says("url", !is_http || self.http.is_private(), NOT_HTTPS)
                .because("only a gateway on this machine (127.0.0.1, [::1]) may be asked without"),
        ]
    }
}

/// Returns the URL with a sample value in place of its placeholders.
fn sample(url: &str, value: &'static str) -> Option<url::Url> {
    url::Url::parse(&fill(url, |_| Some(Cow::Borrowed(value)))).ok()
}

fn is_url(text: &str) -> bool {
    let Some((one, other)) = sample(text, "a").zip(sample(text, "b.c")) else { return false };
    let is_web = ["http", "https"].contains(&one.scheme()) && one.has_host();
    let is_bare = one.username().is_empty() && one.password().is_none() && one.fragment().is_none();
    is_web && is_bare && one.origin() == other.origin()
}
