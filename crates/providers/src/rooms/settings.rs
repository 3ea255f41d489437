//! Settings of calls: `[calls]`.

use chrono::TimeDelta;
use roadcall_platform::settings::{
    DAY_S, MAX_DAYS, NOT_HTTPS, Rule, RulesOf, Secret, Section, WEB_URL, choice, list, web_url,
};
use serde::Deserialize;

/// The limit of servers of each kind. Browsers handle no more well, and an app does not need more.
const MAX_SERVERS: usize = 10;
/// A shorter secret can be guessed from a credential, which contains its HMAC.
const MIN_SECRET_BYTES: usize = 16;

/// The service that carries the audio of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallProvider {
    Peer,
    Hms,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallSettings {
    #[serde(deserialize_with = "choice")]
    pub provider: CallProvider,
    pub ring_s: i64,
    pub max_length_s: i64,
    pub open_after_end_h: i64,
    pub invites_per_minute: u32,
    pub signals_per_second: u32,
    pub retention_days: i64,
    pub token_ttl_s: i64,
    #[serde(deserialize_with = "list")]
    pub stun_urls: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub turn_urls: Vec<String>,
    pub turn_secret: Secret,
    pub hms_base_url: String,
    pub hms_access_key: String,
    pub hms_secret: Secret,
    pub hms_template_id: String,
    pub hms_role: String,
    pub hms_timeout_ms: u64,
}

impl CallSettings {
    /// Returns how long the two sides may call each other after the end of the job.
    pub fn after_end(&self) -> TimeDelta {
        TimeDelta::hours(self.open_after_end_h)
    }

    fn rules_of_relays(&self) -> Vec<Rule> {
        let calls = RulesOf("calls");
        // RFC 7064 and RFC 7065 define a scheme and a host, without slashes.
        let is_server = |url: &String, schemes: [&str; 2]| {
            let rest =
                url.split_once(':').filter(|(scheme, _)| schemes.contains(scheme)).map(|(_, rest)| rest);
            rest.is_some_and(|rest| {
                !rest.is_empty() && !rest.starts_with('/') && rest.chars().all(|c| c.is_ascii_graphic())
            })
        };
        let stun = self.stun_urls.iter().all(|url| is_server(url, ["stun", "stuns"]));
        let turn = self.turn_urls.iter().all(|url| is_server(url, ["turn", "turns"]));
        let secret = self.turn_urls.is_empty() || self.turn_secret.0.len() >= MIN_SECRET_BYTES;
        vec![
            calls.has("stun_urls", self.stun_urls.len(), 0..=MAX_SERVERS, "servers"),
            calls.has("turn_urls", self.turn_urls.len(), 0..=MAX_SERVERS, "servers"),
            calls.says("stun_urls", stun, "must be like stun:stun.example.com:3478"),
            calls.says("turn_urls", turn, "must be like turn:turn.example.com:3478?transport=udp"),
            calls.says("turn_secret", secret, "must be at least 16 bytes where there are calls.turn_urls"),
        ]
    }

    fn rules_of_hms(&self) -> Vec<Rule> {
        let calls = RulesOf("calls");
        let needed = |field, text: &str| calls.says(field, !text.trim().is_empty(), "is needed for hms");
        vec![
            calls.says("hms_base_url", web_url(&self.hms_base_url).is_some(), WEB_URL),
            needed("hms_access_key", &self.hms_access_key),
            needed("hms_secret", &self.hms_secret.0),
            needed("hms_role", &self.hms_role),
            calls.within("hms_timeout_ms", self.hms_timeout_ms, 100..=60_000),
        ]
    }
}

impl Section for CallSettings {
    fn rules(&self) -> Vec<Rule> {
        let calls = RulesOf("calls");
        let mut rules = vec![
            calls.within("ring_s", self.ring_s, 5..=300),
            calls.within("max_length_s", self.max_length_s, 60..=DAY_S),
            calls.within("open_after_end_h", self.open_after_end_h, 0..=24 * 30),
            calls.within("invites_per_minute", self.invites_per_minute, 1..=1000),
            calls.within("signals_per_second", self.signals_per_second, 1..=1000),
            calls.within("retention_days", self.retention_days, 1..=MAX_DAYS),
            calls.within("token_ttl_s", self.token_ttl_s, 60..=DAY_S),
        ];
        rules.extend(self.rules_of_relays());
        if self.provider == CallProvider::Hms {
            rules.extend(self.rules_of_hms());
        }
        rules
    }

    /// Returns the rules for production, which keep tokens from being sent in the clear.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_open = self.provider == CallProvider::Hms && !self.hms_base_url.starts_with("https://");
        vec![RulesOf("calls").says("hms_base_url", !is_open, NOT_HTTPS)]
    }
}
