//! What mechanics who may take a job see of it: the vehicle, and what is wrong with it. Pure.

use std::{fmt, iter};

use roadcall_actors::job::state::JobSummary;

use super::JobRow;

/// Maximum characters of a description that an offer shows.
const SHOWN_CHARS: usize = 200;
/// A group of at least this many digits may be a phone number.
const PHONE_DIGITS: usize = 7;
/// What replaces such a group.
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

/// A description for people who are not on the job: short, and without anything that looks like a phone number.
pub fn offered_description(description: &str) -> String {
    shortened(&masked(description))
}

pub(super) fn of_row(row: &JobRow) -> JobSummary {
    JobSummary {
        category_name: row.service_category_name.clone(),
        category_slug: row.service_category_slug.clone(),
        vehicle_make: row.vehicle_make.clone(),
        vehicle_model: row.vehicle_model.clone(),
        description: row.description.as_deref().map(offered_description),
        photo_count: count(row.photo_urls.len()),
    }
}

/// How many photos there are.
pub(super) fn count(photos: usize) -> u32 {
    u32::try_from(photos).unwrap_or(u32::MAX)
}

/// Masks each group of digits that could be a phone number. Anything but letters may separate the digits.
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

/// The group itself, or the mask and what follows the last digit.
fn masked_group(group: &str) -> String {
    if group.chars().filter(|char| char.is_numeric()).count() < PHONE_DIGITS {
        return group.to_owned();
    }
    let end = group.trim_end_matches(|char: char| !char.is_numeric()).len();
    format!("{MASK}{}", &group[end..])
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
    fn what_looks_like_a_phone_number_is_masked() {
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
            ("KA 01 AB 1234 near 560001", "KA 01 AB 1234 near 560001"),
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
