//! The policies that are compared, as settings of one and the same engine.

use roadcall_actors::settings::{SearchPolicy, Settings as EngineSettings, Strategy};

use super::scenario::Phones;

/// The engine as the service sets it, which the policies vary.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    pub engine: EngineSettings,
    pub search: SearchPolicy,
}

/// Who is offered a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// What the service does.
    Ours,
    /// One offer at a time, to the nearest, however far that is.
    Nearest,
    /// Everybody within the ring at once; the first to accept wins.
    Broadcast,
}

impl Policy {
    pub const ALL: [Policy; 3] = [Self::Ours, Self::Nearest, Self::Broadcast];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Nearest => "nearest",
            Self::Broadcast => "broadcast",
        }
    }
}

/// The service's settings, changed where the policy differs; e.g. the time to answer an offer, the length of an attempt
/// and the rings stay.
pub fn settings_under(policy: Policy, service: &ServiceSettings, phones: &Phones) -> ServiceSettings {
    let ServiceSettings { mut engine, mut search } = service.clone();
    engine.presence.fast_interval_s = phones.fast_interval_s;
    engine.presence.unwatched_interval_s = phones.fast_interval_s;
    engine.presence.slow_interval_s = phones.slow_interval_s;
    // No one reads explanations here, and writing them takes time.
    engine.matching.explain = false;
    match policy {
        Policy::Ours => {}
        Policy::Nearest => {
            let widest = search.rings_m.iter().copied().reduce(f64::max);
            search.rings_m = widest.into_iter().collect();
            search.round_widths = vec![1];
            // As many as the attempt has time for.
            search.max_rounds = u32::MAX;
            engine.matching.strategy = Strategy::Nearest;
        }
        Policy::Broadcast => {
            search.round_widths = vec![u32::MAX];
            engine.matching.strategy = Strategy::Broadcast;
        }
    }
    ServiceSettings { engine, search }
}
