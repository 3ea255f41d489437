//! Settings of browsers' access to the interface: `[http]`.

use serde::Deserialize;

use super::{
    list,
    rule::{Rule, within},
};

/// No service has more front ends.
const MAX_ORIGINS: usize = 100;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpSettings {
    #[serde(deserialize_with = "list::list")]
    pub allowed_origins: Vec<String>,
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(pages: &[String], sockets: &[String]) -> Vec<Rule> {
    let exact = |origins: &[String]| origins.iter().all(|origin| is_origin(origin));
    let few = |origins: &[String]| within(origins.len(), 0..=MAX_ORIGINS);
    vec![
        (
            exact(pages),
            "http.allowed_origins must be exact origins such as https://app.example, in lower case and without a path",
        ),
        (
            exact(sockets),
            "ws.allowed_origins must be exact origins such as https://app.example, in lower case and without a path",
        ),
        (
            few(pages) && few(sockets),
            "http.allowed_origins and ws.allowed_origins must have at most 100 origins each",
        ),
    ]
}

/// Returns the rules for production: anyone on the way may have changed a page that was not encrypted.
pub(super) fn unsafe_in_production(pages: &[String], sockets: &[String]) -> Vec<Rule> {
    let is_https = |origins: &[String]| origins.iter().all(|origin| origin.starts_with("https://"));
    vec![
        (is_https(pages), "http.allowed_origins has an origin that is not https"),
        (is_https(sockets), "ws.allowed_origins has an origin that is not https"),
    ]
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
