//! What can be wrong with a mechanic on its way: the words that jobs and mechanics share, who do not know each other.

use chrono::{DateTime, Utc};

/// What is wrong, the most serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Concern {
    /// Nothing is heard of its phone.
    Dark,
    /// It was seen where it was, again and again.
    Stalled,
    /// It gets farther from the pickup.
    MovingAway,
    /// It will be later than was promised.
    Slipping,
}

impl Concern {
    /// Every one, the most serious first.
    pub const ALL: [Concern; 4] = [Self::Dark, Self::Stalled, Self::MovingAway, Self::Slipping];

    /// The value on the wire and in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Stalled => "stalled",
            Self::MovingAway => "moving_away",
            Self::Slipping => "slipping",
        }
    }

    /// The one that `as_str` writes so.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|concern| concern.as_str() == text)
    }

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
