//! The part of the admins' work that belongs to no area: the audit log, figures across all areas, and whether all is well.
//!
//! `log_filter/` changes for a limited time what the server that answers logs. Admins' actions on an object are in the object's
//! area (docs/adr/0009). `affected/`, `figures/`, `heatmap/`, `recording/` and `status/` read other areas' tables, and change
//! none.

pub mod affected;
mod context;
mod dto;
mod figures;
mod handlers;
mod heatmap;
mod log_filter;
mod queries;
pub mod recording;
mod status;

pub use context::FiguresContext;
pub use figures::{measure_waiting, post_reports, report_letter};
pub use status::{ExpectedStatus, FreeSpace, LastLook, RecentCounts, StatusContext};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_audit_log)
        .configure(figures::routes)
        .configure(heatmap::routes)
        .configure(log_filter::routes)
        .configure(status::routes);
}
