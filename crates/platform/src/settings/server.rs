//! The service's address, and its reports about itself: `[server]`, `[log]` and `[metrics]`.

use std::{net::SocketAddr, path::PathBuf};

use serde::Deserialize;

use super::{
    choice::choice,
    list::list,
    rule::{Rule, RulesOf, Section},
};
use crate::network::{self, Network};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    pub workers: usize,
    pub max_connections: usize,
    pub connections_per_address: usize,
    pub body_limit_bytes: usize,
    pub client_timeout_ms: u64,
    pub shutdown_timeout_ms: u64,
    pub public_url: String,
    #[serde(deserialize_with = "list")]
    pub trusted_proxies: Vec<String>,
}

impl ServerSettings {
    /// Returns whether the settings say that clients connect to the service itself.
    pub fn is_direct(&self) -> bool {
        self.trusted_proxies.iter().any(|proxy| proxy == "direct")
    }
}

impl Section for ServerSettings {
    fn rules(&self) -> Vec<Rule> {
        let server = RulesOf("server");
        let links = url::Url::parse(&self.public_url).is_ok_and(|url| {
            ["http", "https"].contains(&url.scheme()) && url.has_host() && url.query().is_none()
        });
        let named = self.trusted_proxies.iter().filter(|text| *text != "direct");
        let proxies: Vec<_> = named.map(|text| text.parse::<Network>()).collect();
        let are_known = proxies.iter().all(Result::is_ok);
        let are_few = network::are_few(&proxies.into_iter().flatten().collect::<Vec<_>>());
        vec![
            server
                .says("public_url", links || self.public_url.is_empty(), "must be an http or https URL")
                .because("links to uploads begin with it"),
            server.says("max_connections", self.max_connections > 0, "must be above 0"),
            server.says("connections_per_address", self.connections_per_address > 0, "must be above 0"),
            server.says("trusted_proxies", are_known, "must be addresses or networks such as 10.0.0.0/8"),
            server.says(
                "trusted_proxies",
                !self.is_direct() || self.trusted_proxies.len() == 1,
                "is either \"direct\" or proxies, not both",
            ),
            server
                .says("trusted_proxies", are_few, "must not trust more than a sixteenth of all addresses")
                .because("whoever has one of them chooses the address that their requests seem to come from"),
        ]
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        let server = RulesOf("server");
        vec![
            server
                .says("public_url", self.public_url.starts_with("https://"), "is not https")
                .because("set where clients reach the service"),
            server.says("trusted_proxies", !self.trusted_proxies.is_empty(), "is empty").because(
                "name the proxies in front of the service, or set it to \"direct\" if clients connect to the service itself",
            ),
        ]
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    pub filter: String,
    #[serde(deserialize_with = "choice")]
    pub format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsSettings {
    pub listen: SocketAddr,
}

impl Section for MetricsSettings {
    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        vec![RulesOf("metrics").says("listen", self.listen.ip().is_loopback(), "is not a loopback address")]
    }
}
