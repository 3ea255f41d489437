//! Imports mechanics and vehicles from CSV files, for operators who bring lists.
//!
//! | file | purpose |
//! | --- | --- |
//! | `reading.rs` | splits a file into lines, each with its number and its cells by column: pure |
//! | `dto.rs` | reads the cells of a line, with the checks of the interface |
//! | `actions.rs` | writes new entries, in one transaction, or says what would be written |
//!
//! People are found by their phone number and vehicles by their registration number, so a second import of the same file changes
//! nothing. If any line of a file is bad, nothing of it is written, unless bad lines are to be left out. A dry run writes
//! everything and rolls it back, which leaves dead rows: the tables' owner removes them afterwards.

mod actions;
mod dto;
mod error;
mod queries;
mod reading;

pub use actions::{ImportOptions, Imported, import, settle_tables};
pub use dto::ImportKind;
pub use error::{ImportError, LineFault};
pub use reading::MAX_BYTES;
