//! The statements that are composed from the declaration of a job's row.

use super::{
    creating::queries::INSERT_ALL,
    queries::{ADVANCE, INSERT},
    together::queries::{ADVANCE_ALL, ADVANCE_ALL_WITH_ROWS},
};

/// Returns these statements, each with the function that runs it.
pub fn composed_statements() -> [(&'static str, &'static str); 5] {
    [
        ("insert", INSERT.as_str()),
        ("insert_all", INSERT_ALL.as_str()),
        ("advance", ADVANCE.as_str()),
        ("advance_all", ADVANCE_ALL.as_str()),
        ("advance_all_with_rows", ADVANCE_ALL_WITH_ROWS.as_str()),
    ]
}
