//! Deliveries: events on their way to subscriptions, at least once.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs` | when a delivery is tried again, and which ones are sent next (pure) |
//! | `sending.rs` | the worker that sends them |
//! | `actions.rs` | events that are sent again |
//! | `handlers.rs` | the delivery log |

mod actions;
mod dto;
pub(super) mod handlers;
mod queries;
mod sending;
mod state;

pub(super) use queries::{ReplayOf, sweep};
pub use sending::delivering;
pub(super) use state::places_of_organisation;
