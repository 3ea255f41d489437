//! Notifications: listed in the app, sent to open sockets and pushed to devices.
//!
//! | where | what |
//! | --- | --- |
//! | `rules/`, `kind.rs` | who is notified of which event (pure) |
//! | `texts/` | what notifications say, by language (pure) |
//! | `announcing.rs` | sends new notifications to open sockets, after the commit |
//! | `pushing.rs`, `state.rs` | pushes them to devices; retries and outcomes of a push (pure) |
//! | `texting.rs` | sends customers by SMS the news that no app could show them |
//!
//! [`record`] (`recording.rs`) writes the rows in the transaction of the event itself, so they exist exactly if the event is
//! committed. Three workers deliver them: a crash loses at most a socket frame.

mod actions;
mod announcing;
mod context;
mod devices;
mod dto;
mod handlers;
mod kind;
mod pushing;
mod queries;
mod recording;
mod rules;
mod settings;
mod state;
mod testing;
mod texting;
mod texts;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

pub use actions::{MAX_TOKENS, browsers_before, forget_signed_out, read_expired, sweep};
pub use announcing::announcing;
pub use context::{
    DeliverySetup, MechanicsShare, NotificationsContext, NotifyContext, SocketSender, StatusTexts, Wakeups,
};
pub use dto::{Notification, Preferences, PushToken};
pub use kind::{Kind, Topic};
pub use pushing::pushing;
pub use queries::{NewNotifications, forget_user, mark_read_about};
pub use recording::{insert, lock_unread, prepare, record, record_unless_unread};
pub use rules::{Addressee, DomainEvent, NewNotification, PaymentOf, Prospect, UpiOf, WithdrawalOf};
pub use settings::NotificationSettings;
pub use state::{DeliveryStatus, TextStatus};
pub use texting::{JobLinks, texting};

use devices::queries::PreferencesRow;
use queries::NotificationFilter;
use roadcall_accounts::auth::Caller;
use roadcall_http::{PageParams, Routes};
use roadcall_platform::error::ApiResult;

pub fn routes(config: &mut Routes) {
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
        .service(handlers::test_push)
        // This comes last: `{id}` would match the words above.
        .service(handlers::get_notification);
}

/// Returns a person's newest notifications, at most `limit`.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Notification>> {
    let (all, page) = (NotificationFilter::default(), PageParams { page: 1, limit });
    Ok(queries::list(db, user_id, &all, page).await?.into_iter().map(Notification::from).collect())
}

/// Returns a person's devices, without their push tokens; [`MAX_TOKENS`] at most.
pub async fn devices_of(
    db: &mut PgConnection,
    caller: &Caller,
    now: DateTime<Utc>,
) -> ApiResult<Vec<PushToken>> {
    let rows = devices::queries::tokens_of(db, &[caller.user_id], now).await?;
    Ok(rows.into_iter().map(|row| PushToken::of(row, caller)).collect())
}

/// Returns whether a push of this kind would reach any device of the person.
pub async fn reaches(
    db: impl PgExecutor<'_> + Copy,
    user_id: Uuid,
    kind: Kind,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    let wishes = devices::queries::preferences_of(db, &[user_id]).await?.pop();
    let devices = devices::queries::tokens_of(db, &[user_id], now).await?;
    let is_wanted = wishes.is_none_or(|wishes| wishes.wants(kind.topic()));
    Ok(is_wanted && devices.iter().any(|device| device.shows(kind)))
}

/// Returns a person's choice of topics.
pub async fn preferences_of(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Preferences> {
    let row = devices::queries::preferences_of(db, &[user_id]).await?.pop();
    Ok(row.unwrap_or_else(|| PreferencesRow::everything(user_id)).into())
}

/// Returns whether a customer was notified since then that the mechanic of their job is near. Lock the job first.
pub async fn was_notified_near(
    tx: &mut PgConnection,
    user_id: Uuid,
    job_id: Uuid,
    since: DateTime<Utc>,
) -> sqlx::Result<bool> {
    queries::exists_about(tx, user_id, Kind::JobNear, job_id, since).await
}
