//! Checks a text frame of a socket: it is read or refused in few words, and both readers of positions read it alike.

use crate::ws::{ClientFrame, are_read_alike};

/// The maximum number of faults in an answer, where an item's field also counts under its own name.
const MAX_FAULTS: usize = 100;

pub fn check(text: &str) {
    if let Err(malformed) = ClientFrame::parse(text) {
        assert!(!malformed.error.errors.is_empty(), "a refusal names what is wrong");
        assert!(malformed.error.errors.len() <= MAX_FAULTS, "a refusal has few words");
    }
    assert!(are_read_alike(text), "the quick reader says something else");
}
