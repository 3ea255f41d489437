//! Mechanics: who they are, what they serve, and whether they may.
//!
//! A profile changes under a lock on its row, and every commit is told to whoever remembers the profile by
//! [`changed`]. What an admin does to a profile lives here too, in `admin.rs`: the path says who may call,
//! the folder whose rows change.

mod admin;
mod changes;
mod dto;
mod handlers;
pub mod job_hook;
mod presence;
mod queries;
mod state;
mod stats;

pub use admin::{move_profile, verify};
pub use dto::{MechanicDocument, MechanicProfile, MechanicVerification, OwnMechanicProfile, WithReason};
pub use presence::set_availability;
pub use queries::ProfileRow;
pub use state::{ProfileCommand, ProfileEvent, ProfileStatus, ProfileTransitionError};

use roadcall_actors::EngineHandle;
use std::collections::HashMap;
use std::ops::Deref;

use chrono::{DateTime, Utc};
use roadcall_actors::ids::MechanicId;
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::auth::{self, AuthContext},
    catalogue::dispatch_settings::DispatchConfig,
    notifications::Wakeups,
    platform::error::ApiResult,
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

/// How many documents one profile keeps; one more is refused.
pub const MAX_DOCUMENTS: usize = 20;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::register_mechanic)
        .service(handlers::get_my_mechanic_profile)
        .service(changes::handlers::update_my_mechanic_profile)
        .service(handlers::add_my_mechanic_document)
        .service(handlers::list_my_mechanic_documents)
        .service(stats::handlers::get_my_mechanic_stats)
        .service(presence::handlers::set_my_availability)
        .service(presence::handlers::find_nearby_mechanics)
        .service(changes::admin::list_mechanic_changes)
        .service(changes::admin::approve_mechanic_change)
        .service(changes::admin::reject_mechanic_change)
        .service(admin::list_mechanics)
        .service(admin::get_mechanic_for_admin)
        .service(admin::reject_mechanic)
        .service(admin::reinstate_mechanic)
        // Last: `{id}` would take the words above for ids.
        .service(handlers::get_mechanic_card);
}

/// Tells whoever remembers the profile that it changed. Called after every commit that touches one.
pub async fn changed(context: &MechanicsContext, profile: &ProfileRow) {
    context.wakeups.notify();
    auth::forget(context, profile.user_id).await;
    context.engine.mechanic_changed(MechanicId(profile.id)).await;
}

/// Whose profile this is, or why it may serve nobody and what to do about that.
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

/// Why the profile is suspended, in the words of the admin who did it; `None` where it is not.
pub async fn suspension_reason(db: &mut PgConnection, id: Uuid) -> ApiResult<Option<String>> {
    Ok(queries::find(db, id).await?.and_then(|row| row.suspension_reason))
}

/// Whose account a profile is.
pub async fn account_of(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<Uuid>> {
    Ok(queries::find(db, id).await?.map(|profile| profile.user_id))
}

/// The name that an admin verified with the mechanic's documents; none before.
pub async fn verified_name(db: impl PgExecutor<'_>, id: Uuid) -> sqlx::Result<Option<String>> {
    queries::verified_name(db, id).await
}

/// Locks the account that a profile belongs to, so that one transaction at a time writes what the mechanic has. Lock it before
/// the profile and what hangs on it.
pub async fn lock_person(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    queries::lock_person(tx, id).await
}

/// First names by profile; whoever has none is missing.
pub async fn first_names(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<HashMap<Uuid, String>> {
    let names = queries::names(db, ids).await?;
    Ok(names.into_iter().filter_map(|(id, name)| Some((id, first_name(&name)?))).collect())
}

/// Whether everyone who is signed in may look at the mechanic's card.
pub async fn has_card(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<bool> {
    Ok(queries::find_card(db, id).await?.is_some())
}

/// Counts a rating of the mechanic in its average, or takes one out of it: `score` stars of `count` ratings, both
/// negative for the latter. The row is locked from here to the end of the transaction.
pub async fn count_rating(tx: &mut PgConnection, id: Uuid, score: i32, count: i32) -> sqlx::Result<()> {
    queries::count_rating(tx, id, score, count).await
}

/// The first word of a name.
pub fn first_name(name: &str) -> Option<String> {
    name.split_whitespace().next().map(str::to_owned)
}

/// Keeps a mechanic's account from being deleted or suspended until the transaction ends. False where the mechanic may not
/// serve any more. Whoever gives a mechanic a job asks here first: the foreign key alone would accept one that left a moment
/// ago. Locks the account, then the profile.
pub async fn lock_verified(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    queries::lock_verified(tx, id).await
}

/// Waits for every job that the person is being given right now, and lets none be given until the transaction ends.
pub async fn lock_of(tx: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    queries::lock_of(tx, user_id).await
}

/// Ends a person's work as a mechanic when their account is anonymised: suspended, not available, without
/// documents. Nothing happens where there is no profile; tell [`changed`] after the commit where there is one.
pub async fn retire(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<ProfileRow>> {
    queries::retire(tx, user_id, now).await
}

/// Takes a mechanic off the road whose account is suspended: not available until they say so again. Nothing happens
/// where there is no profile; tell [`changed`] and [`stand_down`] after the commit where there is one.
pub async fn take_off_the_road(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<ProfileRow>> {
    queries::take_off_the_road(tx, user_id, now).await
}
