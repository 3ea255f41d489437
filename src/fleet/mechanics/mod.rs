//! Mechanics: who they are, what they serve, and whether they may.
//!
//! A profile changes under a lock on its row. After every commit, [`changed`] notifies those who remember the profile.
//! What admins do to a profile is here too: the path says who may call, the folder says whose rows change.

mod actions;
mod admin;
mod advice;
mod changes;
mod dto;
mod handlers;
pub mod job_hook;
mod presence;
mod queries;
mod state;
mod stats;

pub use actions::{move_profile, verify};
pub use advice::WaitingAdvice;
pub use dto::{MechanicDocument, MechanicProfile, MechanicVerification, OwnMechanicProfile, WithReason};
pub use presence::set_availability;
pub use queries::ProfileRow;
pub use state::{ProfileCommand, ProfileEvent, ProfileStatus, ProfileTransitionError};

use roadcall_actors::EngineHandle;
use std::collections::HashMap;
use std::ops::Deref;

use chrono::{DateTime, Utc};
use roadcall_actors::{geo::Point, ids::MechanicId, job::state::Refusal};
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::auth::{self, AuthContext},
    catalogue::dispatch_settings::DispatchConfig,
    http,
    notifications::Wakeups,
    platform::error::{ApiError, ApiResult, Code},
};

/// What the mechanics' handlers need.
#[derive(Debug, Clone)]
pub struct MechanicsContext {
    pub auth: AuthContext,
    pub engine: EngineHandle,
    /// How jobs are dispatched now.
    pub dispatch: DispatchConfig,
    pub wakeups: Wakeups,
}

impl Deref for MechanicsContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}

/// How far from where they were last seen mechanics may be when they come online.
const AROUND_KM: f64 = 20.0;

/// Maximum documents of a profile; one more is refused.
pub const MAX_DOCUMENTS: usize = 20;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::register_mechanic)
        .service(handlers::get_my_mechanic_profile)
        .service(changes::handlers::update_my_mechanic_profile)
        .service(handlers::add_my_mechanic_document)
        .service(handlers::list_my_mechanic_documents)
        .service(handlers::delete_my_mechanic_document)
        .service(stats::handlers::get_my_mechanic_stats)
        .service(presence::handlers::set_my_availability)
        .service(presence::handlers::find_nearby_mechanics)
        .service(advice::handlers::get_my_waiting_advice)
        .service(changes::admin::list_mechanic_changes)
        .service(changes::admin::approve_mechanic_change)
        .service(changes::admin::reject_mechanic_change)
        .service(admin::list_mechanics)
        .service(admin::get_mechanic_for_admin)
        .service(admin::reject_mechanic)
        .service(admin::reinstate_mechanic)
        // Last: `{id}` would match the words above.
        .service(handlers::get_mechanic_card);
}

/// As for jobs, except that NotFound is about the mechanic.
fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotFound => no_such_mechanic(),
        Refusal::NotEligible(_) => ApiError::new(Code::NotVerified, "Your mechanic profile is not verified."),
        other => http::refused(other),
    }
}

pub fn no_such_mechanic() -> ApiError {
    ApiError::not_found("mechanic")
}

/// The profile with this id; 404 if there is none.
pub async fn find(context: &MechanicsContext, id: Uuid) -> ApiResult<ProfileRow> {
    queries::find(&context.db, id).await?.ok_or_else(no_such_mechanic)
}

/// Notifies those who remember the profile that it has changed. Call this after every commit that touches one.
pub async fn changed(context: &MechanicsContext, profile: &ProfileRow) {
    context.wakeups.notify();
    auth::forget(context, profile.user_id).await;
    context.engine.mechanic_changed(MechanicId(profile.id)).await;
}

/// The profile's account, or why the mechanic may not serve and what to do about that.
pub async fn who_may_serve(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Result<Uuid, &'static str>> {
    let Some(row) = queries::find_for_admin(db, id).await? else { return Ok(Err("is not a mechanic")) };
    Ok(state::may_serve(row.account_status, row.profile.status).map(|()| row.profile.user_id))
}

/// The mechanic's own profile, as they see it.
pub async fn profile(db: &mut PgConnection, id: Uuid) -> ApiResult<Option<OwnMechanicProfile>> {
    match queries::find(&mut *db, id).await? {
        Some(profile) => own(db, profile).await.map(Some),
        None => Ok(None),
    }
}

async fn own(db: &mut PgConnection, profile: ProfileRow) -> ApiResult<OwnMechanicProfile> {
    let documents = documents_of(&mut *db, &profile).await?;
    let pending = changes::pending(db, profile.id).await?;
    Ok(OwnMechanicProfile::new(profile, documents, pending))
}

async fn documents_of(db: impl PgExecutor<'_>, profile: &ProfileRow) -> ApiResult<Vec<MechanicDocument>> {
    let rows = queries::documents(db, profile.id).await?;
    Ok(rows.into_iter().map(|row| MechanicDocument::of(row, profile)).collect())
}

/// Why the profile is suspended, in the words of the admin who did it; `None` if it is not.
pub async fn suspension_reason(db: &mut PgConnection, id: Uuid) -> ApiResult<Option<String>> {
    Ok(queries::find(db, id).await?.and_then(|row| row.suspension_reason))
}

/// The account of a profile.
pub async fn account_of(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<Uuid>> {
    Ok(queries::find(db, id).await?.map(|profile| profile.user_id))
}

/// The name that an admin verified with the mechanic's documents; `None` until then.
pub async fn verified_name(db: impl PgExecutor<'_>, id: Uuid) -> sqlx::Result<Option<String>> {
    queries::verified_name(db, id).await
}

/// Locks the account of a profile, so that only one transaction at a time writes what belongs to the mechanic. Lock it
/// before the profile and its rows in other tables.
pub async fn lock_person(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    queries::lock_person(tx, id).await
}

/// First names by profile; profiles without a name are missing.
pub async fn first_names(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<HashMap<Uuid, String>> {
    let names = queries::names(db, ids).await?;
    Ok(names.into_iter().filter_map(|(id, name)| Some((id, first_name(&name)?))).collect())
}

/// Whether everyone who is signed in may see the mechanic's card.
pub async fn has_card(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<bool> {
    Ok(queries::find_card(db, id).await?.is_some())
}

/// Adds a rating of the mechanic to the average, or removes one: `score` stars of `count` ratings, both negative to
/// remove. The row stays locked until the transaction ends.
pub async fn count_rating(tx: &mut PgConnection, id: Uuid, score: i32, count: i32) -> sqlx::Result<()> {
    queries::count_rating(tx, id, score, count).await
}

/// Whether a verified mechanic, online or not, was last seen where this is within their reach or not far beyond: they move about.
/// Only for pickups that nobody who is online could serve: this reads every profile.
pub async fn is_within_reach(db: impl PgExecutor<'_>, pickup: Point) -> sqlx::Result<bool> {
    queries::is_within_reach(db, pickup.lat, pickup.lng, AROUND_KM).await
}

/// The first word of a name.
pub fn first_name(name: &str) -> Option<String> {
    name.split_whitespace().next().map(str::to_owned)
}

/// Keeps a mechanic's account from being deleted or suspended until the transaction ends. False if the mechanic may not
/// serve any more. Call this before you assign a job to a mechanic: the foreign key alone would accept one who left a
/// moment ago. Locks the account, then the profile.
pub async fn lock_verified(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    queries::lock_verified(tx, id).await
}

/// Waits for every job that is being assigned to the person, and prevents new assignments until the transaction ends.
pub async fn lock_of(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::lock_of(tx, user_id).await
}

/// Ends a person's work as a mechanic when their account is anonymised: suspended, not available, without documents.
/// Does nothing if there is no profile; otherwise call [`changed`] after the commit.
pub async fn retire(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<ProfileRow>> {
    queries::retire(tx, user_id, now).await
}

/// Makes a mechanic whose account is suspended unavailable until they switch availability on again. Does nothing if
/// there is no profile; otherwise call [`changed`] and [`stand_down`] after the commit.
pub async fn take_off_the_road(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<ProfileRow>> {
    queries::take_off_the_road(tx, user_id, now).await
}
