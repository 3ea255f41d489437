//! The rules for settings of text messages, which a start checks.

use std::{borrow::Cow, net::IpAddr};

use super::{
    SMS_PLACEHOLDERS, SmsHttpContent, SmsHttpMethod, SmsHttpSettings, SmsProvider, SmsSettings,
    TEMPLATE_KEYS,
    rule::{Rule, within},
    template::{fill, placeholders},
    web_url,
};

/// Four segments of a text message, of 160 characters less their headers.
const MAX_TEXT: usize = 600;
/// A higher number would not limit anything.
const MAX_SENDS: i64 = 100_000_000;
/// The maximum length of a URL, a body or a header, with their placeholders.
const MAX_TEMPLATE: usize = 8192;
const MAX_HEADERS: usize = 20;
const MAX_TEMPLATE_ID: usize = 64;
/// The placeholders of texts about a job.
const STATUS_PLACEHOLDERS: [&str; 4] = ["brand", "name", "wait", "link"];
/// The headers that the client writes by itself.
const OWN_HEADERS: [&str; 5] = ["content-type", "content-length", "host", "transfer-encoding", "connection"];

/// Returns the rules that must hold everywhere.
pub(super) fn rules(sms: &SmsSettings) -> Vec<Rule> {
    let is_text = |text: &str, part: &str| text.contains(part) && text.chars().count() <= MAX_TEXT;
    let budgets = [sms.per_hour, sms.per_day, sms.per_country_per_hour, sms.per_country_per_day];
    let mut rules = vec![
        (within(sms.timeout_ms, 100..=60_000), "sms.timeout_ms must be 100 to 60000"),
        (
            budgets.iter().all(|most| within(*most, 0..=MAX_SENDS)),
            "sms.per_hour, per_day, per_country_per_hour and per_country_per_day must be 0 to 100000000",
        ),
        (within(sms.reserved_percent, 0..=49), "sms.reserved_percent must be 0 to 49"),
        (is_text(&sms.otp_text, "{code}"), "sms.otp_text must have {code} in it, and at most 600 characters"),
        (
            is_text(&sms.share_text, "{link}"),
            "sms.share_text must have {link} in it, and at most 600 characters",
        ),
        (
            is_text(&sms.number_changed_text, "") && !sms.number_changed_text.trim().is_empty(),
            "sms.number_changed_text must have 1 to 600 characters",
        ),
        (
            is_text(&sms.where_text, "{link}"),
            "sms.where_text must have {link} in it, and at most 600 characters",
        ),
        (within(sms.wheres_per_admin_per_day, 0..=10_000), "sms.wheres_per_admin_per_day must be 0 to 10000"),
        (within(sms.wheres_per_number_per_day, 0..=100), "sms.wheres_per_number_per_day must be 0 to 100"),
        (
            web_url(&sms.twilio_base_url).is_some(),
            "sms.twilio_base_url must be an http or https URL without a query",
        ),
        (within(sms.tests_per_day, 0..=1000), "sms.tests_per_day must be 0 to 1000"),
    ];
    rules.extend(status(sms));
    match sms.provider {
        SmsProvider::Log => {}
        SmsProvider::Twilio => rules.extend(twilio(sms)),
        SmsProvider::Http => rules.extend(http(sms)),
    }
    rules
}

/// Returns the rules for production, which make sure that messages reach the right people.
pub(super) fn unsafe_in_production(sms: &SmsSettings) -> Vec<Rule> {
    let is_twilio = sms.provider == SmsProvider::Twilio;
    let is_http = sms.provider == SmsProvider::Http;
    vec![
        (sms.provider != SmsProvider::Log, "sms.provider = \"log\" sends no one-time password"),
        (!is_twilio || sms.twilio_base_url.starts_with("https://"), "sms.twilio_base_url is not https"),
        (
            !is_http || is_private(&sms.http),
            "sms.http.url is not https: only a gateway on this machine (127.0.0.1, [::1]) may be asked without",
        ),
    ]
}

fn status(sms: &SmsSettings) -> Vec<Rule> {
    let is_key = |key: &str| TEMPLATE_KEYS[4..].contains(&key);
    let is_text = |text: &str| {
        !text.trim().is_empty()
            && text.chars().count() <= MAX_TEXT
            && placeholders(text).all(|name| STATUS_PLACEHOLDERS.contains(&name))
    };
    vec![
        (within(sms.status_after_s, 5..=300), "sms.status_after_s must be 5 to 300"),
        (within(sms.near_m, 0..=5000), "sms.near_m must be 0 to 5000"),
        (within(sms.status_per_job, 1..=20), "sms.status_per_job must be 1 to 20"),
        (within(sms.status_per_person_per_day, 1..=1000), "sms.status_per_person_per_day must be 1 to 1000"),
        (
            !sms.status || sms.provider != SmsProvider::Log,
            "sms.status needs a provider that sends: sms.provider is \"log\"",
        ),
        (
            sms.status_texts.keys().all(|key| is_key(key)),
            "sms.status_texts may only have found, near, arrived, released and cancelled, each with _en, _hi or _kn",
        ),
        (
            sms.status_texts.values().all(|text| is_text(text)),
            "sms.status_texts must each have 1 to 600 characters, and no placeholder but {name}, {wait} and {link}",
        ),
    ]
}

fn twilio(sms: &SmsSettings) -> Vec<Rule> {
    // The ids become part of a path and of forms.
    let is_sid = |sid: &str, kind: &str| {
        sid.starts_with(kind) && sid.len() == 34 && sid.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let service = &sms.twilio_messaging_service_sid;
    let one_sender = sms.twilio_from.trim().is_empty() != service.is_empty();
    vec![
        (
            is_sid(&sms.twilio_account_sid, "AC"),
            "sms.twilio_account_sid is needed for twilio: AC and 32 letters and digits",
        ),
        (!sms.twilio_auth_token.0.trim().is_empty(), "sms.twilio_auth_token is needed for twilio"),
        (one_sender, "sms.twilio_from or sms.twilio_messaging_service_sid is needed for twilio, one of them"),
        (
            service.is_empty() || is_sid(service, "MG"),
            "sms.twilio_messaging_service_sid must be MG and 32 letters and digits",
        ),
    ]
}

fn http(sms: &SmsSettings) -> Vec<Rule> {
    let http = &sms.http;
    let is_get = http.method == SmsHttpMethod::Get;
    let is_json = http.content == SmsHttpContent::Json;
    let has_either = |one: &str, other: &str| http.uses(one) || http.uses(other);
    let body = &http.body.0;
    [
        vec![
            (
                is_url(&http.url.0),
                "sms.http.url must be an http or https URL without a user or a fragment, whose host has no placeholder",
            ),
            (
                http.request_templates().all(|template| template.len() <= MAX_TEMPLATE),
                "sms.http.url, body and headers must each have at most 8192 bytes",
            ),
            (
                http.request_templates()
                    .flat_map(placeholders)
                    .all(|name| SMS_PLACEHOLDERS.contains(&name)),
                "sms.http.url, body and headers know only {to}, {to_digits}, {text}, {sender}, {template_id}, {entity_id}, {id}, {coding} and {unicode}",
            ),
            (has_either("to", "to_digits"), "sms.http.url or sms.http.body must have {to} or {to_digits} in it"),
            (http.uses("text"), "sms.http.url or sms.http.body must have {text} in it"),
            (!is_get || body.is_empty(), "sms.http.body must be empty with sms.http.method = \"GET\""),
            (
                is_get || !is_json || serde_json::from_str::<serde_json::Value>(body).is_ok(),
                "sms.http.body must be JSON with sms.http.content = \"json\", with its placeholders inside of texts",
            ),
        ],
        http_headers(http),
        http_texts(sms),
        http_success(http),
    ]
    .concat()
}

fn http_headers(http: &SmsHttpSettings) -> Vec<Rule> {
    let is_name = |name: &str| {
        let name = name.replace('_', "-").to_ascii_lowercase();
        let is_token = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        is_token && !OWN_HEADERS.contains(&name.as_str())
    };
    let is_value = |value: &str| {
        value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
            && placeholders(value).all(|name| name != "text")
    };
    let named_twice = http.headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
    vec![
        (
            http.headers.len() <= MAX_HEADERS && http.headers.keys().all(|name| is_name(name)),
            "sms.http.headers must be at most 20, and none of Content-Type, Content-Length, Host, Connection and Transfer-Encoding",
        ),
        (
            http.headers.values().all(|value| is_value(&value.0)),
            "sms.http.headers must be visible ASCII characters, without {text}",
        ),
        (
            http.basic_password.0.is_empty() || !http.basic_user.is_empty(),
            "sms.http.basic_user is needed with sms.http.basic_password",
        ),
        (
            http.basic_user.is_empty() || !named_twice,
            "sms.http.headers must not have Authorization with sms.http.basic_user",
        ),
        (!http.basic_user.contains(':'), "sms.http.basic_user must not have a colon in it"),
    ]
}

/// Returns the rules that come from registers of senders and texts.
fn http_texts(sms: &SmsSettings) -> Vec<Rule> {
    let http = &sms.http;
    let is_id =
        |id: &str| (1..=MAX_TEMPLATE_ID).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic());
    let fits = |placeholder, value: &str| !http.uses(placeholder) || is_id(value);
    let is_visible = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    let has = |keys: &[&str]| keys.iter().all(|key| sms.may_send(key));
    vec![
        (fits("sender", &http.sender), "sms.http.sender is needed for {sender}: 1 to 64 visible characters"),
        (
            fits("entity_id", &http.entity_id),
            "sms.http.entity_id is needed for {entity_id}: 1 to 64 visible characters",
        ),
        (
            is_visible(&http.sender) && is_visible(&http.entity_id),
            "sms.http.sender and sms.http.entity_id must be visible ASCII characters",
        ),
        (
            http.templates.keys().all(|key| TEMPLATE_KEYS.contains(&key.as_str())),
            "sms.http.templates may only have otp, share, number_changed, where, and found, near, arrived, released and cancelled, each of these five with _en, _hi or _kn",
        ),
        (
            http.templates.values().all(|id| is_id(id)),
            "sms.http.templates must be ids of 1 to 64 visible characters",
        ),
        (
            has(&["otp", "share", "number_changed"]),
            "sms.http.templates must have otp, share and number_changed for {template_id}",
        ),
        (
            !sms.status || has(&["found_en", "arrived_en", "released_en", "cancelled_en"]),
            "sms.http.templates must have found_en, arrived_en, released_en and cancelled_en for {template_id} with sms.status",
        ),
    ]
}

fn http_success(http: &SmsHttpSettings) -> Vec<Rule> {
    let SmsHttpSettings { success_pointer: pointer, success_value: value, .. } = http;
    vec![
        (
            pointer.is_empty() || pointer.starts_with('/'),
            "sms.http.success_pointer must be a JSON pointer, such as /status",
        ),
        (
            pointer.is_empty() == value.is_empty(),
            "sms.http.success_pointer and sms.http.success_value must be set together",
        ),
    ]
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

/// Returns whether nobody on the way can read the request.
fn is_private(http: &SmsHttpSettings) -> bool {
    let Some(url) = sample(&http.url.0, "a") else { return false };
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    url.scheme() == "https" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
