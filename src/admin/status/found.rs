//! The findings, as plain numbers.

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
    /// The duration of a short statement, with the wait for a connection.
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
    /// How long the free space lasts if it shrinks as in the last days.
    pub lasts: Option<TimeDelta>,
}

/// The folder of backups.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoundBackups {
    /// The interval at which this server makes a backup by itself.
    pub every: Option<TimeDelta>,
    /// The backups in the folder; `None` if it can't be read.
    pub kept: Option<KeptBackups>,
    pub proven: Proven,
    /// Whether another server makes the backups, on its own disk.
    pub is_elsewhere: bool,
}

/// The servers of the database.
#[derive(Debug, Clone)]
pub struct FoundServers {
    /// Whether this server serves alone.
    pub is_alone: bool,
    pub is_connected: bool,
    pub is_leading: bool,
    /// The release of each server, this one first.
    pub releases: Vec<String>,
    /// How far the clocks of the other servers are ahead, where they know it.
    pub clocks_ahead_ms: Vec<i64>,
    /// How long the engine took to answer; `None` if it did not.
    pub engine_took: Option<Duration>,
}

/// The work that waits in queues.
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
    /// The fill level of the recorder's queues: how much waits, and the maximum.
    pub trail: (usize, usize),
    pub decisions: (usize, usize),
}

/// Questions of people about their data that nobody has answered, each number up to 10,000.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoundGrievances {
    pub open: i64,
    /// The number of these that were due before now.
    pub overdue: i64,
    /// When the next of them is due.
    pub next_due: Option<DateTime<Utc>>,
}

/// All findings.
#[derive(Debug, Clone)]
pub struct Found {
    pub now: DateTime<Utc>,
    pub database: FoundDatabase,
    pub disk: Option<FoundDisk>,
    pub backup: FoundBackups,
    pub servers: FoundServers,
    pub queues: FoundQueues,
    /// The counts of the last quarter of an hour, on this server.
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
