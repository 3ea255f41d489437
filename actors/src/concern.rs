//! The concerns about a mechanic on the way to a pickup. Shared by jobs and mechanics, which do not know each
//! other.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::named::named_enum;

named_enum! {
    /// A concern, the most serious first.
    Concern {
        /// Nothing is received from their phone.
        Dark = "dark",
        /// They were seen in the same place again and again.
        Stalled = "stalled",
        /// They are getting farther from the pickup.
        MovingAway = "moving_away",
        /// They will be later than promised.
        Slipping = "slipping",
    }
}

impl Concern {
    /// Returns why the job was taken from its mechanic, as the timeline shows it.
    pub fn reassign_reason(self) -> &'static str {
        match self {
            Self::Dark => "watchdog_dark",
            Self::Stalled => "watchdog_stalled",
            Self::MovingAway => "watchdog_moving_away",
            Self::Slipping => "watchdog_slipping",
        }
    }
}

/// A concern, and the time when its cause began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    pub concern: Concern,
    pub since: DateTime<Utc>,
}

/// The facts about an assignment that a mechanic's actor needs to watch over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duty {
    /// The job's attempt. An attempt ends with the assignment that it led to, so it identifies the assignment.
    pub attempt: u32,
    /// `None` if an admin assigned without an estimate.
    pub promised_at: Option<DateTime<Utc>>,
    /// The concern that was last reported to the customer, while it lasts.
    pub reported: Option<Concern>,
    /// Since when another app has been showing them the way, so that their phone may be silent.
    pub navigating_since: Option<DateTime<Utc>>,
}

/// A report of the watch over a mechanic to the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finding {
    /// The customer has to be informed.
    Delayed(Delay),
    /// The concern that the customer knows about is over.
    Recovered(Concern),
    /// Another mechanic has to be found.
    Lost(Concern),
}
