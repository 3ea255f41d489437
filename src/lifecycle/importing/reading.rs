//! Splits a file into lines. Pure.

use std::{borrow::Cow, collections::BTreeMap};

use super::error::ImportError;

/// A larger file has to be split, since one transaction writes the whole file.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
const MAX_LINES: usize = 10_000;

/// A line that is not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvLine {
    /// The number as an editor shows it; the first line has the columns' names.
    pub number: u64,
    /// The cells by column, without empty ones.
    pub cells: BTreeMap<&'static str, String>,
}

/// Returns the lines below the first, which names the columns, in any order.
pub fn lines(bytes: &[u8], known: &[&'static str], required: &[&str]) -> Result<Vec<CsvLine>, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::TooLarge(MAX_BYTES));
    }
    let text = in_utf8(bytes)?;
    let (bytes, first_line, delimiter) = delimited(&text);
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(bytes);
    let mut numbers = Numbers { bytes, at: 0, line: first_line };
    let not_csv = |error| not_csv(Numbers { bytes, at: 0, line: first_line }, &error);
    let columns = columns(reader.headers().map_err(not_csv)?, known, required)?;
    let mut lines = Vec::new();
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

/// Returns a spreadsheet's text file in UTF-8: it may be in UTF-16 with a mark at the beginning.
fn in_utf8(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ImportError> {
    let refused = |why| Err(ImportError::NotCsv { line: 1, why });
    let in_utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        match String::from_utf16(&units) {
            Ok(text) if bytes.len().is_multiple_of(2) => Ok(Cow::Owned(text.into_bytes())),
            _ => refused("is no whole UTF-16: save the file as CSV UTF-8"),
        }
    };
    match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => Ok(Cow::Borrowed(text)),
        [0xff, 0xfe, text @ ..] => in_utf16(text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] => in_utf16(text, u16::from_be_bytes),
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            refused("is of a spreadsheet's own format: save the sheet as CSV UTF-8")
        }
        text => Ok(Cow::Borrowed(text)),
    }
}

/// Returns the text below a first line `sep=;` if there is one, the number of its first line, and the separator of cells: the one
/// stated there, or the one that is most frequent in the names of the columns.
fn delimited(bytes: &[u8]) -> (&[u8], u64, u8) {
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    let (first, rest) = bytes.split_at(end);
    if let [b's', b'e', b'p', b'=', delimiter @ (b',' | b';' | b'\t'), ..] = first {
        return (rest, 2, *delimiter);
    }
    let count = |delimiter: u8| first.iter().filter(|byte| **byte == delimiter).count();
    // If two are equally frequent, the last one counts.
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',');
    (bytes, 1, delimiter)
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

/// Counts lines as an editor does. The parser counts before it skips line ends.
struct Numbers<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Numbers<'_> {
    /// Returns the line of a position that is not before the last one.
    fn at(&mut self, position: &csv::Position) -> u64 {
        let place = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(self.bytes.len());
        let skipped = self.bytes[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = self.bytes[self.at..place + skipped].iter().filter(|byte| **byte == b'\n').count();
        (self.at, self.line) = (place + skipped, self.line + passed as u64);
        self.line
    }
}

fn not_csv(mut numbers: Numbers<'_>, error: &csv::Error) -> ImportError {
    let line = error.position().map_or(1, |position| numbers.at(position));
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
    fn files_of_spreadsheets_in_other_countries_are_read() {
        let expected =
            Ok(vec![(2, "name=Ravi, of HAL phone=98".to_owned()), (3, "name=Asha phone=99".to_owned())]);
        let semicolons = "phone;name\r\n98;Ravi, of HAL\r\n99;Asha\r\n";
        assert_eq!(read(semicolons), expected);
        assert_eq!(read(&semicolons.replace(';', "\t")), expected);
        let numbered = read(&format!("sep=;\r\n{semicolons}")).expect("lines");
        assert_eq!(numbered.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4]);
        let units: Vec<u16> = semicolons.encode_utf16().collect();
        for (mark, bytes) in
            [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
        {
            let file: Vec<u8> = mark.into_iter().chain(units.iter().flat_map(|unit| bytes(*unit))).collect();
            assert_eq!(lines(&file, &KNOWN, &["phone"]).expect("lines").len(), 2);
            let cut = lines(&file[..file.len() - 1], &KNOWN, &["phone"]).expect_err("half a character");
            assert!(cut.to_string().contains("UTF-16"), "{cut}");
        }
        for spreadsheet in [&b"PK\x03\x04\x14\x00"[..], b"\xd0\xcf\x11\xe0\xa1\xb1"] {
            let refused = lines(spreadsheet, &KNOWN, &["phone"]).expect_err("a spreadsheet").to_string();
            assert!(refused.contains("save the sheet as CSV UTF-8"), "{refused}");
        }
    }

    #[test]
    fn a_file_that_is_no_list_is_refused_as_a_whole() {
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
