//! The middleware that counts requests by user or address and refuses those beyond the limit.

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
    web::Data,
};

use super::EdgeContext;
use crate::{
    accounts::auth::{TokenHolder, bearer, holder_of_token},
    http::{ClientAddress, Key, LimitStatus, network, routed_path},
    pages::is_page,
    platform::error::ApiError,
};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The middleware: 429 with `Retry-After` at the limit, and on every answer the headers that say how much is left.
pub async fn limit_rate<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let context = request.app_data::<Data<EdgeContext>>().expect("app.rs gives every request the state");
    let path = routed_path(request.request());
    // Opening an app takes dozens of files, and a map dozens of parts of one. None of them needs the database.
    if is_page(path) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let holder = holder_of(&request, context, path);
    let key = holder.map(|holder| Key::Person(holder.budget)).or_else(|| address_of(&request));
    let standing = key.and_then(|key| context.limits.check(key, request.method(), path));
    let Some(standing) = standing else { return Ok(next.call(request).await?.map_into_left_body()) };
    let mut response = if standing.refused {
        let refusal = ApiError::rate_limited(standing.reset_s.max(1)).error_response();
        request.into_response(refusal).map_into_right_body()
    } else {
        let context = context.clone();
        let response = next.call(request).await?;
        if let Some(holder) = holder.filter(|_| response.status() == StatusCode::UNAUTHORIZED) {
            context.limits.session_ended(holder.session_id).await;
        }
        response.map_into_left_body()
    };
    describe(response.headers_mut(), standing);
    Ok(response)
}

fn describe(headers: &mut HeaderMap, standing: LimitStatus) {
    headers.insert(LIMIT, HeaderValue::from(standing.limit));
    headers.insert(REMAINING, HeaderValue::from(standing.remaining));
    headers.insert(RESET, HeaderValue::from(standing.reset_s));
}

/// Who spends their own quota: the user of a genuine token whose session is not known to have ended. For routes
/// where secrets can be guessed it is always the address: an attacker can get any number of customers' tokens.
fn holder_of(request: &ServiceRequest, context: &EdgeContext, path: &str) -> Option<TokenHolder> {
    if context.limits.is_guessable(request.method(), path) {
        return None;
    }
    let holder = holder_of_token(context, &bearer(request.request()).ok()?)?;
    (!context.limits.has_ended(holder.session_id)).then_some(holder)
}

fn address_of(request: &ServiceRequest) -> Option<Key> {
    let address = request.peer_addr().map(|_| ClientAddress::of(request.request()))?;
    Some(Key::Address(network(address.0)))
}
