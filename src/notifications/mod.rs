//! Notifications: what people are told of what others did, kept as rows, shown on sockets and pushed to devices.
//!
//! | where | what |
//! | --- | --- |
//! | `kinds.rs` | who is told what of what happened (pure) |
//! | `announcing.rs` | sockets are told, after the commit |
//! | `pushing.rs`, `state.rs` | devices are told, and what becomes of a push (pure) |
//!
//! A row is made by [`note`] in the transaction of what it tells, so there is one exactly when that happened. From there
//! on it is the workers': a crash loses the frame at most.

mod announcing;
mod dto;
mod handlers;
pub mod job_hook;
mod kinds;
mod pushing;
mod queries;
mod state;

use std::sync::Arc;
use std::{fmt, ops::Deref};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, types::Json};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use announcing::announcing;
pub use dto::{Notification, Preferences, PushToken};
pub use kinds::{Addressee, Happening, Kind, Note, PaymentOf, Topic, UpiOf, WithdrawalOf};
pub use pushing::pushing;
pub use state::DeliveryStatus;

use crate::{
    http::ListWindow,
    platform::{core::Core, error::ApiResult, worker::Wakeup},
    providers::push::Push,
};
use queries::{Filter, NewNotifications, PreferencesRow};

/// Devices of one person; of more the one that was heard of longest ago is forgotten.
pub const MAX_TOKENS: i64 = 10;

/// What an area needs that notifies people.
#[derive(Debug, Clone)]
pub struct NotifyContext {
    pub core: Core,
    /// Wakes whoever delivers notifications.
    pub notes: Wakeups,
}

impl Deref for NotifyContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

/// Where open sockets learn of a notification. What a socket misses stands in the person's list.
pub trait Sockets: fmt::Debug + Send + Sync {
    fn notified(&self, notification: &Notification);
}

/// What delivering notifications needs.
#[derive(Debug, Clone)]
pub struct NotificationsContext {
    pub notify: NotifyContext,
    pub push: Arc<dyn Push>,
    pub sockets: Arc<dyn Sockets>,
}

impl Deref for NotificationsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_notifications)
        .service(handlers::count_unread_notifications)
        .service(handlers::read_all_notifications)
        .service(handlers::register_push_token)
        .service(handlers::forget_push_token)
        .service(handlers::get_notification_preferences)
        .service(handlers::update_notification_preferences)
        .service(handlers::read_notification)
        .service(handlers::list_failed_pushes);
}

/// Tells people what happened, within the transaction in which it happens. Ring [`Wakeups::noted`] after its commit: without
/// that they hear of it a second later.
pub async fn note(
    tx: &mut PgConnection,
    random: &Random,
    happening: Happening<'_>,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    let notes = happening.notes();
    if notes.is_empty() {
        return Ok(());
    }
    let mut new = NewNotifications::default();
    for note in notes {
        let (title, body) = (note.kind.words().0, note.body());
        let (user, profile) = note.to.ids();
        new.ids.push(random.id(at));
        new.user_ids.push(user);
        new.profile_ids.push(profile);
        new.kinds.push(note.kind);
        new.titles.push(title);
        new.bodies.push(body);
        new.data.push(Json(note.data));
        new.are_urgent.push(note.kind.is_urgent());
        new.expire_at.push(note.expires_at);
    }
    queries::insert(tx, &new, at).await
}

/// As [`note`], for what comes in numbers: whoever has an unread one of this kind about the same job is told by that
/// already. The job is to be locked, so that of two at once one waits.
pub async fn note_unless_unread(
    tx: &mut PgConnection,
    random: &Random,
    happening: Happening<'_>,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    for note in happening.notes() {
        let (user, profile) = note.to.ids();
        let job_id = note.data.get("job_id").copied();
        if queries::hold_unread(tx, user, profile, note.kind, job_id).await? {
            return Ok(());
        }
    }
    self::note(tx, random, happening, at).await
}

/// Has whoever tells this person of the same by [`note_unless_unread`] wait until the transaction ends.
pub async fn hold_unread(tx: &mut PgConnection, user_id: Uuid, kind: Kind, job_id: Uuid) -> sqlx::Result<()> {
    queries::hold_unread(tx, Some(user_id), None, kind, Some(job_id)).await.map(drop)
}

/// What a person was told of this kind about a job counts as read: they have seen it there.
pub async fn read_about(tx: &mut PgConnection, user_id: Uuid, kind: Kind, job_id: Uuid) -> sqlx::Result<()> {
    queries::read_about(tx, user_id, kind, job_id).await
}

/// Wakes the workers within this process. Whatever is rung for is in the database: a ring that nobody hears costs a
/// second.
#[derive(Debug, Clone, Default)]
pub struct Wakeups {
    noted: Wakeup,
    announced: Wakeup,
}

impl Wakeups {
    /// To be called after the commit of what [`note`] told.
    pub fn noted(&self) {
        self.noted.wake();
    }
}

/// The newest of what a person was told, at most `limit`.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Notification>> {
    let filter = Filter { user_id, is_read: None, kind: None };
    let window = ListWindow { limit, offset: 0, after: None };
    Ok(queries::list(db, filter, window).await?.into_iter().map(Notification::from).collect())
}

/// The devices that a person is told on, without their tokens; [`MAX_TOKENS`] at most.
pub async fn devices_of(
    db: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<Vec<PushToken>> {
    Ok(queries::tokens_of(db, &[user_id], now).await?.into_iter().map(PushToken::from).collect())
}

/// What a person's devices are pushed, by topic.
pub async fn preferences_of(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Preferences> {
    let row = queries::preferences_of(db, &[user_id]).await?.pop();
    Ok(row.unwrap_or_else(|| PreferencesRow::everything(user_id)).into())
}

/// What a person was told, and where: forgotten when their account is anonymised.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::forget_user(tx, user_id).await
}

/// Forgets devices whose session has ended, which are not pushed to already.
pub async fn forget_signed_out(context: &NotificationsContext) -> ApiResult<u64> {
    Ok(queries::forget_signed_out(&context.db, context.clock.now()).await?)
}

/// What has expired counts as read, at most `limit` at once.
pub async fn read_expired(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    Ok(queries::read_expired(&context.db, context.clock.now(), limit).await?)
}

/// Deletes what is older than it is kept, at most `limit` at once.
pub async fn sweep(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.notifications.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
