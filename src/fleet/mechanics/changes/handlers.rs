use actix_web::{
    patch,
    web::{Data, Json},
};
use sqlx::PgConnection;

use super::Served;
use crate::{
    accounts::auth::{self, AnyMechanic, OwnProfile},
    fleet::mechanics::{
        self, MechanicsContext, ProfileRow,
        dto::{OwnMechanicProfile, ProfileChanges},
        handlers::{check_categories, no_such_mechanic},
        queries,
    },
    http::{Body, Change, ValidationErrors},
    platform::error::{ApiResult, commit_error},
};

/// Changes what the caller serves, and within which radius. It applies to jobs that are dispatched from now on. Once
/// the profile is verified, serving other vehicle types or categories than before has to wait for an admin
/// (`pending_change`); what the caller serves now stays valid until then. Sending types or categories again replaces
/// the pending change; whichever of the two is left out stays as in that change.
#[utoipa::path(
    tag = "mechanics",
    request_body = ProfileChanges,
    responses((status = 200, body = OwnMechanicProfile)),
)]
#[patch("/mechanics/me")]
pub async fn update_my_mechanic_profile(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    body: Body<ProfileChanges>,
) -> ApiResult<Json<OwnMechanicProfile>> {
    let changes = body.read()?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // An account that is being deleted leaves no change behind.
    auth::lock_account(&mut tx, mechanic.caller.user_id).await?;
    let mut profile = queries::lock(&mut tx, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    if let Some(wanted) = wanted(&mut tx, &profile, &changes).await? {
        check(&mut tx, &profile, &changes, &wanted).await?;
        super::serve(&mut tx, &context, &mut profile, wanted, now).await?;
    }
    profile.service_radius_km = changes.service_radius_km.map(|km| km.0).over(profile.service_radius_km);
    profile.updated_at = now;
    queries::update(&mut tx, &profile).await?;
    let shown = mechanics::own(&mut tx, profile.clone()).await?;
    tx.commit().await.map_err(commit_error)?;
    mechanics::changed(&context, &profile).await;
    Ok(Json(shown))
}

/// What the mechanic wants to serve; `None` if the request doesn't say. What it leaves out stays as in the pending
/// change or, if there is none, as it is served now.
async fn wanted(
    tx: &mut PgConnection,
    profile: &ProfileRow,
    changes: &ProfileChanges,
) -> ApiResult<Option<Served>> {
    if changes.vehicle_types == Change::Keep && changes.service_category_ids == Change::Keep {
        return Ok(None);
    }
    let pending = super::queries::find_of_profile(tx, profile.id).await?;
    let before = pending.map_or_else(|| profile.served(), |pending| pending.wanted());
    let kinds = changes.vehicle_types.clone().map(|kinds| kinds.collapsed());
    let ids = changes.service_category_ids.clone();
    let ids = ids.map(|ids| ids.collapsed().into_iter().map(|id| id.0).collect());
    Ok(Some(Served {
        vehicle_types: kinds.over(before.vehicle_types),
        service_category_ids: ids.over(before.service_category_ids),
    }))
}

async fn check(
    tx: &mut PgConnection,
    profile: &ProfileRow,
    changes: &ProfileChanges,
    wanted: &Served,
) -> ApiResult<()> {
    let mut errors = ValidationErrors::default();
    let field = match &changes.service_category_ids {
        Change::Keep => "vehicle_types",
        Change::To(ids) => {
            check_categories(tx, &ids.0, &profile.service_category_ids, &mut errors).await?;
            "service_category_ids"
        }
    };
    super::check_match(tx, wanted, field, &mut errors).await?;
    errors.into_result()
}
