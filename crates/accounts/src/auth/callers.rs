//! Identifies the person behind an access token, a session or a socket.

use roadcall_platform::error::{ApiError, ApiResult};
use uuid::Uuid;

use super::{
    context::{AuthContext, OpenSockets},
    made::TokenKind,
    principal::Caller,
};

/// Returns the holder of an access token by its signature alone, for checks before anything is spent on the caller;
/// fails with 401 UNAUTHORIZED or TOKEN_EXPIRED, or 403 for the token of a tracker.
pub fn holder_of(context: &AuthContext, bearer: &str) -> ApiResult<TokenHolder> {
    let claims = context.auth.tokens().read(bearer, context.clock.now());
    let claims =
        claims.map_err(|refusal| match context.auth.tokens_made().read(TokenKind::Tracker, bearer) {
            Some(_) => ApiError::forbidden("This token can only send positions. Sign in for anything else."),
            None => refusal,
        })?;
    let budget = claims.budget.unwrap_or(claims.sub);
    Ok(TokenHolder { user_id: claims.sub, session_id: claims.sid, budget })
}

/// Returns the caller who holds a token; fails with 401 UNAUTHORIZED or 403 ACCOUNT_SUSPENDED.
pub async fn caller_of(context: &AuthContext, holder: TokenHolder) -> ApiResult<Caller> {
    context.auth.0.principals.of_session(holder.user_id, holder.session_id, context.clock.now()).await
}

/// The holder of a token by its signature alone: enough to count requests, not to admit them. The layer that counts a request leaves
/// it in the request's extensions, so that the token is read once.
#[derive(Debug, Clone, Copy)]
pub struct TokenHolder {
    pub user_id: Uuid,
    pub session_id: Uuid,
    /// The budget to which the requests are charged.
    pub budget: Uuid,
}

/// Returns the holder of a token; `None` if the token is not genuine or has expired.
pub fn holder_of_token(context: &AuthContext, bearer: &str) -> Option<TokenHolder> {
    holder_of(context, bearer).ok()
}

/// Reads the caller behind a session from the database, for connections that outlive their access token.
pub async fn principal_of_session(
    context: &AuthContext,
    user_id: Uuid,
    session_id: Uuid,
) -> ApiResult<Caller> {
    let now = context.clock.now();
    context.auth.0.principals.of_session_afresh(user_id, session_id, now).await
}

/// Reads the caller behind the session of an open socket from the database. Waits until the sessions of other sockets
/// can be checked with it.
pub async fn recheck_session(context: &AuthContext, user_id: Uuid, session_id: Uuid) -> ApiResult<Caller> {
    context.auth.0.principals.recheck(user_id, session_id, &context.clock).await
}

/// Forgets the cached caller, so that this process acts at once, for requests and for open sockets, on a change of
/// the person's role, suspension, consent, sessions or mechanic profile. Call it after the commit. Other processes
/// follow within `auth.principal_cache_s`.
pub async fn forget(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
    context.auth.0.sockets.changed(user_id);
}

/// Makes this server and its sockets act on a [`forget`] of another server.
pub async fn forget_here(context: &AuthContext, sockets: &dyn OpenSockets, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
    sockets.changed(user_id);
}

/// Does what [`forget`] does after a session was only prolonged: its sockets stay open.
pub(super) async fn forget_ends(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
}
