//! How places are found by name: `[places]`.

use serde::Deserialize;

use super::{
    Secret, choice,
    rule::{Rule, within},
    web_url,
};

/// The server of the OpenStreetMap Foundation, whose usage policy applies to its users.
const PUBLIC_NOMINATIM: &str = "nominatim.openstreetmap.org";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceSettings {
    #[serde(deserialize_with = "choice::choice")]
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

/// Returns the rules that must hold everywhere.
pub(super) fn rules(places: &PlaceSettings, per_minute: u32) -> Vec<Rule> {
    let fits = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    let in_header = |text: &str| text.chars().all(|c| c.is_ascii_graphic() && !"()\\\"".contains(c));
    let is_name =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let link = places.attribution_url.is_empty() || web_url(&places.attribution_url).is_some();
    let mut rules = vec![
        (in_header(&places.contact), "places.contact must be an email address or a URL"),
        (fits(&places.contact, 200), "places.contact must have at most 200 characters"),
        (is_name(&places.key_header), "places.key_header must be the name of a header"),
        (in_header(&places.key.0.replace([' ', '"'], "")), "places.key must be visible ASCII"),
        (within(places.timeout_ms, 100..=10_000), "places.timeout_ms must be 100 to 10000"),
        (within(places.requests_per_second, 0.1..=1000.0), "places.requests_per_second must be 0.1 to 1000"),
        (within(places.cache_answers, 0..=1_000_000), "places.cache_answers must be 0 to 1000000"),
        (within(places.cache_ttl_s, 1..=2_592_000), "places.cache_ttl_s must be 1 to 2592000"),
        (fits(&places.attribution, 200), "places.attribution must have at most 200 characters, on one line"),
        (within(per_minute, 1..=100_000), "limits.places_per_minute must be 1 to 100000"),
        (link, "places.attribution_url must be an http or https URL without a query"),
    ];
    if places.provider.is_asked() {
        let url = web_url(&places.url);
        let is_public = url.as_ref().is_some_and(|url| url.host_str() == Some(PUBLIC_NOMINATIM));
        rules.extend([
            (url.is_some(), "places.url must be an http or https URL without a query"),
            (
                !places.attribution.is_empty(),
                "places.attribution is needed: the licence of the data wants it shown",
            ),
            (
                !is_public || !places.contact.is_empty(),
                "places.contact is needed: nominatim.openstreetmap.org wants to know who asks",
            ),
            (
                !is_public || places.requests_per_second <= 1.0,
                "places.requests_per_second must be at most 1 with nominatim.openstreetmap.org",
            ),
        ]);
    }
    rules
}

/// Returns the rules for production, which keep a key from being sent in the clear.
pub(super) fn unsafe_in_production(places: &PlaceSettings) -> Vec<Rule> {
    let is_open =
        places.provider.is_asked() && !places.key.0.is_empty() && !places.url.starts_with("https://");
    vec![(!is_open, "places.url is not https, and places.key goes there")]
}
