//! Signing in as an admin, accepting an invitation, and managing admins as a super-admin.

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post, put,
    web::{Data, Json},
};

use super::actions;
use crate::{
    accounts::{
        auth::{
            AcceptInvite, AdminLogin, AnyId, AuthContext, SignedIn, Success, SuperAdmin, TokenPlace,
            oidc::{self, CompleteSignIn, SignInCompleted},
            user_agent, verified_identity,
        },
        invites,
        users::{self, AdminUser, ChangeDesks, ChangeRole},
    },
    http::{Body, ListQuery, Meter, NoFilter, Owned, Page, ShownList},
    platform::error::ApiResult,
};

/// Exchanges an identity provider's ID token for tokens (contract 4.1).
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = AdminLogin,
    responses(
        (status = 200, body = Success<SignedIn>, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
        )),
        (status = 401, description = "UNAUTHORIZED: the ID token is not valid, or the account belongs to another identity"),
        (status = 403, description = "FORBIDDEN: not an admin; EMAIL_NOT_VERIFIED; ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 502, description = "PROVIDER_ERROR: the provider's keys can't be read"),
    ))]
#[post("/auth/admin-login")]
pub async fn admin_login(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<AdminLogin>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let token = body.read()?.idp_id_token.0;
    let now = context.clock.now();
    let identity = verified_identity(&context, &meter, None, &token, now).await?;
    let signed_in = actions::sign_in(&context, &identity, user_agent(&request)).await?;
    Ok(place.answer(&request, signed_in))
}

/// Completes a sign-in to the console, or accepts an invitation, with the parameters with which the identity provider sent the
/// browser back. This works once, and only in the browser that began the sign-in.
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = CompleteSignIn,
    responses(
        (status = 200, body = Success<SignInCompleted>, headers(
            ("Set-Cookie" = Option<String>, description = "`roadcall_session`, the refresh token; `roadcall_sign_in` ends"),
        )),
        (status = 401, description = "UNAUTHORIZED: not begun in this browser, too late, or not accepted by the provider; the account belongs to another identity; the token is no invitation's"),
        (status = 403, description = "FORBIDDEN: not an admin, or the invitation is for another email; EMAIL_NOT_VERIFIED; ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 404, description = "NOT_FOUND: the embedded provider is used"),
        (status = 409, description = "CONFLICT: this identity, or its email, is an admin's already, or its account is a mechanic's or has an open job"),
        (status = 410, description = "LINK_EXPIRED: the invitation was accepted or revoked, or is too old, or who sent it is no super-admin any more"),
        (status = 502, description = "PROVIDER_ERROR: the provider does not accept this service, or its answer can't be used"),
        (status = 503, description = "UNAVAILABLE: the provider can't be reached"),
    ))]
#[post("/auth/admin-sign-in/complete")]
pub async fn complete_admin_sign_in(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<CompleteSignIn>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let attempt = oidc::attempt_of(&context, &place, &request)?;
    meter.count(attempt.as_ref().map(oidc::SignInAttempt::proof))?;
    let answer = body.read()?;
    let place = place.in_browser()?;
    let identity = oidc::provider_identity(&context, attempt, &answer).await?;
    let agent = user_agent(&request);
    let signed_in = match &answer.invitation_token {
        None => actions::sign_in(&context, &identity, agent).await?,
        Some(token) => actions::accept_invite(&context, &token.0, &identity, agent).await?,
    };
    let sign_out_url = oidc::sign_out_url(&context).await;
    Ok(place.answer_attempt(&request, SignInCompleted { signed_in, sign_out_url }))
}

/// Accepts an invitation: makes the admin's account, or gives the role back to the account that this identity had as an admin,
/// ends the sessions of that account, and signs in. A customer's account is never used, whatever its email, since that was not
/// verified.
#[utoipa::path(tag = "auth", security(()), params(TokenPlace), request_body = AcceptInvite,
    responses(
        (status = 200, body = Success<SignedIn>, headers(
            ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
        )),
        (status = 401, description = "UNAUTHORIZED: the ID token is not valid, or the token is no invitation's"),
        (status = 403, description = "FORBIDDEN: the invitation is for another email; EMAIL_NOT_VERIFIED; ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
        (status = 409, description = "CONFLICT: this identity, or its email, is an admin's already, or its account is a mechanic's or has an open job"),
        (status = 410, description = "LINK_EXPIRED: the invitation was accepted or revoked, or is too old, or who sent it is no super-admin any more"),
        (status = 502, description = "PROVIDER_ERROR: the provider's keys can't be read"),
    ))]
#[post("/auth/accept-invite")]
pub async fn accept_invite(
    request: HttpRequest,
    context: Data<AuthContext>,
    meter: Meter,
    body: Body<AcceptInvite>,
) -> ApiResult<HttpResponse> {
    let place = TokenPlace::of(&request)?;
    let AcceptInvite { token, idp_id_token } = body.read()?;
    let now = context.clock.now();
    let invitation = invites::shown_invitation(&context, &token.0);
    let identity = verified_identity(&context, &meter, invitation, &idp_id_token.0, now).await?;
    let signed_in = actions::accept_invite(&context, &token.0, &identity, user_agent(&request)).await?;
    Ok(place.answer(&request, signed_in))
}

/// Lists admins and super-admins, the newest first.
#[utoipa::path(tag = "super-admin",
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<AdminUser>)))]
#[get("/super-admin/admins")]
pub async fn list_admins(
    SuperAdmin(caller): SuperAdmin,
    context: Data<AuthContext>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<AdminUser>>> {
    let (_, page) = query.read()?;
    let total = users::count_admins(&context.db).await?;
    let rows = users::list_admins(&context.db, page).await?;
    let shown = ShownList { name: "admins", personal_data: &["name", "email"] };
    shown.record_page(&context, caller.user_id, query.pairs(), (rows.len(), total)).await?;
    Ok(Json(page.of(rows.into_iter().map(AdminUser::from).collect(), total)))
}

/// Gives a role, or takes one away. A lost right ends at once, with the person's sessions and pending invitations. The sessions
/// of a customer who becomes an admin end too: admins sign in by email with the identity provider, not by phone.
///
/// To become an admin, a customer needs an email, and must not be a mechanic, have an open job, or owe anything. The usual way to
/// add an admin is an invitation.
#[utoipa::path(tag = "super-admin", request_body = ChangeRole,
    responses(
        (status = 200, body = AdminUser),
        (status = 409, description = "CONFLICT: the last super-admin; a customer who is a mechanic, has an open job, owes for a job or in \
            fees, or whose payment is under way"),
    ))]
#[put("/super-admin/users/{id}/role")]
pub async fn change_role(
    target: Owned<AnyId, SuperAdmin>,
    context: Data<AuthContext>,
    body: Body<ChangeRole>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    users::not_own(caller.user_id, id)?;
    users::find(&context.db, id).await?.ok_or_else(users::no_user)?;
    let role = body.read()?.role;
    Ok(Json(actions::change_role(&context, caller.user_id, id, role).await?.into()))
}

/// Narrows an admin to some desks, or lets them work at all desks again. The change takes effect at once: a request that needs
/// another desk is answered 403 DESK_NEEDED from then on, and open sockets have to connect again. A super-admin is at every desk.
#[utoipa::path(tag = "super-admin", request_body = ChangeDesks,
    responses(
        (status = 200, body = AdminUser),
        (status = 403, description = "FORBIDDEN: not a super-admin, or one's own account"),
        (status = 409, description = "CONFLICT: not an admin, or the identity provider says which desks they are at"),
    ))]
#[put("/super-admin/users/{id}/desks")]
pub async fn change_desks(
    target: Owned<AnyId, SuperAdmin>,
    context: Data<AuthContext>,
    body: Body<ChangeDesks>,
) -> ApiResult<Json<AdminUser>> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    users::not_own(caller.user_id, id)?;
    users::find(&context.db, id).await?.ok_or_else(users::no_user)?;
    let desks = body.read()?.desks.0;
    Ok(Json(actions::change_desks(&context, caller.user_id, id, &desks).await?.into()))
}

/// Removes an admin's second factor at the embedded identity provider. They sign in with the password alone until they set up
/// another one. Your own can be reset by another super-admin, or on the command line with `admin create`.
#[utoipa::path(tag = "super-admin",
    responses(
        (status = 204),
        (status = 403, description = "FORBIDDEN: not a super-admin, or one's own account"),
        (status = 409, description = "CONFLICT: the account has no second factor"),
    ))]
#[delete("/super-admin/users/{id}/second-factor")]
pub async fn reset_second_factor(
    context: Data<AuthContext>,
    target: Owned<AnyId, SuperAdmin>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), SuperAdmin(caller)) = target.into_parts();
    actions::reset_second_factor(&context, caller.user_id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}
