//! A job: from the customer's call to the mended vehicle.
//!
//! ```text
//!            begin                 accept                en-route        arrive          start              complete
//! pending ─────────▶ dispatching ─────────▶ accepted ───────────▶ en_route ──────▶ arrived ──────▶ in_progress ──────▶ completed
//!    │                │  ▲   ▲                  │                   │               │  │              │
//!    │      exhausted │  │   └─ release, reassign ┴───────────────────┴───────────────┘  │ no-show      │ cancel (admin)
//!    │                ▼  │ retry                                                       ▼              ▼
//!    └─ cancel ─▶ no_mechanic_found ──────────── cancel, 24 h ───────────────────▶ cancelled ◀────────┘
//!
//!             pay         dispute            resolve
//! completed ───────▶ paid ────────▶ disputed ─────────▶ resolved
//!     └────────── dispute ─────────────▲
//! ```
//!
//! `model` is what a job is, `items` what its work costs, `moves` what can be asked of it and happen to it; [`state`] decides and applies,
//! without time, actors or a database; `actor` owns one job, commits each decision to the journal before it believes
//! it, and then tells those concerned.

pub(crate) mod actor;
mod apply;
mod cache;
pub(crate) mod context;
mod decide;
mod effects;
pub(crate) mod execute;
pub(crate) mod fee;
pub(crate) mod items;
pub(crate) mod messages;
pub(crate) mod model;
mod moves;
pub(crate) mod ports;
pub mod state;
#[cfg(test)]
mod tests;
