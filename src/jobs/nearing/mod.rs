//! Mechanics who are about to arrive: their customers are notified once for each mechanic, where news go out by SMS.
//!
//! The engine reports where mechanics are on their way. It must not wait, so a mechanic who comes near is only remembered
//! (`state.rs`), and a worker writes the notification (`actions.rs`). The memory may be lost: the stored notification prevents a
//! second one.

mod actions;
mod queries;
mod state;

pub use actions::notify_near;
pub use state::NearMechanics;
