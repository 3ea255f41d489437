//! Reading notifications, registering devices, choosing topics, and cleaning up.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_accounts::auth;
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, after_commit, commit_error},
};
use uuid::Uuid;

use super::{
    context::NotificationsContext,
    devices::queries::{self as devices, PreferencesRow, TokenRow},
    dto::{NewPushToken, PreferenceChanges},
    queries::{self, NotificationRow},
};

/// The maximum number of devices of a person; beyond it, the one registered longest ago is deleted.
pub const MAX_TOKENS: i64 = 10;
/// The number of unread notifications that one request marks as read.
const READ_AT_ONCE: i64 = 10_000;

/// Marks a notification as read. A repeat changes nothing.
pub async fn read(context: &NotificationsContext, user_id: Uuid, id: Uuid) -> ApiResult<NotificationRow> {
    let row = queries::mark_read(&context.db, user_id, id).await.map_err(commit_error)?;
    row.ok_or_else(no_such_notification)
}

/// Marks all notifications as read, 10,000 at most; returns how many are unread afterwards.
pub async fn read_all(context: &NotificationsContext, user_id: Uuid) -> ApiResult<i64> {
    queries::mark_all_read(&context.db, user_id, READ_AT_ONCE).await.map_err(commit_error)?;
    queries::count_unread(&context.db, user_id).await.map_err(after_commit)
}

/// Registers the device of a session, which is pushed to until the session ends. Returns whether it is new.
pub async fn register_device(
    context: &NotificationsContext,
    user_id: Uuid,
    session_id: Uuid,
    new: NewPushToken,
) -> ApiResult<(TokenRow, bool)> {
    new.check(&context.settings)?;
    let (p256dh, auth) = new.keys.map(|keys| (keys.p256dh.0, keys.auth.0)).unzip();
    let now = context.clock.now();
    let row = TokenRow {
        id: context.random.id(now),
        user_id,
        session_id,
        token: new.token.0,
        platform: new.platform,
        p256dh,
        auth,
        device_id: new.device_id.0,
        app: new.app,
        created_at: now,
        updated_at: now,
    };
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    devices::drop_older_of_device(&mut tx, user_id, &row.device_id, &row.token).await?;
    let saved = devices::save_token(&mut tx, &row).await?;
    devices::trim_tokens(&mut tx, user_id, MAX_TOKENS).await?;
    tx.commit().await.map_err(commit_error)?;
    let is_new = saved.id == row.id;
    Ok((saved, is_new))
}

/// Forgets a device, by its token or the id of its registration. Returns false if the person has no such device.
pub async fn forget_device(context: &NotificationsContext, user_id: Uuid, token: &str) -> ApiResult<bool> {
    // Postgres text can't hold NUL.
    if token.contains('\0') {
        return Ok(false);
    }
    devices::delete_token(&context.db, user_id, token).await.map_err(commit_error)
}

/// Switches topics on and off; topics that are not given stay unchanged.
pub async fn set_preferences(
    context: &NotificationsContext,
    user_id: Uuid,
    changes: PreferenceChanges,
) -> ApiResult<PreferencesRow> {
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    let before = devices::preferences_of(&mut *tx, &[user_id]).await?.pop();
    let row = changes.over(before.unwrap_or_else(|| PreferencesRow::everything(user_id)));
    devices::save_preferences(&mut tx, &row, context.clock.now()).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

pub(super) fn no_such_notification() -> ApiError {
    ApiError::not_found("notification")
}

/// Counts the browsers whose app was last opened before that time.
pub async fn browsers_before(db: &Db, at: DateTime<Utc>) -> sqlx::Result<i64> {
    devices::browsers_before(db, at).await
}

/// Deletes the push tokens of ended sessions; nothing more is pushed to them.
pub async fn forget_signed_out(context: &NotificationsContext) -> ApiResult<u64> {
    Ok(devices::forget_signed_out(&context.db, context.clock.now()).await?)
}

/// Marks expired notifications as read, at most `limit` at once.
pub async fn read_expired(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    Ok(queries::read_expired(&context.db, context.clock.now(), limit).await?)
}

/// Deletes notifications older than `notifications.retention_days`, at most `limit` at once.
pub async fn sweep(context: &NotificationsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.notification_settings.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
