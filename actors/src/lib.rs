//! The dispatch engine of roadcall.
pub mod clock;
pub mod geo;
pub mod ids;
pub mod random;
pub mod vehicle;
