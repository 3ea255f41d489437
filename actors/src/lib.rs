//! The dispatch engine of roadcall: jobs, mechanics and the dispatcher as actors. No HTTP, no SQL, no JSON.
//!
//! ```text
//!                         ┌───────────────── EngineHandle (by id, plain data) ─────────────────┐
//!                         ▼                                                                    ▼
//!   Order,          ┌───────────┐ DemandUpdate ┌─────────────────┐  SupplyFeed  ┌───────────────┐  Locate,
//!  ───────────────▶ │ JobActor  │ ───────────▶ │ DispatcherActor │ ◀─────────── │ MechanicActor │ ◀─ SetAvailability
//!   CreateJob       │           │ ◀─────────── │                 │ ───────────▶ │               │
//!                   └─────┬─────┘    Offer     └─────────────────┘   Reserve    └──────┬────────┘
//!                         │       MechanicMessage (offered, ended, assigned, …)       ▲│
//!                         ├───────────────────────────────────────────────────────────┘│
//!                         ▼                                                            ▼
//!                  ports::Journal (commit first)                      ports::Outbound (then report)
//! ```
//!
//! From the bottom up; each layer uses only those before it, which `tests/walls.rs` checks:
//!
//! 1. plain data and rules that everything shares: [`ids`], [`geo`], [`vehicle`], [`status`], [`concern`], [`settings`],
//!    [`position`], [`offer`], `refusal`, [`eta`], [`learning`]; its serialisation: `wire`; the sources of time and
//!    chance: [`clock`], [`random`]; the messages between actors: `messages`; the spans that follow a command from one
//!    to the next: [`traces`]
//! 2. [`job`] and [`mechanic`], which do not know each other
//! 3. [`dispatcher`], which brings them together; `assigning`, which lets an admin do so
//! 4. [`ports`], what the engine needs from the service; `context`, which makes and connects the actors; `supervisor`,
//!    which restarts those that died
//! 5. [`engine`], `taking_up` and [`observe`], what runs in one process; [`protocol`] and [`EngineHandle`], what the service
//!    uses; [`remote`], [`server`] and [`broadcast`], for an engine in another process
//!
//! Decisions are made by pure modules; `actor` modules own state, one actor per job and mechanic, and execute what was
//! decided. Nothing follows from a decision before the journal confirmed its commit.

mod assigning;
pub mod audience;
pub mod broadcast;
pub mod commit;
pub mod concern;
mod context;
pub mod dispatcher;
pub mod engine;
pub mod eta;
pub mod experience;
mod handle;
pub mod ids;
pub mod job;
pub mod learning;
pub mod mechanic;
mod messages;
pub mod named;
pub mod observe;
pub mod offer;
pub mod outbound;
mod placement;
pub mod ports;
pub mod position;
pub mod protocol;
mod refusal;
mod registry;
pub mod remote;
pub mod server;
pub mod settings;
mod shutdown;
#[cfg(any(test, feature = "simulation"))]
pub mod simulation;
pub mod status;
mod supervisor;
mod taking_up;
pub mod traces;
mod tuning;
pub mod vehicle;
mod wire;

pub use engine::{Engine, Placement, Snapshot};
pub use handle::{EngineHandle, Transport};
pub use roadcall_base::{clock, geo, random};
