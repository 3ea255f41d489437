//! Connecting and removing trackers, and taking their messages.

use metrics::counter;
use roadcall_actors::{
    ids::{MechanicId, TrackerId},
    mechanic::state::{Ping, PositionSource},
    protocol::LastFix,
};
use uuid::Uuid;

use super::{
    admission::hash,
    context::TrackersContext,
    dto::{NewTracker, PositionOrigin, Tracker, TrackerReceipt, TrackerToken, Trackers},
    protocols::Unusable,
    queries::{self, LiveTracker, TrackerRow},
};
use crate::{
    accounts::auth::TokenKind,
    fleet::mechanics,
    platform::error::{ApiError, ApiResult, Code, commit_error},
    tracking::actions::locate,
};

/// The maximum number of a mechanic's trackers: a phone, a second one, and one in the vehicle.
pub(super) const MAX_TRACKERS: usize = 5;

/// Makes a tracker; returns its token, which is shown only now.
pub(super) async fn connect(
    context: &TrackersContext,
    mechanic_profile_id: Uuid,
    new: NewTracker,
) -> ApiResult<TrackerToken> {
    let now = context.clock.now();
    let id = context.random.id(now);
    // All trackers of a mechanic share a limit.
    let token = context.tokens.make(TokenKind::Tracker, mechanic_profile_id, context.random.bytes());
    let row = TrackerRow {
        id,
        name: new.name.0,
        app: new.app,
        created_at: now,
        last_seen_at: None,
        problem: None,
        problem_detail: None,
        problem_at: None,
    };
    let mut tx = context.db.begin().await?;
    mechanics::lock_person(&mut tx, mechanic_profile_id).await?;
    queries::delete_ended(&mut tx, mechanic_profile_id).await?;
    if queries::of_mechanic(&mut *tx, mechanic_profile_id).await?.len() >= MAX_TRACKERS {
        let why = format!("You already have {MAX_TRACKERS} trackers. Remove one first.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    queries::insert(&mut tx, mechanic_profile_id, &row, &hash(&token)).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(TrackerToken::of(row, token, &context.settings.server.public_url))
}

pub(super) async fn remove(context: &TrackersContext, mechanic_profile_id: Uuid, id: Uuid) -> ApiResult<()> {
    match queries::delete(&context.db, mechanic_profile_id, id).await? {
        true => Ok(()),
        false => Err(ApiError::not_found("tracker")),
    }
}

pub(super) async fn list(context: &TrackersContext, mechanic_profile_id: Uuid) -> ApiResult<Trackers> {
    let rows = queries::of_mechanic(&context.db, mechanic_profile_id).await?;
    let last = LastFix { mechanic: MechanicId(mechanic_profile_id) };
    // The engine may be on another server and away: the list is useful without it.
    let last = context.engine.ask(last).await.ok().flatten();
    Ok(Trackers {
        data: rows.into_iter().map(Tracker::from).collect(),
        last_position: last.map(|fix| PositionOrigin::of(&fix)),
    })
}

/// Passes a tracker's position to the mechanic's actor. A message that can't be used is no error: these apps repeat a message
/// until it is taken, before any newer one.
pub(super) async fn take(
    context: &TrackersContext,
    tracker: LiveTracker,
    message: Result<Option<Ping>, Unusable>,
) -> ApiResult<TrackerReceipt> {
    let (receipt, unusable) = match message {
        Ok(None) => return Ok(TrackerReceipt::default()),
        Ok(Some(ping)) => {
            let source = PositionSource::Tracker(TrackerId(tracker.id));
            let receipt = locate(context, tracker.mechanic_profile_id, vec![ping], source).await?;
            let ahead = ping.recorded_at - context.clock.now();
            let unusable = receipt.rejected.first().map(|point| Unusable::rejected(point.reason, ahead));
            (
                TrackerReceipt { accepted: receipt.accepted, duplicates: receipt.duplicates, fault: None },
                unusable,
            )
        }
        Err(unusable) => (TrackerReceipt::default(), Some(unusable)),
    };
    match &unusable {
        Some(unusable) => {
            counter!("roadcall_tracker_faults_total", "fault" => unusable.fault.as_str()).increment(1);
            queries::keep_problem(&context.db, tracker.id, unusable, context.clock.now()).await?;
        }
        None if tracker.has_problem => queries::clear_problem(&context.db, tracker.id).await?,
        None => {}
    }
    Ok(TrackerReceipt { fault: unusable.map(|unusable| unusable.fault), ..receipt })
}
