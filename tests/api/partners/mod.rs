//! Organisations, their members and their keys. `authorization.rs` has every route: outside `/partner` a key is refused.

mod approvals;
mod bills;
mod cases;
mod contracts;
mod documents;
mod drivers;
mod feeds;
mod fleets;
mod forgetting;
mod hearing;
mod keys;
mod limits;
mod members;
mod news;
mod offers;
mod organisations;
mod people;
mod photos;
mod promises;
mod whole;
