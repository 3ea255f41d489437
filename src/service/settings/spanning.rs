//! The rules that a start checks, each with a message that names its key.

use std::collections::BTreeSet;

use super::{
    DispatchSettings, EtaSettings, FeeSettings, JobSettings, PresenceSettings, ServerSettings, Settings,
    SettingsError, TrackingSettings, WatchSettings, admin_rules, backup, calls_rules, chat, cluster,
    community, http, identity_rules,
    limits::{DAY_S, MAX_DAYS, MAX_RING_KM, MAX_RINGS, MAX_ROUND_WIDTH, MAX_ROUND_WIDTHS},
    mail, map, money_rules, notification_rules, operator, places, privacy,
    rule::{Rule, within},
    service_rules, support, traces, uploads_rules,
};
use crate::platform::network::{self, Network};

impl Settings {
    /// Refuses settings that can't work anywhere, and in production also unsafe ones.
    pub fn check(&self) -> Result<(), SettingsError> {
        let unsound = unsound(self);
        if !unsound.is_empty() {
            return Err(SettingsError::Unsound(unsound));
        }
        let unsafe_settings = if self.is_production() { unsafe_in_production(self) } else { Vec::new() };
        if unsafe_settings.is_empty() { Ok(()) } else { Err(SettingsError::Unsafe(unsafe_settings)) }
    }

    /// Returns warnings about settings that production starts without, but should soon have.
    pub fn warnings(&self) -> Vec<String> {
        if !self.is_production() {
            return Vec::new();
        }
        let is_root = url::Url::parse(&self.server.public_url).is_ok_and(|url| url.path() == "/");
        let root = (
            is_root,
            "server.public_url has a path: programs may call the interface there, but the web apps are at the root of a host of \
                their own alone",
        );
        broken(privacy::missing_in_production(&self.privacy).into_iter().chain([root]))
    }
}

impl DispatchSettings {
    /// Returns the fields that make dispatching impossible, with their faults. The same rules apply to the file and
    /// to changes at run time.
    pub fn faults(&self) -> Vec<(String, String)> {
        let rules = [rings(self), offers(self), costs(self), matching(self)];
        let named = |fault: String| {
            let fault = fault.replace("dispatch.", "");
            let end = fault.find([':', ' ']).unwrap_or(fault.len());
            let (field, why) = fault.split_at(end);
            (field.to_owned(), why.trim_start_matches([':', ' ']).to_owned())
        };
        broken(rules.into_iter().flatten()).into_iter().map(named).collect()
    }
}

/// Returns the broken rules that must hold everywhere.
fn unsound(settings: &Settings) -> Vec<String> {
    let may_listen = settings.is_production() || settings.server.listen.ip().is_loopback();
    let elsewhere =
        "server.listen: development binds to loopback only; set ROADCALL_ENV=production to serve others";
    let rules = [
        rings(&settings.dispatch),
        offers(&settings.dispatch),
        presence(&settings.dispatch),
        parking(&settings.presence),
        concerns(&settings.watch),
        promises(&settings.watch, &settings.dispatch, &settings.fees),
        costs(&settings.dispatch),
        matching(&settings.dispatch),
        jobs(&settings.jobs),
        fees(&settings.fees),
        tracking(&settings.tracking),
        etas(&settings.eta),
        router(&settings.eta),
        service_rules::rules(settings),
        cluster::rules(settings),
        server(&settings.server),
        http::rules(&settings.http.allowed_origins, &settings.ws.allowed_origins),
        map::rules(&settings.map),
        mail::rules(&settings.mail),
        places::rules(&settings.places, settings.limits.places_per_minute),
        operator::rules(&settings.operator),
        support::rules(&settings.support),
        money_rules::rules(settings),
        notification_rules::rules(settings),
        uploads_rules::rules(settings),
        community::rules(&settings.ratings, &settings.shares),
        chat::rules(&settings.chat),
        calls_rules::rules(settings),
        identity_rules::rules(settings),
        admin_rules::rules(settings),
        privacy::rules(&settings.privacy, settings.limits.export_per_minute),
        backup::rules(&settings.backup),
        traces::rules(&settings.traces),
        vec![(may_listen, elsewhere)],
    ];
    broken(rules.into_iter().flatten())
}

/// Returns whether a text has as many different characters as a random one nearly always has.
fn is_varied(text: &str) -> bool {
    text.chars().collect::<BTreeSet<_>>().len() >= 8
}

/// Returns the broken rules that protect a service for real people.
fn unsafe_in_production(settings: &Settings) -> Vec<String> {
    let Settings { auth, metrics, server, .. } = settings;
    let mut rules = vec![
        (!auth.dev_otp, "auth.dev_otp shows one-time passwords; set it to false"),
        (!auth.token_secret.0.is_empty(), "auth.token_secret is generated; set one of at least 32 bytes"),
        (
            auth.token_secret.0.is_empty() || is_varied(&auth.token_secret.0),
            "auth.token_secret repeats a few characters: make one with `openssl rand -base64 32`",
        ),
        (
            server.public_url.starts_with("https://"),
            "server.public_url is not https: set where clients reach the service",
        ),
        (
            !server.trusted_proxies.is_empty(),
            "server.trusted_proxies is empty: name the proxies in front of the service, or set it to \"direct\" if clients \
                connect to the service itself",
        ),
        (metrics.listen.ip().is_loopback(), "metrics.listen is not a loopback address"),
    ];
    rules.extend(identity_rules::unsafe_in_production(settings));
    rules.extend(http::unsafe_in_production(&settings.http.allowed_origins, &settings.ws.allowed_origins));
    rules.extend(money_rules::unsafe_in_production(settings));
    rules.extend(notification_rules::unsafe_in_production(settings));
    rules.extend(uploads_rules::unsafe_in_production(settings));
    rules.extend(cluster::unsafe_in_production(settings));
    rules.extend(calls_rules::unsafe_in_production(settings));
    rules.extend(places::unsafe_in_production(&settings.places));
    rules.extend(mail::unsafe_in_production(&settings.mail));
    rules.extend(traces::unsafe_in_production(&settings.traces));
    broken(rules)
}

fn broken(rules: impl IntoIterator<Item = Rule>) -> Vec<String> {
    rules.into_iter().filter(|(holds, _)| !holds).map(|(_, fault)| fault.to_owned()).collect()
}

fn rings(dispatch: &DispatchSettings) -> Vec<Rule> {
    let rings = &dispatch.rings_km;
    let far = rings.iter().all(|km| *km > 0.0 && *km <= MAX_RING_KM);
    let grow = rings.windows(2).all(|pair| pair[0] < pair[1]);
    vec![
        (within(rings.len(), 1..=MAX_RINGS), "dispatch.rings_km must have 1 to 10 rings"),
        (far, "dispatch.rings_km: each ring must be above 0 and at most 500 km"),
        (grow, "dispatch.rings_km: each ring must be larger than the one before"),
    ]
}

fn offers(dispatch: &DispatchSettings) -> Vec<Rule> {
    let widths = &dispatch.round_widths;
    let wide = widths.iter().all(|n| within(*n, 1..=MAX_ROUND_WIDTH));
    let first = within(dispatch.urgent_first_round, 1..=dispatch.max_rounds);
    let fits = dispatch.offer_ttl_s <= dispatch.attempt_ttl_s;
    vec![
        (within(widths.len(), 1..=MAX_ROUND_WIDTHS), "dispatch.round_widths must have 1 to 20 widths"),
        (wide, "dispatch.round_widths must be 1 to 50 each"),
        (within(dispatch.max_rounds, 1..=100), "dispatch.max_rounds must be 1 to 100"),
        (within(dispatch.offer_ttl_s, 1..=3600), "dispatch.offer_ttl_s must be 1 to 3600"),
        (within(dispatch.parked_offer_ttl_s, 1..=3600), "dispatch.parked_offer_ttl_s must be 1 to 3600"),
        (within(dispatch.offer_grace_ms, 0..=10_000), "dispatch.offer_grace_ms must be 0 to 10000"),
        (within(dispatch.attempt_ttl_s, 5..=DAY_S), "dispatch.attempt_ttl_s must be 5 to 86400"),
        (fits, "dispatch.offer_ttl_s must be at most dispatch.attempt_ttl_s"),
        (first, "dispatch.urgent_first_round must lie within dispatch.max_rounds"),
    ]
}

fn presence(dispatch: &DispatchSettings) -> Vec<Rule> {
    let auto_off = within(dispatch.auto_off_s, dispatch.fresh_position_s..=DAY_S);
    let fast = within(dispatch.fast_interval_s, 1..=dispatch.slow_interval_s);
    let unwatched = within(dispatch.unwatched_interval_s, dispatch.fast_interval_s..=20);
    vec![
        (within(dispatch.fresh_position_s, 1..=3600), "dispatch.fresh_position_s must be 1 to 3600"),
        (auto_off, "dispatch.auto_off_s must be dispatch.fresh_position_s to 86400"),
        (within(dispatch.max_accuracy_m, 1.0..=10_000.0), "dispatch.max_accuracy_m must be 1 to 10000"),
        (within(dispatch.max_speed_kmh, 1.0..=1_000_000.0), "dispatch.max_speed_kmh must be 1 to 1000000"),
        (within(dispatch.slow_interval_s, 1..=20), "dispatch.slow_interval_s must be 1 to 20"),
        (fast, "dispatch.fast_interval_s must be 1 to dispatch.slow_interval_s"),
        (unwatched, "dispatch.unwatched_interval_s must be dispatch.fast_interval_s to 20"),
    ]
}

fn parking(presence: &PresenceSettings) -> Vec<Rule> {
    let radius = within(presence.parked_radius_m, 50.0..=10_000.0);
    let unanswered = within(presence.parked_unanswered_max, 1..=100);
    vec![
        (within(presence.parked_max_s, 60..=7 * DAY_S), "presence.parked_max_s must be 60 to 604800"),
        (radius, "presence.parked_radius_m must be 50 to 10000"),
        (unanswered, "presence.parked_unanswered_max must be 1 to 100"),
        (within(presence.parked_cooldown_s, 1..=DAY_S), "presence.parked_cooldown_s must be 1 to 86400"),
    ]
}

fn concerns(watch: &WatchSettings) -> Vec<Rule> {
    let (time, way) = (1..=86_400, 10.0..=100_000.0);
    let step = 0..=86_400;
    vec![
        (time.contains(&watch.dark_after_s), "watch.dark_after_s must be 1 to 86400"),
        (time.contains(&watch.stalled_after_s), "watch.stalled_after_s must be 1 to 86400"),
        (way.contains(&watch.stalled_radius_m), "watch.stalled_radius_m must be 10 to 100000"),
        (way.contains(&watch.away_m), "watch.away_m must be 10 to 100000"),
        (time.contains(&watch.away_window_s), "watch.away_window_s must be 1 to 86400"),
        (step.contains(&watch.slip_after_s), "watch.slip_after_s must be 0 to 86400"),
        ((0.0..=100_000.0).contains(&watch.near_m), "watch.near_m must be 0 to 100000"),
        (step.contains(&watch.debounce_s), "watch.debounce_s must be 0 to 86400"),
        (step.contains(&watch.tell_after_s), "watch.tell_after_s must be 0 to 86400"),
        (step.contains(&watch.reassign_after_s), "watch.reassign_after_s must be 0 to 86400"),
        (time.contains(&watch.nudge_every_s), "watch.nudge_every_s must be 1 to 86400"),
        (step.contains(&watch.navigation_grace_s), "watch.navigation_grace_s must be 0 to 86400"),
        (
            (watch.dark_after_s..=86_400).contains(&watch.navigation_max_s),
            "watch.navigation_max_s must be watch.dark_after_s to 86400",
        ),
    ]
}

/// Returns the rules that tie the watch to how often phones send, how long a position is current, and when
/// cancelling becomes free.
fn promises(watch: &WatchSettings, dispatch: &DispatchSettings, fees: &FeeSettings) -> Vec<Rule> {
    let missed = 3 * i64::from(dispatch.unwatched_interval_s);
    let dark = watch.dark_after_s >= dispatch.fresh_position_s && watch.dark_after_s >= missed;
    vec![
        (
            dark,
            "watch.dark_after_s must be at least dispatch.fresh_position_s and 3 x dispatch.unwatched_interval_s: \
            whoever sends as asked is not dark",
        ),
        (
            fees.dark_after_s >= watch.dark_after_s,
            "fees.dark_after_s must be at least watch.dark_after_s: what cancels for free must be worrying first",
        ),
        (
            fees.stalled_after_s >= watch.stalled_after_s,
            "fees.stalled_after_s must be at least watch.stalled_after_s",
        ),
        (fees.late_grace_s >= watch.slip_after_s, "fees.late_grace_s must be at least watch.slip_after_s"),
    ]
}

fn costs(dispatch: &DispatchSettings) -> Vec<Rule> {
    let waiting = within(dispatch.waiting_weight_s_per_min, 0..=3600);
    let idle = within(dispatch.idle_weight_s_per_min, 0..=3600);
    let records = within(dispatch.records_retention_days, 1..=MAX_DAYS);
    vec![
        (waiting, "dispatch.waiting_weight_s_per_min must be 0 to 3600"),
        (idle, "dispatch.idle_weight_s_per_min must be 0 to 3600"),
        (within(dispatch.parked_cost_s, 0..=DAY_S), "dispatch.parked_cost_s must be 0 to 86400"),
        (records, "dispatch.records_retention_days must be 1 to 3650"),
    ]
}

fn jobs(jobs: &JobSettings) -> Vec<Rule> {
    let lock = within(jobs.start_code_lock_s, 1..=DAY_S);
    let ahead = within(jobs.schedule_max_s, jobs.schedule_lead_s..=MAX_DAYS * DAY_S);
    let waits = within(jobs.no_mechanic_ttl_s, 1..=30 * DAY_S);
    let currency = jobs.currency.len() == 3 && jobs.currency.bytes().all(|byte| byte.is_ascii_uppercase());
    vec![
        (currency, "jobs.currency must be the three capital letters of ISO 4217, such as INR"),
        (within(jobs.max_open_per_person, 1..=1000), "jobs.max_open_per_person must be 1 to 1000"),
        (within(jobs.max_withdrawn_offers, 1..=1_000_000), "jobs.max_withdrawn_offers must be 1 to 1000000"),
        (within(jobs.wrong_start_codes, 1..=100), "jobs.wrong_start_codes must be 1 to 100"),
        (lock, "jobs.start_code_lock_s must be 1 to 86400"),
        (within(jobs.arrival_radius_m, 1.0..=100_000.0), "jobs.arrival_radius_m must be 1 to 100000"),
        (within(jobs.correction_radius_m, 0.0..=50_000.0), "jobs.correction_radius_m must be 0 to 50000"),
        (within(jobs.max_destination_km, 1.0..=2_000.0), "jobs.max_destination_km must be 1 to 2000"),
        (within(jobs.no_show_after_s, 0..=DAY_S), "jobs.no_show_after_s must be 0 to 86400"),
        (within(jobs.schedule_lead_s, 0..=7 * DAY_S), "jobs.schedule_lead_s must be 0 to 604800"),
        (ahead, "jobs.schedule_max_s must be at least jobs.schedule_lead_s, and ten years at most"),
        (waits, "jobs.no_mechanic_ttl_s must be 1 to 2592000"),
    ]
}

fn fees(fees: &FeeSettings) -> Vec<Rule> {
    vec![
        (within(fees.free_after_accept_s, 0..=DAY_S), "fees.free_after_accept_s must be 0 to 86400"),
        (within(fees.free_cancellation_days, 1..=365), "fees.free_cancellation_days must be 1 to 365"),
        (within(fees.late_grace_s, 0..=DAY_S), "fees.late_grace_s must be 0 to 86400"),
        (within(fees.dark_after_s, 1..=DAY_S), "fees.dark_after_s must be 1 to 86400"),
        (within(fees.stalled_after_s, 1..=DAY_S), "fees.stalled_after_s must be 1 to 86400"),
        (fees.cancellation_flat_paise >= 0, "fees.cancellation_flat_paise must not be negative"),
        (fees.call_out_paise >= 0, "fees.call_out_paise must not be negative"),
        (
            fees.max_unpaid_in_accident_paise >= fees.max_unpaid_paise,
            "fees.max_unpaid_in_accident_paise must be at least fees.max_unpaid_paise",
        ),
        (within(fees.max_cancelled_accidents, 1..=100), "fees.max_cancelled_accidents must be 1 to 100"),
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
        (within(dispatch.worth_s, 60..=DAY_S), "dispatch.worth_s must be 60 to 86400"),
        (within(dispatch.in_time_s, 60..=DAY_S), "dispatch.in_time_s must be 60 to 86400"),
        (within(dispatch.late_percent, 0..=100), "dispatch.late_percent must be 0 to 100"),
        (within(dispatch.eta_sigma, 0.01..=2.0), "dispatch.eta_sigma must be 0.01 to 2"),
        (within(dispatch.price_window_s, 300..=DAY_S), "dispatch.price_window_s must be 300 to 86400"),
        (within(dispatch.advice_after_s, 0..=DAY_S), "dispatch.advice_after_s must be 0 to 86400"),
        (limits, "dispatch.solve_exact_edges and dispatch.solve_inline_edges must be at most 1000000"),
        ((1..=1_000_000_000).contains(&dispatch.solve_steps), "dispatch.solve_steps must be 1 to 1000000000"),
    ]
}

fn tracking(tracking: &TrackingSettings) -> Vec<Rule> {
    let kept = within(tracking.trail_retention_days, 1..=MAX_DAYS);
    vec![(kept, "tracking.trail_retention_days must be 1 to 3650")]
}

fn etas(eta: &EtaSettings) -> Vec<Rule> {
    let detour = 1.0..=5.0;
    let hours = &eta.detour_by_hour;
    let by_hour = [0, 24].contains(&hours.len()) && hours.iter().all(|factor| detour.contains(factor));
    vec![
        ((1.0..=200.0).contains(&eta.speed_kmh), "eta.speed_kmh must be 1 to 200"),
        (detour.contains(&eta.detour_factor), "eta.detour_factor must be 1 to 5"),
        (by_hour, "eta.detour_by_hour must be empty or 24 factors of 1 to 5"),
        ((1..=365).contains(&eta.learn_days), "eta.learn_days must be 1 to 365"),
        ((1..=5000).contains(&eta.learn_min_trips), "eta.learn_min_trips must be 1 to 5000"),
        ((1..=86_400).contains(&eta.learn_every_s), "eta.learn_every_s must be 1 to 86400"),
    ]
}

fn router(eta: &EtaSettings) -> Vec<Rule> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let profile = eta.router_profile.len() <= 32 && eta.router_profile.chars().all(is_word);
    vec![
        (eta.router_url.parse().is_some(), "eta.router_url must be an http or https URL without a query"),
        (profile, "eta.router_profile must be at most 32 letters, digits, - or _"),
        ((10..=5000).contains(&eta.router_timeout_ms), "eta.router_timeout_ms must be 10 to 5000"),
        ((2..=500).contains(&eta.router_max_table), "eta.router_max_table must be 2 to 500"),
        ((1..=256).contains(&eta.router_max_requests), "eta.router_max_requests must be 1 to 256"),
        ((1..=10_000_000).contains(&eta.router_cache_ways), "eta.router_cache_ways must be 1 to 10000000"),
        ((1..=86_400).contains(&eta.router_cache_ttl_s), "eta.router_cache_ttl_s must be 1 to 86400"),
        (eta.router_max_ways_ahead <= 64, "eta.router_max_ways_ahead must be 0 to 64"),
        (
            (0..=3600).contains(&eta.router_way_ahead_every_s),
            "eta.router_way_ahead_every_s must be 0 to 3600",
        ),
    ]
}

fn server(server: &ServerSettings) -> Vec<Rule> {
    let named = server.trusted_proxies.iter().filter(|text| *text != "direct");
    let proxies: Vec<_> = named.map(|text| text.parse::<Network>()).collect();
    vec![
        (server.max_connections > 0, "server.max_connections must be above 0"),
        (server.connections_per_address > 0, "server.connections_per_address must be above 0"),
        (
            proxies.iter().all(Result::is_ok),
            "server.trusted_proxies must be addresses or networks such as 10.0.0.0/8",
        ),
        (
            !server.is_direct() || server.trusted_proxies.len() == 1,
            "server.trusted_proxies is either \"direct\" or proxies, not both",
        ),
        (
            network::are_few(&proxies.into_iter().flatten().collect::<Vec<_>>()),
            "server.trusted_proxies must not trust more than a sixteenth of all addresses: whoever has one of them chooses the address that their requests seem to come from",
        ),
    ]
}
