//! Settings of traces: `[traces]`.

use serde::Deserialize;

use super::{
    Secret,
    address::web_url,
    rule::{NOT_HTTPS, Rule, RulesOf, Section, WEB_URL},
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    pub otlp_url: String,
    pub sample_ratio: f64,
    pub authorization: Secret,
}

impl TraceSettings {
    /// Returns the address to which spans are sent; `None` if they are not sent.
    pub fn endpoint(&self) -> Option<url::Url> {
        let mut url = web_url(&self.otlp_url)?;
        url.path_segments_mut().ok()?.pop_if_empty().extend(["v1", "traces"]);
        Some(url)
    }
}

impl Section for TraceSettings {
    fn rules(&self) -> Vec<Rule> {
        let traces = RulesOf("traces");
        let is_url = self.otlp_url.is_empty() || web_url(&self.otlp_url).is_some();
        let is_visible = self.authorization.0.chars().all(|c| c.is_ascii_graphic() || c == ' ');
        vec![
            traces.says("otlp_url", is_url, WEB_URL),
            traces.within("sample_ratio", self.sample_ratio, 0.0..=1.0),
            traces.says("authorization", is_visible, "must be visible ASCII"),
        ]
    }

    /// Returns the rules for production, which keep networks from learning who is on the road, and when.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_private = |url: url::Url| {
            let is_here = match url.host() {
                Some(url::Host::Domain(name)) => name == "localhost",
                Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
                Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
                None => false,
            };
            url.scheme() == "https" || is_here
        };
        let is_safe = web_url(&self.otlp_url).is_none_or(is_private);
        vec![RulesOf("traces").says("otlp_url", is_safe, NOT_HTTPS)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str) -> TraceSettings {
        TraceSettings { otlp_url: url.to_owned(), sample_ratio: 1.0, authorization: Secret(String::new()) }
    }

    #[test]
    fn spans_go_to_the_path_of_the_standard() {
        for (url, endpoint) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://collector.example/otlp/", "https://collector.example/otlp/v1/traces"),
        ] {
            assert_eq!(at(url).endpoint().map(String::from).as_deref(), Some(endpoint));
        }
        assert_eq!(at("").endpoint(), None);
    }

    #[test]
    fn in_production_spans_leave_the_machine_encrypted() {
        let is_safe = |url| !at(url).rules_of_production().iter().any(Rule::is_broken);
        for url in
            ["", "http://127.0.0.1:4318", "http://localhost:4318", "http://[::1]:4318", "https://a.example"]
        {
            assert!(is_safe(url), "{url}");
        }
        for url in ["http://collector:4318", "http://10.0.0.7:4318", "http://127.0.0.1.example:4318"] {
            assert!(!is_safe(url), "{url}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let faults = |traces: &TraceSettings| traces.rules().iter().filter(|rule| rule.is_broken()).count();
        assert_eq!(faults(&at("")), 0);
        for url in
            ["collector:4318", "grpc://collector:4317", "http://a.example/?b=c", "http://me:secret@a.example"]
        {
            assert_eq!(faults(&at(url)), 1, "{url}");
        }
        for ratio in [-0.1, 1.1, f64::NAN] {
            assert_eq!(faults(&TraceSettings { sample_ratio: ratio, ..at("") }), 1);
        }
        assert_eq!(faults(&TraceSettings { authorization: Secret("a\nb".to_owned()), ..at("") }), 1);
    }
}
