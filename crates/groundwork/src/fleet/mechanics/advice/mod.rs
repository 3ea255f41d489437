//! Advice where a mechanic without a job should wait. The engine computes it; see `docs/DISPATCH.md`.

mod dto;
pub(super) mod handlers;

pub use dto::WaitingAdvice;
