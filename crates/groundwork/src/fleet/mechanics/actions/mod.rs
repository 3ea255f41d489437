//! Use cases of mechanics and admins with a profile.

mod registering;
mod standing;

pub use registering::{add, add_document, check_categories, delete_document, document_of, register};
pub use standing::{move_profile, verify};
