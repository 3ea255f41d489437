//! How ETAs are computed: `[eta]`.

use roadcall_platform::settings::{Rule, RulesOf, Section, WEB_URL, choice, list};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EtaSettings {
    #[serde(deserialize_with = "choice")]
    pub provider: EtaProvider,
    pub detour_factor: f64,
    pub speed_kmh: f64,
    #[serde(deserialize_with = "list")]
    pub detour_by_hour: Vec<f64>,
    pub router_url: RouterUrl,
    pub router_profile: String,
    pub router_timeout_ms: u64,
    pub router_max_table: usize,
    pub router_max_requests: usize,
    pub router_cache_ways: u64,
    pub router_cache_ttl_s: u64,
    pub router_max_ways_ahead: usize,
    pub router_way_ahead_every_s: i64,
    pub learn: bool,
    pub learn_days: i64,
    pub learn_min_trips: usize,
    pub learn_every_s: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EtaProvider {
    StraightLine,
    Osrm,
    Valhalla,
}

/// The router's address. It may hold a password, so it is not shown.
#[derive(derive_more::Debug, Clone, Deserialize)]
#[debug("RouterUrl(..)")]
#[serde(transparent)]
pub struct RouterUrl(pub String);

impl EtaSettings {
    /// Returns the router's profile: the one in the settings, or else the router's name for a car.
    pub fn profile(&self) -> &str {
        match self.provider {
            _ if !self.router_profile.is_empty() => &self.router_profile,
            EtaProvider::Valhalla => "auto",
            EtaProvider::Osrm | EtaProvider::StraightLine => "driving",
        }
    }

    /// Returns a factor for each hour, or `None` if there are no factors.
    pub fn detours(&self) -> Option<[f64; 24]> {
        self.detour_by_hour.as_slice().try_into().ok()
    }
}

impl RouterUrl {
    /// Returns an absolute http or https URL to which paths can be added; `None` for any other text.
    pub fn parse(&self) -> Option<url::Url> {
        let url = url::Url::parse(&self.0).ok()?;
        let is_web = ["http", "https"].contains(&url.scheme()) && url.has_host();
        let is_base = url.query().is_none() && url.fragment().is_none();
        (is_web && is_base).then_some(url)
    }
}

impl EtaSettings {
    fn rules_of_router(&self) -> Vec<Rule> {
        let eta = RulesOf("eta");
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let profile = self.router_profile.len() <= 32 && self.router_profile.chars().all(is_word);
        vec![
            eta.says("router_url", self.router_url.parse().is_some(), WEB_URL),
            eta.says("router_profile", profile, "must be at most 32 letters, digits, - or _"),
            eta.within("router_timeout_ms", self.router_timeout_ms, 10..=5000),
            eta.within("router_max_table", self.router_max_table, 2..=500),
            eta.within("router_max_requests", self.router_max_requests, 1..=256),
            eta.within("router_cache_ways", self.router_cache_ways, 1..=10_000_000),
            eta.within("router_cache_ttl_s", self.router_cache_ttl_s, 1..=86_400),
            eta.within("router_max_ways_ahead", self.router_max_ways_ahead, 0..=64),
            eta.within("router_way_ahead_every_s", self.router_way_ahead_every_s, 0..=3600),
        ]
    }
}

impl Section for EtaSettings {
    fn rules(&self) -> Vec<Rule> {
        let eta = RulesOf("eta");
        let detour = 1.0..=5.0;
        let hours = &self.detour_by_hour;
        let by_hour = [0, 24].contains(&hours.len()) && hours.iter().all(|factor| detour.contains(factor));
        let mut rules = vec![
            eta.within("speed_kmh", self.speed_kmh, 1.0..=200.0),
            eta.within("detour_factor", self.detour_factor, detour),
            eta.says("detour_by_hour", by_hour, "must be empty or 24 factors of 1 to 5"),
            eta.within("learn_days", self.learn_days, 1..=365),
            eta.within("learn_min_trips", self.learn_min_trips, 1..=5000),
            eta.within("learn_every_s", self.learn_every_s, 1..=86_400),
        ];
        rules.extend(self.rules_of_router());
        rules
    }
}
