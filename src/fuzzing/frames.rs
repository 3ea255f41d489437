//! A text frame of a socket: read or refused in few words, and read the same by both readers of positions.

use crate::ws::{ClientFrame, are_read_alike};

/// More than an answer names, with the field of an item under its own name as well.
const MOST_FAULTS: usize = 100;

pub fn check(text: &str) {
    if let Err(malformed) = ClientFrame::parse(text) {
        assert!(!malformed.error.errors.is_empty(), "a refusal names what is wrong");
        assert!(malformed.error.errors.len() <= MOST_FAULTS, "a refusal has few words");
    }
    assert!(are_read_alike(text), "the quick reader says something else");
}
