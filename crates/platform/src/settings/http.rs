//! Settings of browsers' access to the interface: `[http]`.

use serde::Deserialize;

use super::{
    list::list,
    rule::{Rule, RulesOf, Section},
};

/// No service has more front ends.
const MAX_ORIGINS: usize = 100;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpSettings {
    #[serde(deserialize_with = "list")]
    pub allowed_origins: Vec<String>,
}

impl Section for HttpSettings {
    fn rules(&self) -> Vec<Rule> {
        origin_rules(RulesOf("http"), &self.allowed_origins)
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        origin_rules_of_production(RulesOf("http"), &self.allowed_origins)
    }
}

/// Returns the rules for `allowed_origins` of a section.
pub fn origin_rules(section: RulesOf, origins: &[String]) -> Vec<Rule> {
    vec![
        section.says(
            "allowed_origins",
            origins.iter().all(|origin| is_origin(origin)),
            "must be exact origins such as https://app.example, in lower case and without a path",
        ),
        section.has("allowed_origins", origins.len(), 0..=MAX_ORIGINS, "origins"),
    ]
}

/// Returns the rules of production for `allowed_origins` of a section: anyone on the way may have changed a page that was not
/// encrypted.
pub fn origin_rules_of_production(section: RulesOf, origins: &[String]) -> Vec<Rule> {
    let is_https = origins.iter().all(|origin| origin.starts_with("https://"));
    vec![section.says("allowed_origins", is_https, "has an origin that is not https")]
}

/// Returns whether the text is an origin as browsers write it (RFC 6454, 6.2): scheme, host, and a port that
/// is not the scheme's own.
fn is_origin(text: &str) -> bool {
    let url = url::Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    url.is_some_and(|url| url.origin().ascii_serialization() == text && !text.contains('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_send_it() {
        for origin in ["https://app.example", "http://localhost:5173", "https://[2001:db8::1]:8443"] {
            assert!(is_origin(origin), "{origin}");
        }
        for odd in [
            "",
            "*",
            "null",
            "app.example",
            "https://app.example/",
            "https://App.example",
            "https://app.example:443",
            "https://app.example/path",
            "https://*.example",
            "ftp://app.example",
            "https://user@app.example",
        ] {
            assert!(!is_origin(odd), "{odd}");
        }
    }
}
