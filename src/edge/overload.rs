//! Refuses requests early that could only wait: when too many wait for the database already, and when this server may not use it
//! at all.

use actix_web::{
    Error, HttpMessage, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use crate::{
    edge::EdgeContext,
    http::{RequestInfo, check_leading},
    platform::error::{ApiError, Code},
};

/// Refused requests are spread over this many seconds when they come back.
const RETRY_WITHIN_S: u32 = 5;
/// Paths that are answered without the database.
const WITHOUT_DATABASE: [&str; 7] =
    ["none", "/docs", "/health", "/health/ready", "/metrics", "/openapi.json", "/asyncapi.json"];

/// A middleware: 503 with `Retry-After` instead of a request that could only wait. Nothing was done.
pub async fn shed_load<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let route = request.extensions().get::<RequestInfo>().map(|info| info.route.clone());
    let needs_database = route.is_none_or(|route| !WITHOUT_DATABASE.contains(&&*route));
    let context = EdgeContext::of(request.request());
    match needs_database.then(|| check(context)) {
        Some(Err(refusal)) => {
            let answer = refusal.error_response();
            Ok(request.into_response(answer).map_into_right_body())
        }
        Some(Ok(())) | None => next.call(request).await.map(ServiceResponse::map_into_left_body),
    }
}

/// Whether a request may begin.
fn check(context: &EdgeContext) -> Result<(), ApiError> {
    check_leading(context)?;
    if context.db.waiting() < context.settings.database.max_waiting {
        return Ok(());
    }
    let retry_after_s = 1 + context.random.below(RETRY_WITHIN_S);
    // Counted by its status; a line in the log for each would be one more burden.
    let message = "The service is overloaded right now. Nothing was changed; try again.";
    Err(ApiError::new(Code::Unavailable, message).retry_after(retry_after_s.into()))
}
