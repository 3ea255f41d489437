//! How ETAs are computed: `[eta]`.

use std::fmt;

use serde::Deserialize;

use super::{choice, list};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EtaSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: EtaProvider,
    pub detour_factor: f64,
    pub speed_kmh: f64,
    #[serde(deserialize_with = "list::list")]
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
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct RouterUrl(pub String);

impl fmt::Debug for RouterUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RouterUrl(..)")
    }
}

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
