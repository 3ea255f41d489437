//! What people ask or complain about their data: a customer or mechanic writes, an admin answers once, by a day that was promised.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs` | what a grievance is about, and whether it is open (pure) |
//! | `actions.rs` | writing and answering, and what becomes of it later |
//! | `handlers.rs` | what its person does |
//! | `admin.rs` | what admins do |
//!
//! The day is kept with the grievance. Texts go with the account; that there was one, and when it was answered, stays for a year.

mod actions;
mod admin;
mod audited;
mod context;
mod dto;
mod handlers;
mod queries;
mod state;

use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::{forget_person, sweep};
pub use context::GrievancesContext;
pub use dto::Grievance;

use crate::{http::Routes, pages::PrivacyContact};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::write_grievance)
        .service(handlers::list_my_grievances)
        .service(admin::list_grievances)
        .service(admin::get_grievance)
        .service(admin::answer_grievance);
}

/// A person's, the newest first.
pub async fn newest_of(
    db: &mut PgConnection,
    user_id: Uuid,
    limit: i64,
    contact: Option<&PrivacyContact>,
) -> sqlx::Result<Vec<Grievance>> {
    let rows = queries::newest_of(db, user_id, limit).await?;
    Ok(rows.into_iter().map(|row| Grievance::of(row, contact)).collect())
}
