//! The rules for settings of notifications and text messages, which a start checks.

use super::{
    PushProvider, PushSettings, Settings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
    sms_rules, web_url,
};

/// Returns the rules that must hold everywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let kept = within(settings.notifications.retention_days, 1..=MAX_DAYS);
    let mut rules = vec![(kept, "notifications.retention_days must be 1 to 3650")];
    rules.extend(push(&settings.push));
    rules.extend(sms_rules::rules(&settings.sms));
    rules
}

/// Returns the rules for production, which make sure that messages reach the right people.
pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let Settings { push, sms, .. } = settings;
    let mut rules = sms_rules::unsafe_in_production(sms);
    let is_https = |url: &str| url.starts_with("https://");
    let fcm = push.provider == PushProvider::Fcm;
    let token_uri = push.fcm_token_uri.is_empty() || is_https(&push.fcm_token_uri);
    rules.extend([
        (!fcm || is_https(&push.fcm_base_url), "push.fcm_base_url is not https"),
        (!fcm || token_uri, "push.fcm_token_uri is not https"),
    ]);
    rules
}

fn push(push: &PushSettings) -> Vec<Rule> {
    let token_uri = push.fcm_token_uri.is_empty() || web_url(&push.fcm_token_uri).is_some();
    let mut rules = vec![
        (within(push.timeout_ms, 100..=60_000), "push.timeout_ms must be 100 to 60000"),
        (within(push.attempts, 1..=20), "push.attempts must be 1 to 20"),
        (within(push.retry_s, 1..=3600), "push.retry_s must be 1 to 3600"),
        (within(push.offer_repeat_s, 5..=3600), "push.offer_repeat_s must be 5 to 3600"),
        (within(push.offer_repeats, 0..=100), "push.offer_repeats must be 0 to 100"),
        (within(push.late_after_s, 1..=28 * DAY_S), "push.late_after_s must be 1 to 2419200"),
        (within(push.tests_per_day, 0..=1000), "push.tests_per_day must be 0 to 1000"),
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
