//! Signing in as an admin.

use crate::{
    accounts::{
        auth::{self, AuthContext, SignedIn, idp},
        users,
    },
    lifecycle::admins::actions::claims::{self, Standing},
    platform::error::{ApiError, ApiResult, commit_error},
    providers::identity::Identity,
};

/// Signs in the admin who owns a verified identity (contract 4.1), after applying the provider's claim.
pub async fn sign_in(
    context: &AuthContext,
    identity: &Identity,
    user_agent: Option<&str>,
) -> ApiResult<SignedIn> {
    let now = context.clock.now();
    let has_claim = context.auth.claims().are_read;
    let mut tx = context.db.begin().await?;
    if has_claim {
        users::lock_admins(&mut tx).await?;
    }
    let account = auth::admin_of_identity(&mut tx, &identity.uid, &identity.email).await?;
    let unaccepted = idp::lock_account(&mut tx, identity).await?;
    if unaccepted.is_some() {
        return Err(ApiError::forbidden("Accept your invitation first."));
    }
    let standing = match has_claim {
        true => claims::settle(context, &mut tx, account, identity, now).await?,
        false => Standing::Unchanged(account),
    };
    let account = match standing {
        Standing::Unchanged(account) => auth::may_sign_in_as(account, identity)?,
        Standing::Given(account) => account,
        Standing::Lost(id) => {
            tx.commit().await.map_err(commit_error)?;
            auth::forget(context, id).await;
            return Err(ApiError::forbidden("Your identity provider no longer lists you as an admin."));
        }
    };
    let signed_in = auth::open_admin_session(context, &mut tx, &account, identity, user_agent, now).await?;
    tx.commit().await.map_err(commit_error)?;
    auth::forget(context, account.id).await;
    Ok(signed_in)
}
