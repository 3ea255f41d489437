//! Entity tags, by which a client asks whether its copy is still current (RFC 9110, 8.8.3 and 13.1.2).

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
};
use bytes::Bytes;
use sha2::{Digest, Sha256};

/// Answers with these bytes, or with 304 to a client that has them.
pub fn unless_known(request: &HttpRequest, content_type: &str, bytes: Bytes) -> HttpResponse {
    // The tag is weak, because the same bytes may be sent compressed.
    let etag = etag_of(&bytes);
    let is_known = is_known(request, &etag);
    let mut answer = HttpResponse::build(if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK });
    answer.insert_header((header::CACHE_CONTROL, "no-cache"));
    answer.insert_header((header::ETAG, format!("W/{etag}")));
    if is_known {
        return answer.insert_header((header::VARY, "accept-encoding")).finish();
    }
    answer.content_type(content_type).body(bytes)
}

/// Returns the tag with its quotes: half of the hash.
pub fn etag_of(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    let half: [u8; 16] = std::array::from_fn(|n| hash[n]);
    format!("\"{:032x}\"", u128::from_be_bytes(half))
}

/// Returns whether the client has the content of this tag.
pub fn is_known(request: &HttpRequest, etag: &str) -> bool {
    let given = request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    let mut tags = given.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}
