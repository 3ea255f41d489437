//! Stops of new jobs: an admin sets one, with a message to customers, and it ends by itself or by an admin.
//!
//! Every change is a version, and the newest one is in force. Each server keeps it in memory, so a request needs no statement; a
//! change is announced to the other servers, which also read it again each minute.

mod actions;
mod audited;
mod context;
mod current;
mod dto;
mod handlers;
mod queries;

use roadcall_http::Routes;

pub use context::JobStopsContext;
pub use current::CurrentJobStop;

pub fn routes(config: &mut Routes) {
    config.service(handlers::get_job_stop).service(handlers::set_job_stop).service(handlers::end_job_stop);
}
