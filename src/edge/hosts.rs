//! In development, only requests to this machine's own names are answered: see `http/host.rs`.

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::HOST,
    middleware::Next,
};

use crate::{edge::EdgeContext, http::is_answered, platform::error::ApiError};

/// Answers with 403 if the request names another machine. This is a middleware.
pub async fn refuse_other_names<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let settings = &EdgeContext::of(request.request()).settings;
    // The target may name a host as well. Programs that send no name at all are not browsers.
    let given = request.headers().get_all(HOST).map(|host| host.to_str().unwrap_or_default());
    let named = request.uri().authority().map(|authority| authority.as_str());
    if given.chain(named).all(|host| is_answered(host, settings)) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let refusal = ApiError::forbidden(
        "In development the server answers only to this machine's own names, such as localhost. If it has another one, set \
         server.public_url.",
    );
    Ok(request.into_response(refusal.error_response()).map_into_right_body())
}
