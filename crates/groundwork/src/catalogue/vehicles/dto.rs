use deserr::Deserr;
use roadcall_http::{Change, Invalid, Patch, Text, Timestamp, ValidationErrors, WholeNumber, text_enum};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{VehicleKind, VehicleRow};

text_enum! {
    /// The vehicle's fuel, so that the mechanic brings the right fuel or cable.
    FuelType {
        Petrol = "petrol",
        Diesel = "diesel",
        Cng = "cng",
        Lpg = "lpg",
        Electric = "electric",
        Hybrid = "hybrid",
        Other = "other",
    }
}

/// A registration number in upper case without spaces and hyphens, so that it has only one form: 2 to 15 letters or
/// digits.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = RegistrationNumber::new -> Invalid)]
#[schema(example = "KA01AB1234")]
pub struct RegistrationNumber(pub String);

impl RegistrationNumber {
    pub fn new(text: String) -> Result<Self, Invalid> {
        let kept = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let plate: String = kept.flat_map(char::to_uppercase).collect();
        let length = plate.chars().count();
        if !(2..=15).contains(&length) {
            return Err("must have 2 to 15 letters and digits, spaces and hyphens aside".into());
        }
        let holds = plate.chars().all(char::is_alphanumeric);
        if holds { Ok(Self(plate)) } else { Err("must be letters, digits, spaces and hyphens".into()) }
    }
}

/// The oldest cars on the road are from the 1900s. The handler, which knows the date, checks that the year is not in
/// the future.
pub type Year = WholeNumber<1900, 2200>;

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewVehicle {
    pub vehicle_type: VehicleKind,
    /// The maker of the vehicle. A customer at the roadside may leave it out, and add it later.
    #[deserr(default)]
    pub make: Option<Text<1, 60>>,
    /// The vehicle's model; like `make`, it may be added later.
    #[deserr(default)]
    pub model: Option<Text<1, 60>>,
    pub registration_number: RegistrationNumber,
    #[deserr(default)]
    pub year: Option<Year>,
    #[deserr(default)]
    pub fuel_type: Option<FuelType>,
    #[deserr(default)]
    pub color: Option<Text<1, 30>>,
    /// Whether the vehicle becomes the default; the first vehicle always does.
    #[deserr(default)]
    pub is_default: Option<bool>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct VehicleChanges {
    #[deserr(default)]
    #[schema(value_type = VehicleKind, required = false)]
    pub vehicle_type: Change<VehicleKind>,
    /// Who made the vehicle.
    #[deserr(default)]
    #[schema(value_type = Text<1, 60>, required = false)]
    pub make: Change<Text<1, 60>>,
    /// The vehicle's model.
    #[deserr(default)]
    #[schema(value_type = Text<1, 60>, required = false)]
    pub model: Change<Text<1, 60>>,
    #[deserr(default)]
    #[schema(value_type = RegistrationNumber, required = false)]
    pub registration_number: Change<RegistrationNumber>,
    #[deserr(default)]
    #[schema(value_type = Option<Year>)]
    pub year: Patch<Year>,
    #[deserr(default)]
    #[schema(value_type = Option<FuelType>)]
    pub fuel_type: Patch<FuelType>,
    #[deserr(default)]
    #[schema(value_type = Option<Text<1, 30>>)]
    pub color: Patch<Text<1, 30>>,
    /// Whether the vehicle is the default. `true` replaces the present default; `false` is refused for the default, since there
    /// is always one.
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub is_default: Change<bool>,
}

/// A vehicle of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct Vehicle {
    pub id: Uuid,
    pub user_id: Uuid,
    pub vehicle_type: VehicleKind,
    /// The maker of the vehicle; empty if nobody has named it.
    pub make: String,
    /// The vehicle's model; empty if nobody has named it.
    pub model: String,
    /// Upper case, without spaces and hyphens.
    pub registration_number: String,
    pub year: Option<i32>,
    /// The vehicle's fuel in words; null if unknown.
    pub fuel_type: Option<String>,
    pub color: Option<String>,
    pub is_default: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<VehicleRow> for Vehicle {
    fn from(row: VehicleRow) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            vehicle_type: row.vehicle_type,
            make: row.make,
            model: row.model,
            registration_number: row.registration_number,
            year: row.year,
            fuel_type: row.fuel_type,
            color: row.color,
            is_default: row.is_default,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_has_only_one_form() {
        for text in ["ka-01-ab-1234", "KA01AB1234", " ka 01\tab 1234 "] {
            assert_eq!(RegistrationNumber::new(text.into()).expect(text).0, "KA01AB1234");
        }
        for text in ["", " - ", "A", "KA_01", "KA01AB1234567890", "KA01🚗", "KA\u{0}01"] {
            assert!(RegistrationNumber::new(text.into()).is_err(), "{text:?}");
        }
    }
}
