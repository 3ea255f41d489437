//! The layer that every request passes first and every answer last: the request id, the safety net for panics,
//! the headers of each answer, and the measurements.

use std::{sync::Arc, time::Instant};

use actix_web::{
    Error, HttpMessage, HttpResponse,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{
        ConnectionType, Method, StatusCode,
        header::{self, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
    web::Data,
};
use opentelemetry::Context;
use uuid::Uuid;

use crate::{
    edge::{EdgeContext, cors::Reader},
    http::{RequestInfo, routed_path},
    pages::is_page,
    platform::{error::ApiError, telemetry, traces},
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The label of the page that shows the document, and of its files.
pub(super) const DOCS: &str = "/docs";
/// The label of paths that no route serves, so that scanners can't make labels.
const NO_ROUTE: &str = "none";

/// Handles every request as the outermost middleware, except for `old_paths.rs` around it.
pub async fn edge<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let context =
        request.app_data::<Data<EdgeContext>>().expect("app/ gives every request the state").clone();
    let info = RequestInfo {
        id: request_id(request.headers(), &context),
        route: route_of(&request, &context),
        started: Instant::now(),
        is_head: request.method() == Method::HEAD,
    };
    let method = request.method().clone();
    if method == Method::HEAD {
        // By RFC 9110, 9.3.2, HEAD is answered like GET; the connection's encoder leaves the body out.
        request.head_mut().method = Method::GET;
    }
    let is_page = is_docs(routed_path(request.request()));
    let reader = Reader::of(&request);
    request.extensions_mut().insert(info.clone());
    let trace =
        context.traces.of_request(request.headers(), telemetry::known_method(&method), &info.route, &info.id);
    // The request has a separate task, because a client that resets its connection drops this future at its next `await`: a
    // handler always finishes what it has begun, and the engine and the caches learn of every commit.
    let handling = {
        let _attached = trace.clone().map(Context::attach);
        context.tasks.run(next.call(request))
    };
    let outcome = handling.await;
    let answered = outcome.unwrap_or_else(|_panic| {
        // The panic's message may quote data of the request; the panic hook logs where it happened.
        Err(ApiError::internal("a handler panicked").into())
    });
    let status = match &answered {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    if let Some(trace) = trace {
        traces::note(&trace, "http.response.status_code", i64::from(status.as_u16()));
        if status.is_server_error() {
            traces::failed(&trace, status.as_str().to_owned());
        }
    }
    telemetry::count_request(&method, &info.route, status, info.started.elapsed());
    match answered {
        Ok(mut response) => {
            finish(response.headers_mut(), &info, &context, is_page);
            let is_switched = response.status() == StatusCode::SWITCHING_PROTOCOLS;
            if !is_switched && (*context.drain.borrow() || context.connections.are_nearly_full()) {
                // Otherwise a busy client could delay a stop for as long as it sends requests, and idle clients could keep others
                // out. A socket that opens during a stop says so and closes.
                response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
            }
            Ok(response)
        }
        Err(error) => Err(finished_error(error, &info, &context, reader)),
    }
}

/// Puts the answer into the error, because the request to answer is gone.
fn finished_error(error: Error, info: &RequestInfo, context: &EdgeContext, reader: Option<Reader>) -> Error {
    let mut response: HttpResponse = error.error_response();
    finish(response.headers_mut(), info, context, false);
    if let Some(reader) = reader {
        reader.admit(response.headers_mut());
    }
    let status = response.status().as_u16();
    tracing::error!(request.id = %info.id, http.route = %info.route, http.status = status, "request failed");
    InternalError::from_response(info.id.clone(), response).into()
}

fn finish(headers: &mut HeaderMap, info: &RequestInfo, context: &EdgeContext, is_page: bool) {
    if let Ok(id) = HeaderValue::from_str(&info.id) {
        headers.insert(REQUEST_ID, id);
    }
    let policy = if is_page {
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
    } else {
        "default-src 'none'; frame-ancestors 'none'"
    };
    // A handler that serves a page sets its own policy.
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        set(headers, header::CONTENT_SECURITY_POLICY, policy);
    }
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::REFERRER_POLICY, "no-referrer");
    if context.settings.server.public_url.starts_with("https://") {
        set(headers, header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    if !headers.contains_key(header::CACHE_CONTROL) && !is_page {
        set(headers, header::CACHE_CONTROL, "no-store");
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}

fn is_docs(path: &str) -> bool {
    path.starts_with("/docs/") || path.starts_with("/api/v1/docs/")
}

/// Returns the caller's own id if it is short and plain enough for a log, else a new one.
fn request_id(headers: &HeaderMap, context: &EdgeContext) -> Arc<str> {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let plain = |id: &&str| {
        (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    match given.filter(plain) {
        Some(id) => id.into(),
        None => {
            let id = context.random.id(context.clock.now());
            let mut text = Uuid::encode_buffer();
            Arc::from(&*id.hyphenated().encode_lower(&mut text))
        }
    }
}

fn route_of(request: &ServiceRequest, context: &EdgeContext) -> Arc<str> {
    if is_docs(routed_path(request.request())) {
        return DOCS.into();
    }
    if is_page(routed_path(request.request())) {
        return "pages".into();
    }
    let method = match *request.method() {
        Method::HEAD => &Method::GET,
        ref method => method,
    };
    context
        .document
        .routes()
        .template(method, routed_path(request.request()))
        .unwrap_or_else(|| NO_ROUTE.into())
}
