//! Links with which anyone can follow a job without an account and, if its customer allows it, talk with its mechanic
//! (`guests.rs`). The person for whom an organisation ordered the job gets a link by SMS with which they also decide about what they
//! pay themselves, and rate (`deciding.rs`, `own_part.rs`); it stays open for that for two days after the work.
//!
//! The customer makes a link and decides whether it shows the start code and whether its holder may write and call. The token is
//! only in the URL; we keep its hash. A link ends with its job, when it is revoked, or when it expires. It is bound to the job, not
//! to a mechanic: after a release it shows no position until another mechanic has accepted. `handlers.rs` decides what a link
//! shows: no phone number, no address, no id of a person.

mod actions;
mod admission;
mod audited;
mod context;
mod deciding;
mod dto;
mod guests;
mod handlers;
pub mod job_hook;
mod own_part;
mod queries;
mod settings;

pub use actions::{for_organisation, sweep};
pub use admission::{Admitted, admitted_until};
pub use context::{LinkStreams, SharesContext};
pub use dto::{NewShareLink, ShareLink};
pub use settings::ShareSettings;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{http::Routes, platform::error::ApiResult};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::share_job)
        .service(handlers::send_job_share)
        .service(handlers::list_job_shares)
        .service(handlers::revoke_job_share)
        .service(handlers::track_shared_job)
        .service(handlers::get_shared_way_ahead)
        .service(guests::list_guest_messages)
        .service(guests::send_guest_message)
        .service(guests::call_mechanic_as_guest)
        .service(guests::accept_call_as_guest)
        .service(guests::reject_call_as_guest)
        .service(guests::end_call_as_guest)
        .service(guests::signal_as_guest)
        .service(guests::issue_guest_call_token)
        .service(deciding::approve_item_by_link)
        .service(deciding::reject_item_by_link)
        .service(deciding::confirm_cash_by_link)
        .service(deciding::rate_by_link);
}

/// Returns the newest links to a person's jobs, without their tokens, at most `limit`.
pub async fn newest_of(
    db: &mut PgConnection,
    user_id: Uuid,
    limit: i64,
    now: DateTime<Utc>,
) -> ApiResult<Vec<ShareLink>> {
    let rows = queries::newest_of_customer(db, user_id, limit).await?;
    let shown = rows.into_iter().map(|row| {
        let is_live = admission::is_live(&row.link, row.job_status, now);
        ShareLink::of(row.link, is_live)
    });
    Ok(shown.collect())
}
