//! Verifying a mechanic: the profile, and the UPI accounts that are compared with its verified name.

use actix_web::{
    post,
    web::{Data, Json},
};

use super::LifecycleContext;
use crate::{
    accounts::auth::{Admin, AnyId},
    fleet::mechanics::{self, MechanicProfile, MechanicVerification},
    http::{Body, Owned},
    money::wallet,
    platform::error::{ApiError, ApiResult, ErrorBody, commit_error},
};

/// Accepts a submitted profile under the name that its documents prove. With a `verified_name`, a verified profile is verified
/// again: if the name is a new one, UPI accounts whose name at the bank does not match it go back to review.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = MechanicVerification,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not pending_verification, or verified \
            where a verified_name is given, or its person has left; CONFLICT: without a verified_name, the mechanic has changed \
            their name since they registered"),
    ),
)]
#[post("/admin/mechanics/{id}/verify")]
pub async fn verify_mechanic(
    context: Data<LifecycleContext>,
    target: Owned<AnyId, Admin>,
    body: Body<MechanicVerification>,
) -> ApiResult<Json<MechanicProfile>> {
    let (AnyId(id), Admin(admin)) = target.into_parts();
    mechanics::account_of(&context.db, id).await?.ok_or_else(|| ApiError::not_found("mechanic"))?;
    let name = body.read()?.verified_name.map(|name| name.0);
    let mut tx = context.db.begin().await?;
    mechanics::lock_person(&mut tx, id).await?;
    let name_before = mechanics::verified_name(&mut *tx, id).await?;
    let profile = mechanics::verify(&mut tx, &context, admin, id, name).await?;
    // Under the same name, an admin's approval of an account whose bank has another name still counts.
    if profile.verified_name != name_before {
        wallet::match_names_again(&mut tx, &context, id).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    mechanics::changed(&context, &profile).await;
    Ok(Json(MechanicProfile::from(profile)))
}
