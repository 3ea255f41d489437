//! The dispatch engine of roadcall: jobs, mechanics and the dispatcher as actors. No HTTP, no SQL, no JSON.
//!
//! ```text
//!                         ┌───────────────── EngineHandle (by id, plain data) ─────────────────┐
//!                         ▼                                                                    ▼
//!   Order, Open     ┌───────────┐  Demand   ┌─────────────────┐   Supply   ┌────────────────┐  Locate,
//!  ───────────────▶ │ JobActor  │ ────────▶ │ DispatcherActor │ ◀───────── │ MechanicActor  │ ◀─ SetAvailability
//!                   │           │ ◀──────── │                 │ ─────────▶ │                │
//!                   └─────┬─────┘   Offer   └─────────────────┘  Reserve   └───────┬────────┘
//!                         │       Word (offered, ended, assigned, unassigned)     ▲│
//!                         ├───────────────────────────────────────────────────────┘│
//!                         ▼                                                        ▼
//!                  ports::Journal (commit first)                     ports::Outbound (then tell)
//! ```
//!
//! Reading order: [`ids`], [`geo`], [`vehicle`], [`concern`], [`settings`], [`clock`], [`random`], [`ports`], [`eta`],
//! [`learning`], [`job`], [`mechanic`], `dispatcher`, [`engine`], [`observe`].
//!
//! Pure modules decide (`state`, `fee`, `watch`, and most of `dispatcher`); `actor` modules own and serialise. An actor changes
//! its memory only after the journal confirmed the commit.

pub mod clock;
pub mod concern;
pub mod dispatcher;
pub mod engine;
pub mod eta;
pub mod geo;
pub mod ids;
pub mod job;
mod keeper;
pub mod learning;
pub mod mechanic;
pub mod observe;
pub mod ports;
pub mod random;
mod refusal;
pub mod settings;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod vehicle;
mod wires;
mod world;

pub use engine::{EngineHandle, Placement, Snapshot};
