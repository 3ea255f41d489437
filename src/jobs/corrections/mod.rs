//! Lets a customer correct their job before a mechanic is on the way.

mod actions;
mod dto;
mod handlers;
pub mod job_hook;
mod queries;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::correct_job);
}
