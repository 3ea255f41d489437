//! The types of vehicle that are served.

use crate::named::named_enum;

named_enum! {
    /// A type of vehicle, as in `vehicle_types` of contract 2.2.
    VehicleType {
        TwoWheeler = "two_wheeler",
        ThreeWheeler = "three_wheeler",
        FourWheeler = "four_wheeler",
        Commercial = "commercial",
    }
}
