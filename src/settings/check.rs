//! What settings are refused for at start, each rule with the message that names its key.

use super::{
    AuthSettings, DispatchSettings, EngineSettings, FeeSettings, IdentitySettings, ServerSettings, Settings,
    SettingsError, SmsProvider, WsSettings,
};
use crate::web::Network;

/// Whether it holds, and what is said where it does not.
type Rule = (bool, &'static str);

impl Settings {
    /// Refuses what can't work anywhere, and in production what is unsafe there.
    pub fn check(&self) -> Result<(), SettingsError> {
        let unsound = unsound(self);
        if !unsound.is_empty() {
            return Err(SettingsError::Unsound(unsound));
        }
        let unsafe_settings = if self.is_production() { unsafe_in_production(self) } else { Vec::new() };
        if unsafe_settings.is_empty() { Ok(()) } else { Err(SettingsError::Unsafe(unsafe_settings)) }
    }
}

/// What can't work anywhere.
fn unsound(settings: &Settings) -> Vec<String> {
    let may_listen = settings.is_production() || settings.server.listen.ip().is_loopback();
    let elsewhere =
        "server.listen: development binds to loopback only; set ROADCALL_ENV=production to serve others";
    let rules = [
        rings(&settings.dispatch),
        offers(&settings.dispatch),
        presence(&settings.dispatch),
        costs(&settings.dispatch, &settings.fees),
        matching(&settings.dispatch),
        queues(&settings.engine, &settings.ws),
        server(&settings.server),
        sign_in(&settings.auth),
        identity(&settings.identity),
        vec![(may_listen, elsewhere)],
    ];
    broken(rules.into_iter().flatten())
}

/// What is fine for trying things out and not for serving people.
fn unsafe_in_production(settings: &Settings) -> Vec<String> {
    let Settings { auth, identity, sms, metrics, .. } = settings;
    let local_over_http = identity.local_provider && identity.issuer.starts_with("http://");
    broken([
        (!auth.dev_otp, "auth.dev_otp shows one-time passwords; set it to false"),
        (!auth.token_secret.is_empty(), "auth.token_secret is generated; set one of at least 32 bytes"),
        (sms.provider != SmsProvider::Log, "sms.provider = \"log\" sends no one-time password"),
        (!local_over_http, "identity.issuer is not https"),
        (!identity.jwks_url.starts_with("http://"), "identity.jwks_url is not https"),
        (metrics.listen.ip().is_loopback(), "metrics.listen is not a loopback address"),
    ])
}

fn broken(rules: impl IntoIterator<Item = Rule>) -> Vec<String> {
    rules.into_iter().filter(|(holds, _)| !holds).map(|(_, fault)| fault.to_owned()).collect()
}

fn rings(dispatch: &DispatchSettings) -> Vec<Rule> {
    let rings = &dispatch.rings_km;
    let grow = rings.windows(2).all(|pair| pair[0] < pair[1]);
    vec![
        (rings.first().is_some_and(|km| *km > 0.0), "dispatch.rings_km needs at least one ring above 0 km"),
        (grow, "dispatch.rings_km: each ring must be larger than the one before"),
        (rings.last().is_some_and(|km| *km <= 500.0), "dispatch.rings_km: a ring must be at most 500 km"),
    ]
}

fn offers(dispatch: &DispatchSettings) -> Vec<Rule> {
    let widths = &dispatch.round_widths;
    let wide = !widths.is_empty() && widths.iter().all(|n| (1..=50).contains(n));
    let first = (1..=dispatch.max_rounds).contains(&dispatch.urgent_first_round);
    vec![
        (wide, "dispatch.round_widths must be 1 to 50 each"),
        ((1..=100).contains(&dispatch.max_rounds), "dispatch.max_rounds must be 1 to 100"),
        ((1..=3600).contains(&dispatch.offer_ttl_s), "dispatch.offer_ttl_s must be 1 to 3600"),
        ((0..=10_000).contains(&dispatch.offer_grace_ms), "dispatch.offer_grace_ms must be 0 to 10000"),
        ((5..=86_400).contains(&dispatch.attempt_ttl_s), "dispatch.attempt_ttl_s must be 5 to 86400"),
        (first, "dispatch.urgent_first_round must lie within dispatch.max_rounds"),
    ]
}

fn presence(dispatch: &DispatchSettings) -> Vec<Rule> {
    let auto_off = dispatch.auto_off_s >= dispatch.fresh_position_s;
    let fast = (1..=dispatch.slow_interval_s).contains(&dispatch.fast_interval_s);
    vec![
        (dispatch.fresh_position_s > 0, "dispatch.fresh_position_s must be above 0"),
        (auto_off, "dispatch.auto_off_s must be at least dispatch.fresh_position_s"),
        ((1..=20).contains(&dispatch.slow_interval_s), "dispatch.slow_interval_s must be 1 to 20"),
        (fast, "dispatch.fast_interval_s must be 1 to dispatch.slow_interval_s"),
    ]
}

fn costs(dispatch: &DispatchSettings, fees: &FeeSettings) -> Vec<Rule> {
    let weight = 0..=3600;
    let waiting = weight.contains(&dispatch.waiting_weight_s_per_min);
    let idle = weight.contains(&dispatch.idle_weight_s_per_min);
    vec![
        (dispatch.speed_kmh > 0.0, "dispatch.speed_kmh must be above 0"),
        (dispatch.detour_factor >= 1.0, "dispatch.detour_factor must be at least 1"),
        (waiting, "dispatch.waiting_weight_s_per_min must be 0 to 3600"),
        (idle, "dispatch.idle_weight_s_per_min must be 0 to 3600"),
        (fees.cancellation_flat_paise >= 0, "fees.cancellation_flat_paise must not be negative"),
        (fees.call_out_paise >= 0, "fees.call_out_paise must not be negative"),
    ]
}

fn matching(dispatch: &DispatchSettings) -> Vec<Rule> {
    let hour = 0..=3600;
    let limits = dispatch.solve_exact_edges <= 1_000_000 && dispatch.solve_inline_edges <= 1_000_000;
    vec![
        ((0..=2000).contains(&dispatch.window_ms), "dispatch.window_ms must be 0 to 2000"),
        ((0..=86_400).contains(&dispatch.unserved_s), "dispatch.unserved_s must be 0 to 86400"),
        (hour.contains(&dispatch.highway_bonus_s), "dispatch.highway_bonus_s must be 0 to 3600"),
        (hour.contains(&dispatch.accident_bonus_s), "dispatch.accident_bonus_s must be 0 to 3600"),
        (hour.contains(&dispatch.refusal_weight_s), "dispatch.refusal_weight_s must be 0 to 3600"),
        (limits, "dispatch.solve_exact_edges and dispatch.solve_inline_edges must be at most 1000000"),
        ((1..=1_000_000_000).contains(&dispatch.solve_steps), "dispatch.solve_steps must be 1 to 1000000000"),
    ]
}

fn queues(engine: &EngineSettings, ws: &WsSettings) -> Vec<Rule> {
    let frame = (1024..=1_048_576).contains(&ws.max_frame_bytes);
    vec![
        (engine.mailbox > 0, "engine.mailbox must be above 0"),
        (engine.trail_queue > 0, "engine.trail_queue must be above 0"),
        (ws.idle_timeout_s > ws.ping_interval_s, "ws.idle_timeout_s must be above ws.ping_interval_s"),
        (frame, "ws.max_frame_bytes must be 1024 to 1048576"),
    ]
}

fn server(server: &ServerSettings) -> Vec<Rule> {
    let proxies = server.trusted_proxies.iter().all(|text| text.parse::<Network>().is_ok());
    vec![
        (server.max_connections > 0, "server.max_connections must be above 0"),
        (proxies, "server.trusted_proxies must be addresses or networks such as 10.0.0.0/8"),
    ]
}

fn sign_in(auth: &AuthSettings) -> Vec<Rule> {
    let limits = [
        auth.otp_sends_per_hour,
        auth.otp_wrong_tries,
        auth.otp_wrong_tries_per_day,
        auth.otp_requests_per_address_per_hour,
    ];
    let limited = limits.iter().all(|limit| (1..=100_000).contains(limit));
    let outlives = auth.refresh_token_ttl_s > auth.access_token_ttl_s;
    let grace = (0..=300).contains(&auth.refresh_grace_s);
    let remembered = (1..=30).contains(&auth.principal_cache_s);
    let secret = auth.token_secret.is_empty() || auth.token_secret.len() >= 32;
    vec![
        (auth.access_token_ttl_s > 0, "auth.access_token_ttl_s must be above 0"),
        (auth.otp_ttl_s > 0, "auth.otp_ttl_s must be above 0"),
        (limited, "auth.otp limits must be 1 to 100000"),
        (outlives, "auth.refresh_token_ttl_s must be above auth.access_token_ttl_s"),
        (grace, "auth.refresh_grace_s must be 0 to 300: a longer one shelters a thief"),
        (remembered, "auth.principal_cache_s must be 1 to 30: a suspension must not take longer to arrive"),
        (secret, "auth.token_secret must be at least 32 bytes"),
    ]
}

fn identity(identity: &IdentitySettings) -> Vec<Rule> {
    let somewhere = identity.local_provider || !identity.jwks_url.is_empty();
    let named = !identity.issuer.is_empty() && !identity.audience.is_empty();
    vec![
        (somewhere, "identity.jwks_url is needed where identity.local_provider is off"),
        (named, "identity.issuer and identity.audience must not be empty"),
    ]
}
