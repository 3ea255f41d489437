//! The last known position of a job's mechanic.

use roadcall_actors::{
    geo::Point,
    ids::{JobId, MechanicId},
    mechanic::state::{Fix, PositionSource},
    ports::{Eta, Sighting},
    protocol::LastFix,
};
use uuid::Uuid;

use super::queries::{self, LastPosition};
use crate::{
    jobs::{JobRow, JobsContext},
    platform::error::ApiResult,
};

/// Returns the mechanic whose position may be shown with the job as it is now: from accepted until completed.
pub fn assigned_while_shown(row: &JobRow) -> Option<Uuid> {
    let is_active = row.status.is_active();
    row.mechanic_profile_id.filter(|_| is_active)
}

/// Returns where the job's mechanic is driving: to the pickup, and with the loaded vehicle to its destination.
pub fn drives_to(row: &JobRow) -> Option<Point> {
    if row.arrived_at.is_none() {
        return Some(Point::new(row.pickup_lat, row.pickup_lng));
    }
    row.loaded_at?;
    Some(Point::new(row.destination_lat?, row.destination_lng?))
}

/// Returns the assigned mechanic's last position with an estimate of the way: from their actor, or else from their row, for
/// example after a restart. `None` if no position may be shown or none is known.
pub async fn latest(context: &JobsContext, row: &JobRow) -> ApiResult<Option<Sighting>> {
    let Some(mechanic_id) = assigned_while_shown(row) else { return Ok(None) };
    let in_memory = context.engine.ask(LastFix { mechanic: MechanicId(mechanic_id) }).await.ok().flatten();
    let fix = match in_memory {
        Some(fix) => Some(fix),
        None => queries::last_position(&context.db, mechanic_id).await?.and_then(LastPosition::fix),
    };
    Ok(fix.map(|fix| sighting(context, row, mechanic_id, fix)))
}

fn sighting(context: &JobsContext, row: &JobRow, mechanic_id: Uuid, fix: Fix) -> Sighting {
    let ahead = drives_to(row);
    let estimate = ahead.map(|place| context.etas.estimate(fix.point, place, context.clock.now()));
    Sighting { job_id: JobId(row.id), mechanic_id: MechanicId(mechanic_id), fix, estimate }
}

impl LastPosition {
    fn fix(self) -> Option<Fix> {
        let recorded_at = self.last_recorded_at?;
        Some(Fix {
            point: Point::new(self.last_lat?, self.last_lng?),
            seq: self.last_seq.unwrap_or_default(),
            accuracy_m: self.last_accuracy_m,
            speed_mps: None,
            heading: None,
            recorded_at,
            received_at: self.last_received_at.unwrap_or(recorded_at),
            is_implausible: self.last_is_implausible,
            source: PositionSource::App,
        })
    }
}
