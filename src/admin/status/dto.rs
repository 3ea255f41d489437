//! The state of everything, on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Timestamp, text_enum};

text_enum! {
    /// ok: nothing to do. look: something is wrong, but people don't feel it yet. act: people feel it, or soon will.
    StatusState { Ok = "ok", Look = "look", Act = "act", }
}

text_enum! {
    /// The subject of a line of the status.
    StatusSubject {
        Requests = "requests",
        Database = "database",
        Disk = "disk",
        Backup = "backup",
        BackupTest = "backup_test",
        Servers = "servers",
        Engine = "engine",
        Clock = "clock",
        Versions = "versions",
        NewJobs = "new_jobs",
        Webhooks = "webhooks",
        Payouts = "payouts",
        Money = "money",
        Grievances = "grievances",
        Notifications = "notifications",
        Pushes = "pushes",
        TextMessages = "text_messages",
        Mails = "mails",
        Recorder = "recorder",
        Router = "router",
        Places = "places",
    }
}

/// The state of the service, line by line, as the server that answers sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Status {
    /// When the state was checked; an answer may be some seconds old.
    pub at: Timestamp,
    /// The worst state of the lines.
    pub state: StatusState,
    pub lines: Vec<StatusLine>,
}

/// The state of one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusLine {
    pub about: StatusSubject,
    pub state: StatusState,
    /// The state in words, in English like the console.
    pub text: String,
    /// The next thing to do; null where there is none.
    pub next: Option<String>,
    /// The section of docs/RUNBOOK.md that says more; null where there is none.
    #[schema(value_type = Option<String>)]
    pub runbook: Option<&'static str>,
}
