//! The database, as the settings have it.

use std::fmt;

use serde::Deserialize;

/// `[database]` of the settings; `config/default.toml` explains each to operators.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DbSettings {
    /// A server to use instead of the embedded one: `postgres://user:password@host:5432/name`. Empty is
    /// the same as not set.
    #[serde(default)]
    pub url: Option<String>,
    /// Connections in the pool.
    pub max_connections: u32,
    /// How long a request waits for a free connection.
    pub acquire_timeout_ms: u64,
    /// Of those that wait for a connection; beyond it requests are refused before they begin.
    pub max_waiting: usize,
    /// How long one statement may run.
    pub statement_timeout_ms: u64,
    /// How long one statement may wait for a lock.
    pub lock_timeout_ms: u64,
    /// How long a transaction may do nothing.
    pub idle_in_transaction_timeout_ms: u64,
    /// How long a leader may be silent before a standby takes over.
    pub leader_silence_ms: u64,
}

impl DbSettings {
    /// The server that is named, if one is.
    pub fn server(&self) -> Option<&str> {
        self.url.as_deref().filter(|url| !url.is_empty())
    }
}

/// By hand, because the URL may hold a password.
impl fmt::Debug for DbSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbSettings")
            .field("url", &self.url.as_ref().map(|_| "(set)"))
            .field("max_connections", &self.max_connections)
            .field("acquire_timeout_ms", &self.acquire_timeout_ms)
            .field("max_waiting", &self.max_waiting)
            .field("statement_timeout_ms", &self.statement_timeout_ms)
            .field("lock_timeout_ms", &self.lock_timeout_ms)
            .field("idle_in_transaction_timeout_ms", &self.idle_in_transaction_timeout_ms)
            .field("leader_silence_ms", &self.leader_silence_ms)
            .finish()
    }
}
