//! What settings of notifications and text messages are refused for at start.

use super::{
    PushProvider, PushSettings, Settings, SmsProvider, SmsSettings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
    web_url,
};

/// Four segments of a text message, of 160 characters less their headers.
const MAX_TEXT: usize = 600;
/// More would be no budget.
const MAX_SENDS: i64 = 100_000_000;

/// What can't work anywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let kept = within(settings.notifications.retention_days, 1..=MAX_DAYS);
    let mut rules = vec![(kept, "notifications.retention_days must be 1 to 3650")];
    rules.extend(push(&settings.push));
    rules.extend(sms(&settings.sms));
    rules
}

/// What would reach no one, or anyone.
pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let Settings { push, sms, .. } = settings;
    let is_https = |url: &str| url.starts_with("https://");
    let fcm = push.provider == PushProvider::Fcm;
    let twilio = sms.provider == SmsProvider::Twilio;
    let token_uri = push.fcm_token_uri.is_empty() || is_https(&push.fcm_token_uri);
    vec![
        (sms.provider != SmsProvider::Log, "sms.provider = \"log\" sends no one-time password"),
        (!twilio || is_https(&sms.twilio_base_url), "sms.twilio_base_url is not https"),
        (!fcm || is_https(&push.fcm_base_url), "push.fcm_base_url is not https"),
        (!fcm || token_uri, "push.fcm_token_uri is not https"),
    ]
}

fn push(push: &PushSettings) -> Vec<Rule> {
    let token_uri = push.fcm_token_uri.is_empty() || web_url(&push.fcm_token_uri).is_some();
    let mut rules = vec![
        (within(push.timeout_ms, 100..=60_000), "push.timeout_ms must be 100 to 60000"),
        (within(push.attempts, 1..=20), "push.attempts must be 1 to 20"),
        (within(push.retry_s, 1..=3600), "push.retry_s must be 1 to 3600"),
        (within(push.late_after_s, 1..=28 * DAY_S), "push.late_after_s must be 1 to 2419200"),
        (
            web_url(&push.fcm_base_url).is_some(),
            "push.fcm_base_url must be an http or https URL without a query",
        ),
        (token_uri, "push.fcm_token_uri must be an http or https URL without a query"),
    ];
    if push.provider == PushProvider::Fcm && push.fcm_service_account_file.trim().is_empty() {
        rules.extend([
            (
                !push.fcm_project_id.trim().is_empty(),
                "push.fcm_project_id is needed for fcm, or push.fcm_service_account_file",
            ),
            (
                !push.fcm_client_email.trim().is_empty(),
                "push.fcm_client_email is needed for fcm, or push.fcm_service_account_file",
            ),
            (
                !push.fcm_private_key.0.trim().is_empty(),
                "push.fcm_private_key is needed for fcm, or push.fcm_service_account_file",
            ),
        ]);
    }
    rules
}

fn sms(sms: &SmsSettings) -> Vec<Rule> {
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
            web_url(&sms.twilio_base_url).is_some(),
            "sms.twilio_base_url must be an http or https URL without a query",
        ),
    ];
    if sms.provider == SmsProvider::Twilio {
        // They go into a path and into forms.
        let is_sid = |sid: &str, kind: &str| {
            sid.starts_with(kind) && sid.len() == 34 && sid.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let service = &sms.twilio_messaging_service_sid;
        let one_sender = sms.twilio_from.trim().is_empty() != service.is_empty();
        rules.extend([
            (
                is_sid(&sms.twilio_account_sid, "AC"),
                "sms.twilio_account_sid is needed for twilio: AC and 32 letters and digits",
            ),
            (!sms.twilio_auth_token.0.trim().is_empty(), "sms.twilio_auth_token is needed for twilio"),
            (
                one_sender,
                "sms.twilio_from or sms.twilio_messaging_service_sid is needed for twilio, one of them",
            ),
            (
                service.is_empty() || is_sid(service, "MG"),
                "sms.twilio_messaging_service_sid must be MG and 32 letters and digits",
            ),
        ]);
    }
    rules
}
