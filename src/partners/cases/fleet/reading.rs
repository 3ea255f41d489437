//! Reads a spreadsheet of vehicles or drivers, line by line. Pure.

use csv::{ReaderBuilder, StringRecord, Trim};
use deserr::Deserr;
use serde_json::{Map, Value};

use crate::{
    catalogue::vehicles::NewVehicle,
    http::ValidationErrors,
    platform::error::{ApiError, ApiResult},
};

/// The most lines of a spreadsheet.
const MAX_LINES: usize = 500;

/// A body of the interface that may be a line of a spreadsheet, too.
pub trait SheetRow: Deserr<ValidationErrors> {
    /// The word for several of them.
    const PLURAL: &'static str;
    /// The columns. The first ones, [`NEEDED`](Self::NEEDED) in number, may not be left out.
    const COLUMNS: &'static [&'static str];
    const NEEDED: usize;

    /// Returns the name that a fleet has once.
    fn key(&self) -> &str;
}

impl SheetRow for NewVehicle {
    const PLURAL: &'static str = "vehicles";
    const COLUMNS: &'static [&'static str] =
        &["vehicle_type", "registration_number", "make", "model", "year", "fuel_type", "color"];
    const NEEDED: usize = 2;

    fn key(&self) -> &str {
        &self.registration_number.0
    }
}

/// A line of the spreadsheet: a row, or what is wrong with it.
#[derive(Debug)]
pub struct ReadLine<T> {
    pub number: u64,
    pub row: Result<T, String>,
}

impl<T: SheetRow> ReadLine<T> {
    fn key(&self) -> &str {
        self.row.as_ref().map_or("", T::key)
    }
}

/// Returns the lines below the first that are not empty, in the order of their keys: imports at the same time wait for each other in
/// the same order. 422 if the text is no such spreadsheet.
pub fn lines<T: SheetRow>(csv: &str) -> ApiResult<Vec<ReadLine<T>>> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(csv.as_bytes());
    let header = reader.headers().map_err(|error| refused(error.to_string()))?.clone();
    check_columns::<T>(&header)?;
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| refused(error.to_string()))?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        if lines.len() == MAX_LINES {
            return Err(refused(format!("has more than {MAX_LINES} {}; split it", T::PLURAL)));
        }
        let number = record.position().map_or(0, csv::Position::line);
        lines.push(ReadLine { number, row: row(&header, &record) });
    }
    lines.sort_by(|one: &ReadLine<T>, other| one.key().cmp(other.key()));
    Ok(lines)
}

fn check_columns<T: SheetRow>(header: &StringRecord) -> ApiResult<()> {
    if let Some(unknown) = header.iter().find(|column| !T::COLUMNS.contains(column)) {
        let unknown: String = unknown.chars().take(40).collect();
        return Err(refused(format!("has a column {unknown:?}; known are {}", T::COLUMNS.join(", "))));
    }
    match T::COLUMNS[..T::NEEDED].iter().find(|column| !header.iter().any(|named| named == **column)) {
        Some(missing) => Err(refused(format!("needs a column {missing} in its first line"))),
        None => Ok(()),
    }
}

fn refused(why: impl Into<String>) -> ApiError {
    ApiError::invalid("csv", why)
}

/// Reads the cells as a body of the interface is read.
fn row<T: SheetRow>(header: &StringRecord, record: &StringRecord) -> Result<T, String> {
    if record.len() != header.len() {
        return Err(format!("has {} cells, and the first line {}", record.len(), header.len()));
    }
    let cells = header.iter().zip(record).filter(|(_, cell)| !cell.is_empty());
    let cells: Map<String, Value> =
        cells.map(|(column, cell)| (column.to_owned(), value(column, cell))).collect();
    deserr::deserialize::<T, _, ValidationErrors>(Value::Object(cells)).map_err(|faults| {
        let faults = faults.0.iter().map(|(field, whys)| format!("{field} {}", whys.join(", ")));
        faults.collect::<Vec<_>>().join("; ")
    })
}

fn value(column: &str, cell: &str) -> Value {
    match (column, cell.parse::<i64>()) {
        ("year", Ok(year)) => Value::from(year),
        _ => Value::from(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_vehicle_or_says_what_is_wrong_with_it() {
        let csv = "registration_number,vehicle_type,year,make\n\
            KA01AB1234,four_wheeler,2021,Tata\n\
            ,,,\n\
            ka-02 cd 5678,two_wheeler,,\n\
            KA03,boat,2021,Tata\n\
            KA04EF1234,four_wheeler,soon,Tata\n\
            KA05GH1234,four_wheeler\n";
        let read = lines::<NewVehicle>(csv).expect("a spreadsheet");
        let mut shown: Vec<_> = read
            .iter()
            .map(|line| match &line.row {
                Ok(vehicle) => (line.number, vehicle.registration_number.0.clone()),
                Err(why) => (line.number, why.split_whitespace().next().unwrap_or_default().to_owned()),
            })
            .collect();
        assert_eq!(shown.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 6, 7, 2, 4]);
        shown.sort();
        let expected = [(2, "KA01AB1234"), (4, "KA02CD5678"), (5, "vehicle_type"), (6, "year"), (7, "has")];
        assert_eq!(shown, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn a_text_that_is_no_such_spreadsheet_is_refused() {
        let long = "vehicle_type,registration_number\n".to_owned() + &"four_wheeler,KA01AB1234\n".repeat(501);
        for (csv, why) in [
            ("vehicle_type,make\nfour_wheeler,Tata\n", "needs a column registration_number"),
            ("vehicle_type,registration_number,owner\n", "has a column \"owner\""),
            (long.as_str(), "has more than 500 vehicles"),
        ] {
            let refusal = lines::<NewVehicle>(csv).expect_err(why);
            assert!(refusal.errors["csv"][0].starts_with(why), "{:?}", refusal.errors);
        }
    }
}
