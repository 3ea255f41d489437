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
pub mod commit;
pub mod concern;
mod context;
pub mod dispatcher;
pub mod engine;
pub mod eta;
pub mod geo;
pub mod ids;
pub mod job;
pub mod learning;
pub mod mechanic;
mod messages;
pub mod named;
pub mod observe;
pub mod offer;
pub mod outbound;
pub mod ports;
pub mod position;
pub mod random;
mod refusal;
mod registry;
pub mod settings;
mod shutdown;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod status;
mod supervisor;
mod tuning;
pub mod vehicle;

pub use engine::{EngineHandle, Placement, Snapshot};
