//! The embedded identity provider: accounts with an email and a password, and ID tokens for them. It stands in for
//! an external provider, so it knows nothing of users: `auth` reads its tokens as it reads anyone's.

mod dto;
mod handlers;
mod password;
mod queries;

use utoipa_actix_web::service_config::ServiceConfig;

pub use password::{PasswordError, hash_password};
pub use queries::{keep_account, remove_account};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::issue_id_token)
        .service(handlers::make_account)
        .service(handlers::identity_keys)
        .service(handlers::identity_configuration);
}
