use deserr::Deserr;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::Invalid;

/// A vehicle identification number: 17 capital letters and digits without I, O and Q. Small letters become capital ones.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, Serialize, Deserialize, ToSchema)]
#[deserr(try_from(String) = Vin::new -> Invalid)]
#[serde(transparent)]
#[schema(pattern = "^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$", example = "MAT62345XKL123456")]
pub struct Vin(pub String);

impl Vin {
    fn new(text: String) -> Result<Self, Invalid> {
        let vin = text.to_ascii_uppercase();
        let fits = |byte: u8| {
            byte.is_ascii_digit() || byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'O' | b'Q')
        };
        let holds = vin.len() == 17 && vin.bytes().all(fits);
        if holds { Ok(Self(vin)) } else { Err("must be 17 letters and digits without I, O and Q".into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vehicle_identification_number_has_seventeen_characters_that_nobody_confuses() {
        assert_eq!(Vin::new("mat62345xkl123456".into()).expect("a number").0, "MAT62345XKL123456");
        for odd in ["", "MAT62345XKL12345", "MAT62345XKL1234567", "MAT62345XKI123456", "MAT62345XKL12345é"] {
            assert!(Vin::new(odd.into()).is_err(), "{odd}");
        }
    }
}
