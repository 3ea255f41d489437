//! Whether a mechanic wants jobs, over HTTP here and over the socket through [`set_availability`], so that both work alike; and
//! which mechanics could help at a place. `tracking` handles their positions.

mod actions;
mod dto;
pub(super) mod handlers;

pub use actions::set_availability;
