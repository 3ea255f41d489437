//! Reads the cells of a line, with the checks of the interface.

use deserr::Deserr;
use serde_json::{Map, Value, json};

use super::reading::CsvLine;
use crate::{
    catalogue::vehicles::NewVehicle,
    fleet::mechanics::{RadiusKm, ServedTypes},
    http::{Items, Name, Phone, Text, ValidationErrors},
};

/// The kind of a file's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportKind {
    Mechanics,
    Vehicles,
}

impl ImportKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ImportKind::Mechanics => "mechanics",
            ImportKind::Vehicles => "vehicles",
        }
    }

    pub(super) fn columns(self) -> &'static [&'static str] {
        match self {
            ImportKind::Mechanics => &MECHANIC,
            ImportKind::Vehicles => &VEHICLE,
        }
    }

    pub(super) fn required(self) -> &'static [&'static str] {
        match self {
            ImportKind::Mechanics => &["phone", "vehicle_types", "service_categories"],
            ImportKind::Vehicles => &["phone", "vehicle_type", "make", "model", "registration_number"],
        }
    }
}

const MECHANIC: [&str; 5] = ["phone", "name", "vehicle_types", "service_categories", "service_radius_km"];
const VEHICLE: [&str; 9] =
    ["phone", "name", "vehicle_type", "make", "model", "registration_number", "year", "fuel_type", "color"];

/// The person of a line.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PersonCells {
    pub phone: Phone,
    /// Used only for a new account.
    #[deserr(default)]
    pub name: Option<Name<100>>,
}

/// The services of a mechanic.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MechanicCells {
    pub vehicle_types: ServedTypes,
    /// The categories' slugs.
    pub service_categories: Items<Text<1, 100>, 1, 50>,
    #[deserr(default)]
    pub service_radius_km: Option<RadiusKm>,
}

/// Reads a line of a file of mechanics.
pub fn mechanic(line: &CsvLine) -> Result<(PersonCells, MechanicCells), ValidationErrors> {
    both(read(line, &PERSON), read(line, &["vehicle_types", "service_categories", "service_radius_km"]))
}

/// Reads a line of a file of vehicles.
pub fn vehicle(line: &CsvLine) -> Result<(PersonCells, NewVehicle), ValidationErrors> {
    let of_vehicle: Vec<&str> = VEHICLE.into_iter().filter(|column| !PERSON.contains(column)).collect();
    both(read(line, &PERSON), read(line, &of_vehicle))
}

const PERSON: [&str; 2] = ["phone", "name"];

/// Reads the cells of these columns like a body of the interface.
fn read<T: Deserr<ValidationErrors>>(line: &CsvLine, columns: &[&str]) -> Result<T, ValidationErrors> {
    let cells = line.cells.iter().filter(|(column, _)| columns.contains(column));
    let cells: Map<String, Value> =
        cells.map(|(column, cell)| ((*column).to_owned(), value(column, cell))).collect();
    deserr::deserialize(Value::Object(cells))
}

/// Makes a value of a cell. Semicolons separate several words, and digits make a number.
fn value(column: &str, cell: &str) -> Value {
    match column {
        "vehicle_types" | "service_categories" => {
            cell.split(';').map(str::trim).filter(|word| !word.is_empty()).collect()
        }
        "year" => cell.parse::<i64>().map_or_else(|_| json!(cell), Value::from),
        "service_radius_km" => cell.parse::<f64>().map_or_else(|_| json!(cell), Value::from),
        _ => json!(cell),
    }
}

/// Returns both values, or the faults of either.
fn both<A, B>(
    one: Result<A, ValidationErrors>,
    other: Result<B, ValidationErrors>,
) -> Result<(A, B), ValidationErrors> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(mut faults), Err(more)) => {
            faults.0.extend(more.0);
            Err(faults)
        }
        (Err(faults), Ok(_)) | (Ok(_), Err(faults)) => Err(faults),
    }
}
