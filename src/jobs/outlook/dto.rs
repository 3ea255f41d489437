//! The outlook on the wire.

use roadcall_actors::ports::{Outlook as EngineOutlook, WaitReason as EngineWaitReason};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::Named;

/// The reason for the length of a customer's wait.
pub type WaitReason = Named<EngineWaitReason>;

/// How long help may take and why, as customers see it before a mechanic has accepted: estimates, jobs, shared jobs and frames
/// have the same. It is corrected by the outcomes of earlier jobs with the same chance. If the chance is small, or no mechanic
/// can come (`is_served` false), say so: cancelling is free until a mechanic has accepted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Outlook {
    /// The expected seconds from now until a mechanic arrives, in whole minutes; null if no mechanic who is online could come.
    #[schema(example = 900)]
    pub expected_wait_s: Option<u32>,
    /// The chance in percent that a mechanic arrives within `in_time_s` of the call, in steps of 5.
    #[schema(example = 95, minimum = 0, maximum = 100)]
    pub chance_in_time_percent: u32,
    /// The time that counts as in time: seconds from the call, or for a scheduled job from the beginning of its dispatch.
    #[schema(example = 1800)]
    pub in_time_s: u32,
    /// The reason why it takes so long, or why no mechanic can come.
    pub reason: WaitReason,
    /// Whether the `reason` is `held`: the search goes on and sends another mechanic as soon as one is free. Waiting may pay off:
    /// the wait above counts this.
    pub is_held: bool,
    /// Whether any mechanic who is online could serve the job, now or when they are free. If not, only a mechanic who
    /// comes online can help: offer to cancel.
    pub is_served: bool,
}

impl From<EngineOutlook> for Outlook {
    fn from(outlook: EngineOutlook) -> Self {
        Self {
            expected_wait_s: outlook.expected_wait_s,
            chance_in_time_percent: outlook.chance_permille / 10,
            in_time_s: outlook.in_time_s,
            reason: outlook.reason.into(),
            is_held: outlook.reason == EngineWaitReason::Held,
            is_served: outlook.reason.is_served(),
        }
    }
}
