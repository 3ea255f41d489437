//! The policies that are compared, as settings of one and the same engine.

use std::sync::Arc;

use roadcall_actors::settings::{SearchPolicy, Settings as EngineSettings, Strategy};

use super::scenario::Phones;
use crate::{
    catalogue::dispatch_settings::{self, SearchOverrides, Versioned},
    platform::settings::Settings,
};

/// Who is offered a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// As the service is set.
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

/// The engine's settings under a policy. Whatever the policy says nothing of is the service's: the time to answer an
/// offer, the length of an attempt, the rings.
pub fn tuned(policy: Policy, service: &Settings, phones: &Phones) -> (EngineSettings, SearchPolicy) {
    let mut engine = dispatch_settings::engine_settings(service);
    let by = Versioned { version: 0, settings: Arc::new(service.dispatch.clone()) };
    let mut search = dispatch_settings::search_policy(&by, &SearchOverrides::default());
    engine.presence.fast_interval_s = phones.fast_interval_s;
    engine.presence.unwatched_interval_s = phones.fast_interval_s;
    engine.presence.slow_interval_s = phones.slow_interval_s;
    // Nobody reads them here, and writing them takes time.
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
    (engine, search)
}
