//! Mechanics and vehicles from CSV files, for an operator who comes with lists.
//!
//! | file | what |
//! | --- | --- |
//! | `reading.rs` | a file as lines, each with its number and its cells by column: pure |
//! | `dto.rs` | what the cells of a line say, by the checks of the interface |
//! | `actions.rs` | writes what is new, in one transaction, or says what would be written |
//!
//! People are found by their phone number and vehicles by their registration number, so a second import of the same file changes
//! nothing. Of a file in which any line is bad nothing is written, unless bad lines are to be left out. What would be written is found
//! out by writing it and taking it back, which leaves dead rows: the tables' owner removes them afterwards.

mod actions;
mod dto;
mod error;
mod queries;
mod reading;

pub use actions::{ImportOptions, Imported, import, settle_tables};
pub use dto::ImportKind;
pub use error::{ImportError, LineFault};
pub use reading::MAX_BYTES;
