//! Figures across all areas: the present state, the figures of a period, and how fast help came.

mod actions;
mod dto;
mod handlers;
mod measuring;
mod period;
mod queries;

pub use actions::{post_reports, report_letter};
pub use measuring::measure_waiting;
pub(super) use period::FiguresPeriod;
pub(super) use queries::waiting;

use crate::http::Routes;

pub(super) fn routes(config: &mut Routes) {
    config.service(handlers::get_live).service(handlers::get_stats).service(handlers::get_sla);
}
