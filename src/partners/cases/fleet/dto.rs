//! Spreadsheets of an organisation's vehicles and drivers on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{Text, ValidationErrors, text_enum};

/// A list of vehicles.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct VehicleSheet {
    /// A CSV whose first line names its columns, in any order: vehicle_type and registration_number, and if wanted make, model,
    /// year, fuel_type and color. At most 500 vehicles.
    #[schema(example = "vehicle_type,registration_number,make,model\nfour_wheeler,KA01AB1234,Tata,Nexon\n")]
    pub csv: Text<1, 60_000>,
}

text_enum! {
    /// The result of a line.
    SheetLineResult {
        Added = "added",
        /// The organisation had this vehicle or driver before; nothing was changed.
        Known = "known",
        /// The line has a fault; `fault` says which.
        Refused = "refused",
    }
}

/// The result of an import. Lines with faults keep no other line back.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportedSheet {
    /// The number of vehicles or drivers that were added.
    pub added: usize,
    /// The number of those that the organisation had before.
    pub known: usize,
    /// The number of lines with a fault.
    pub refused: usize,
    /// The lines that are not empty, in their order.
    pub lines: Vec<SheetLine>,
}

/// A line and its result.
#[derive(Debug, Serialize, ToSchema)]
pub struct SheetLine {
    /// The number of the line as an editor shows it.
    pub line: u64,
    pub result: SheetLineResult,
    /// The vehicle; null if the line was refused, and in a list of drivers.
    pub vehicle_id: Option<Uuid>,
    /// The driver; null if the line was refused, and in a list of vehicles.
    pub driver_id: Option<Uuid>,
    /// The fault of the line; null for a line without faults.
    pub fault: Option<String>,
}

impl SheetLine {
    /// Returns a line whose vehicle or driver is in the fleet. The caller adds the id.
    pub fn accepted(line: u64, is_new: bool) -> Self {
        let result = if is_new { SheetLineResult::Added } else { SheetLineResult::Known };
        Self { line, result, vehicle_id: None, driver_id: None, fault: None }
    }

    pub fn refused(line: u64, fault: String) -> Self {
        let result = SheetLineResult::Refused;
        Self { line, result, vehicle_id: None, driver_id: None, fault: Some(fault) }
    }
}

impl ImportedSheet {
    /// Returns the result of these lines, which may come in any order.
    pub fn of(mut lines: Vec<SheetLine>) -> Self {
        lines.sort_by_key(|line| line.line);
        let count = |result| lines.iter().filter(|line| line.result == result).count();
        let (added, known) = (count(SheetLineResult::Added), count(SheetLineResult::Known));
        Self { added, known, refused: count(SheetLineResult::Refused), lines }
    }
}
