//! The types of vehicle that are served.

/// Contract 2.2, `vehicle_types`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VehicleType {
    TwoWheeler,
    ThreeWheeler,
    FourWheeler,
    Commercial,
}

impl VehicleType {
    /// Every kind.
    pub const ALL: [VehicleType; 4] =
        [Self::TwoWheeler, Self::ThreeWheeler, Self::FourWheeler, Self::Commercial];

    /// The value on the wire and in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TwoWheeler => "two_wheeler",
            Self::ThreeWheeler => "three_wheeler",
            Self::FourWheeler => "four_wheeler",
            Self::Commercial => "commercial",
        }
    }

    /// The kind that [`VehicleType::as_str`] writes so.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}
