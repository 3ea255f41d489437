//! Whether a mechanic wants jobs.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    geo::Point,
    ids::MechanicId,
    mechanic::state::{Ping, PositionSource},
    protocol::{Locate, SetAvailability},
};
use roadcall_platform::error::ApiResult;

use crate::fleet::mechanics::{JobSeeker, MechanicsContext, ProfileRow, lookup, refusals::refused};

/// Sets whether the mechanic wants jobs, with their position if they send it. The job under way is never touched. 403
/// NOT_VERIFIED for a profile that is no longer verified; 409 CONSENT_NEEDED, before the position is stored, for a mechanic who
/// wants jobs and has not agreed to the privacy notice.
pub async fn set_availability(
    context: &MechanicsContext,
    seeker: JobSeeker,
    is_available: bool,
    position: Option<Point>,
) -> ApiResult<ProfileRow> {
    let JobSeeker { user_id, profile_id, agreed_notice } = seeker;
    if is_available {
        context.notice.check(&context.db, user_id, agreed_notice).await?;
    }
    let id = MechanicId(profile_id);
    // The position comes first: a mechanic who becomes available with one is online at once.
    if let Some(point) = position {
        let pings = vec![taken_now(point, context.clock.now())];
        let source = PositionSource::App;
        let locate = Locate { mechanic: id, pings, source, received_ago: TimeDelta::zero() };
        context.engine.ask(locate).await.map_err(refused)?;
    }
    context.engine.ask(SetAvailability { mechanic: id, is_available }).await.map_err(refused)?;
    lookup::find(context, profile_id).await
}

fn taken_now(point: Point, now: DateTime<Utc>) -> Ping {
    let (accuracy_m, speed_mps, heading) = (None, None, None);
    Ping { seq: Ping::UNNUMBERED, point, accuracy_m, speed_mps, heading, recorded_at: now, is_mock: false }
}
