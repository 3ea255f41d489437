//! The settings of the database.

use serde::Deserialize;

use super::Secret;

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

/// Returns the address unless it is empty, which counts as not set.
fn named(url: Option<&Secret>) -> Option<&str> {
    url.map(|url| url.0.as_str()).filter(|url| !url.is_empty())
}
