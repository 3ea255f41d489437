//! The handlers for jobs, by caller.

pub mod admin;
pub mod customer;
pub mod mechanic;
pub mod read;

use actix_web::HttpResponse;

use crate::{
    jobs::{queries::JobRow, view::present, viewer::Viewer},
    platform::core::Core,
};

/// Responds 200 with the job.
pub(super) fn shown(row: &JobRow, viewer: Viewer, core: &Core) -> HttpResponse {
    HttpResponse::Ok().json(present(row, viewer, core))
}
