//! Simulated customers and mechanics.
//!
//! - [`demo`] has them use a real service through its public HTTP and WebSocket interface, as apps do.
//! - [`simulate`] has them use the dispatch engine itself under virtual time, to compare dispatch policies.
//!
//! Both read their scenarios with `scenario.rs`, draw chance with `rng.rs` and move people with `city.rs`. The service's settings
//! and the service itself come from the caller: this crate does not depend on the service's.

mod city;
pub mod demo;
mod rng;
pub mod scenario;
pub mod simulate;
