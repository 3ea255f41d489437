//! The job's state machine, in one place to import it from: [`Job::decide`] turns a command into an event or a refusal,
//! [`Job::apply`] turns an event into the next job. Pure.

pub use super::{decide::Rules, items::*, model::*, moves::*};
pub use crate::refusal::Refusal;
