//! Questions and complaints of people about their data: a customer or mechanic writes, an admin answers once, by a promised day.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs` | the kinds of grievances, and their states (pure) |
//! | `actions.rs` | writing, answering and forgetting |
//! | `handlers.rs` | the person's side |
//! | `admin.rs` | the admins' side |
//!
//! The day is stored with the grievance. Texts are deleted with the account; the fact that there was a grievance, and when it was
//! answered, stays for a year.

mod actions;
mod admin;
mod audited;
mod context;
mod dto;
mod handlers;
mod queries;
mod state;

use roadcall_http::{Routes, pages::PrivacyContact};
use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::sweep;
pub use context::GrievancesContext;
pub use dto::Grievance;
pub use queries::forget_person;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::write_grievance)
        .service(handlers::list_my_grievances)
        .service(admin::list_grievances)
        .service(admin::get_grievance)
        .service(admin::answer_grievance);
}

/// Returns a person's grievances, the newest first.
pub async fn newest_of(
    db: &mut PgConnection,
    user_id: Uuid,
    limit: i64,
    contact: Option<&PrivacyContact>,
) -> sqlx::Result<Vec<Grievance>> {
    let rows = queries::newest_of(db, user_id, limit).await?;
    Ok(rows.into_iter().map(|row| Grievance::of(row, contact)).collect())
}
