use actix_web::{
    patch,
    web::{Data, Json},
};
use roadcall_accounts::auth::{AnyMechanic, OwnProfile};
use roadcall_http::Body;
use roadcall_platform::error::ApiResult;

use super::actions;
use crate::fleet::mechanics::{
    MechanicsContext,
    dto::{OwnMechanicProfile, ProfileChanges},
};

/// Changes what the caller serves, and within which radius. The change applies to jobs that are dispatched from now on. Once the
/// profile is verified, serving other vehicle types or categories than before has to wait for an admin (`pending_change`); until
/// then the caller serves the same as before. Sending types or categories again replaces the pending change; a field that is left
/// out stays as in that change.
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
    let (user_id, profile_id) = (mechanic.caller.user_id, mechanic.profile_id);
    Ok(Json(actions::change(&context, user_id, profile_id, body.read()?).await?))
}
