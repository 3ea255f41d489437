//! Privacy notices: the operator's statements about people's data, version by version and in their languages, and
//! people's consent to them.
//!
//! The newest version is in force. Each server keeps it in memory, and a person's consent is read with the person, so
//! a request needs no additional statement; a new version is announced to the other servers, which also look for one
//! each minute. While nothing is published nobody is asked for anything.

mod actions;
mod audited;
mod consents;
mod context;
mod current;
mod dto;
mod handlers;
mod queries;
mod refusals;
mod state;

use roadcall_http::Routes;

pub use consents::{ConsentRecord, newest_of, withdraw};
pub use context::NoticesContext;
pub use current::CurrentNotice;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_privacy_notice)
        .service(handlers::list_privacy_notices)
        .service(handlers::publish_privacy_notice)
        .service(consents::handlers::get_my_consent)
        .service(consents::handlers::give_my_consent)
        .service(consents::handlers::get_consent_of_user);
}
