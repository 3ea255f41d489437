//! Where mechanics are, and what has happened to a job so far.
//!
//! Points are parsed only here, whether they came over HTTP or a socket ([`Points`]). A position is shown in only one
//! shape ([`Location`]), only from accepted to completed, and never without its age.

mod dto;
mod handlers;
mod log;
mod queries;
mod route;
mod sighting;

use chrono::TimeDelta;
use roadcall_actors::{engine::SocketLink, ids::MechanicId, job::state::Refusal, mechanic::state::Located};
use sqlx::PgConnection;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use dto::{Eta, EventData, KeptPoint, Location, LocationReceipt, Points, RejectedPoint};
pub use log::{Logged, SharedLogs, logged};
pub use sighting::{assigned_while_shown, latest};

use crate::{
    accounts::auth::AnyMechanic,
    jobs::JobsContext,
    platform::error::{ApiError, ApiResult},
};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::send_my_location)
        .service(handlers::get_job_location)
        .service(handlers::list_job_events)
        .service(route::handlers::get_job_route);
}

/// Gives points from a mechanic's phone to the mechanic's actor; those that the receipt calls accepted are stored.
pub async fn locate(
    context: &JobsContext,
    mechanic: AnyMechanic,
    points: Points,
) -> ApiResult<LocationReceipt> {
    let (id, received_at) = (MechanicId(mechanic.profile_id), context.clock.now());
    receipt(context.engine.locate(id, points.pings(), received_at).await)
}

/// The same for points that came over a socket.
pub async fn locate_over(
    context: &JobsContext,
    link: &mut SocketLink,
    points: Points,
) -> ApiResult<LocationReceipt> {
    receipt(context.engine.locate_over(link, points.pings(), context.clock.now()).await)
}

fn receipt(located: Result<Located, Refusal>) -> ApiResult<LocationReceipt> {
    // Without an answer, nothing in the batch counts as stored: the phone sends it again, which is harmless.
    located.map(LocationReceipt::from).map_err(|refusal| ApiError::unavailable(refusal.to_string()))
}

/// The newest stored points of a mechanic on these jobs, at most `limit`.
pub async fn newest_points(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    job_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<KeptPoint>> {
    let rows = queries::newest_points(db, mechanic_profile_id, job_ids, limit).await?;
    Ok(rows.into_iter().map(KeptPoint::from).collect())
}

/// The last known position of a mechanic, on a job or off; `None` if there never was one.
pub async fn last_point(db: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Option<KeptPoint>> {
    Ok(queries::last_position(db, mechanic_profile_id).await?.and_then(KeptPoint::last))
}

/// Deletes points of trails after their retention time, at most `limit` at once.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.tracking.trail_retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
