//! The pages of other origins that a browser lets call the interface and read its answers: those of
//! `http.allowed_origins` (the Fetch standard's CORS protocol).
//!
//! This layer is inside the outermost one, so that a preflight has its request id, too, and around the limits, so that a
//! page can read a refusal. The answer to a panic bypasses it, so `requests.rs` adds the same headers there. Credentials
//! are allowed for the session's cookie, which only POST /auth/refresh and POST /auth/logout read
//! (`accounts/auth/cookie.rs`).

use actix_web::{
    Error, HttpResponse, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderMap, HeaderValue},
    },
    middleware::Next,
};

use crate::{edge::EdgeContext, platform::error::ApiError};

/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("3600");
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
/// The headers that clients send beside those that any page may send.
const SENT: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, last-event-id, traceparent, x-attempt, x-request-id, x-session",
);
/// The headers that clients need beside those that any page may read.
const READ: HeaderValue = HeaderValue::from_static(
    "x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, link, deprecation, \
        content-disposition, x-total-rows, x-row-limit, x-truncated",
);

/// Applies the CORS rules as a middleware. Without allowed origins, it does nothing.
pub async fn cors<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let Some(reader) = Reader::of(&request) else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    if is_preflight(&request) {
        let answer = preflight(reader.origin);
        return Ok(request.into_response(answer).map_into_right_body());
    }
    let mut response = next.call(request).await?;
    reader.admit(response.headers_mut());
    Ok(response.map_into_left_body())
}

/// The page that made a request.
pub(super) struct Reader {
    /// The page's origin, if it is listed.
    origin: Option<HeaderValue>,
}

impl Reader {
    /// Returns the page that made a request, or `None` if the settings list no origins.
    pub(super) fn of(request: &ServiceRequest) -> Option<Self> {
        let origins = &EdgeContext::of(request.request()).settings.http.allowed_origins;
        let is_listed =
            |origin: &&HeaderValue| origins.iter().any(|listed| listed.as_bytes() == origin.as_bytes());
        let origin = || request.headers().get(header::ORIGIN).filter(is_listed).cloned();
        (!origins.is_empty()).then(|| Self { origin: origin() })
    }

    /// Lets the page read the answer with these headers, if it is listed.
    pub(super) fn admit(self, headers: &mut HeaderMap) {
        if self.origin.is_some() {
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, READ);
        }
        describe(headers, self.origin);
    }
}

fn is_preflight(request: &ServiceRequest) -> bool {
    *request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a preflight, equally for every route: the request itself finds out whether the route has the method.
fn preflight(origin: Option<HeaderValue>) -> HttpResponse {
    if origin.is_none() {
        let mut refusal =
            ApiError::forbidden("Pages of this origin can't call the service.").error_response();
        describe(refusal.headers_mut(), None);
        return refusal;
    }
    let mut answer = HttpResponse::NoContent();
    answer.insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, METHODS));
    answer.insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, SENT));
    answer.insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE));
    let mut answer = answer.finish();
    describe(answer.headers_mut(), origin);
    answer
}

/// Adds the headers of CORS. Answers differ by origin, so no cache may mix them up.
fn describe(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
}
