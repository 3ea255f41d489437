//! The origins of pages that are trusted.

use roadcall_platform::settings::CoreSettings;

/// Returns whether an origin is the service's own (the request's host, or `server.public_url`), or one that
/// `http.allowed_origins` lists.
pub fn is_own_or_listed(origin: &str, host: Option<&str>, settings: &CoreSettings) -> bool {
    let authority = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let is_own_host = match (authority, host) {
        (Some(authority), Some(host)) => authority.eq_ignore_ascii_case(host),
        _ => false,
    };
    is_own_host
        || settings.http.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
        || settings.server.public_url.trim_end_matches('/').eq_ignore_ascii_case(origin)
}
