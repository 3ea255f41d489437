//! The text by which an admin searches: words, a phone number, or a vehicle's plate.

use super::{Text, phone::bare};

/// The number of digits from which a number may be a whole one, with zeros that are dialled before it. Without these
/// zeros the search still finds all that it found with them.
const WHOLE_DIGITS: usize = 9;
/// The fewest characters of a phone number or a plate to search for: fewer would find far too many.
const MIN_CHARACTERS: usize = 4;

/// The maximum number of results of a search that a page counts. Nobody leafs through more, and counting all rows that have a common word
/// would read all of them.
pub const MAX_COUNTED_RESULTS: i64 = 1_000;

/// A search text in the forms in which the indexes hold the possible values (migration `search`). All are `None` if
/// nothing is searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchText {
    /// The words for `search_query`: each begins a word of the result.
    pub words: Option<String>,
    /// The last digits of a phone number, reversed, as a pattern; `None` if the text is no number.
    pub phone: Option<String>,
    /// The beginning of a plate, as a pattern; `None` if the text is no plate.
    pub plate: Option<String>,
    /// The end of a plate, reversed, as a pattern.
    pub plate_end: Option<String>,
}

impl SearchText {
    pub fn of(text: Option<Text<2, 100>>) -> Self {
        let Some(Text(text)) = text else { return Self::default() };
        let (phone, plate) = (phone_digits(&text), plate(&text));
        Self {
            phone: phone.map(|digits| backwards(&digits)),
            plate_end: plate.as_deref().map(backwards),
            plate: plate.map(|plate| format!("{plate}%")),
            words: Some(text),
        }
    }
}

/// Returns the digits of a text that may be a phone number or its end, however it is written.
fn phone_digits(text: &str) -> Option<String> {
    // In "+44 (0)20 …", the bracket is for callers within the country.
    let bare = bare(&text.replace("(0)", ""))?;
    let digits = bare.trim_start_matches('+');
    let is_whole = digits.len() >= WHOLE_DIGITS;
    let digits = if is_whole { digits.trim_start_matches('0') } else { digits };
    (digits.len() >= MIN_CHARACTERS).then(|| digits.to_owned())
}

/// Returns a text that may be a plate in the form in which plates are stored: upper case, without spaces or hyphens.
fn plate(text: &str) -> Option<String> {
    let is_plate = text.chars().all(|c| c.is_ascii_alphanumeric() || " -".contains(c));
    let plate: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    (is_plate && plate.len() >= MIN_CHARACTERS).then(|| plate.to_ascii_uppercase())
}

/// Returns a pattern for texts that end with this one, in an index of reversed texts.
fn backwards(text: &str) -> String {
    text.chars().rev().chain(['%']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> SearchText {
        SearchText::of(Text::new(text.to_owned()).ok())
    }

    #[test]
    fn a_phone_number_is_found_by_its_last_digits_however_it_is_written() {
        for text in [
            "+91 98765-43210",
            "919876543210",
            "(+91) 9876543210",
            "+91\u{a0}98765\u{2011}43210",
            "+९१ ९८७६५ ४३२१०",
        ] {
            assert_eq!(search(text).phone.as_deref(), Some("012345678919%"), "{text}");
        }
        assert_eq!(search("098765 43210").phone.as_deref(), Some("0123456789%"));
        assert_eq!(search("0712345678").phone.as_deref(), Some("876543217%"), "Sri Lanka has nine digits");
        assert_eq!(search("+44 (0)20 7946 0958").phone.as_deref(), Some("859064970244%"));
        for (end, pattern) in [("3210", "0123%"), ("0001", "1000%")] {
            assert_eq!(search(end).phone.as_deref(), Some(pattern), "{end}");
        }
        for text in ["321", "Asha", "4 MG Road", "9876543210%"] {
            assert_eq!(search(text).phone, None, "{text}");
        }
    }

    #[test]
    fn a_plate_is_found_by_its_beginning_and_its_end_however_it_is_written() {
        for text in ["ka-01 ab 1234", "KA01AB1234"] {
            let found = search(text);
            assert_eq!(found.plate.as_deref(), Some("KA01AB1234%"), "{text}");
            assert_eq!(found.plate_end.as_deref(), Some("4321BA10AK%"), "{text}");
        }
        for text in ["ka1", "50%_", "Ravi, Asha"] {
            assert_eq!(search(text).plate, None, "{text}");
        }
    }
}
