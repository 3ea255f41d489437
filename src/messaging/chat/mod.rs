//! The chat of a job: the messages of its customer, the guests of its links and its mechanic, kept with the job.
//!
//! A message is an entry of the job's log. `actions.rs` first stores it. Then the job's actor gives it its place in the log
//! ([`place`], in the transaction of the entry). The one reader of the log (`tracking::logged`) shows it live, replayed and over
//! HTTP. `state.rs` has the rule for when the two sides may write. How far somebody has read is stored, but not in the log;
//! typing is not stored. Lock order: the job, the message; the sender's account, the message.

mod actions;
mod context;
mod dto;
mod guests;
mod handlers;
pub mod job_hook;
mod queries;
mod reading;
mod settings;
mod state;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

pub use actions::{read, send, sweep, typing};
pub use context::{ChatContext, ChatSockets};
use dto::ChatAuthor;
pub use dto::{
    ChatMessage, ChatOf, ChatRead, ChatReadUpTo, ChatSend, ChatSide, ChatTyping, MessagesQuery,
    NewGuestMessage, NewMessage, SharedMessage, SharedMessages,
};
pub use guests::{list_as_guest, send_as_guest};
pub use queries::{coarsen_places, forget_customers, forget_user};
pub use settings::ChatSettings;

use crate::{
    http::Routes,
    notifications::{self, Addressee, DomainEvent},
    platform::error::ApiResult,
};

pub fn routes(config: &mut Routes) {
    config.service(handlers::list_messages).service(handlers::send_message).service(handlers::read_messages);
}

/// Gives a message its place in the job's log. In the same transaction, under the job's lock, it notifies the other
/// side, and the customer too if a guest wrote it. Returns false if the message already has a place, so that nobody is
/// notified twice.
pub async fn place(
    tx: &mut PgConnection,
    random: &Random,
    id: Uuid,
    seq: i64,
    at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let Some(row) = queries::place(tx, id, seq, at).await? else { return Ok(false) };
    let to = match row.sender {
        ChatSide::Customer => Addressee::Mechanic(row.mechanic_profile_id),
        ChatSide::Mechanic => Addressee::User(row.customer_id),
    };
    let happened = DomainEvent::ChatMessage { to, job_id: row.job_id, message_id: id };
    notifications::record_unless_unread(tx, random, happened, at).await?;
    if row.author() == ChatAuthor::Guest {
        let (to, job_id) = (Addressee::User(row.customer_id), row.job_id);
        let happened = DomainEvent::ChatMessage { to, job_id, message_id: id };
        notifications::record_unless_unread(tx, random, happened, at).await?;
    }
    Ok(true)
}

/// Returns messages by their ids, in their current state, without those that do not exist.
pub async fn shown(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<HashMap<Uuid, ChatMessage>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = queries::by_ids(db, ids).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.into())).collect())
}

/// Returns the newest messages that a person wrote, or that were written to them, at most `limit`.
pub async fn newest_of(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> ApiResult<Vec<ChatMessage>> {
    let rows = queries::newest_of(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(ChatMessage::from).collect())
}
