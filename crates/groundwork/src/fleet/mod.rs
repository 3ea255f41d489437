//! Mechanics, and estimates of their arrival.

pub mod eta;
pub mod mechanics;
