//! The dispatcher: brings waiting jobs and free mechanics together.
//!
//! ```text
//! job actors ──Demand──▶ ┌────────────┐ ◀──Supply── mechanic actors
//!                        │ dispatcher │ ──Reserve──▶ mechanic actors
//! job actors ◀──Offer─── └────────────┘
//! ```
//!
//! It owns no truth: when it starts anew, everyone says again where they stand.
//!
//! Pure, in the order of a pass: `state` is the picture, with `index` to find who is near; `matching` filters and prices;
//! `components` finds who competes; `solving` poses that to `assignment`; `answers` makes offers of it, `planning` all of
//! these in one; `explaining` says why. Shells: `actor` hears and makes passes, `deciding` waits for tables and large
//! solves, `proposing` reserves and proposes.

pub(crate) mod actor;
mod answers;
pub mod assignment;
mod components;
mod deciding;
pub mod explain;
mod explaining;
pub mod index;
mod matching;
pub(crate) mod messages;
mod planning;
mod proposing;
mod solving;
mod state;
#[cfg(test)]
mod tests;
pub(crate) mod view;
