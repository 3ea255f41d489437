//! A mechanic: where it is, whether it wants work, and what it is engaged in.
//!
//! ```text
//!            reserve            offer committed           accepted
//! free ─────────────▶ held ───────────────────▶ offered ────────────▶ busy
//!   ▲                  │ let go, 10 s             │ declined, expired,    │ completed, released,
//!   └──────────────────┴──────────────────────────┴ revoked ──────────────┴ cancelled
//! ```
//!
//! Reservation lives in memory alone: the journal's index of one pending offer per mechanic is its second guard.

pub(crate) mod actor;
pub(crate) mod messages;
pub mod state;
#[cfg(test)]
mod tests;
