//! The middleware that counts requests by user, credential or address and refuses those beyond the limit.

use actix_web::{
    Error, HttpMessage, ResponseError,
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
    accounts::{
        auth::{TokenHolder, TokenKind, bearer, holder_of_token},
        uploads,
    },
    http::{ClientAddress, LimitStatus, Meter, Proof, VisitPurpose, routed_path},
    pages::is_page,
    platform::error::ApiError,
};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Answers 429 with `Retry-After` at the limit, and adds headers with the remaining quota to every counted answer.
pub async fn limit_rate<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let context = request.app_data::<Data<EdgeContext>>().expect("app/ gives every request the state");
    let path = routed_path(request.request());
    // Opening an app takes dozens of files and its configuration, and a map dozens of parts of a file. None of them needs the
    // database.
    if is_page(path) || is_configuration(path) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let (context, purpose) = (context.clone(), VisitPurpose::of(request.method(), path));
    let holder = holder_of(&request, &context, purpose);
    if holder.is_none() && purpose.is_shown_in_body() {
        return counted_by_handler(&context, purpose, request, next).await;
    }
    if let Some(holder) = holder {
        request.extensions_mut().insert(holder);
    }
    let standing = match holder {
        Some(holder) => Some(context.limits.check_person(holder.budget, request.method(), path)),
        None => {
            let shown = shown(&request, &context, purpose, path);
            context.limits.check_other(purpose, shown, ClientAddress::of(request.request()).0)
        }
    };
    let mut response = match standing {
        Some(standing) if standing.refused => refused(request, standing),
        _ => {
            let response = next.call(request).await?;
            if let Some(holder) = holder.filter(|_| response.status() == StatusCode::UNAUTHORIZED) {
                context.limits.session_ended(holder.session_id).await;
            }
            response.map_into_left_body()
        }
    };
    describe(response.headers_mut(), standing);
    Ok(response)
}

/// Lets the handler read the body and count the request by its content. A request that is refused before is
/// counted by the address.
async fn counted_by_handler<B: MessageBody + 'static>(
    context: &EdgeContext,
    purpose: VisitPurpose,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let meter = Meter::new(context.limits.clone(), purpose, ClientAddress::of(request.request()).0);
    request.extensions_mut().insert(meter.clone());
    let response = next.call(request).await?;
    let was_counted = meter.has_counted();
    let standing = meter.settle();
    let mut response = match standing {
        // Nothing was done for the request, so it may as well be refused for this reason.
        Some(standing) if standing.refused && !was_counted && response.status().is_client_error() => {
            let (request, _) = response.into_parts();
            let refusal = ApiError::rate_limited(standing.reset_s.max(1)).error_response();
            ServiceResponse::new(request, refusal).map_into_right_body()
        }
        _ => response.map_into_left_body(),
    };
    describe(response.headers_mut(), standing);
    Ok(response)
}

fn refused<B>(request: ServiceRequest, standing: LimitStatus) -> ServiceResponse<EitherBody<B>> {
    let refusal = ApiError::rate_limited(standing.reset_s.max(1)).error_response();
    request.into_response(refusal).map_into_right_body()
}

fn describe(headers: &mut HeaderMap, standing: Option<LimitStatus>) {
    let Some(standing) = standing else { return };
    headers.insert(LIMIT, HeaderValue::from(standing.limit));
    headers.insert(REMAINING, HeaderValue::from(standing.remaining));
    headers.insert(RESET, HeaderValue::from(standing.reset_s));
}

/// Returns whose quota the request uses: the user of a genuine token whose session is not known to have ended.
fn holder_of(request: &ServiceRequest, context: &EdgeContext, purpose: VisitPurpose) -> Option<TokenHolder> {
    if !purpose.takes_access_token() {
        return None;
    }
    let holder = holder_of_token(context, &bearer(request.request()).ok()?)?;
    (!context.limits.has_ended(holder.session_id)).then_some(holder)
}

/// Returns the proof in the URL, used instead of an access token, if it is genuine.
fn shown(
    request: &ServiceRequest,
    context: &EdgeContext,
    purpose: VisitPurpose,
    path: &str,
) -> Option<Proof> {
    let made = context.auth.auth.tokens_made();
    match purpose {
        VisitPurpose::Following | VisitPurpose::Signalling => {
            let mut segments = path.strip_prefix("/api/v1").unwrap_or(path).split('/').skip(2);
            made.read(TokenKind::Link, segments.next()?)
        }
        VisitPurpose::Socket => {
            let query = request.query_string().as_bytes();
            let ticket = url::form_urlencoded::parse(query).find(|(name, _)| name == "ticket")?.1;
            made.read(TokenKind::Ticket, &ticket)
        }
        VisitPurpose::File => uploads::signed_link(request.request()),
        _ => None,
    }
}

fn is_configuration(path: &str) -> bool {
    path.strip_prefix("/api/v1").unwrap_or(path) == "/config"
}
