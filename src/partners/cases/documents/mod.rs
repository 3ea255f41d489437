//! The documents of cases: files that partners add, for themselves and for admins. Neither the mechanic nor the person who is helped
//! sees them.

mod actions;
mod dto;
pub mod handlers;
mod queries;

pub use actions::forget;
pub use queries::CaseDocumentRow;
