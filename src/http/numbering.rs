//! The numbering plans of the countries that `phone.region` may name (ITU-T E.164, national annexes).

use std::ops::RangeInclusive;

use crate::platform::settings::PhoneRegion;

impl PhoneRegion {
    /// What follows the `+` in its numbers.
    pub fn calling_code(self) -> &'static str {
        self.plan().0
    }

    /// What people dial before a number within the country, and leave out after its calling code; may be empty.
    pub fn trunk_prefix(self) -> &'static str {
        self.plan().1
    }

    /// How many digits its numbers have without calling code and trunk prefix.
    pub fn national_digits(self) -> RangeInclusive<usize> {
        self.plan().2
    }

    /// What people dial for an ambulance; in many countries for the police and the fire brigade as well.
    pub fn emergency_number(self) -> &'static str {
        match self {
            Self::Ae => "998",
            Self::Bd | Self::Gb => "999",
            Self::In => "112",
            Self::Lk => "1990",
            Self::Np => "102",
            Self::Pk => "1122",
            Self::Sg => "995",
            Self::Us => "911",
        }
    }

    fn plan(self) -> (&'static str, &'static str, RangeInclusive<usize>) {
        match self {
            Self::Ae => ("971", "0", 8..=9),
            Self::Bd => ("880", "0", 8..=10),
            Self::Gb => ("44", "0", 9..=10),
            Self::In => ("91", "0", 10..=10),
            Self::Lk => ("94", "0", 9..=9),
            Self::Np => ("977", "0", 8..=10),
            Self::Pk => ("92", "0", 9..=10),
            Self::Sg => ("65", "", 8..=8),
            Self::Us => ("1", "1", 10..=10),
        }
    }
}
