//! The rules for settings of the database, of sockets, of the engine and of sign-in, which a start checks.

use super::{
    AuthSettings, EngineSettings, Secret, Settings, WsSettings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
};
use crate::platform::settings::DbSettings;

/// An hour: a longer limit for something that should take less time than a request is a typing error.
const HOUR_MS: u64 = 3_600_000;
const HOUR_S: u64 = 3600;
/// More than Postgres, a process's open files or a machine's memory can bear.
const MANY: usize = 1_000_000;

/// Returns the rules that must hold everywhere.
pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let Settings { database, ws, engine, auth, .. } = settings;
    let rules =
        [of_database(database), of_engine(engine), of_sockets(ws), of_sign_in(auth), of_secrets(auth)];
    rules.into_iter().flatten().collect()
}

fn of_database(database: &DbSettings) -> Vec<Rule> {
    let time = |ms: u64| within(ms, 1..=HOUR_MS);
    vec![
        (
            database.owner().is_none() || database.server().is_some(),
            "database.owner_url is of no use without database.url",
        ),
        (within(database.max_connections, 2..=10_000), "database.max_connections must be 2 to 10000"),
        (time(database.acquire_timeout_ms), "database.acquire_timeout_ms must be 1 to 3600000"),
        (within(database.max_waiting, 1..=MANY), "database.max_waiting must be 1 to 1000000"),
        (time(database.statement_timeout_ms), "database.statement_timeout_ms must be 1 to 3600000"),
        (time(database.lock_timeout_ms), "database.lock_timeout_ms must be 1 to 3600000"),
        (
            time(database.idle_in_transaction_timeout_ms),
            "database.idle_in_transaction_timeout_ms must be 1 to 3600000",
        ),
        // Below a second, a busy machine would lose its lock repeatedly.
        (
            within(database.leader_silence_ms, 1000..=HOUR_MS),
            "database.leader_silence_ms must be 1000 to 3600000",
        ),
    ]
}

fn of_engine(engine: &EngineSettings) -> Vec<Rule> {
    vec![
        (within(engine.command_timeout_ms, 1..=HOUR_MS), "engine.command_timeout_ms must be 1 to 3600000"),
        (within(engine.mailbox, 1..=MANY), "engine.mailbox must be 1 to 1000000"),
        (within(engine.trail_queue, 1..=MANY), "engine.trail_queue must be 1 to 1000000"),
        (within(engine.decision_queue, 1..=MANY), "engine.decision_queue must be 1 to 1000000"),
    ]
}

fn of_sockets(ws: &WsSettings) -> Vec<Rule> {
    let interval = within(ws.location_interval_ms, 1..=HOUR_MS);
    let stall = within(u64::from(ws.send_stall_timeout_ms), 100..=HOUR_MS);
    vec![
        (within(ws.max_frame_bytes, 1024..=1_048_576), "ws.max_frame_bytes must be 1024 to 1048576"),
        (within(ws.bytes_per_second, 1024..=1_000_000_000), "ws.bytes_per_second must be 1024 to 1000000000"),
        (within(ws.sockets_per_user, 1..=MANY), "ws.sockets_per_user must be 1 to 1000000"),
        (within(ws.sockets_total, 1..=MANY), "ws.sockets_total must be 1 to 1000000"),
        (within(ws.fleet_subscriptions, 1..=10_000), "ws.fleet_subscriptions must be 1 to 10000"),
        (
            within(ws.fleet_subscriptions_per_admin, 1..=10_000),
            "ws.fleet_subscriptions_per_admin must be 1 to 10000",
        ),
        (within(ws.opening_at_once, 1..=MANY), "ws.opening_at_once must be 1 to 1000000"),
        // A waiting client holds a connection, and should get its answer before it gives up by itself.
        (within(ws.opening_patience_ms, 1..=60_000), "ws.opening_patience_ms must be 1 to 60000"),
        (within(ws.ticket_ttl_s, 1..=DAY_S), "ws.ticket_ttl_s must be 1 to 86400"),
        (within(ws.ping_interval_s, 1..=HOUR_S), "ws.ping_interval_s must be 1 to 3600"),
        (within(ws.idle_timeout_s, 2..=HOUR_S), "ws.idle_timeout_s must be 2 to 3600"),
        (ws.idle_timeout_s > ws.ping_interval_s, "ws.idle_timeout_s must be above ws.ping_interval_s"),
        // A suspension must not take longer to arrive.
        (within(ws.recheck_s, 1..=30), "ws.recheck_s must be 1 to 30"),
        (within(ws.frames_per_second, 1..=10_000), "ws.frames_per_second must be 1 to 10000"),
        (interval, "ws.location_interval_ms must be 1 to 3600000"),
        (within(ws.mailbox, 1..=MANY), "ws.mailbox must be 1 to 1000000"),
        (stall, "ws.send_stall_timeout_ms must be 100 to 3600000"),
    ]
}

/// The maximum number of secrets accepted beside the current one: an earlier one, the next one, and one to spare.
const MAX_ACCEPTED: usize = 3;
const TOKEN_SECRET_BYTES: usize = 32;

fn of_secrets(auth: &AuthSettings) -> Vec<Rule> {
    let (own, accepted) = (&auth.token_secret, &auth.accepted_token_secrets);
    let is_long = |secret: &Secret| secret.0.len() >= TOKEN_SECRET_BYTES;
    let is_known = |secret: &Secret| secret.is_generated() || is_long(secret);
    let is_twice = (1..accepted.len()).any(|at| accepted[..at].contains(&accepted[at]));
    vec![
        (own.0.is_empty() || is_long(own), "auth.token_secret must be at least 32 bytes"),
        (accepted.len() <= MAX_ACCEPTED, "auth.accepted_token_secrets must not have more than 3 secrets"),
        (
            accepted.iter().all(is_known),
            "auth.accepted_token_secrets must each be at least 32 bytes, or the word generated; as a text, commas or line breaks \
                separate them, so one with a comma in it goes into an array of the settings' file",
        ),
        (
            !accepted.contains(own),
            "auth.accepted_token_secrets must not contain auth.token_secret: name an earlier secret, or the next one",
        ),
        (!is_twice, "auth.accepted_token_secrets must not contain a secret twice"),
        (
            !own.0.is_empty() || !accepted.iter().any(Secret::is_generated),
            "auth.accepted_token_secrets contains the word generated, but the generated secret is in use: set auth.token_secret",
        ),
    ]
}

fn of_sign_in(auth: &AuthSettings) -> Vec<Rule> {
    let limits = [
        auth.otp_sends_per_hour,
        auth.otp_wrong_tries,
        auth.otp_wrong_tries_per_day,
        auth.otp_requests_per_address_per_hour,
    ];
    let limited = limits.iter().all(|limit| within(*limit, 1..=100_000));
    let years = 1..=MAX_DAYS * DAY_S;
    let outlives = auth.refresh_token_ttl_s > auth.access_token_ttl_s;
    let grace = within(auth.refresh_grace_s, 0..=300);
    let remembered = within(auth.principal_cache_s, 1..=30);
    vec![
        (within(auth.access_token_ttl_s, 1..=DAY_S), "auth.access_token_ttl_s must be 1 to 86400"),
        (within(auth.refresh_token_ttl_s, years), "auth.refresh_token_ttl_s must be 1 to 315360000"),
        (outlives, "auth.refresh_token_ttl_s must be above auth.access_token_ttl_s"),
        (
            within(auth.device_token_ttl_s, 1..=MAX_DAYS * DAY_S),
            "auth.device_token_ttl_s must be 1 to 315360000",
        ),
        (grace, "auth.refresh_grace_s must be 0 to 300: a longer one shelters a thief"),
        (remembered, "auth.principal_cache_s must be 1 to 30: a suspension must not take longer to arrive"),
        (within(auth.otp_ttl_s, 1..=DAY_S), "auth.otp_ttl_s must be 1 to 86400"),
        (within(auth.otp_resend_after_s, 0..=DAY_S), "auth.otp_resend_after_s must be 0 to 86400"),
        (limited, "auth.otp limits must be 1 to 100000"),
    ]
}
