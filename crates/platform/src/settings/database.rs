//! The settings of the database.

use serde::Deserialize;

use super::{
    Secret,
    rule::{Rule, RulesOf, Section},
};

/// An hour: a longer limit for something that should take less time than a request is a typing error.
const HOUR_MS: u64 = 3_600_000;
/// A larger number is more than a machine's memory can bear.
const MANY: usize = 1_000_000;

/// `[database]` of the settings; `config/default.toml` explains each field to operators.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DbSettings {
    /// The server to use instead of the embedded one: `postgres://user:password@host:5432/name`. An empty text counts as not set.
    #[serde(default)]
    pub url: Option<Secret>,
    /// The same database for the role that owns its schema, if the role of `url` does not.
    #[serde(default)]
    pub owner_url: Option<Secret>,
    /// The maximum number of connections in the pool.
    pub max_connections: u32,
    /// How long a request waits for a free connection.
    pub acquire_timeout_ms: u64,
    /// How many may wait for a connection; beyond that, requests are refused before they begin.
    pub max_waiting: usize,
    /// How long one statement may run.
    pub statement_timeout_ms: u64,
    /// How long one statement may wait for a lock.
    pub lock_timeout_ms: u64,
    /// How long a transaction may be idle.
    pub idle_in_transaction_timeout_ms: u64,
    /// How long a leader may be silent before a standby takes over.
    pub leader_silence_ms: u64,
}

impl DbSettings {
    /// Returns the address of the server, if one is set.
    pub fn server(&self) -> Option<&str> {
        named(self.url.as_ref())
    }

    /// Returns the address for migrations, if it differs.
    pub fn owner(&self) -> Option<&str> {
        named(self.owner_url.as_ref())
    }
}

impl Section for DbSettings {
    fn rules(&self) -> Vec<Rule> {
        let database = RulesOf("database");
        let time = |field, ms: u64| database.within(field, ms, 1..=HOUR_MS);
        vec![
            database.says(
                "owner_url",
                self.owner().is_none() || self.server().is_some(),
                "is of no use without database.url",
            ),
            database.within("max_connections", self.max_connections, 2..=10_000),
            time("acquire_timeout_ms", self.acquire_timeout_ms),
            database.within("max_waiting", self.max_waiting, 1..=MANY),
            time("statement_timeout_ms", self.statement_timeout_ms),
            time("lock_timeout_ms", self.lock_timeout_ms),
            time("idle_in_transaction_timeout_ms", self.idle_in_transaction_timeout_ms),
            // Below a second, a busy machine would lose its lock repeatedly.
            database.within("leader_silence_ms", self.leader_silence_ms, 1000..=HOUR_MS),
        ]
    }
}

/// Returns the address unless it is empty, which counts as not set.
fn named(url: Option<&Secret>) -> Option<&str> {
    url.map(|url| url.0.as_str()).filter(|url| !url.is_empty())
}
