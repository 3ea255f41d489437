//! The destination of a vehicle that is towed. Pure data; `decide/towing.rs` has the rules.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    geo::Point,
    offer::{OFFERED_PICKUP_GRID_M, OfferedDestination},
};

/// The destination of the vehicle, with its distance from the pickup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Destination {
    pub place: Point,
    pub address: String,
    /// Set if the place is on the operator's list.
    pub workshop: Option<Workshop>,
    pub receiver: Receiver,
    /// The distance by road, or by the straight line if no router knows the way.
    pub distance_m: u32,
    pub duration_s: u32,
}

/// A workshop, as it was when the customer chose it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workshop {
    pub id: Uuid,
    pub name: String,
}

/// The person who takes the vehicle at the destination.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Receiver {
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// Prints neither name nor number, since logs may print commands.
impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

impl Destination {
    /// Returns the part of the destination that offers show.
    pub fn offered(&self) -> OfferedDestination {
        OfferedDestination {
            place: self.place.snapped(OFFERED_PICKUP_GRID_M),
            distance_m: self.distance_m,
            duration_s: self.duration_s,
            workshop_name: self.workshop.as_ref().map(|workshop| workshop.name.clone()),
        }
    }
}
