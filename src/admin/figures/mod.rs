//! Figures across all areas: what is going on now, what was done, and how fast help came.

mod dto;
mod handlers;
mod period;
mod queries;
mod report;

pub(super) use period::FiguresPeriod;
pub use report::{post_reports, report_letter};

use utoipa_actix_web::service_config::ServiceConfig;

pub(super) fn routes(config: &mut ServiceConfig) {
    config.service(handlers::get_live).service(handlers::get_stats).service(handlers::get_sla);
}
