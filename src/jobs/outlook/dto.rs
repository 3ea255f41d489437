//! The outlook on the wire.

use roadcall_actors::ports::Outlook as EngineOutlook;
use serde::Serialize;
use utoipa::ToSchema;

/// How long help may take, as customers see it before a mechanic has accepted. Corrected by what became of earlier
/// jobs with the same chance. If the chance is small, or no mechanic can come
/// (`is_served` false), say so: cancelling is free until a mechanic has accepted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Outlook {
    /// Seconds from now until a mechanic arrives, in whole minutes, as far as can be expected; null if no mechanic
    /// who is online could come.
    #[schema(example = 900)]
    pub expected_wait_s: Option<u32>,
    /// The chance in percent that a mechanic arrives within `in_time_s` of the call, in steps of 5.
    #[schema(example = 95, minimum = 0, maximum = 100)]
    pub chance_in_time_percent: u32,
    /// What counts as in time: seconds from the call, for a scheduled job from the beginning of its dispatch.
    #[schema(example = 1800)]
    pub in_time_s: u32,
    /// Mechanics are free, but kept for jobs that only they can serve; the search goes on and sends another as soon as
    /// one is free. Waiting may pay: the wait above counts this.
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
            is_held: outlook.is_held,
            is_served: outlook.is_served,
        }
    }
}
