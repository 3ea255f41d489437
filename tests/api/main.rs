//! The service's tests, one binary: each module mirrors the area of `src/` that it is named after.

// In a test a panic is the report, in its helpers too.
#![allow(clippy::unwrap_used)]

mod categories;
mod embedded;
mod health;
mod mechanics;
mod support;
mod vehicles;
