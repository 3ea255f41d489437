//! Addresses that people confirm: private mail, such as a receipt, goes to no other address.

mod actions;
mod dto;
mod handlers;
mod letters;
mod queries;
mod testing;

use roadcall_http::Routes;
use roadcall_providers::mails;
use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::{GOOD_FOR, sweep};
pub use letters::letter;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::send_email_code)
        .service(handlers::confirm_email)
        .service(handlers::remove_email)
        .service(handlers::test_mail);
}

/// Deletes the code and the mails of a person who leaves.
pub async fn forget(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::delete_code(tx, user_id).await?;
    mails::forget_user(tx, user_id).await
}
