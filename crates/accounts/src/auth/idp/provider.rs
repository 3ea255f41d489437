use roadcall_platform::error::{ApiError, ApiResult};
use roadcall_providers::identity::LocalProvider;

use crate::auth::AuthContext;

/// Returns the embedded provider; 404 if an external one is used.
pub fn provider(context: &AuthContext) -> ApiResult<&LocalProvider> {
    context.auth.local_provider().ok_or_else(|| ApiError::not_found("route"))
}
