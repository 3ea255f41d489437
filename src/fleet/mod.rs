//! Mechanics, and how long they take.

pub mod eta;
pub mod mechanics;
