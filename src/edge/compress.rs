//! Answers are compressed for clients that ask for it: lists, exports and documents with their page (docs/adr/0068).
//!
//! The size of a compressed answer shows whether parts of it are alike. If an answer contains a secret and a stranger can choose
//! another part of it, they could guess the secret bit by bit (BREACH). So only answers that, by the document, contain no secret
//! are compressed (`openapi/secrets.rs`).

use actix_http::encoding::Encoder;
use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
        header::{self, AcceptEncoding, ContentEncoding, Encoding, Header as _, HeaderValue},
    },
    middleware::Next,
};

use super::{EdgeContext, requests::DOCS};
use crate::http::RequestInfo;

/// The types that become smaller. Streams of events are not among them, since each event is sent at once.
const COMPRESSED: [&str; 7] = [
    "application/json",
    "application/geo+json",
    "text/csv",
    "text/html",
    "text/css",
    "text/javascript",
    "image/svg+xml",
];

/// Smaller answers fit a packet or two anyway.
const WORTH_IT_BYTES: u64 = 1_400;

/// Compresses answers. This is the innermost middleware. The body is boxed: every connection has room for one, and a compressor is
/// large.
pub async fn compress<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let may_compress = *request.method() == Method::GET && holds_no_secret(&request);
    let mut response = next.call(request).await?;
    let is_large = match response.response().body().size() {
        BodySize::Sized(length) => length >= WORTH_IT_BYTES,
        BodySize::Stream => true,
        BodySize::None => false,
    };
    let is_plain = !response.headers().contains_key(header::CONTENT_ENCODING);
    if !(may_compress && is_plain && is_large && response.status() == StatusCode::OK && is_text(&response)) {
        return Ok(response.map_into_boxed_body());
    }
    let Some(encoding) = wanted(&response) else {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        return Ok(response.map_into_boxed_body());
    };
    // The encoder also adds `Vary: accept-encoding`.
    Ok(response.map_body(|head, body| BoxBody::new(Encoder::response(encoding, head, body))))
}

fn holds_no_secret(request: &ServiceRequest) -> bool {
    let extensions = request.extensions();
    let route = extensions.get::<RequestInfo>().map(|info| &*info.route);
    let is_open = |route: &str| EdgeContext::of(request.request()).document.holds_no_secret(route);
    route.is_some_and(|route| route == DOCS || is_open(route))
}

fn is_text<B>(response: &ServiceResponse<B>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| COMPRESSED.iter().any(|text| kind.starts_with(text)))
}

/// Returns the encoding that the client wants. Without the header, a client accepts anything in principle,
/// but gets what every client can read.
fn wanted<B>(response: &ServiceResponse<B>) -> Option<ContentEncoding> {
    let accepted = AcceptEncoding::parse(response.request()).ok()?;
    if !response.request().headers().contains_key(header::ACCEPT_ENCODING) {
        return None;
    }
    let supported = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    match accepted.negotiate(supported.iter())? {
        Encoding::Known(ContentEncoding::Identity) | Encoding::Unknown(_) => None,
        Encoding::Known(encoding) => Some(encoding),
    }
}
