//! The bottom of all other crates: the sources of time and of chance, places on the globe, and the spans of traces.
//!
//! | module | content |
//! | --- | --- |
//! | [`clock`] | the only place where the time is read |
//! | [`random`] | the only place where chance is read: ids, codes and secrets come from here |
//! | [`geo`] | points, distances, how long a straight line takes, and the squares of a map |
//! | [`traces`] | the spans that follow work from one task to the next |
//!
//! It knows neither jobs nor the service. The engine re-exports all of it.

pub mod clock;
pub mod geo;
pub mod random;
pub mod traces;
