//! A mechanic's own figures over a period: read where they happened, kept nowhere.

mod dto;
pub(super) mod handlers;
mod queries;
