//! A mechanic: where it is, whether it wants work, and what it is engaged in.
//!
//! ```text
//!            reserve            offer committed           accepted
//! free ─────────────▶ held ───────────────────▶ offered ────────────▶ busy
//!   ▲                  │ let go, 10 s             │ declined, expired,    │ completed, released,
//!   └──────────────────┴──────────────────────────┴ revoked ──────────────┴ cancelled
//! ```
//!
//! On its way to a pickup it is watched over: `watch` decides, `watching` carries out.
//!
//! Reservation lives in memory alone: the journal's index of one pending offer per mechanic is its second guard.

pub(crate) mod actor;
pub(crate) mod context;
pub(crate) mod messages;
pub(crate) mod ports;
mod skew;
pub mod state;
#[cfg(test)]
mod tests;
pub mod watch;
#[cfg(test)]
mod watch_tests;
mod watching;
