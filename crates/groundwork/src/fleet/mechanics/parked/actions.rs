//! Waiting at a place: the engine decides, and these functions store it.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    geo::Point,
    ids::MechanicId,
    mechanic::state::{Parked, ParkingEnd},
    protocol::{EndParking, Park},
    random::Random,
};
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code, after_commit},
};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::{
    dto::ParkedAt,
    queries::{self, ParkedAtRow},
    state::may_park_at,
};
use crate::{
    fleet::mechanics::{JobSeeker, MechanicsContext, refusals::refused},
    notifications::{self, DomainEvent, Kind},
};

/// The time over which unanswered offers count.
const DAY: TimeDelta = TimeDelta::days(1);

/// Registers that the mechanic waits at this place and wants offers there. Refused if they have not agreed to the privacy notice,
/// if pushes of offers don't reach them, if their phone is elsewhere, or if they did not answer their last offers.
pub async fn park(
    context: &MechanicsContext,
    seeker: JobSeeker,
    place: Point,
    label: Option<String>,
) -> ApiResult<Option<ParkedAt>> {
    let JobSeeker { user_id, profile_id, agreed_notice } = seeker;
    let now = context.clock.now();
    context.notice.check(&context.db, user_id, agreed_notice).await?;
    if !notifications::reaches(&context.db, user_id, Kind::JobOffer, now).await? {
        return Err(ApiError::new(
            Code::PushNotSetUp,
            "Notifications don't reach you. Allow them in the mechanics' app, switch those about offers on, then try again.",
        ));
    }
    check_answers(context, profile_id, now).await?;
    let park = Park { mechanic: MechanicId(profile_id), place, label };
    context.engine.ask(park).await.map_err(refused)?;
    parked(&context.db, profile_id, now).await.map_err(after_commit)
}

/// Refuses a mechanic who recently let several offers in a row expire, with 429: customers would wait for a phone that is off.
async fn check_answers(context: &MechanicsContext, profile_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let presence = &context.presence_settings;
    let unanswered = queries::unanswered(&context.db, profile_id, now - DAY).await?;
    let (most, first) =
        (i64::from(presence.parked_unanswered_max), TimeDelta::seconds(presence.parked_cooldown_s));
    let Some(at) = may_park_at(unanswered.count, unanswered.last, most, first).filter(|at| *at > now) else {
        return Ok(());
    };
    let seconds = u64::try_from((at - now).num_seconds() + 1).unwrap_or(1);
    Err(ApiError::wait(seconds, |wait| {
        format!(
            "You did not answer your last offers. You can wait at a place again in {wait}; until then, keep the app \
            open to get offers."
        )
    }))
}

/// Ends the mechanic's waiting. Does nothing if they did not wait.
pub async fn leave(context: &MechanicsContext, profile_id: Uuid) -> ApiResult<()> {
    context.engine.ask(EndParking { mechanic: MechanicId(profile_id) }).await.map_err(refused)
}

/// Returns where the mechanic waits, if they do.
pub async fn parked(
    db: impl PgExecutor<'_>,
    profile_id: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<Option<ParkedAt>> {
    Ok(queries::find(db, profile_id, now).await?.map(ParkedAt::from))
}

/// Stores the engine's decision; returns false if the mechanic is not verified.
pub async fn save_parking(
    db: &Db,
    profile_id: Uuid,
    waits: Parked,
    label: Option<String>,
) -> sqlx::Result<bool> {
    let row = ParkedAtRow {
        parked_lat: waits.place.lat,
        parked_lng: waits.place.lng,
        parked_label: label,
        parked_since: waits.since,
        parked_until: waits.until,
    };
    queries::save(db, profile_id, &row).await
}

/// Stores that the mechanic no longer waits there, and tells them why unless they ended it themselves.
pub async fn end_parking(
    tx: &mut PgConnection,
    random: &Random,
    (profile_id, since): (Uuid, DateTime<Utc>),
    why: ParkingEnd,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    let has_ended = queries::end(&mut *tx, profile_id, since, at).await?;
    if has_ended {
        notifications::record(tx, random, DomainEvent::ParkingEnded { profile_id, why }, at).await?;
    }
    Ok(())
}
