//! Browser sessions: a refresh token in a cookie that no script can read.
//!
//! A client asks for it with `X-Session: cookie`, or with a name, `X-Session: cookie/console`, where the apps of one
//! origin have sessions of their own: a developer is admin, customer and mechanic in one browser. Only POST
//! /auth/refresh takes the cookie instead of a token, and POST /auth/logout ends its session too; nothing else reads
//! it. Browsers send cookies along by themselves, so it counts only with that header, which pages of other origins
//! can't send unless `http.allowed_origins` lists them, and only from an origin that is allowed. While a sign-in at
//! the identity provider is under way, it has a cookie of its own, by the same rules.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header::{COOKIE, HOST, ORIGIN, SET_COOKIE, USER_AGENT},
};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_http::{is_own_or_listed, prefix_of};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code},
    settings::CoreSettings,
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Required,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::Type,
    },
};

use super::{
    context::AuthContext,
    dto::{Success, WithTokens},
    made::RANDOM_BYTES,
};

const HEADER: &str = "X-Session";
const ATTEMPT: &str = "X-Attempt";
const NAME: &str = "roadcall_session";
/// The cookie of a browser that signs in at the identity provider.
const ATTEMPT_NAME: &str = "roadcall_sign_in";
/// Browsers take a cookie of this prefix only from the host itself, over https and for every path. Without it, any
/// neighbour under the same domain could put a session of its own in place of the service's.
const HOST_ONLY: &str = "__Host-";
const MAX_NAME_LENGTH: usize = 16;

/// The place where a client keeps its refresh token, as the `X-Session` header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenPlace {
    /// The client itself: tokens are in bodies.
    Client,
    /// The cookie with this name; the body has no refresh token.
    Cookie(String),
}

impl TokenPlace {
    /// Reads the header of a request: 422 for any value but `cookie` and `cookie/NAME`, 403 COOKIE_REFUSED if a page
    /// of a foreign origin asks for the cookie.
    pub fn of(request: &HttpRequest) -> ApiResult<Self> {
        let mut values = request.headers().get_all(HEADER);
        match (values.next(), values.next()) {
            (None, _) => Ok(Self::Client),
            (Some(value), None) => {
                let name = value.to_str().ok().and_then(cookie_name).ok_or_else(not_a_place)?;
                check_origin(request)?;
                Ok(Self::Cookie(format!("{}{name}", prefix(request))))
            }
            _ => Err(not_a_place()),
        }
    }

    /// Requires the header, with 422 otherwise, for flows that only a browser can continue.
    pub fn in_browser(self) -> ApiResult<Self> {
        match self {
            Self::Client => {
                Err(ApiError::invalid(HEADER, "must be sent: the browser keeps a cookie meanwhile"))
            }
            place => Ok(place),
        }
    }

    /// Answers 200 to a browser that goes to the identity provider, with a cookie that it keeps until it is back.
    pub fn begin_attempt<T: Serialize>(
        &self,
        request: &HttpRequest,
        kept: &str,
        lifetime_s: i64,
        body: T,
    ) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        set_cookie(&mut response, request, &attempt_name(request), kept, lifetime_s);
        response.json(body)
    }

    /// Returns the value that the browser kept of its sign-in. 403 COOKIE_REFUSED if there are several.
    pub fn attempt(&self, request: &HttpRequest) -> ApiResult<Option<String>> {
        let name = attempt_name(request);
        given(request, |given| given == name)
    }

    /// Answers a browser that is back as [`TokenPlace::answer`] does, and deletes the cookie of its sign-in.
    pub fn answer_attempt<T: Serialize + WithTokens>(&self, request: &HttpRequest, data: T) -> HttpResponse {
        let mut over = HttpResponse::Ok();
        set_cookie(&mut over, request, &attempt_name(request), "", 0);
        let over = over.finish();
        let mut response = self.answer(request, data);
        for cookie in over.headers().get_all(SET_COOKIE) {
            response.headers_mut().append(SET_COOKIE, cookie.clone());
        }
        response
    }

    /// Answers 200 with tokens: the refresh token is in the body or in the cookie.
    pub fn answer<T: Serialize + WithTokens>(&self, request: &HttpRequest, mut data: T) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        if let Self::Cookie(name) = self
            && let Some(token) = data.tokens().refresh_token.take()
        {
            let lifetime_s = AuthContext::of(request).auth.settings().refresh_token_ttl_s;
            set_cookie(&mut response, request, name, &token, lifetime_s);
        }
        response.json(Success::of(data))
    }

    /// Answers 204 after a logout; the browser drops the cookie.
    pub fn signed_out(&self, request: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::NoContent();
        if let Self::Cookie(name) = self {
            set_cookie(&mut response, request, name, "", 0);
        }
        response.finish()
    }

    /// Returns the refresh token in the request's cookie. 403 COOKIE_REFUSED if there is a cookie without the header,
    /// or more than one.
    pub fn cookie(&self, request: &HttpRequest) -> ApiResult<Option<String>> {
        match self {
            Self::Cookie(name) => given(request, |given| given == name),
            Self::Client => match given(request, is_session)? {
                None => Ok(None),
                Some(_) => Err(refused(
                    "The session cookie counts only with the header X-Session: cookie. Send both.",
                )),
            },
        }
    }
}

/// Returns the prefix of the cookies' names.
fn prefix(request: &HttpRequest) -> &'static str {
    if is_secure(&Core::of(request).settings) { HOST_ONLY } else { "" }
}

fn attempt_name(request: &HttpRequest) -> String {
    format!("{}{ATTEMPT_NAME}", prefix(request))
}

fn not_a_place() -> ApiError {
    let why = "must be \"cookie\" if it is sent, or \"cookie/\" and a name of 1 to 16 lowercase letters";
    ApiError::invalid(HEADER, why)
}

/// Returns the name of the cookie for a value of the header.
fn cookie_name(value: &str) -> Option<String> {
    let Some(name) = value.strip_prefix("cookie/") else {
        return (value == "cookie").then(|| NAME.to_owned());
    };
    let is_name =
        (1..=MAX_NAME_LENGTH).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_name.then(|| format!("{NAME}_{name}"))
}

fn is_session(name: &str) -> bool {
    let name = name.strip_prefix(HOST_ONLY).unwrap_or(name);
    name.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// The attempt to refresh that a request belongs to, as a digest: that of the `X-Attempt` header, else of the
/// browser's name. Only the page that made a random attempt can repeat it, so a client with a used cookie and another
/// attempt has copied the cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshAttempt(pub [u8; 32]);

impl RefreshAttempt {
    /// Reads the attempt of a request: 422 for a header that is too short to be random.
    pub fn of(request: &HttpRequest) -> ApiResult<Self> {
        let Some(value) = request.headers().get(ATTEMPT) else {
            let agent = request.headers().get(USER_AGENT).map_or(&b""[..], |agent| agent.as_bytes());
            return Ok(Self(Sha256::digest([b"agent ", agent].concat()).into()));
        };
        let value = value.as_bytes();
        let is_plain = value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
        if !is_plain || !(16..=64).contains(&value.len()) {
            return Err(ApiError::invalid(ATTEMPT, "must be 16 to 64 random letters, digits, - or _"));
        }
        Ok(Self(Sha256::digest([b"attempt ", value].concat()).into()))
    }
}

/// Describes the header for the OpenAPI document.
impl IntoParams for RefreshAttempt {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = "For web pages with `X-Session: cookie`: a random text for each refresh, which is sent again only if \
            there was no answer. Without it the browser's `User-Agent` takes its place.";
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]{16,64}$"));
        let header = ParameterBuilder::new()
            .name(ATTEMPT)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(text))
            .example(Some("7f3a9c1e5b2d4860a1c3".into()))
            .build();
        vec![header]
    }
}

/// Describes the header for the OpenAPI document.
impl IntoParams for TokenPlace {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = "For web pages: the refresh token is in the cookie `roadcall_session`, not in bodies. Several apps of \
            one origin each name a cookie of their own: with `cookie/console` it is in `roadcall_session_console`. Over https \
            these names begin with `__Host-`. Pages of other \
            origins than the service's own and those of `http.allowed_origins` get 403 COOKIE_REFUSED.";
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^cookie(/[a-z]{1,16})?$"));
        let header = ParameterBuilder::new()
            .name(HEADER)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(text))
            .example(Some("cookie".into()))
            .build();
        vec![header]
    }
}

fn refused(why: &'static str) -> ApiError {
    ApiError::new(Code::CookieRefused, why)
}

/// Refuses pages of foreign origins. Clients other than browsers send no `Origin`.
fn check_origin(request: &HttpRequest) -> ApiResult<()> {
    let settings = &Core::of(request).settings;
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let mut origins = request.headers().get_all(ORIGIN);
    let is_allowed = |origin: &str| {
        let is_safe = !is_secure(settings) || origin.starts_with("https://");
        is_safe && is_own_or_listed(origin, host, settings)
    };
    if origins.all(|origin| origin.to_str().is_ok_and(is_allowed)) {
        Ok(())
    } else {
        Err(refused(
            "Pages of this origin can't have a session cookie. Open the app from its own address and try again.",
        ))
    }
}

/// Returns whether cookies are `Secure`. Development may run without TLS, and browsers would then drop such a cookie.
fn is_secure(settings: &CoreSettings) -> bool {
    settings.is_production() || settings.server.public_url.starts_with("https://")
}

fn given(request: &HttpRequest, is_asked: impl Fn(&str) -> bool) -> ApiResult<Option<String>> {
    let mut found = Vec::new();
    for header in request.headers().get_all(COOKIE) {
        let text = String::from_utf8_lossy(header.as_bytes());
        let pairs = text.split(';').filter_map(|pair| pair.trim().split_once('='));
        found.extend(pairs.filter(|(name, _)| is_asked(name)).map(|(_, value)| value.to_owned()));
    }
    match found.len() {
        0 | 1 => Ok(found.pop().filter(|token| !token.is_empty())),
        // One of the cookies may be another site's under the same domain: browsers don't say which.
        _ => Err(refused("There are several session cookies. Delete this site's cookies and sign in again.")),
    }
}

fn has_any(request: &HttpRequest, name: &str) -> bool {
    !matches!(given(request, |given| given == name), Ok(None))
}

fn set_cookie(
    response: &mut HttpResponseBuilder,
    request: &HttpRequest,
    name: &str,
    token: &str,
    lifetime_s: i64,
) {
    let path = path(&Core::of(request).settings.server.public_url, prefix_of(request));
    let attributes = "HttpOnly; SameSite=Strict";
    let cookie = match name.strip_prefix(HOST_ONLY) {
        None => format!("{name}={token}; Path={path}; Max-Age={lifetime_s}; {attributes}"),
        Some(earlier) => {
            // Earlier releases set it without the prefix. Such a cookie no longer counts: anybody under the same
            // domain may have set it.
            if has_any(request, earlier) {
                let over = format!("{earlier}=; Path={path}; Max-Age=0; {attributes}; Secure");
                response.append_header((SET_COOKIE, over));
            }
            format!("{name}={token}; Path=/; Max-Age={lifetime_s}; {attributes}; Secure")
        }
    };
    response.append_header((SET_COOKIE, cookie));
}

/// Returns the path of the sign-in routes as a browser sees it. A proxy may have removed the path of the public
/// address from the request's.
fn path(public_url: &str, prefix: &str) -> String {
    let public = url::Url::parse(public_url).ok();
    let base = public.as_ref().map_or("", |url| url.path().trim_end_matches('/'));
    if prefix.starts_with(base) { format!("{prefix}/auth") } else { format!("{base}{prefix}/auth") }
}

/// Derives the successors of a cookie's token.
#[derive(derive_more::Debug)]
#[debug("SuccessorKey(..)")]
pub struct SuccessorKey([u8; 32]);

impl SuccessorKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Returns the random part of the token that follows this one: the same whenever it is derived, and unknown to
    /// everyone without the key.
    pub fn successor_of(&self, refresh_token: &str) -> [u8; RANDOM_BYTES] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(refresh_token.as_bytes());
        let mut random = [0; RANDOM_BYTES];
        random.copy_from_slice(&mac.finalize().into_bytes()[..RANDOM_BYTES]);
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_sent_to_the_sign_in_routes_as_the_browser_sees_them() {
        let cases = [
            ("", "", "/auth"),
            ("http://127.0.0.1:8080", "", "/auth"),
            ("https://api.example/", "/api/v1", "/api/v1/auth"),
            ("https://api.example/api/v1", "/api/v1", "/api/v1/auth"),
            ("https://api.example/api/v1", "", "/api/v1/auth"),
            ("https://example.com/roads/", "/api/v1", "/roads/api/v1/auth"),
        ];
        for (public_url, prefix, expected) in cases {
            assert_eq!(path(public_url, prefix), expected, "{public_url} {prefix}");
        }
    }

    #[test]
    fn a_successor_is_the_same_each_time_and_differs_by_token_and_key() {
        let key = SuccessorKey::new([1; 32]);
        assert_eq!(key.successor_of("a"), key.successor_of("a"));
        assert_ne!(key.successor_of("a"), key.successor_of("b"));
        assert_ne!(key.successor_of("a"), SuccessorKey::new([2; 32]).successor_of("a"));
    }
}
