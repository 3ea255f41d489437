use crate::{
    accounts::auth::AuthContext,
    platform::error::{ApiError, ApiResult},
    providers::identity::LocalProvider,
};

/// Returns the embedded provider; 404 if an external one is used.
pub fn provider(context: &AuthContext) -> ApiResult<&LocalProvider> {
    context.auth.local_provider().ok_or_else(|| ApiError::not_found("route"))
}
