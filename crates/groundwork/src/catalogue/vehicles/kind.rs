//! The types of vehicle on the wire and in rows.

use roadcall_actors::vehicle::VehicleType;

use crate::wire::{DescribedEnum, Named};

/// The type of a vehicle (contract 2.2).
pub type VehicleKind = Named<VehicleType>;

impl DescribedEnum for VehicleType {
    const SCHEMA: &'static str = "VehicleType";
    const DESCRIPTION: Option<&'static str> = Some("A type of vehicle.");
}
