//! What is asked of mechanics.

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

/// Where was the mechanic last seen? `None` if that is not known, or they can't be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastFix {
    pub mechanic: MechanicId,
}

impl LastFix {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Fix>, Refusal> {
        Ok(engine.mechanic(self.mechanic).await.and_then(|mechanic| mechanic.last))
    }
}

/// How often should the mechanic's app send positions, in seconds? `None` if the mechanic can't be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocationInterval {
    pub mechanic: MechanicId,
}

impl LocationInterval {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<u32>, Refusal> {
        Ok(engine.location_interval_s(self.mechanic).await)
    }
}

/// Points from one of a mechanic's apps; answered when their trail is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Locate {
    pub mechanic: MechanicId,
    pub pings: Vec<Ping>,
    pub source: PositionSource,
    /// How long ago they were received.
    #[serde(with = "crate::wire::millis")]
    pub received_ago: TimeDelta,
}

impl Locate {
    pub(super) async fn run(self, engine: &Engine) -> Result<Located, Refusal> {
        let received_at = engine.ago(self.received_ago);
        engine.locate(self.mechanic, self.pings, self.source, received_at).await
    }
}

/// Whether the mechanic wants offers; answered after the commit.
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

/// The mechanic waits at this place and wants offers there; answered after the commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Park {
    pub mechanic: MechanicId,
    pub place: Point,
    /// What they call it.
    pub label: Option<String>,
}

impl Park {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.park(self.mechanic, self.place, self.label).await
    }
}

/// The mechanic does not wait there any more; answered after the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndParking {
    pub mechanic: MechanicId,
}

impl EndParking {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.end_parking(self.mechanic).await
    }
}

/// The mechanic's profile was changed in the database; answered once the change has taken effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileChanged {
    pub mechanic: MechanicId,
}

impl ProfileChanged {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.mechanic_changed(self.mechanic).await
    }
}
