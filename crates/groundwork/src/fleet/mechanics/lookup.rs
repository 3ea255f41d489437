//! Look-ups of mechanics' profiles.

use std::collections::HashMap;

use roadcall_actors::geo::Point;
use roadcall_platform::error::ApiResult;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::{
    changes,
    context::MechanicsContext,
    dto::{MechanicDocument, OwnMechanicProfile},
    names::first_name,
    queries::{self, ProfileRow},
    refusals::no_such_mechanic,
    state::may_serve,
};

/// How far from their last position mechanics may be when they come online.
const AROUND_KM: f64 = 20.0;

/// Returns the profile with this id; 404 if the id is unknown.
pub async fn find(context: &MechanicsContext, id: Uuid) -> ApiResult<ProfileRow> {
    queries::find(&context.db, id).await?.ok_or_else(no_such_mechanic)
}

/// Returns the kinds of help that the mechanic is verified to give; the list is empty for an unknown mechanic.
pub async fn categories_of(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Vec<Uuid>> {
    Ok(queries::find(db, id).await?.map(|row| row.service_category_ids).unwrap_or_default())
}

/// Returns the profile's account, or why the mechanic may not serve and what to do about it.
pub async fn who_may_serve(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Result<Uuid, &'static str>> {
    let Some(row) = queries::find_for_admin(db, id).await? else { return Ok(Err("is not a mechanic")) };
    Ok(may_serve(row.account_status, row.profile.status).map(|()| row.profile.user_id))
}

/// Returns the mechanic's own profile, as they see it.
pub async fn profile(db: &mut PgConnection, id: Uuid) -> ApiResult<Option<OwnMechanicProfile>> {
    match queries::find(&mut *db, id).await? {
        Some(profile) => own(db, profile).await.map(Some),
        None => Ok(None),
    }
}

pub(super) async fn own(db: &mut PgConnection, profile: ProfileRow) -> ApiResult<OwnMechanicProfile> {
    let documents = documents_of(&mut *db, &profile).await?;
    let pending = changes::pending(db, profile.id).await?;
    Ok(OwnMechanicProfile::new(profile, documents, pending))
}

pub(super) async fn documents_of(
    db: impl PgExecutor<'_>,
    profile: &ProfileRow,
) -> ApiResult<Vec<MechanicDocument>> {
    let rows = queries::documents(db, profile.id).await?;
    Ok(rows.into_iter().map(|row| MechanicDocument::of(row, profile)).collect())
}

/// Returns why the profile is suspended, in the admin's words; `None` if it is not.
pub async fn suspension_reason(db: &mut PgConnection, id: Uuid) -> ApiResult<Option<String>> {
    Ok(queries::find(db, id).await?.and_then(|row| row.suspension_reason))
}

/// Returns the account of a profile.
pub async fn account_of(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<Uuid>> {
    Ok(queries::find(db, id).await?.map(|profile| profile.user_id))
}

/// Returns first names by profile; profiles without a name are missing.
pub async fn first_names(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<HashMap<Uuid, String>> {
    let names = queries::names(db, ids).await?;
    Ok(names.into_iter().filter_map(|(id, name)| Some((id, first_name(&name)?))).collect())
}

/// Returns whether everyone who is signed in may see the mechanic's card.
pub async fn has_card(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<bool> {
    Ok(queries::find_card(db, id).await?.is_some())
}

/// Returns whether a verified mechanic, online or not, was last seen where this is within their reach or not far beyond, since
/// they move about. Only for pickups that no online mechanic could serve: this reads every profile.
pub async fn is_within_reach(db: impl PgExecutor<'_>, pickup: Point) -> sqlx::Result<bool> {
    queries::is_within_reach(db, pickup.lat, pickup.lng, AROUND_KM).await
}
