//! The dispatcher: brings waiting jobs and free mechanics together.
//!
//! ```text
//! job actors ──Demand──▶ ┌────────────┐ ◀──Supply── mechanic actors
//!                        │ dispatcher │ ──Reserve──▶ mechanic actors
//! job actors ◀──Offer─── └────────────┘
//! ```
//!
//! `index` finds who is near, `matching` decides who is offered what (both pure); `actor` keeps the picture and
//! reserves. It owns no truth: when it starts anew, everyone says again where they stand.

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
