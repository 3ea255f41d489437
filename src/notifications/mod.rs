//! Notifications: listed in the app, sent to open sockets and pushed to devices.
//!
//! | where | what |
//! | --- | --- |
//! | `rules.rs`, `kind.rs` | who is notified of which event (pure) |
//! | `texts/` | what notifications say, by language (pure) |
//! | `announcing.rs` | sends new notifications to open sockets, after the commit |
//! | `pushing.rs`, `state.rs` | pushes them to devices; retries and outcomes of a push (pure) |
//!
//! [`record`] writes the rows in the transaction of the event itself, so they exist exactly when the event is committed. Two
//! workers deliver them: a crash loses a socket frame at most.

mod announcing;
mod devices;
mod dto;
mod handlers;
mod kind;
mod pushing;
mod queries;
mod rules;
mod state;
mod texts;

use std::sync::Arc;
use std::{fmt, ops::Deref};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, types::Json};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use announcing::announcing;
pub use dto::{Notification, Preferences, PushToken};
pub use kind::{Kind, Topic};
pub use pushing::pushing;
pub use queries::NewNotifications;
pub use rules::{Addressee, DomainEvent, NewNotification, PaymentOf, Prospect, UpiOf, WithdrawalOf};
pub use state::DeliveryStatus;

use crate::{
    accounts::auth::Caller,
    http::ListWindow,
    platform::{core::Core, error::ApiResult, worker::Wakeup},
    providers::push::Pushes,
};
use devices::queries::PreferencesRow;
use queries::NotificationFilter;
use texts::Locale;

/// Devices of one person; beyond that the one registered longest ago is deleted.
pub const MAX_TOKENS: i64 = 10;

/// What an area needs that notifies people.
#[derive(Debug, Clone)]
pub struct NotifyContext {
    pub core: Core,
    pub wakeups: Wakeups,
}

impl Deref for NotifyContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

/// Sends a notification to the person's open sockets. What a socket misses is in the person's list.
pub trait SocketSender: fmt::Debug + Send + Sync {
    fn send(&self, notification: &Notification);
}

/// What delivering notifications needs.
#[derive(Debug, Clone)]
pub struct NotificationsContext {
    pub notify: NotifyContext,
    pub push: Arc<Pushes>,
    pub sockets: Arc<dyn SocketSender>,
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
        .service(handlers::list_push_tokens)
        .service(handlers::forget_push_token)
        .service(handlers::get_notification_preferences)
        .service(handlers::update_notification_preferences)
        .service(handlers::read_notification)
        .service(handlers::list_failed_pushes)
        // Last: `{id}` would match the words above.
        .service(handlers::get_notification);
}

/// Writes the notifications of an event, in the event's transaction. Call [`Wakeups::notify`] after the commit: without it they
/// are delivered up to a second later.
pub async fn record(
    tx: &mut PgConnection,
    random: &Random,
    event: DomainEvent<'_>,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    insert(tx, &prepare(random, event, at), at).await
}

/// Writes what [`prepare`] made.
pub async fn insert(tx: &mut PgConnection, new: &NewNotifications, at: DateTime<Utc>) -> sqlx::Result<()> {
    if new.is_empty() { Ok(()) } else { queries::insert(tx, new, at).await }
}

/// The notifications of an event, for a statement that writes them with something else.
pub fn prepare(random: &Random, event: DomainEvent<'_>, at: DateTime<Utc>) -> NewNotifications {
    let mut new = NewNotifications::default();
    for notification in event.notifications() {
        // For servers of the release before, which read these columns; each person reads their own language.
        let (title, body) = Locale::English.listed(notification.kind, notification.reason.as_deref());
        let (user, profile) = notification.to.ids();
        new.ids.push(random.id(at));
        new.user_ids.push(user);
        new.profile_ids.push(profile);
        new.kinds.push(notification.kind);
        new.titles.push(title);
        new.bodies.push(body);
        new.data.push(Json(notification.data));
        new.are_urgent.push(notification.kind.is_urgent());
        new.expire_at.push(notification.expires_at);
        new.reasons.push(notification.reason);
    }
    new
}

/// As [`record`], for frequent events: no one gets a second unread notification of the same kind about the same job. Lock the
/// job first, so that two transactions don't both find none.
pub async fn record_unless_unread(
    tx: &mut PgConnection,
    random: &Random,
    event: DomainEvent<'_>,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    for notification in event.notifications() {
        let (user, profile) = notification.to.ids();
        let job_id = notification.data.get("job_id").copied();
        if queries::lock_unread(tx, user, profile, notification.kind, job_id).await? {
            return Ok(());
        }
    }
    record(tx, random, event, at).await
}

/// Makes [`record_unless_unread`] for the same person, kind and job wait until this transaction ends.
pub async fn lock_unread(tx: &mut PgConnection, user_id: Uuid, kind: Kind, job_id: Uuid) -> sqlx::Result<()> {
    queries::lock_unread(tx, Some(user_id), None, kind, Some(job_id)).await.map(drop)
}

/// Marks a person's notifications of this kind about a job as read: they have seen it elsewhere.
pub async fn mark_read_about(
    tx: &mut PgConnection,
    user_id: Uuid,
    kind: Kind,
    job_id: Uuid,
) -> sqlx::Result<()> {
    queries::mark_read_about(tx, user_id, kind, job_id).await
}

/// Wakes this process's delivery workers before their next tick.
#[derive(Debug, Clone, Default)]
pub struct Wakeups {
    recorded: Wakeup,
    announced: Wakeup,
}

impl Wakeups {
    /// Call this after the commit of what [`record`] wrote.
    pub fn notify(&self) {
        self.recorded.wake();
    }
}

/// A person's newest notifications, at most `limit`.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Notification>> {
    let filter = NotificationFilter { user_id, is_read: None, kind: None, made: (None, None) };
    let window = ListWindow { limit, offset: 0, after: None };
    Ok(queries::list(db, filter, window).await?.into_iter().map(Notification::from).collect())
}

/// A person's devices, without their push tokens; [`MAX_TOKENS`] at most.
pub async fn devices_of(
    db: &mut PgConnection,
    caller: &Caller,
    now: DateTime<Utc>,
) -> ApiResult<Vec<PushToken>> {
    let rows = devices::queries::tokens_of(db, &[caller.user_id], now).await?;
    Ok(rows.into_iter().map(|row| PushToken::of(row, caller)).collect())
}

/// Which topics are pushed to a person's devices.
pub async fn preferences_of(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Preferences> {
    let row = devices::queries::preferences_of(db, &[user_id]).await?.pop();
    Ok(row.unwrap_or_else(|| PreferencesRow::everything(user_id)).into())
}

/// Deletes a person's notifications, devices and preferences, when their account is anonymised.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::forget_user(tx, user_id).await
}

/// Deletes the push tokens of ended sessions; nothing is pushed to them any more.
pub async fn forget_signed_out(context: &NotificationsContext) -> ApiResult<u64> {
    Ok(devices::queries::forget_signed_out(&context.db, context.clock.now()).await?)
}

/// Marks expired notifications as read, at most `limit` at once.
pub async fn read_expired(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    Ok(queries::read_expired(&context.db, context.clock.now(), limit).await?)
}

/// Deletes notifications older than `notifications.retention_days`, at most `limit` at once.
pub async fn sweep(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.notifications.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
