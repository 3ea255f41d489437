//! Questions to the dispatcher, and about what the engine has learned.

use std::{collections::BTreeSet, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::{
    dispatcher::{
        messages::Expectation,
        pricing::Market,
        queries::{
            AdviceQuery, Availability, AvailabilityQuery, Fleet, FleetQuery, OutlookQuery, PricesQuery,
        },
    },
    engine::Engine,
    experience::{Calibration, HoldReport},
    geo::Point,
    ids::CategoryId,
    messages::{Advice, Demand},
    observe::EngineCounts,
    outbound::Outlook,
    refusal::Refusal,
    settings::SharedSearchPolicy,
    status::Urgency,
    vehicle::VehicleType,
};

/// The time that a question about who could come waits for mechanics who are yet to be loaded. It is shorter than
/// the time that other servers wait for an answer, which must not look as if this engine gave none.
const LOADED_WITHIN: Duration = Duration::from_secs(1);

impl AvailabilityQuery {
    /// Answers once all mechanics are loaded, since the nearest of them decides what a job costs.
    pub(super) async fn run(self, engine: &Engine) -> Result<Availability, Refusal> {
        all_are_loaded(engine).await?;
        engine.ask_dispatcher(self).await
    }
}

async fn all_are_loaded(engine: &Engine) -> Result<(), Refusal> {
    let loaded = timeout(LOADED_WITHIN, engine.context().loading.completed()).await;
    loaded.map_err(|_| Refusal::Unavailable("mechanics are still being loaded".to_owned()))
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

/// Asks what a customer who calls from here now can expect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlookAt {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub urgency: Urgency,
    pub search: SharedSearchPolicy,
}

impl OutlookAt {
    /// Answers once all mechanics are loaded, like [`AvailabilityQuery`], but does not wait for longer.
    pub(super) async fn run(self, engine: &Engine) -> Result<Outlook, Refusal> {
        timeout(LOADED_WITHIN, engine.context().loading.completed()).await.ok();
        engine.look_ahead(self.query(engine)).await
    }

    fn query(self, engine: &Engine) -> OutlookQuery {
        let demand = Demand {
            attempt: 1,
            round: 1,
            offers: 1,
            has_offer: false,
            pickup: self.pickup,
            vehicle_type: self.vehicle_type,
            category_id: self.category_id,
            urgency: self.urgency,
            waiting_since: engine.context().clock.now(),
            excluded: BTreeSet::new(),
            search: self.search,
        };
        OutlookQuery { job_id: None, demand, asked: Vec::new() }
    }
}

/// Asks for both [`AvailabilityQuery`] and [`OutlookAt`]. An engine of an earlier release refuses it as unavailable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateQuery {
    pub supply: AvailabilityQuery,
    pub outlook: OutlookAt,
}

impl EstimateQuery {
    /// Answers once all mechanics are loaded, if the dispatcher says both in time.
    pub(super) async fn run(self, engine: &Engine) -> Result<(Availability, Outlook), Refusal> {
        all_are_loaded(engine).await?;
        let (supply, outlook) = (self.supply, self.outlook.query(engine));
        engine.look_ahead(Expectation { supply, outlook }).await
    }
}

/// Asks for the numbers of actors and of the dispatcher's work. Refused as unavailable if the dispatcher does not
/// answer in this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountQuery {
    pub within: Duration,
}

impl CountQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<EngineCounts, Refusal> {
        engine.counts(self.within).await.ok_or_else(late)
    }
}

/// Asks for both [`CountQuery`] and [`PricesQuery`].
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

/// Asks how the chances that customers were promised turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalibrationQuery;

impl CalibrationQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<Calibration, Refusal> {
        Ok(engine.calibration())
    }
}

/// Asks for the results of holding jobs back since the engine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldsQuery;

impl HoldsQuery {
    pub(super) async fn run(self, engine: &Engine) -> Result<HoldReport, Refusal> {
        Ok(engine.holds())
    }
}
