//! Who is behind an access token, a session or a socket.

use uuid::Uuid;

use super::{
    context::{AuthContext, OpenSockets},
    made::TokenKind,
    principal::Caller,
};
use crate::platform::error::{ApiError, ApiResult};

/// The caller behind an access token: 401 UNAUTHORIZED or TOKEN_EXPIRED, 403 ACCOUNT_SUSPENDED.
pub async fn authenticate(context: &AuthContext, bearer: &str) -> ApiResult<Caller> {
    caller_of(context, holder_of(context, bearer)?).await
}

/// Whose an access token is, by its signature alone: 401 UNAUTHORIZED or TOKEN_EXPIRED, 403 for the token of a
/// tracker. For what must be known before anything is spent on who calls.
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

/// The caller who holds a token: 401 UNAUTHORIZED, 403 ACCOUNT_SUSPENDED.
pub async fn caller_of(context: &AuthContext, holder: TokenHolder) -> ApiResult<Caller> {
    context.auth.0.principals.of_session(holder.user_id, holder.session_id, context.clock.now()).await
}

/// Whose a token is, by its signature alone: for counting requests, not for letting them in.
#[derive(Debug, Clone, Copy)]
pub struct TokenHolder {
    pub user_id: Uuid,
    pub session_id: Uuid,
    /// Whose requests are counted together.
    pub budget: Uuid,
}

/// `None` for a token that is not genuine, or has expired.
pub fn holder_of_token(context: &AuthContext, bearer: &str) -> Option<TokenHolder> {
    holder_of(context, bearer).ok()
}

/// The caller behind a session, from the database, for connections that outlive their access token.
pub async fn principal_of_session(
    context: &AuthContext,
    user_id: Uuid,
    session_id: Uuid,
) -> ApiResult<Caller> {
    let now = context.clock.now();
    context.auth.0.principals.of_session_afresh(user_id, session_id, now).await
}

/// The caller behind the session of an open socket, from the database. Waits until the sessions of other
/// sockets can be checked with it.
pub async fn recheck_session(context: &AuthContext, user_id: Uuid, session_id: Uuid) -> ApiResult<Caller> {
    context.auth.0.principals.recheck(user_id, session_id, &context.clock).await
}

/// To be called after the commit of whatever changed a person's role, suspension, consent, sessions or mechanic
/// profile, so that this process acts on it at once, for requests and for open sockets. Other processes do
/// within `auth.principal_cache_s`.
pub async fn forget(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
    context.auth.0.sockets.changed(user_id);
}

/// [`forget`] on another server: this one and its sockets find out.
pub async fn forget_here(context: &AuthContext, sockets: &dyn OpenSockets, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
    sockets.changed(user_id);
}

/// [`forget`] after a session was only prolonged: its sockets stay open.
pub(super) async fn forget_ends(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
}
