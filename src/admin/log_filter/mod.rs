//! The filter of this server's log, which a super-admin may change for a limited time.

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
