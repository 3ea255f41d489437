//! Telephone numbers as people write them, read as E.164.

use std::cell::Cell;

use deserr::Deserr;
use utoipa::ToSchema;

use super::read::Invalid;
use crate::platform::settings::PhoneRegion;

/// Characters of a number as it is written, separators included.
const MAX_CHARACTERS: usize = 40;

/// A telephone number, kept and returned in E.164: `+`, then 8 to 15 digits of which the first is not 0.
///
/// It may be written with spaces, hyphens, dots and brackets, and without its country where it is one of `phone.region`.
#[derive(Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Phone::new -> Invalid)]
#[schema(
    min_length = 7,
    max_length = 40,
    pattern = r"^[+0-9().\s\u200e\u200f\u2010-\u2013\u202a-\u202e\u2066-\u2069-]+$",
    example = "+919876543210"
)]
pub struct Phone(pub String);

thread_local! {
    /// The country of numbers that name none, while a body is being read.
    static REGION: Cell<Option<PhoneRegion>> = const { Cell::new(None) };
}

/// Reads a body whose numbers are of `region` where they name no country. Types that are read by `deserr` can't be handed
/// anything but the value itself.
pub fn with_region<T>(region: PhoneRegion, read: impl FnOnce() -> T) -> T {
    let outer = REGION.replace(Some(region));
    let read = read();
    REGION.set(outer);
    read
}

impl Phone {
    /// Within [`with_region`], numbers of that region need no country.
    pub fn new(text: String) -> Result<Self, Invalid> {
        let region = REGION.get();
        let e164 = (text.chars().count() <= MAX_CHARACTERS).then(|| e164(&text, region)).flatten();
        e164.map(Self).ok_or_else(|| "must be a phone number with its country, e.g. +91 98765 43210".into())
    }
}

impl std::fmt::Debug for Phone {
    // A phone number must not reach a log through a debug print.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Phone(..)")
    }
}

/// The calling code of a number in E.164, without the `+`. The list is ITU-T's: of the codes of one or two digits none begins
/// another, and all others have three.
pub fn calling_code(e164: &str) -> &str {
    const TWO: &[&str] = &[
        "20", "27", "28", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47",
        "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66",
        "81", "82", "83", "84", "86", "89", "90", "91", "92", "93", "94", "95", "98",
    ];
    let digits = e164.trim_start_matches('+');
    let length = match digits.as_bytes() {
        [b'1' | b'7', ..] => 1,
        _ if TWO.iter().any(|code| digits.starts_with(code)) => 2,
        _ => 3,
    };
    digits.get(..length).unwrap_or(digits)
}

/// The number in E.164; `None` where it is none.
fn e164(text: &str, region: Option<PhoneRegion>) -> Option<String> {
    // "+44 (0)20 …": the bracket is for callers within the country.
    let text = text.replace("(0)", "");
    let written: String = text.chars().filter(|c| !is_separator(*c)).collect();
    let digits = match (written.strip_prefix('+'), region) {
        (Some(digits), Some(region)) => without_trunk_prefix(digits, region),
        (Some(digits), None) => digits.to_owned(),
        (None, Some(region)) => of_region(&written, region)?,
        (None, None) => return None,
    };
    let holds = (8..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    holds.then(|| format!("+{digits}"))
}

/// Characters between digits, including those of numbers copied from a page or from another app's contacts.
pub(super) fn is_separator(c: char) -> bool {
    let is_dash = matches!(c, '-' | '\u{2010}'..='\u{2013}');
    let is_direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_whitespace() || is_dash || is_direction || matches!(c, '.' | '(' | ')')
}

/// The digits after the `+` of a number that is written without one.
fn of_region(written: &str, region: PhoneRegion) -> Option<String> {
    let (code, trunk) = (region.calling_code(), region.trunk_prefix());
    if let Some(international) = written.strip_prefix("00").filter(|_| trunk == "0") {
        return Some(without_trunk_prefix(international, region));
    }
    let with_trunk = written.strip_prefix(trunk).filter(|_| !trunk.is_empty());
    let with_code = written.strip_prefix(code);
    let readings = [with_trunk, Some(written), with_code];
    let national = readings.into_iter().flatten().find(|digits| is_national(digits, region));
    national.map(|digits| format!("{code}{digits}"))
}

/// International digits, without the trunk prefix that some write after the calling code of the region.
fn without_trunk_prefix(digits: &str, region: PhoneRegion) -> String {
    let (code, trunk) = (region.calling_code(), region.trunk_prefix());
    let national = digits.strip_prefix(code).and_then(|rest| rest.strip_prefix(trunk));
    match national.filter(|national| !trunk.is_empty() && is_national(national, region)) {
        Some(national) => format!("{code}{national}"),
        None => digits.to_owned(),
    }
}

fn is_national(digits: &str, region: PhoneRegion) -> bool {
    let trunk = region.trunk_prefix();
    let has_trunk = !trunk.is_empty() && digits.starts_with(trunk);
    region.national_digits().contains(&digits.len()) && !has_trunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        use PhoneRegion::{Gb, In, Sg, Us};
        let asha = "+919876543210";
        let cases = [
            (In, "+919876543210", asha),
            (In, " +91 98765 43210 ", asha),
            (In, "+91-98765-43210", asha),
            (In, "+91 (98765) 43210", asha),
            (In, "+91.98765.43210", asha),
            (In, "+91\u{a0}98765\u{2011}43210", asha),
            (In, "\u{202a}+91 98765 43210\u{202c}", asha),
            (In, "98765 43210", asha),
            (In, "098765-43210", asha),
            (In, "0091 98765 43210", asha),
            (In, "919876543210", asha),
            (In, "+91 (0) 98765 43210", asha),
            (In, "+91 098765 43210", asha),
            (In, "9198765432", "+919198765432"),
            (In, "(022) 2345 6789", "+912223456789"),
            (In, "+1 415-555-0100", "+14155550100"),
            (Gb, "020 7946 0958", "+442079460958"),
            (Gb, "+44 (0)20 7946 0958", "+442079460958"),
            (Us, "(415) 555-0100", "+14155550100"),
            (Us, "1-415-555-0100", "+14155550100"),
            (Sg, "6123 4567", "+6561234567"),
        ];
        for (region, written, read) in cases {
            assert_eq!(e164(written, Some(region)).as_deref(), Some(read), "{written} in {region:?}");
        }
    }

    #[test]
    fn what_is_no_number_or_names_no_country_is_refused() {
        let odd = [
            "",
            "+",
            "+0123456789",
            "+12345",
            "+12345678901234567",
            "+１２３４５６７８９",
            "12345",
            "98765 4321x",
            "++919876543210",
            "91+9876543210",
            "+91;9876543210",
        ];
        for written in odd {
            assert_eq!(e164(written, Some(PhoneRegion::In)), None, "{written}");
        }
        assert_eq!(e164("9876543210", None), None);
        assert!(Phone::new("9876543210".to_owned()).is_err());
        let read = with_region(PhoneRegion::In, || Phone::new("9876543210".to_owned()));
        assert_eq!(read.expect("a number").0, "+919876543210");
        assert!(Phone::new("9876543210".to_owned()).is_err(), "the region is the body's alone");
        assert!(Phone::new(format!("+91{}9876543210", " ".repeat(40))).is_err());
    }

    #[test]
    fn calling_codes_are_split_off() {
        let cases = [
            ("+14155550100", "1"),
            ("+79161234567", "7"),
            ("+919876543210", "91"),
            ("+442079460958", "44"),
            ("+8801712345678", "880"),
            ("+971501234567", "971"),
            ("+88213000000", "882"),
            ("+21612345678", "216"),
        ];
        for (number, code) in cases {
            assert_eq!(calling_code(number), code, "{number}");
        }
    }
}
