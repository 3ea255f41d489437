//! The types of vehicle as they stand on the wire and in rows.

use roadcall_actors::vehicle::VehicleType;

use crate::http::text_enum;

text_enum! {
    /// A type of vehicle.
    // Contract 2.2. The engine has its own, which knows neither JSON nor rows.
    #[schema(as = VehicleType)]
    VehicleKind {
        TwoWheeler = "two_wheeler",
        ThreeWheeler = "three_wheeler",
        FourWheeler = "four_wheeler",
        Commercial = "commercial",
    }
}

impl From<VehicleKind> for VehicleType {
    fn from(kind: VehicleKind) -> Self {
        match kind {
            VehicleKind::TwoWheeler => Self::TwoWheeler,
            VehicleKind::ThreeWheeler => Self::ThreeWheeler,
            VehicleKind::FourWheeler => Self::FourWheeler,
            VehicleKind::Commercial => Self::Commercial,
        }
    }
}

impl From<VehicleType> for VehicleKind {
    fn from(kind: VehicleType) -> Self {
        match kind {
            VehicleType::TwoWheeler => Self::TwoWheeler,
            VehicleType::ThreeWheeler => Self::ThreeWheeler,
            VehicleType::FourWheeler => Self::FourWheeler,
            VehicleType::Commercial => Self::Commercial,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_use_the_same_words() {
        let words: Vec<&str> = VehicleKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(words, VehicleType::ALL.map(VehicleType::as_str));
        for kind in VehicleType::ALL {
            assert_eq!(VehicleKind::from(kind).as_str(), kind.as_str());
            assert_eq!(VehicleType::from(VehicleKind::from(kind)), kind);
        }
    }
}
