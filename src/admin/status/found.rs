//! What was found, as plain numbers.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::counters::Counts;
use crate::{
    lifecycle::backup::{KeptBackups, Proven},
    pages::StopNotice,
    platform::db::{Schema, Writes},
};

/// The database, as this server meets it.
#[derive(Debug, Clone)]
pub struct FoundDatabase {
    pub version: String,
    pub size_bytes: i64,
    /// How long a short statement took, with the wait for a connection.
    pub took: Duration,
    pub in_use: usize,
    pub most: u32,
    pub waiting: usize,
    pub is_overloaded: bool,
    pub writes: Writes,
    pub clock_ahead: TimeDelta,
    pub schema: Schema,
    /// The newest migration that this program knows.
    pub migration: i64,
}

/// The disk under the data folder.
#[derive(Debug, Clone, Copy)]
pub struct FoundDisk {
    pub free_bytes: u64,
    pub all_bytes: u64,
    /// If it goes on filling as in the last days.
    pub lasts: Option<TimeDelta>,
}

/// The folder of backups.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoundBackups {
    /// How often this server makes one by itself.
    pub every: Option<TimeDelta>,
    /// What is in the folder; `None` if that can't be read.
    pub kept: Option<KeptBackups>,
    pub proven: Proven,
    /// Whether another server makes them, on its own disk.
    pub is_elsewhere: bool,
}

/// The servers of the database.
#[derive(Debug, Clone)]
pub struct FoundServers {
    /// Whether this server serves alone.
    pub is_alone: bool,
    pub is_connected: bool,
    pub is_leading: bool,
    /// Of each server, this one first.
    pub releases: Vec<String>,
    /// Of each other server that knows its own.
    pub clocks_ahead_ms: Vec<i64>,
    /// How long the engine took to answer; `None` if it did not.
    pub engine_took: Option<Duration>,
}

/// What waits in queues.
#[derive(Debug, Clone, Default)]
pub struct FoundQueues {
    pub oldest_webhook_age_s: Option<i64>,
    pub oldest_withdrawal_age_s: Option<i64>,
    pub payouts_paused_since: Option<DateTime<Utc>>,
    pub dead_webhooks: i64,
    pub failed_refunds: i64,
    pub parked_payments: i64,
    pub chargebacks: i64,
    pub grievances: FoundGrievances,
    pub late_notifications: i64,
    pub late_mails: i64,
    /// How full the recorder's queues are: what waits, and the most that may.
    pub trail: (usize, usize),
    pub decisions: (usize, usize),
}

/// What people asked about their data and nobody has answered, each up to 10,000.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoundGrievances {
    pub open: i64,
    /// Of these, what was due before now.
    pub overdue: i64,
    /// When the one is due that is due first.
    pub next_due: Option<DateTime<Utc>>,
}

/// Everything.
#[derive(Debug, Clone)]
pub struct Found {
    pub now: DateTime<Utc>,
    pub database: FoundDatabase,
    pub disk: Option<FoundDisk>,
    pub backup: FoundBackups,
    pub servers: FoundServers,
    pub queues: FoundQueues,
    /// Of the last quarter of an hour, on this server.
    pub counts: Counts,
    /// Whether the router answers; `None` without one.
    pub router: Option<bool>,
    /// Whether there is a place search.
    pub has_places: bool,
    pub has_mail: bool,
    /// Whether admins pay withdrawals by hand.
    pub pays_by_hand: bool,
    pub stop: Option<StopNotice>,
}
