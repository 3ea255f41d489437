//! People who act for an organisation. They sign in as everybody does.

mod actions;
mod dto;
mod handlers;
mod queries;

use roadcall_http::Routes;

pub(super) use queries::{MemberRow, MembershipRow, end_of, membership};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_organisation_members)
        .service(handlers::add_organisation_member)
        .service(handlers::remove_organisation_member);
}
