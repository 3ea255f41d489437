//! Whether a mechanic wants jobs, over HTTP here and over the socket through [`set_availability`], so that both mean
//! the same; and who could help at a place. Where mechanics are is the job of `tracking`.

mod actions;
mod dto;
pub(super) mod handlers;

pub use actions::set_availability;
