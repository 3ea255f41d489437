//! The end of cases: they are closed, and some time later forget whom they were about.

mod actions;
mod queries;

pub use actions::{close, forget_people};
