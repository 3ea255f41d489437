//! The types of vehicle that are served.

use crate::named::named_enum;

named_enum! {
    /// Contract 2.2, `vehicle_types`.
    VehicleType {
        TwoWheeler = "two_wheeler",
        ThreeWheeler = "three_wheeler",
        FourWheeler = "four_wheeler",
        Commercial = "commercial",
    }
}
