//! Checks the body of a request, before its type: it is bounded, and the same value as any other reader's.

use serde_json::Value;

use crate::http::{MAX_ITEMS, MAX_VALUES, read_json};

/// Counts all values of a value, including itself, and returns the length of its longest array.
fn measured(value: &Value) -> (usize, usize) {
    let (within, longest): (Vec<(usize, usize)>, usize) = match value {
        Value::Array(items) => (items.iter().map(measured).collect(), items.len()),
        Value::Object(fields) => (fields.values().map(measured).collect(), 0),
        _ => (Vec::new(), 0),
    };
    let values = within.iter().map(|(values, _)| values).sum::<usize>() + 1;
    (values, within.iter().map(|(_, longest)| *longest).fold(longest, usize::max))
}

/// Returns whether a value contains fractions, which are read to the last digit but one.
fn has_fractions(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_fractions),
        Value::Object(fields) => fields.values().any(has_fractions),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

pub fn check(text: &[u8]) {
    let Ok(value) = read_json(text) else { return };
    let (values, longest) = measured(&value);
    assert!(values <= MAX_VALUES && longest <= MAX_ITEMS);
    let other = serde_json::from_slice::<Value>(text);
    assert!(other.is_ok(), "what is read here is JSON");
    let again = serde_json::to_vec(&value).expect("a value can be written");
    let read = read_json(&again).expect("what was written can be read");
    assert!(has_fractions(&value) || read == value, "what was written is read as it was");
}
