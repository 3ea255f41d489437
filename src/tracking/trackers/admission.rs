//! Decides whom a tracker's token admits: it may send the positions of one mechanic, and nothing else.

use actix_web::{HttpRequest, http::header};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use tracing::{Span, field::display};

use super::{
    context::TrackersContext,
    queries::{self, LiveTracker},
};
use crate::{
    accounts::auth::TokenKind,
    http::Meter,
    platform::error::{ApiError, ApiResult},
};

/// Finds the tracker with this token, and counts the request by it; 401 if no live tracker has the token.
pub(super) async fn admit(
    context: &TrackersContext,
    meter: &Meter,
    token: Option<&str>,
) -> ApiResult<LiveTracker> {
    let shown = token.and_then(|token| context.tokens.read(TokenKind::Tracker, token));
    meter.count(shown)?;
    let token = token.filter(|_| shown.is_some()).ok_or_else(unknown)?;
    let found = queries::see(&context.db, &hash(token), context.clock.now()).await?;
    let tracker = found.ok_or_else(unknown)?;
    Span::current().record("user.id", display(tracker.user_id));
    Ok(tracker)
}

fn unknown() -> ApiError {
    ApiError::unauthorized(
        "This app is not connected to a mechanic's account, or no longer. Connect it again in the mechanic's account.",
    )
}

/// Returns the password of `Authorization: Basic …` (RFC 7617). The name before it is ignored.
pub(super) fn password(request: &HttpRequest) -> Option<String> {
    let mut values = request.headers().get_all(header::AUTHORIZATION);
    let value = values.next()?.to_str().ok()?;
    // Two credentials are refused: a proxy before us may have believed the other one.
    if values.next().is_some() {
        return None;
    }
    let (scheme, encoded) = value.split_once(' ')?;
    let decoded = scheme.eq_ignore_ascii_case("basic").then(|| STANDARD.decode(encoded.trim()).ok())??;
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':').map(|(_, password)| password.to_owned())
}

pub(super) fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
