//! The handlers for jobs, by caller.

pub mod admin;
pub mod customer;
pub mod mechanic;
pub mod read;

use actix_web::HttpResponse;

use crate::jobs::{context::JobsContext, queries::JobRow, view::present, viewer::Viewer};

/// Responds 200 with the job.
pub(super) fn shown(row: &JobRow, viewer: Viewer, context: &JobsContext) -> HttpResponse {
    HttpResponse::Ok().json(present(row, viewer, context))
}
