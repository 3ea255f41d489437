//! Drivers of an organisation on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::DriverRow;
use crate::{
    accounts::users::Language,
    catalogue::vehicles::RegistrationNumber,
    http::{Name, Phone, Text, Timestamp, ValidationErrors},
    partners::cases::fleet::reading::SheetRow,
};

/// A driver of the organisation's vehicles.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewFleetDriver {
    /// The organisation's own name for the driver, such as a staff number. It names one driver.
    pub reference: Text<1, 64>,
    pub name: Name<100>,
    /// The mechanic calls this number, and texts go to it.
    pub phone: Phone,
    /// The language of the texts. The default is en.
    #[deserr(default)]
    pub language: Option<Language>,
    /// The vehicle of a case that names the driver and no vehicle, if the fleet has it then.
    #[deserr(default)]
    pub registration_number: Option<RegistrationNumber>,
}

impl SheetRow for NewFleetDriver {
    const PLURAL: &'static str = "drivers";
    const COLUMNS: &'static [&'static str] =
        &["reference", "name", "phone", "language", "registration_number"];
    const NEEDED: usize = 3;

    fn key(&self) -> &str {
        &self.reference.0
    }
}

/// A list of drivers.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DriverSheet {
    /// A CSV whose first line names its columns, in any order: reference, name and phone, and if wanted language and
    /// registration_number. At most 500 drivers.
    #[schema(example = "reference,name,phone,registration_number\nD-17,Asha Rao,+919876543210,KA01AB1234\n")]
    pub csv: Text<1, 60_000>,
}

/// A driver of the organisation's vehicles.
#[derive(Debug, Serialize, ToSchema)]
pub struct FleetDriver {
    pub id: Uuid,
    /// The organisation's own name for the driver.
    pub reference: String,
    pub name: String,
    #[schema(example = "+919876543210")]
    pub phone: String,
    /// The language of the texts that the driver gets.
    #[schema(example = "en")]
    pub language: String,
    /// The vehicle of a case that names the driver and no vehicle; null for none.
    pub registration_number: Option<String>,
    pub created_at: Timestamp,
}

impl From<DriverRow> for FleetDriver {
    fn from(row: DriverRow) -> Self {
        Self {
            id: row.id,
            reference: row.reference,
            name: row.name,
            phone: row.phone,
            language: row.language,
            registration_number: row.registration_number,
            created_at: row.created_at.into(),
        }
    }
}
