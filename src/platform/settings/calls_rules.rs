//! The rules for settings of calls, which a start checks.

use super::{
    CallProvider, CallSettings, Settings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
    web_url,
};

/// The limit of servers of each kind. Browsers handle no more well, and an app does not need more.
const MAX_SERVERS: usize = 10;
/// A shorter secret can be guessed from a credential, which contains its HMAC.
const MIN_SECRET_BYTES: usize = 16;

/// Returns the rules that must hold everywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let calls = &settings.calls;
    let mut rules = vec![
        (within(calls.ring_s, 5..=300), "calls.ring_s must be 5 to 300"),
        (within(calls.max_length_s, 60..=DAY_S), "calls.max_length_s must be 60 to 86400"),
        (within(calls.open_after_end_h, 0..=24 * 30), "calls.open_after_end_h must be 0 to 720"),
        (within(calls.invites_per_minute, 1..=1000), "calls.invites_per_minute must be 1 to 1000"),
        (within(calls.signals_per_second, 1..=1000), "calls.signals_per_second must be 1 to 1000"),
        (within(calls.retention_days, 1..=MAX_DAYS), "calls.retention_days must be 1 to 3650"),
        (within(calls.token_ttl_s, 60..=DAY_S), "calls.token_ttl_s must be 60 to 86400"),
    ];
    rules.extend(relays(calls));
    rules.extend(hms(calls));
    rules
}

/// Returns the rules for production, which keep tokens from being sent in the clear.
pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let calls = &settings.calls;
    let is_open = calls.provider == CallProvider::Hms && !calls.hms_base_url.starts_with("https://");
    vec![(!is_open, "calls.hms_base_url is not https")]
}

fn relays(calls: &CallSettings) -> Vec<Rule> {
    // RFC 7064 and RFC 7065 define a scheme and a host, without slashes.
    let is_server = |url: &String, schemes: [&str; 2]| {
        let rest = url.split_once(':').filter(|(scheme, _)| schemes.contains(scheme)).map(|(_, rest)| rest);
        rest.is_some_and(|rest| {
            !rest.is_empty() && !rest.starts_with('/') && rest.chars().all(|c| c.is_ascii_graphic())
        })
    };
    let stun = calls.stun_urls.iter().all(|url| is_server(url, ["stun", "stuns"]));
    let turn = calls.turn_urls.iter().all(|url| is_server(url, ["turn", "turns"]));
    let few = calls.stun_urls.len() <= MAX_SERVERS && calls.turn_urls.len() <= MAX_SERVERS;
    let secret = calls.turn_urls.is_empty() || calls.turn_secret.0.len() >= MIN_SECRET_BYTES;
    vec![
        (few, "calls.stun_urls and calls.turn_urls must have 10 each at most"),
        (stun, "calls.stun_urls must be like stun:stun.example.com:3478"),
        (turn, "calls.turn_urls must be like turn:turn.example.com:3478?transport=udp"),
        (secret, "calls.turn_secret must be at least 16 bytes where there are calls.turn_urls"),
    ]
}

fn hms(calls: &CallSettings) -> Vec<Rule> {
    if calls.provider != CallProvider::Hms {
        return Vec::new();
    }
    let named = |text: &str| !text.trim().is_empty();
    vec![
        (
            web_url(&calls.hms_base_url).is_some(),
            "calls.hms_base_url must be an http or https URL without a query",
        ),
        (named(&calls.hms_access_key), "calls.hms_access_key is needed for hms"),
        (named(&calls.hms_secret.0), "calls.hms_secret is needed for hms"),
        (named(&calls.hms_role), "calls.hms_role is needed for hms"),
        (within(calls.hms_timeout_ms, 100..=60_000), "calls.hms_timeout_ms must be 100 to 60000"),
    ]
}
