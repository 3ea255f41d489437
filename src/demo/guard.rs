//! Limits the demo to pages of the service itself and programs on this machine. A page of another site could send requests to a
//! developer's server, or let its own name lead there.

use crate::{
    http::{is_own_or_listed, is_this_machine},
    platform::{
        error::{ApiError, ApiResult},
        settings::CoreSettings,
    },
};
use actix_web::{
    HttpRequest,
    http::header::{HOST, ORIGIN},
};

/// Refuses with 403 a request that comes from a page of another origin, or by a name that is not this machine's.
pub(super) fn check_nearby(request: &HttpRequest, settings: &CoreSettings) -> ApiResult<()> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| is_this_machine(host, &settings.server.public_url)) {
        return Err(ApiError::forbidden(
            "The demo is only for this machine. Open the server by its own address.",
        ));
    }
    let mut origins = request.headers().get_all(ORIGIN);
    if !origins.all(|origin| origin.to_str().is_ok_and(|origin| is_own_or_listed(origin, host, settings))) {
        return Err(ApiError::forbidden("Pages of other origins can't use the demo."));
    }
    Ok(())
}
