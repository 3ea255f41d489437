//! Requests to mechanics.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    engine::Engine,
    geo::Point,
    ids::MechanicId,
    mechanic::state::Located,
    position::{Fix, Ping, PositionSource},
    refusal::Refusal,
};

/// Asks where the mechanic was last seen. The answer is `None` if that is not known, or they can't be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastFix {
    pub mechanic: MechanicId,
}

impl LastFix {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Fix>, Refusal> {
        Ok(engine.mechanic(self.mechanic).await.and_then(|mechanic| mechanic.last))
    }
}

/// Asks how often the mechanic's app should send positions, in seconds. The answer is `None` if the mechanic can't
/// be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocationInterval {
    pub mechanic: MechanicId,
}

impl LocationInterval {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<u32>, Refusal> {
        let mechanic = engine.mechanic(self.mechanic).await;
        Ok(mechanic.map(|mechanic| mechanic.interval_s(&engine.context().settings.presence)))
    }
}

/// Takes in points from one of a mechanic's apps; answered when their trail is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Locate {
    pub mechanic: MechanicId,
    pub pings: Vec<Ping>,
    pub source: PositionSource,
    /// The age of the points since they were received.
    #[serde(with = "crate::wire::millis")]
    pub received_ago: TimeDelta,
}

impl Locate {
    pub(super) async fn run(self, engine: &Engine) -> Result<Located, Refusal> {
        let received_at = engine.ago(self.received_ago);
        engine.locate(self.mechanic, self.pings, self.source, received_at).await
    }
}

/// Sets whether the mechanic wants offers; answered after the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAvailability {
    pub mechanic: MechanicId,
    pub is_available: bool,
}

impl SetAvailability {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.set_availability(self.mechanic, self.is_available).await
    }
}

/// Sets that the mechanic waits at this place and wants offers there; answered after the commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Park {
    pub mechanic: MechanicId,
    pub place: Point,
    /// The mechanic's own name for the place.
    pub label: Option<String>,
}

impl Park {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.park(self.mechanic, self.place, self.label).await
    }
}

/// Sets that the mechanic no longer waits there; answered after the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndParking {
    pub mechanic: MechanicId,
}

impl EndParking {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.end_parking(self.mechanic).await
    }
}

/// Notes that the mechanic's profile was changed in the database; answered once the change has taken effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileChanged {
    pub mechanic: MechanicId,
}

impl ProfileChanged {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.mechanic_changed(self.mechanic).await
    }
}
