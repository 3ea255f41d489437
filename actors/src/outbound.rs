//! The reports of the engine to apps and watchers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    concern::Delay,
    eta::TripEstimate,
    ids::{JobId, MechanicId, UserId},
    messages::Advice,
    named::named_enum,
    offer::OfferCard,
    position::Fix,
};

/// A report to apps and watchers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Announcement {
    /// A job's log grew to `seq`: watchers read on from what they have.
    JobChanged { job: JobId, seq: i64 },
    /// An offer was made to a mechanic, or ended.
    Offer(Box<OfferCard>),
    /// A round of offers went out.
    Progress(DispatchProgress),
    /// The outlook of a customer whose job searches is known for the first time, or changed notably.
    Outlook { job: JobId, outlook: Outlook },
    /// A mechanic without a job should wait elsewhere.
    WaitAdvised { mechanic: UserId, advice: Advice },
    /// The assigned mechanic's position, as fresh as possible.
    Located(Sighting),
    /// How often the mechanic's app should send positions.
    Rate { mechanic: UserId, interval_s: u32 },
    /// There is a concern about the mechanic on the way to the job: their app should ask about it.
    Nudge(Nudge),
    /// The mechanic got this job (`true`) or lost it (`false`): their sockets follow.
    Assigned { mechanic: UserId, job: JobId, is_on_it: bool },
}

impl Announcement {
    /// Returns the job of the announcement, unless it follows from a position.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::JobChanged { job, .. } | Self::Outlook { job, .. } | Self::Assigned { job, .. } => {
                Some(*job)
            }
            Self::Offer(card) => Some(card.job_id),
            Self::Progress(progress) => Some(progress.job_id),
            Self::WaitAdvised { .. } | Self::Located(_) | Self::Rate { .. } | Self::Nudge(_) => None,
        }
    }
}

/// Passes announcements on to sockets. Must not block and may drop them: everything that matters is in the journal.
pub trait Outbound: fmt::Debug + Send + Sync + 'static {
    fn announce(&self, announcement: Announcement);
}

/// A round of offers as the customer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DispatchProgress {
    pub job_id: JobId,
    pub customer: UserId,
    pub round: u32,
    pub radius_m: f64,
    pub mechanics_offered: u32,
}

/// The expectations of a customer who calls for help. Rounded, so that no mechanic's place follows from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    /// The seconds from now to the arrival of a mechanic, in whole minutes; `None` if no mechanic who could come is
    /// online.
    pub expected_wait_s: Option<u32>,
    /// The chance that a mechanic arrives in time, in thousandths, in steps of 50.
    pub chance_permille: u32,
    /// The seconds from the call within which an arrival is in time.
    pub in_time_s: u32,
    pub reason: WaitReason,
}

impl Outlook {
    /// Returns the outlook after a search in which mechanics were asked and none took the job: the refusals are the
    /// reason, even if other mechanics were busy or held.
    pub fn of_refused(self) -> Self {
        Self { expected_wait_s: None, chance_permille: 0, reason: WaitReason::Declined, ..self }
    }
}

named_enum! {
    /// The reason for the length of a customer's wait. It decides whether `expected_wait_s` has a value: only the
    /// first three reasons have one.
    WaitReason {
        /// A mechanic is asked, or is free and will be.
        Free = "free",
        /// The free mechanics are kept for jobs that only they can serve; the job waits for another.
        Held = "held",
        /// All mechanics who could come have other jobs.
        Busy = "busy",
        /// All mechanics who could come were asked, and did not take the job. After a search in vain, this is the
        /// reason whenever a mechanic was asked.
        Declined = "declined",
        /// Mechanics who do this kind of job are online, but none comes as far as this.
        OutOfReach = "out_of_reach",
        /// Mechanics are online nearby, but none does this kind of job for such a vehicle.
        NoSkill = "no_skill",
        /// No mechanic is online nearby.
        NobodyOnline = "nobody_online",
    }
}

impl WaitReason {
    /// Returns whether any online mechanic could serve the job, now or once they are free.
    pub fn is_served(self) -> bool {
        match self {
            Self::Free | Self::Held | Self::Busy => true,
            Self::Declined | Self::OutOfReach | Self::NoSkill | Self::NobodyOnline => false,
        }
    }
}

/// The position of a job's assigned mechanic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub fix: Fix,
    /// The estimate to the pickup; `None` once arrived.
    pub estimate: Option<TripEstimate>,
}

/// A concern about a mechanic on the way to a pickup, of which their app should ask them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nudge {
    pub mechanic: UserId,
    pub job_id: JobId,
    pub delay: Delay,
}
