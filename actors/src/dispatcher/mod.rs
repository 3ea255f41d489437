//! The dispatcher: brings waiting jobs and free mechanics together.
//!
//! ```text
//! job actors ──DemandUpdate──▶ ┌────────────┐ ◀──SupplyFeed──── mechanic actors
//!                              │ dispatcher │ ──Reserve───────▶ mechanic actors
//! job actors ◀──Offer───────── └────────────┘
//! ```
//!
//! Its state is a copy: when it restarts, every job and mechanic reports again.
//!
//! Pure, in the order of a pass: `state` knows which jobs wait and which mechanics are online, with `index` to find who
//! is near; `matching` filters and sets costs, with `pricing` for the time of mechanics (by `census`), `worth` for what that and a late
//! arrival cost one job, and `guard` to see whether prices hold back too much; `components` finds which jobs compete;
//! `solving` turns those into a problem for `assignment`; `answers` turns the solution into offers; `planning` runs all of
//! these steps; `explaining` records why; `outlook` says what customers can expect, `advice` where mechanics should
//! wait. `feed` holds what mechanics report until the actor takes it in, `loading` the wait for mechanics who are yet to be loaded.
//! With actix: `actor` receives updates and makes passes, `deciding` waits for ETA tables and large solves, `proposing` reserves
//! mechanics and proposes them.

pub(crate) mod actor;
mod advice;
mod answers;
pub mod assignment;
mod census;
mod components;
pub(crate) mod context;
mod deciding;
pub mod explain;
mod explaining;
pub(crate) mod feed;
pub mod guard;
pub mod index;
pub(crate) mod loading;
mod matching;
pub(crate) mod messages;
pub mod outlook;
mod planning;
pub(crate) mod ports;
pub mod pricing;
mod proposing;
pub(crate) mod queries;
mod solving;
mod state;
#[cfg(test)]
mod tests;
mod worth;
