//! A file as lines. Pure.

use std::collections::BTreeMap;

use super::error::ImportError;

/// A larger file has to be split: one transaction writes it all.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
const MAX_LINES: usize = 10_000;

/// A line that is not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvLine {
    /// As an editor shows it: the columns' names are on the first.
    pub number: u64,
    /// What is in the line, by column, without the empty cells.
    pub cells: BTreeMap<&'static str, String>,
}

/// The lines below the first, which names the columns, in any order.
pub fn lines(bytes: &[u8], known: &[&'static str], required: &[&str]) -> Result<Vec<CsvLine>, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::TooLarge(MAX_BYTES));
    }
    // Spreadsheets put it there.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let not_csv = |error| not_csv(bytes, &error);
    let columns = columns(reader.headers().map_err(not_csv)?, known, required)?;
    let mut lines = Vec::new();
    let mut numbers = Numbers { bytes, at: 0, line: 1 };
    for record in reader.records() {
        let record = record.map_err(not_csv)?;
        let number = record.position().map_or(0, |position| numbers.at(position));
        let cells = columns.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
        let cells: BTreeMap<_, _> = cells.map(|(column, cell)| (*column, cell.to_owned())).collect();
        if cells.is_empty() {
            continue;
        }
        if lines.len() == MAX_LINES {
            return Err(ImportError::TooLong(MAX_LINES));
        }
        lines.push(CsvLine { number, cells });
    }
    Ok(lines)
}

fn columns(
    header: &csv::StringRecord,
    known: &[&'static str],
    required: &[&str],
) -> Result<Vec<&'static str>, ImportError> {
    let wrong = |why: String| Err(ImportError::Columns(format!("{why}. They are: {}", known.join(", "))));
    let mut columns = Vec::new();
    for (index, name) in header.iter().enumerate() {
        let Some(column) = known.iter().find(|column| **column == name.to_lowercase()) else {
            return wrong(format!("the name of column {} is none of them", index + 1));
        };
        if columns.contains(column) {
            return wrong(format!("{column} is there twice"));
        }
        columns.push(*column);
    }
    match required.iter().find(|column| !columns.contains(column)) {
        Some(missing) => wrong(format!("{missing} is missing")),
        None => Ok(columns),
    }
}

/// Counts lines as an editor does. The parser's own number is of where it stood before it skipped what ends a line.
struct Numbers<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Numbers<'_> {
    /// The line of a place that is not before the last one.
    fn at(&mut self, position: &csv::Position) -> u64 {
        let place = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(self.bytes.len());
        let skipped = self.bytes[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = self.bytes[self.at..place + skipped].iter().filter(|byte| **byte == b'\n').count();
        (self.at, self.line) = (place + skipped, self.line + passed as u64);
        self.line
    }
}

fn not_csv(bytes: &[u8], error: &csv::Error) -> ImportError {
    let line = error.position().map_or(1, |position| Numbers { bytes, at: 0, line: 1 }.at(position));
    let why = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "is no UTF-8: save the file as CSV UTF-8",
        csv::ErrorKind::UnequalLengths { .. } => "has more or fewer cells than the first line",
        _ => "can't be read as CSV",
    };
    ImportError::NotCsv { line, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 3] = ["phone", "name", "color"];

    fn read(text: &str) -> Result<Vec<(u64, String)>, String> {
        let lines = lines(text.as_bytes(), &KNOWN, &["phone"]).map_err(|error| error.to_string())?;
        let shown = |line: CsvLine| {
            let cells: Vec<String> =
                line.cells.iter().map(|(column, cell)| format!("{column}={cell}")).collect();
            (line.number, cells.join(" "))
        };
        Ok(lines.into_iter().map(shown).collect())
    }

    #[test]
    fn lines_have_the_numbers_that_an_editor_shows() {
        let text = "\u{feff}Name,phone\r\n\"Ravi, of\nHAL\", 98 \r\n\r\n,\n\nAsha,99\n";
        let expected =
            vec![(2, "name=Ravi, of\nHAL phone=98".to_owned()), (7, "name=Asha phone=99".to_owned())];
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read("phone\n"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_such_file_is_refused_as_a_whole() {
        for (text, named) in [
            ("", "phone is missing"),
            ("name\n", "phone is missing"),
            ("phone,phone\n", "twice"),
            ("phone,plate\n", "column 2"),
            ("phone,name\n98\n", "line 2: has more or fewer cells"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(named), "{text:?}: {error}");
        }
        let error = lines(b"phone\n\xff\n", &KNOWN, &["phone"]).expect_err("no UTF-8").to_string();
        assert!(error.contains("UTF-8") && error.starts_with("line 2"), "{error}");
        let many = format!("phone\n{}", "1\n".repeat(MAX_LINES + 1));
        assert!(read(&many).expect_err("many").contains("lines"));
        assert_eq!(read(&many[..many.len() - 2]).map(|lines| lines.len()), Ok(MAX_LINES));
        assert!(read(&"p".repeat(MAX_BYTES + 1)).expect_err("large").contains("bytes"));
    }
}
