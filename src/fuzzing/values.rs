//! Checks texts of bodies as the types of their fields: an accepted value obeys its type, and is accepted again unchanged.

use deserr::{Deserr, deserialize};
use serde_json::{Value, json};

use crate::{
    accounts::uploads::FileUrl,
    http::{
        Day, Email, Id, Items, Latitude, Money, Name, Phone, SearchText, Text, Timestamp, ValidationErrors,
    },
};

fn read<T: Deserr<ValidationErrors>>(value: &Value) -> Option<T> {
    deserialize::<T, _, ValidationErrors>(value.clone()).ok()
}

pub fn check(text: &str) {
    let value = json!(text);
    if let Some(Phone(number)) = read(&value) {
        let digits = number.strip_prefix('+').expect("E.164 begins with +");
        assert!((1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
        assert!(!digits.starts_with('0'));
        assert_eq!(read(&json!(number)), Some(Phone(number)), "a number is one however often it is read");
    }
    if let Some(Name::<100>(name)) = read(&value) {
        assert!(!name.is_empty() && name.chars().count() <= 100 && !name.chars().any(char::is_control));
        assert_eq!(read(&json!(name)), Some(Name::<100>(name)));
    }
    if let Some(Email(address)) = read(&value) {
        assert!(address.contains('@') && !address.contains(char::is_whitespace));
        assert!(read::<Email>(&json!(address)).is_some());
    }
    if let Some(text) = read::<Text<2, 100>>(&value) {
        assert!(text.0.chars().count() <= 100);
        let found = SearchText::of(Some(text));
        let patterns = [found.phone, found.plate, found.plate_end];
        assert!(
            patterns.into_iter().flatten().all(|pattern| !pattern.contains(['_', '\\'])),
            "a pattern of ours"
        );
    }
    if let Some(url) = read::<FileUrl>(&value) {
        assert!(url.is(text), "a URL is kept as it came");
    }
    if let Some(Timestamp(at)) = read(&value) {
        let written = at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
        assert_eq!(read(&json!(written)), Some(Timestamp(at)));
    }
    if let Some(Day(day)) = read(&value) {
        assert_eq!(read(&json!(day.to_string())), Some(Day(day)));
    }
    let Ok(number) = serde_json::from_str::<Value>(text) else { return };
    if let Some(latitude) = read::<Latitude>(&number) {
        assert!((-90.0..=90.0).contains(&latitude.0));
    }
    read::<Money>(&number);
    if let Some(ids) = read::<Items<Id, 1, 10>>(&number) {
        assert!((1..=10).contains(&ids.0.len()));
    }
}
