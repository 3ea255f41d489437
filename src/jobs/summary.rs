//! The summary of a job for mechanics who may take it: the vehicle, and what is wrong with it. Pure.

use std::{fmt, iter};

use roadcall_actors::job::state::JobSummary;

use crate::jobs::queries::JobRow;

/// The maximum number of characters of a description that an offer shows.
const SHOWN_CHARS: usize = 200;
/// Digits in a row that may be a part of a phone number, a plate or a postal code.
const DIGITS_IN_ROW: usize = 4;
/// Digits that may be a phone number, however they are separated.
const PHONE_DIGITS: usize = 7;
/// The number of words for digits that may be a phone number. The words are English or Hindi, which is often written in Latin
/// letters.
const PHONE_WORDS: usize = 4;
#[rustfmt::skip]
const DIGIT_WORDS: [&str; 34] = [
    "zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "double", "triple",
    "shunya", "ek", "do", "teen", "char", "chaar", "paanch", "panch", "chhe", "saat", "aath", "nau",
    "शून्य", "एक", "दो", "तीन", "चार", "पांच", "सात", "आठ", "नौ",
];
/// Replaces the masked parts.
const MASK: &str = "•••";

/// A customer's description in their own words. People who are not on the job see only [`offered_description`].
#[derive(Clone, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct PrivateDescription(String);

impl PrivateDescription {
    pub fn offered(&self) -> String {
        offered_description(&self.0)
    }
}

/// Prints what may be shown, because logs may print rows that contain a description.
impl fmt::Debug for PrivateDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.offered().fmt(f)
    }
}

/// Shortens a description for people who are not on the job, and masks everything that looks like a way to reach or to find its
/// customer: phone numbers, plates and postal codes, however they are written, and addresses of email, UPI and the web. The
/// mechanic who accepts the job reads all of it.
pub fn offered_description(description: &str) -> String {
    shortened(&masked(&without_words(description)))
}

pub(super) fn of_row(row: &JobRow) -> JobSummary {
    JobSummary {
        category_name: row.service_category_name.clone(),
        category_slug: row.service_category_slug.clone(),
        vehicle_make: row.vehicle_make.clone(),
        vehicle_model: row.vehicle_model.clone(),
        description: row.description.as_deref().map(offered_description),
        photo_count: count(row.photo_urls.len()),
        order: row.partner_order.as_ref().map(|order| order.0.clone()),
    }
}

/// Converts the number of photos.
pub(super) fn count(photos: usize) -> u32 {
    u32::try_from(photos).unwrap_or(u32::MAX)
}

/// Masks words that are an address of email, UPI or the web, and rows of words for digits.
fn without_words(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // `row` holds digit words that were not written yet, and `digits` their number.
    let (mut row, mut digits) = (String::new(), 0);
    for word in text.split_inclusive(char::is_whitespace) {
        if is_digit_word(word) {
            row.push_str(word);
            digits += 1;
            continue;
        }
        shown.push_str(&masked_row(&row, digits));
        (row, digits) = (String::new(), 0);
        if is_address(word) { shown.push_str(&masked_word(word)) } else { shown.push_str(word) }
    }
    shown.push_str(&masked_row(&row, digits));
    shown
}

fn is_digit_word(word: &str) -> bool {
    let word = word.trim_matches(|char: char| !char.is_alphabetic() && !is_mark(char)).to_lowercase();
    DIGIT_WORDS.contains(&word.as_str())
}

/// Returns whether the character is a vowel sign of Devanagari, which is no letter by itself.
fn is_mark(char: char) -> bool {
    ('\u{0900}'..='\u{097f}').contains(&char)
}

fn is_address(word: &str) -> bool {
    let lower = word.to_lowercase();
    let domain = |end: &str| lower.trim_end_matches(|char: char| !char.is_alphanumeric()).ends_with(end);
    lower.contains('@')
        || lower.contains("://")
        || lower.contains("www.")
        || lower.contains("wa.me")
        || [".com", ".in", ".me", ".net", ".org"].into_iter().any(domain)
}

fn masked_row(row: &str, digits: usize) -> String {
    if digits < PHONE_WORDS { row.to_owned() } else { masked_word(row) }
}

/// Returns the mask with the space that follows the word.
fn masked_word(word: &str) -> String {
    format!("{MASK}{}", &word[word.trim_end().len()..])
}

/// Masks digits: each group of digits that could be a phone number, with anything but letters between them, and each row of
/// digits that could be a part of one.
fn masked(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut group = String::new();
    for char in text.chars().map(Some).chain(iter::once(None)) {
        match char {
            Some(char) if char.is_numeric() || !group.is_empty() && !char.is_alphabetic() => group.push(char),
            other => {
                shown.push_str(&masked_group(&group));
                group.clear();
                shown.extend(other);
            }
        }
    }
    shown
}

/// Returns the group with its digits masked as far as necessary; the text after the last digit stays.
fn masked_group(group: &str) -> String {
    if group.chars().filter(|char| char.is_numeric()).count() < PHONE_DIGITS {
        return masked_rows(group);
    }
    let end = group.trim_end_matches(|char: char| !char.is_numeric()).len();
    format!("{MASK}{}", &group[end..])
}

fn masked_rows(group: &str) -> String {
    let mut shown = String::with_capacity(group.len());
    for part in group.split_inclusive(|char: char| !char.is_numeric()) {
        let digits = part.trim_end_matches(|char: char| !char.is_numeric());
        let is_long = digits.chars().count() >= DIGITS_IN_ROW;
        shown.push_str(if is_long { MASK } else { digits });
        shown.push_str(&part[digits.len()..]);
    }
    shown
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_leads_to_a_customer_is_masked() {
        let cases = [
            ("Call +91 98123-45678, please", "Call +•••, please"),
            ("(098) 1234 5678.", "(•••."),
            ("९८१२३४५६७८ है", "••• है"),
            ("9 8 1 2 3 4 5 6 7 8", "•••"),
            ("98:76:54:32:10", "•••"),
            ("98|765|43210", "•••"),
            ("98\u{200b}765\u{200b}43210!", "•••!"),
            ("9\u{fe0f}\u{20e3}8\u{fe0f}\u{20e3}7\u{fe0f}\u{20e3}6543", "•••"),
            ("tyre 1: 2.5 bar, tyre 2: 0 bar", "tyre 1: 2.5 bar, tyre 2: 0 bar"),
            ("2 of 4 tyres, for 3 km", "2 of 4 tyres, for 3 km"),
            ("KA 01 AB 1234 near 560001", "KA 01 AB ••• near •••"),
            ("205/55 R16, 12 V, 100 Ah", "205/55 R16, 12 V, 100 Ah"),
            ("123 4567", "•••"),
            ("my 98123, then 45678", "my •••, then •••"),
            ("nine eight one two three, four five please", "••• please"),
            ("Nine Eight Double One", "•••"),
            ("एक दो तीन चार पर", "••• पर"),
            ("two of four tyres, one is flat", "two of four tyres, one is flat"),
            ("pay asha.rao@okbank now", "pay ••• now"),
            ("see https://wa.me/919812345678!", "see •••"),
            ("chat on asha.com.", "chat on •••"),
            ("", ""),
        ];
        for (given, shown) in cases {
            assert_eq!(offered_description(given), shown, "{given}");
        }
    }

    #[test]
    fn a_long_description_is_cut_between_characters() {
        let shown = offered_description(&"ä ".repeat(300));
        assert_eq!(shown.chars().count(), SHOWN_CHARS);
        assert!(shown.ends_with("ä…"), "{shown}");
        assert_eq!(offered_description(&"x".repeat(SHOWN_CHARS)), "x".repeat(SHOWN_CHARS));
    }
}
