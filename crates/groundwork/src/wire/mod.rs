//! The engine's values over HTTP and in rows: its enums by their names, its refusals as errors.

mod described;
mod named;
mod refusal;

pub use named::{DescribedEnum, Named};
pub use refusal::refused;
