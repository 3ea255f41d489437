//! The check of the pages that may open a socket. Browsers do not restrict WebSockets to the same origin, so the
//! server checks `Origin` itself.

use actix_web::{HttpRequest, http::header};

use super::settings::WsSettings;
use crate::{
    http::is_own_or_listed,
    platform::{
        error::{ApiError, ApiResult},
        settings::CoreSettings,
    },
};

/// Checks the request's origin. Native apps send none. A given one must be the service's own host, or be allowed for
/// all of the interface or for sockets alone.
pub fn check(request: &HttpRequest, core: &CoreSettings, ws: &WsSettings) -> ApiResult<()> {
    let Some(origin) = request.headers().get(header::ORIGIN) else { return Ok(()) };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_allowed = origin.to_str().is_ok_and(|origin| is_allowed(origin, host, core, ws));
    if is_allowed { Ok(()) } else { Err(ApiError::forbidden("Pages of this origin can't open a socket.")) }
}

fn is_allowed(origin: &str, host: Option<&str>, core: &CoreSettings, ws: &WsSettings) -> bool {
    is_own_or_listed(origin, host, core)
        || ws.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::settings::Settings;

    #[test]
    fn only_the_services_own_host_and_listed_origins_pass() {
        let mut settings = Settings::defaults();
        settings.ws.allowed_origins = vec!["https://app.example".to_owned()];
        settings.http.allowed_origins = vec!["https://admin.example".to_owned()];
        settings.server.public_url = "https://api.example/".to_owned();
        let core = settings.core();
        let host = Some("127.0.0.1:8080");
        let cases = [
            ("http://127.0.0.1:8080", host, true),
            ("HTTP://127.0.0.1:8080", host, false),
            ("https://127.0.0.1:8080", host, true),
            ("http://127.0.0.1:8081", host, false),
            ("http://127.0.0.1", host, false),
            ("https://app.example", host, true),
            ("https://admin.example", host, true),
            ("https://app.example.evil", host, false),
            ("https://api.example", host, true),
            ("http://127.0.0.1:8080", None, false),
            ("null", host, false),
            ("", host, false),
        ];
        for (origin, host, allowed) in cases {
            assert_eq!(is_allowed(origin, host, &core, &settings.ws), allowed, "{origin} on {host:?}");
        }
    }
}
