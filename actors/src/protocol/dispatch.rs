//! What is asked of the dispatcher, and of what the engine has learned.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::{
    dispatcher::{
        pricing::Market,
        queries::{AdviceQuery, Availability, AvailabilityQuery, Fleet, FleetQuery, PricesQuery},
    },
    engine::Engine,
    experience::{Calibration, HoldReport},
    geo::Point,
    ids::CategoryId,
    messages::Advice,
    observe::EngineCounts,
    outbound::Outlook,
    refusal::Refusal,
    settings::SharedSearchPolicy,
    status::Urgency,
    vehicle::VehicleType,
};

/// How long a question about who could come waits for mechanics who are yet to be loaded. Shorter than other servers wait for an answer,
/// which must not look as if this engine gave none.
const LOADED_WITHIN: Duration = Duration::from_secs(1);

impl AvailabilityQuery {
    /// Answers once all mechanics are loaded, since the nearest of them decides what a job costs.
    pub(super) async fn run(self, engine: &Engine) -> Result<Availability, Refusal> {
        let loaded = timeout(LOADED_WITHIN, engine.context().loading.completed()).await;
        loaded.map_err(|_| Refusal::Unavailable("mechanics are still being loaded".to_owned()))?;
        engine.ask_dispatcher(self).await
    }
}

impl PricesQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<Vec<Market>, Refusal> {
        engine.ask_dispatcher(self).await
    }
}

impl FleetQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<Fleet, Refusal> {
        engine.ask_dispatcher(self).await
    }
}

impl AdviceQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Advice>, Refusal> {
        engine.ask_dispatcher(self).await
    }
}

/// What can a customer expect who calls from here now?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlookAt {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub urgency: Urgency,
    pub search: SharedSearchPolicy,
}

impl OutlookAt {
    pub(super) async fn run(self, engine: &Engine) -> Result<Outlook, Refusal> {
        let Self { pickup, vehicle_type, category_id, urgency, search } = self;
        engine.outlook(pickup, vehicle_type, category_id, urgency, search).await
    }
}

/// How many actors and what has the dispatcher done? Refused as unavailable if the dispatcher does not answer in this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountQuery {
    pub within: Duration,
}

impl CountQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<EngineCounts, Refusal> {
        engine.counts(self.within).await.ok_or_else(late)
    }
}

/// [`CountQuery`] and [`PricesQuery`] in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyQuery {
    pub within: Duration,
}

impl SurveyQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<(EngineCounts, Vec<Market>), Refusal> {
        engine.survey(self.within).await.ok_or_else(late)
    }
}

fn late() -> Refusal {
    Refusal::Unavailable("the dispatcher does not answer in time".to_owned())
}

/// What became of the chances that customers were promised?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalibrationQuery;

impl CalibrationQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<Calibration, Refusal> {
        Ok(engine.calibration())
    }
}

/// What came of holding jobs back since the engine started?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldsQuery;

impl HoldsQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<HoldReport, Refusal> {
        Ok(engine.holds())
    }
}
