//! A mechanic's own figures over a period: read from the original rows, stored nowhere.

mod dto;
pub(super) mod handlers;
mod queries;
