//! Telephone numbers as people write them, read as E.164 by the rules of libphonenumber.

use std::cell::Cell;

use deserr::Deserr;
use rlibphonenumber::{
    NumberLengthType, PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region,
};
use roadcall_platform::settings::PhoneRegion;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use utoipa::ToSchema;

use super::read::Invalid;

/// The number of characters of a number as it is written, including separators.
const MAX_CHARACTERS: usize = 40;
/// The number of digits of a number in E.164, at most (ITU-T E.164, 6.1).
const MAX_DIGITS: usize = 15;

/// A telephone number, stored and returned in E.164: `+`, then at most 15 digits of which the first is not 0.
///
/// It may be written with spaces, hyphens, dots, slashes and brackets, with the digits of any script, and without its
/// country if that is `phone.region`. It has no extension.
#[derive(derive_more::Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
// A phone number must not reach a log through a debug print.
#[debug("Phone(..)")]
#[deserr(try_from(String) = Phone::new -> Invalid)]
#[schema(
    min_length = 4,
    max_length = 40,
    pattern = r"^[+\uff0b\d()./\s\u200b\u200e\u200f\u2010-\u2015\u202a-\u202e\u2060\u2066-\u2069\u2212\uff0d-]+$",
    example = "+919876543210"
)]
pub struct Phone(pub String);

thread_local! {
    /// The country of numbers that name none, while a body is being read.
    static REGION: Cell<Option<PhoneRegion>> = const { Cell::new(None) };
}

/// Reads a body whose numbers belong to `region` if they name no country. Types that are read by `deserr` can't be
/// passed anything but the value itself.
pub fn with_region<T>(region: PhoneRegion, read: impl FnOnce() -> T) -> T {
    let outer = REGION.replace(Some(region));
    let read = read();
    REGION.set(outer);
    read
}

impl Phone {
    /// Reads a number. Within [`with_region`], numbers of that region need no country.
    pub fn new(text: String) -> Result<Self, Invalid> {
        let region = REGION.get().map(PhoneRegion::iso);
        let e164 = (text.chars().count() <= MAX_CHARACTERS).then(|| e164(&text, region)).flatten();
        e164.map(Self).ok_or_else(|| "must be a phone number with its country, e.g. +91 98765 43210".into())
    }
}

/// Returns the number in E.164; `None` if the text is no number.
fn e164(text: &str, region: Option<Region>) -> Option<String> {
    // The library would also accept words before and after a number, letters for digits, and extensions.
    let number = PHONE_NUMBER_UTIL.parse(bare(text)?, region).ok()?;
    let e164 = number.format_as(PhoneNumberFormat::E164).into_owned();
    // A second reading may drop one more zero of a text that can't be a number anyway.
    let is_read_as_itself = || PHONE_NUMBER_UTIL.parse(&e164, None).is_ok_and(|again| again == number);
    let holds = is_possible(&number) && e164.len() <= 1 + MAX_DIGITS && is_read_as_itself();
    holds.then_some(e164)
}

/// Returns whether a number is in a range that the library knows, or at least as long as the country's fixed and
/// mobile numbers: new ranges open before the library knows them.
fn is_possible(number: &PhoneNumber) -> bool {
    let is_as_long_as = |kind| {
        let length = PHONE_NUMBER_UTIL.is_possible_number_for_type_with_reason(number, kind);
        length == Ok(NumberLengthType::IsPossible)
    };
    is_as_long_as(PhoneNumberType::Mobile) || is_as_long_as(PhoneNumberType::FixedLine) || number.is_valid()
}

/// Returns the digits of a number as 0 to 9, perhaps after a `+`. `None` if the text holds anything but these and
/// separators.
pub(super) fn bare(text: &str) -> Option<String> {
    let is_plus = |c| matches!(c, '+' | '\u{ff0b}');
    let mut bare = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !is_separator(*c)) {
        if c.is_ascii_digit() || is_plus(c) && bare.is_empty() {
            bare.push(if is_plus(c) { '+' } else { c });
        } else if c.general_category() == GeneralCategory::DecimalNumber {
            bare.push_str(&PHONE_NUMBER_UTIL.normalize_digits_only(c.encode_utf8(&mut [0; 4])));
        } else {
            return None;
        }
    }
    Some(bare)
}

/// Returns whether a character separates digits, also in numbers copied from a page or from another app's contacts.
fn is_separator(c: char) -> bool {
    let is_dash = matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}');
    let is_direction =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_blank = c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}');
    is_blank || is_dash || is_direction || matches!(c, '.' | '/' | '(' | ')')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn region(iso: &str) -> Region {
        iso.parse::<PhoneRegion>().expect("a region").iso()
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let asha = "+919876543210";
        let cases = [
            ("IN", "+919876543210", asha),
            ("IN", " +91 98765 43210 ", asha),
            ("IN", "+91-98765-43210", asha),
            ("IN", "+91 (98765) 43210", asha),
            ("IN", "+91.98765.43210", asha),
            ("IN", "+91\u{a0}98765\u{2011}43210", asha),
            ("IN", "\u{202a}+91 98765 43210\u{202c}", asha),
            ("IN", "+91\u{200f} 98765\u{200b}43210", asha),
            ("IN", "98765 43210", asha),
            ("IN", "98765\u{2013}43210", asha),
            ("IN", "098765-43210", asha),
            ("IN", "0091 98765 43210", asha),
            ("IN", "919876543210", asha),
            ("IN", "+91 (0) 98765 43210", asha),
            ("IN", "+91 098765 43210", asha),
            ("IN", "९८७६५ ४३२१०", asha),
            ("IN", "೯೮೭೬೫೪೩೨೧೦", asha),
            ("IN", "+٩١ ٩٨٧٦٥ ٤٣٢١٠", asha),
            ("IN", "＋９１９８７６５４３２１０", asha),
            ("IN", "9198765432", "+919198765432"),
            ("IN", "(022) 2345 6789", "+912223456789"),
            ("IN", "1800 11 4000", "+911800114000"),
            ("IN", "+1 415-555-0100", "+14155550100"),
            ("GB", "020 7946 0958", "+442079460958"),
            ("GB", "+44 (0)20 7946 0958", "+442079460958"),
            ("GB", "07700 900123", "+447700900123"),
            ("GB", "0044 7911 123456", "+447911123456"),
            ("US", "(415) 555-0100", "+14155550100"),
            ("US", "1-415-555-0100", "+14155550100"),
            ("US", "415.555.0100", "+14155550100"),
            ("US", "011 91 98765 43210", asha),
            ("AE", "050 123 4567", "+971501234567"),
            ("AE", "00971 50 1234567", "+971501234567"),
            ("AE", "٠٥٠ ١٢٣ ٤٥٦٧", "+971501234567"),
            ("AE", "04 123 4567", "+97141234567"),
            ("DE", "0151 23456789", "+4915123456789"),
            ("DE", "030/123456", "+4930123456"),
            ("DE", "+49 (0)30 123456", "+4930123456"),
            ("BR", "(11) 91234-5678", "+5511912345678"),
            ("BR", "011 91234-5678", "+5511912345678"),
            ("BR", "0 15 11 91234-5678", "+5511912345678"),
            ("MX", "55 1234 5678", "+525512345678"),
            ("MX", "+52 55 1234 5678", "+525512345678"),
            ("AR", "011 15-2345-6789", "+5491123456789"),
            ("AR", "+54 9 11 2345-6789", "+5491123456789"),
            ("AR", "11 2345-6789", "+541123456789"),
            ("IT", "02 1234 5678", "+390212345678"),
            ("IT", "+39 (0)2 1234 5678", "+390212345678"),
            ("RU", "8 (916) 123-45-67", "+79161234567"),
            ("SG", "6123 4567", "+6561234567"),
            ("NU", "4002", "+6834002"),
        ];
        for (iso, written, read) in cases {
            assert_eq!(e164(written, Some(region(iso))).as_deref(), Some(read), "{written} in {iso}");
        }
    }

    #[test]
    fn a_text_that_is_no_number_is_refused() {
        let odd = [
            "",
            " ",
            "+",
            "+0123456789",
            "+12345",
            "+12345678901234567",
            "12345",
            "112",
            "98765 4321",
            "98765 432101",
            "98765 4321x",
            "98765 CALLS",
            "call 98765 43210",
            "98765 43210 ext. 12",
            "+91 98765 43210 x12",
            "98765 43210;ext=12",
            "tel:+919876543210",
            "+91 98765 43210 📞",
            "9️⃣876543210",
            "98765½43210",
            "98765 43210, 98765 43211",
            "98765 43210 / 98765 43211",
            "98765*43210#",
            "++919876543210",
            "91+9876543210",
            "+91;9876543210",
            "+91 00000 00000",
            "+999 12345678",
            "+49 30 1234567890123",
        ];
        for written in odd {
            assert_eq!(e164(written, Some(region("IN"))), None, "{written}");
        }
        for (iso, written) in [("US", "555-0100"), ("GB", "7946 0958"), ("MX", "+52 1 55 1234 5678")] {
            assert_eq!(e164(written, Some(region(iso))), None, "{written} in {iso}");
        }
    }

    #[test]
    fn a_number_without_a_country_is_read_only_if_the_region_is_known() {
        assert_eq!(e164("9876543210", None), None);
        assert!(Phone::new("9876543210".to_owned()).is_err());
        let india: PhoneRegion = "in".parse().expect("India");
        let read = with_region(india, || Phone::new("9876543210".to_owned()));
        assert_eq!(read.expect("a number").0, "+919876543210");
        assert!(Phone::new("9876543210".to_owned()).is_err(), "the region is the body's alone");
        assert!(Phone::new(format!("+91{}9876543210", " ".repeat(40))).is_err());
    }

    #[test]
    fn a_number_of_a_range_that_opened_yesterday_is_accepted() {
        for new in ["+447700900123", "+15550100000", "+915550000001"] {
            let known = PHONE_NUMBER_UTIL.parse(new, None).expect("a number");
            assert!(!known.is_valid(), "{new} is known by now; take another");
            assert_eq!(e164(new, None).as_deref(), Some(new));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_an_accepted_number_reads_as_itself(
            text in r"\+?[0-9٠-٩०-९ ()./\-+\PC]{0,45}",
        ) {
            if let Some(read) = e164(&text, Some(region("IN"))) {
                prop_assert_eq!(e164(&read, None), Some(read.clone()), "{}", text);
                prop_assert_eq!(e164(&read, Some(region("AR"))), Some(read));
            }
        }
    }
}
