//! What the engine reports to apps and watchers.

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

/// Something that apps and watchers are told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Announcement {
    /// A job's log grew to `seq`: watchers read on from what they have.
    JobChanged { job: JobId, seq: i64 },
    /// An offer was made to a mechanic, or ended.
    Offer(Box<OfferCard>),
    /// A round of offers went out.
    Progress(DispatchProgress),
    /// What a customer whose job searches can expect, for the first time or because it changed notably.
    Outlook { job: JobId, outlook: Outlook },
    /// A mechanic without a job had better wait elsewhere.
    WaitAdvised { mechanic: UserId, advice: Advice },
    /// The assigned mechanic's position, as fresh as possible.
    Located(Sighting),
    /// How often the mechanic's app should send positions.
    Rate { mechanic: UserId, interval_s: u32 },
    /// Something is wrong with the mechanic on the way to the job: their app should ask about it.
    Nudge(Nudge),
    /// The mechanic got this job (`true`) or lost it (`false`): their sockets follow.
    Assigned { mechanic: UserId, job: JobId, is_on_it: bool },
}

impl Announcement {
    /// The job that it is about, unless it follows from a position.
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

/// What a customer who calls for help can expect. Rounded, so that no mechanic's place follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    /// Seconds from now to the arrival of a mechanic, in whole minutes; `None` if no mechanic who could come is online.
    pub expected_wait_s: Option<u32>,
    /// The chance that a mechanic arrives in time, in thousandths, in steps of 50.
    pub chance_permille: u32,
    /// What counts as in time: seconds from the call.
    pub in_time_s: u32,
    pub reason: WaitReason,
}

impl Outlook {
    /// After a search in which mechanics were asked and none took the job: that is the reason, whoever else was busy or held.
    pub fn of_refused(self) -> Self {
        Self { expected_wait_s: None, chance_permille: 0, reason: WaitReason::Declined, ..self }
    }
}

named_enum! {
    /// Why a customer waits as long as they do. What `expected_wait_s` says follows from it: only the first three have one.
    WaitReason {
        /// A mechanic is asked, or is free and will be.
        Free = "free",
        /// Those who are free are kept for jobs that only they can serve; the job waits for another.
        Held = "held",
        /// All who could come have other jobs.
        Busy = "busy",
        /// All who could come were asked, and did not take the job; after a search in vain, whenever a mechanic was asked.
        Declined = "declined",
        /// Mechanics who do this are online, but none comes as far as this.
        OutOfReach = "out_of_reach",
        /// Mechanics are online near by, but none does this for such a vehicle.
        NoSkill = "no_skill",
        /// No mechanic is online near by.
        NobodyOnline = "nobody_online",
    }
}

impl WaitReason {
    /// Whether any mechanic who is online could serve the job, now or once they are free.
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
    /// To the pickup; `None` once arrived.
    pub estimate: Option<TripEstimate>,
}

/// Something is wrong with a mechanic on the way to a pickup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nudge {
    pub mechanic: UserId,
    pub job_id: JobId,
    pub delay: Delay,
}
