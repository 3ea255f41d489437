//! The plan of a run: a day under a policy.

use std::sync::Arc;

use roadcall_actors::experience::Calibration;

use super::{
    faults::Faults,
    policy::{Policy, ServiceSettings},
    replay::Replay,
    scenario::Scenario,
};

/// One run: a day under a policy.
#[derive(Debug, Clone)]
pub struct Plan {
    pub scenario: Arc<Scenario>,
    pub settings: Arc<ServiceSettings>,
    pub policy: Policy,
    /// The multiple of the scenario's jobs.
    pub load: f64,
    pub seed: u64,
    pub faults: Faults,
    /// The standard deviation of the logarithm of the error of the service's estimates of trips.
    pub eta_error: f64,
    /// The share of mechanics who wait where they are advised to, in percent.
    pub follow_percent: f64,
    /// The service's calibration of promises when the day begins.
    pub calibration: Calibration,
    pub check_every_step: bool,
    /// Whether the run looks at prices, for the roster.
    pub roster: bool,
    /// The replay of which `scenario` is the scenario, if any.
    pub replay: Option<Arc<Replay>>,
}
