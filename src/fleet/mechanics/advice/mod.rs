//! Where a mechanic without a job had better wait. The engine works it out; see `docs/DISPATCH.md`.

mod dto;
pub(super) mod handlers;

pub use dto::WaitingAdvice;
