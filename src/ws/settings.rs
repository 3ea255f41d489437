//! Settings of sockets and streams: `[ws]`.

use std::time::Duration;

use serde::Deserialize;

use crate::platform::settings::{
    DAY_S, Rule, RulesOf, Section, list, origin_rules, origin_rules_of_production,
};

/// An hour: a longer limit for something that should take less time than a request is a typing error.
const HOUR_MS: u64 = 3_600_000;
const HOUR_S: u64 = 3600;
/// More than a process's open files or a machine's memory can bear.
const MANY: usize = 1_000_000;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WsSettings {
    #[serde(deserialize_with = "list")]
    pub allowed_origins: Vec<String>,
    pub max_frame_bytes: usize,
    pub sockets_per_user: usize,
    pub sockets_total: usize,
    pub fleet_subscriptions: usize,
    pub fleet_subscriptions_per_admin: usize,
    pub opening_at_once: usize,
    pub opening_patience_ms: u64,
    pub ticket_ttl_s: i64,
    pub ping_interval_s: u64,
    pub idle_timeout_s: u64,
    pub recheck_s: u64,
    pub frames_per_second: u32,
    pub bytes_per_second: u32,
    pub location_interval_ms: u64,
    pub mailbox: usize,
    pub send_stall_timeout_ms: u32,
}

impl WsSettings {
    /// Returns how long checks of sessions may wait, so that several are made together.
    pub fn recheck_gather(&self) -> Duration {
        Duration::from_secs(self.recheck_s) / 3
    }

    /// Returns how often a socket asks for a check, so that it is checked within `recheck_s`.
    pub fn recheck_interval(&self) -> Duration {
        Duration::from_secs(self.recheck_s) - self.recheck_gather()
    }
}

impl Section for WsSettings {
    fn rules(&self) -> Vec<Rule> {
        let ws = RulesOf("ws");
        let mut rules = origin_rules(ws, &self.allowed_origins);
        rules.extend([
            ws.within("max_frame_bytes", self.max_frame_bytes, 1024..=1_048_576),
            ws.within("bytes_per_second", self.bytes_per_second, 1024..=1_000_000_000),
            ws.within("sockets_per_user", self.sockets_per_user, 1..=MANY),
            ws.within("sockets_total", self.sockets_total, 1..=MANY),
            ws.within("fleet_subscriptions", self.fleet_subscriptions, 1..=10_000),
            ws.within("fleet_subscriptions_per_admin", self.fleet_subscriptions_per_admin, 1..=10_000),
            ws.within("opening_at_once", self.opening_at_once, 1..=MANY),
            // A waiting client holds a connection, and should get its answer before it gives up by itself.
            ws.within("opening_patience_ms", self.opening_patience_ms, 1..=60_000),
            ws.within("ticket_ttl_s", self.ticket_ttl_s, 1..=DAY_S),
            ws.within("ping_interval_s", self.ping_interval_s, 1..=HOUR_S),
            ws.within("idle_timeout_s", self.idle_timeout_s, 2..=HOUR_S),
            ws.above("idle_timeout_s", self.idle_timeout_s, ("ping_interval_s", self.ping_interval_s)),
            // A suspension must not take longer to arrive.
            ws.within("recheck_s", self.recheck_s, 1..=30),
            ws.within("frames_per_second", self.frames_per_second, 1..=10_000),
            ws.within("location_interval_ms", self.location_interval_ms, 1..=HOUR_MS),
            ws.within("mailbox", self.mailbox, 1..=MANY),
            ws.within("send_stall_timeout_ms", self.send_stall_timeout_ms, 100..=3_600_000),
        ]);
        rules
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        origin_rules_of_production(RulesOf("ws"), &self.allowed_origins)
    }
}
