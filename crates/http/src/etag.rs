//! Entity tags, by which a client asks whether its copy is still current (RFC 9110, 8.8.3 and 13.1.2).

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, ETag, EntityTag, Header as _, IfNoneMatch},
    },
};
use bytes::Bytes;
use sha2::{Digest, Sha256};

/// Answers with these bytes, or with 304 to a client that has them.
pub fn unless_known(request: &HttpRequest, content_type: &str, bytes: Bytes) -> HttpResponse {
    // The tag is weak, because the same bytes may be sent compressed.
    let etag = EntityTag::new_weak(digits_of(&bytes));
    let is_known = is_known(request, &etag);
    let mut answer = HttpResponse::build(if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK });
    answer.insert_header((header::CACHE_CONTROL, "no-cache"));
    answer.insert_header(ETag(etag));
    if is_known {
        return answer.insert_header((header::VARY, "accept-encoding")).finish();
    }
    answer.content_type(content_type).body(bytes)
}

/// Returns the tag of these bytes as they are sent.
pub fn etag_of(bytes: &[u8]) -> EntityTag {
    EntityTag::new_strong(digits_of(bytes))
}

/// Returns half of the hash.
fn digits_of(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..16])
}

/// Returns whether the client has the content of this tag.
pub fn is_known(request: &HttpRequest, etag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|tag| tag.weak_eq(etag)),
        Err(_) => false,
    }
}
