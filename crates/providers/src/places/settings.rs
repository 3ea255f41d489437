//! How places are found by name: `[places]`.

use roadcall_platform::settings::{Environment, Rule, RulesOf, Secret, Section, WEB_URL, choice, web_url};
use serde::Deserialize;

/// The server of the OpenStreetMap Foundation, whose usage policy applies to its users.
const PUBLIC_NOMINATIM: &str = "nominatim.openstreetmap.org";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceSettings {
    #[serde(deserialize_with = "choice")]
    pub provider: PlaceProvider,
    pub url: String,
    pub key_header: String,
    pub key: Secret,
    pub contact: String,
    pub timeout_ms: u64,
    pub requests_per_second: f64,
    pub cache_answers: u64,
    pub cache_ttl_s: u64,
    pub attribution: String,
    pub attribution_url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceProvider {
    None,
    Sketch,
    Photon,
    Nominatim,
}

impl PlaceProvider {
    /// Returns whether the provider finds places by the beginning of a name, so that apps may ask while somebody types.
    pub fn finds_beginnings(self) -> bool {
        matches!(self, Self::Sketch | Self::Photon)
    }

    /// Returns whether the provider is a service that is asked over HTTP.
    pub fn is_asked(self) -> bool {
        matches!(self, Self::Photon | Self::Nominatim)
    }
}

impl PlaceSettings {
    /// Returns the provider of places. The sketch of the demo city is for development: in production it counts as none.
    pub fn provider_in(&self, environment: Environment) -> PlaceProvider {
        match self.provider {
            PlaceProvider::Sketch if environment == Environment::Production => PlaceProvider::None,
            provider => provider,
        }
    }
}

impl Section for PlaceSettings {
    fn rules(&self) -> Vec<Rule> {
        let places = RulesOf("places");
        let in_header = |text: &str| text.chars().all(|c| c.is_ascii_graphic() && !"()\\\"".contains(c));
        let is_name =
            |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let link = self.attribution_url.is_empty() || web_url(&self.attribution_url).is_some();
        let is_key = in_header(&self.key.0.replace([' ', '"'], ""));
        let mut rules = vec![
            places.says("contact", in_header(&self.contact), "must be an email address or a URL"),
            places.has("contact", self.contact.chars().count(), 0..=200, "characters"),
            places.says("key_header", is_name(&self.key_header), "must be the name of a header"),
            places.says("key", is_key, "must be visible ASCII"),
            places.within("timeout_ms", self.timeout_ms, 100..=10_000),
            places.within("requests_per_second", self.requests_per_second, 0.1..=1000.0),
            places.within("cache_answers", self.cache_answers, 0..=1_000_000),
            places.within("cache_ttl_s", self.cache_ttl_s, 1..=2_592_000),
            places.line("attribution", &self.attribution, 200),
            places.says("attribution_url", link, WEB_URL),
        ];
        if self.provider.is_asked() {
            let url = web_url(&self.url);
            let is_public = url.as_ref().is_some_and(|url| url.host_str() == Some(PUBLIC_NOMINATIM));
            rules.extend([
                places.says("url", url.is_some(), WEB_URL),
                places
                    .says("attribution", !self.attribution.is_empty(), "is needed")
                    .because("the licence of the data wants it shown"),
                places
                    .says("contact", !is_public || !self.contact.is_empty(), "is needed")
                    .because("nominatim.openstreetmap.org wants to know who asks"),
                places.says(
                    "requests_per_second",
                    !is_public || self.requests_per_second <= 1.0,
                    "must be at most 1 with nominatim.openstreetmap.org",
                ),
            ]);
        }
        rules
    }

    /// Returns the rules for production, which keep a key from being sent in the clear.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_open = self.provider.is_asked() && !self.key.0.is_empty() && !self.url.starts_with("https://");
        vec![RulesOf("places").says("url", !is_open, "is not https, and places.key goes there")]
    }
}
