//! Organisations, their members and their keys. `authorization.rs` has every route: outside `/partner` a key is refused.

mod keys;
mod limits;
mod members;
mod organisations;
mod whole;
