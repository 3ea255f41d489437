//! Writes the notifications of an event in its transaction.

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use super::{
    kind::Kind,
    queries::{self, NewNotifications},
    rules::DomainEvent,
    texts::{self, Locale},
};

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

/// Writes the notifications that [`prepare`] made.
pub async fn insert(tx: &mut PgConnection, new: &NewNotifications, at: DateTime<Utc>) -> sqlx::Result<()> {
    if new.is_empty() { Ok(()) } else { queries::insert(tx, new, at).await }
}

/// Prepares the notifications of an event, for a statement that writes them together with something else.
pub fn prepare(random: &Random, event: DomainEvent<'_>, at: DateTime<Utc>) -> NewNotifications {
    let mut new = NewNotifications::default();
    for notification in event.notifications() {
        // Servers of the previous release read these columns; each person reads their own language.
        let (title, body) = texts::listed(Locale::English, notification.kind, notification.reason.as_deref());
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

/// Writes like [`record`], for frequent events: nobody gets a second unread notification of the same kind about the same job.
/// Lock the job first, so that two transactions don't both find none.
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
