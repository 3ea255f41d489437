//! Tickets, and the audit entries of admins who follow a job.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    context::WsContext,
    queries::{self, TicketHolder},
};
use crate::{
    accounts::auth::TokenKind,
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        db::Db,
        error::ApiResult,
    },
};

/// Makes a ticket that opens one socket for the session; returns it with its expiry.
pub async fn issue_ticket(
    context: &WsContext,
    user_id: Uuid,
    session_id: Uuid,
    budget: Uuid,
) -> ApiResult<(String, DateTime<Utc>)> {
    let made = context.mechanics.auth.auth.tokens_made();
    let ticket = made.make(TokenKind::Ticket, budget, context.random.bytes());
    let expires_at = context.clock.now() + TimeDelta::seconds(context.ws_settings.ticket_ttl_s);
    queries::insert_ticket(&context.db, &hash(&ticket), user_id, session_id, expires_at).await?;
    Ok((ticket, expires_at))
}

/// Uses the ticket up; `None` if it is unknown, used or expired.
pub async fn use_ticket(core: &Core, ticket: &str) -> ApiResult<Option<TicketHolder>> {
    Ok(queries::use_ticket(&core.db, &hash(ticket), core.clock.now()).await?)
}

fn hash(ticket: &str) -> Vec<u8> {
    Sha256::digest(ticket.as_bytes()).to_vec()
}

/// Records that an admin follows a job, and so sees its people's positions.
pub async fn record_watch(core: &Core, admin: Uuid, job: Uuid) -> ApiResult<()> {
    let entry = NewAuditEntry {
        actor_id: Some(admin),
        action: "job.watch",
        subject_kind: "job",
        subject_id: job,
        before: Value::Null,
        after: Value::Null,
    };
    audit::record_alone(&core.db, &core.random, core.clock.now(), entry).await
}

/// Deletes tickets that can no longer be used; returns how many.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now, limit).await
}
