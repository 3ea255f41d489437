//! Keys of partners' programs. A key is shown once, stored as a hash, and ends by itself.

mod actions;
mod admin;
mod dto;
mod handlers;
mod queries;
mod text;

use roadcall_http::Routes;

pub use text::KeyEnvironment;

pub(super) use queries::{PartnerKeyRow, UsedKeyRow, note_use, used_key};
pub(super) use text::{handle_of, hash, is_key};

pub fn routes(config: &mut Routes) {
    config
        .service(admin::list_partner_keys)
        .service(admin::create_partner_key)
        .service(admin::rotate_partner_key)
        .service(admin::revoke_partner_key)
        .service(handlers::list_own_keys)
        .service(handlers::create_own_key)
        .service(handlers::rotate_own_key)
        .service(handlers::revoke_own_key);
}
