//! A job: from the customer's call to the repaired vehicle.
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
//! Pure: `model` has the parts of a job, `items` the price of its work, `account` who pays for it, `corrections` what its customer may change,
//! `destination` where its vehicle is towed, `command` what can be asked of it and `event` what can happen to it;
//! `decide` turns commands into events, and `apply` changes the job accordingly; `demand` tells the dispatcher what
//! the job wants, and `lessons` extracts what can be learned from it; `cache` decides how far the actor can rely on
//! its copy of the job, and `effects` whom it informs. [`state`] gathers what others import.
//!
//! With actix: `actor` owns one job, `execute` commits each decision to the journal, and only then does anything follow.

mod account;
pub(crate) mod actor;
mod apply;
mod cache;
pub(crate) mod command;
pub(crate) mod context;
pub(crate) mod corrections;
mod decide;
mod demand;
pub(crate) mod destination;
mod effects;
pub(crate) mod event;
mod event_name;
pub(crate) mod execute;
pub(crate) mod fee;
pub(crate) mod items;
mod lessons;
pub(crate) mod messages;
pub(crate) mod model;
pub(crate) mod ports;
pub mod state;
#[cfg(test)]
mod tests;
