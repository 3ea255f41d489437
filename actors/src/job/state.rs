//! Gathers the job's state machine for imports: [`Job::decide`] turns a command into an event or a refusal,
//! [`Job::apply`] turns an event into the next job. Pure.

pub use super::{
    account::*, command::*, corrections::*, decide::Rules, destination::*, event::*, event_name::EventName,
    items::*, model::*,
};
pub use crate::refusal::{BrokenRule, Ineligibility, Refusal, TowFault, Wanted};
