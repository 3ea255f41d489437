//! Explains why each mechanic was, or was not, offered a job: the dispatcher's record of its decisions, for operators.
//!
//! `prices/` is about the price of an hour of mechanics' time, `settings/` about changing how jobs are dispatched, `fleet_view/`
//! about where mechanics and jobs are now.
//!
//! `recorder.rs` writes the rows in the background, so they may be some moments late. A reader here has pending decisions written
//! first.

mod actions;
mod context;
mod dto;
pub mod fleet_view;
mod handlers;
mod prices;
pub(crate) mod queries;
mod recorder;
mod settings;
mod view;

pub use actions::{MAX_DECISIONS, sweep};
pub use context::DispatchContext;
pub use prices::{
    Look as MarketLook, SAMPLE_EVERY as SAMPLE_PRICES_EVERY, sample as sample_prices, sweep as sweep_prices,
};
pub use recorder::Decisions;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_job_dispatch)
        .service(handlers::list_job_candidates)
        .configure(prices::routes)
        .configure(settings::routes)
        .configure(fleet_view::routes);
}
