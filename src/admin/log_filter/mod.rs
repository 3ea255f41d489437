//! The log's filter of this server, which a super-admin may change for a while.

mod actions;
mod dto;
mod handlers;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_log_filter)
        .service(handlers::set_log_filter)
        .service(handlers::reset_log_filter);
}
