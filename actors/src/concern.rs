//! What can be wrong with a mechanic on its way: the words that jobs and mechanics share, who do not know each other.

use chrono::{DateTime, Utc};

use crate::named::named_enum;

named_enum! {
    /// What is wrong, the most serious first.
    Concern {
        /// Nothing is received from their phone.
        Dark = "dark",
        /// They were seen in the same place again and again.
        Stalled = "stalled",
        /// They get farther from the pickup.
        MovingAway = "moving_away",
        /// They will be later than promised.
        Slipping = "slipping",
    }
}

impl Concern {
    /// Why the job was taken from its mechanic, as it stands on the timeline.
    pub fn reassign_reason(self) -> &'static str {
        match self {
            Self::Dark => "watchdog_dark",
            Self::Stalled => "watchdog_stalled",
            Self::MovingAway => "watchdog_moving_away",
            Self::Slipping => "watchdog_slipping",
        }
    }
}

/// A concern, and since when there is reason for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    pub concern: Concern,
    pub since: DateTime<Utc>,
}

/// What a mechanic's actor knows of an assignment, to watch over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duty {
    /// Of the job. An attempt ends with the assignment it led to, so it tells one assignment from another.
    pub attempt: u32,
    /// `None` where an admin assigned without an estimate.
    pub promised_at: Option<DateTime<Utc>>,
    /// What the customer was told last, while it stands.
    pub told: Option<Concern>,
}

/// What the watch over a mechanic has to say to its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The customer shall know.
    Delayed(Delay),
    /// What the customer was told of is over.
    Recovered(Concern),
    /// Somebody else shall be found.
    Lost(Concern),
}
