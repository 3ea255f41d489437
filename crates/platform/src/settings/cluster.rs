//! Whether several servers serve on one database: `[cluster]`.

use std::net::Ipv4Addr;

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::{
    Secret,
    rule::{Rule, RulesOf, Section},
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterSettings {
    /// Where the servers find each other; empty if this server is alone.
    pub nats_url: Secret,
    /// How long a server waits for one answer of the engine before it asks again.
    pub answer_timeout_ms: u64,
}

impl ClusterSettings {
    /// Returns whether other servers serve on the same database.
    pub fn is_shared(&self) -> bool {
        !self.nats_url.0.is_empty()
    }

    /// Returns the addresses of the NATS servers.
    pub fn nats_urls(&self) -> impl Iterator<Item = &str> {
        self.nats_url.0.split(',').map(str::trim).filter(|url| !url.is_empty())
    }

    /// Returns the user and password, or the token, of the first address that has one. The servers of one NATS have the same
    /// accounts.
    pub fn nats_account(&self) -> Option<(String, Option<String>)> {
        self.nats_accounts().next()
    }

    fn nats_accounts(&self) -> impl Iterator<Item = (String, Option<String>)> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let urls = self.parsed().flatten().filter(|url| !url.username().is_empty());
        urls.map(move |url| (decoded(url.username()), url.password().map(decoded)))
    }

    fn parsed(&self) -> impl Iterator<Item = Option<url::Url>> {
        self.nats_urls().map(|url| url::Url::parse(url).ok())
    }
}

impl Section for ClusterSettings {
    fn rules(&self) -> Vec<Rule> {
        let cluster = RulesOf("cluster");
        let is_nats = |url: Option<url::Url>| {
            url.is_some_and(|url| ["nats", "tls"].contains(&url.scheme()) && url.has_host())
        };
        vec![
            cluster.says(
                "nats_url",
                self.parsed().all(is_nats) && (!self.is_shared() || self.nats_urls().next().is_some()),
                "must be nats:// or tls:// URLs, separated by commas",
            ),
            cluster
                .says(
                    "nats_url",
                    self.nats_accounts().all(|account| Some(account) == self.nats_account()),
                    "names different users or passwords",
                )
                .because("the servers of one NATS have the same accounts"),
            cluster.within("answer_timeout_ms", self.answer_timeout_ms, 100..=10_000),
        ]
    }

    /// Returns the rules for production, which keep positions and phone numbers from being sent in the clear.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_private = |url: url::Url| url.scheme() == "tls" || is_loopback(&url);
        vec![RulesOf("cluster").says("nats_url", self.parsed().flatten().all(is_private), "is not tls://")]
    }
}

fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        // For a scheme that the standard does not know, an address is parsed as a name.
        Some(url::Host::Domain(name)) => {
            name.parse::<Ipv4Addr>().map_or(name == "localhost", |address| address.is_loopback())
        }
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
