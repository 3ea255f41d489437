//! Organisations, their members and their keys. `authorization.rs` has every route: outside `/partner` a key is refused.

mod feeds;
mod keys;
mod limits;
mod members;
mod offers;
mod organisations;
