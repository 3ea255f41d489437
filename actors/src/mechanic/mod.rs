//! A mechanic: their place, their wish for work, and their engagement.
//!
//! ```text
//!            reserve            offer committed           accepted
//! free ─────────────▶ reserved ───────────────▶ offered ────────────▶ busy
//!   ▲                  │ undone, 10 s             │ declined, expired,    │ completed, released,
//!   └──────────────────┴──────────────────────────┴ revoked ──────────────┴ cancelled
//! ```
//!
//! `parked` decides when they count as being at a place although nothing comes from their phone, and `parking`
//! saves that. `watch` decides whether something is wrong with a mechanic on the way to a pickup, and `watching`
//! acts on it.
//!
//! A reservation exists only in memory. The journal's index of one pending offer per mechanic also guards against a
//! second.

pub(crate) mod actor;
pub(crate) mod context;
mod engaging;
mod history;
pub(crate) mod messages;
mod moving;
pub(crate) mod parked;
mod parking;
pub(crate) mod ports;
mod positions;
mod received;
mod skew;
pub mod state;
#[cfg(test)]
mod tests;
pub mod watch;
mod watching;
