//! Links by which anyone can follow a job without an account and, if its customer allows it, talk with its mechanic (`guests.rs`).
//!
//! The customer makes a link and decides whether it shows the start code and whether its holder may write and call. The token is
//! only in the URL; we keep its hash. A link ends with its job, when it is revoked, or when it expires. It is bound to the job, not
//! to a mechanic: after a release it shows no position until another mechanic has accepted. `handlers.rs` decides what a link
//! shows: no phone number, no address, no id of a person.

mod admission;
mod audited;
mod dto;
mod guests;
mod handlers;
pub mod job_hook;
mod making;
mod queries;

pub use admission::{Admitted, admitted_until};
pub use dto::ShareLink;

use std::{fmt, ops::Deref, sync::Arc};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::auth::TokenMaker,
    jobs::JobsContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    platform::error::ApiResult,
    providers::sms::SmsSender,
};

/// What links need.
#[derive(Debug, Clone)]
pub struct SharesContext {
    pub chat: ChatContext,
    pub calls: CallsContext,
    pub streams: Arc<dyn LinkStreams>,
    pub sms: Arc<dyn SmsSender>,
    pub tokens: TokenMaker,
}

/// The streams that holders of links have open.
pub trait LinkStreams: fmt::Debug + Send + Sync {
    /// A link was revoked: each of its streams checks the link at once, and ends.
    fn revoked(&self, link_id: Uuid);
}

impl Deref for SharesContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.chat.jobs
    }
}

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::share_job)
        .service(handlers::send_job_share)
        .service(handlers::list_job_shares)
        .service(handlers::revoke_job_share)
        .service(handlers::track_shared_job)
        .service(guests::list_guest_messages)
        .service(guests::send_guest_message)
        .service(guests::call_mechanic_as_guest)
        .service(guests::accept_call_as_guest)
        .service(guests::reject_call_as_guest)
        .service(guests::end_call_as_guest)
        .service(guests::signal_as_guest)
        .service(guests::issue_guest_call_token);
}

/// The newest links to a person's jobs, without their tokens, at most `limit`.
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

/// Deletes links that expired more than `shares.retention_days` ago, at most `limit` at once; returns how many.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept = chrono::TimeDelta::days(context.settings.shares.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
