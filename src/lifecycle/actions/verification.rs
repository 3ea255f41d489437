//! Verifying a mechanic: the profile, and the UPI accounts that are compared with its verified name.

use uuid::Uuid;

use crate::{
    fleet::mechanics::{self, ProfileRow},
    lifecycle::LifecycleContext,
    money::wallet,
    platform::error::{ApiResult, commit_error},
};

/// Accepts a submitted profile under the name that its documents prove, or verifies it again.
pub async fn verify_mechanic(
    context: &LifecycleContext,
    admin: Uuid,
    id: Uuid,
    name: Option<String>,
) -> ApiResult<ProfileRow> {
    let mut tx = context.db.begin().await?;
    mechanics::lock_person(&mut tx, id).await?;
    let name_before = mechanics::verified_name(&mut *tx, id).await?;
    let profile = mechanics::verify(&mut tx, context, admin, id, name).await?;
    // If the name did not change, an admin's approval of an account with another name at the bank still counts.
    if profile.verified_name != name_before {
        wallet::match_names_again(&mut tx, &context.wallet, id).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    mechanics::changed(context, &profile).await;
    Ok(profile)
}
