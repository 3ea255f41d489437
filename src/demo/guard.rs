//! Who may use the demo: pages of the service itself and programs on this machine. A page of another site could send requests to
//! a developer's server, or let its own name lead there.

use actix_web::{
    HttpRequest,
    http::header::{HOST, ORIGIN},
};
use url::{Host, Url};

use crate::{
    http::is_own_or_listed,
    platform::{
        error::{ApiError, ApiResult},
        settings::Settings,
    },
};

/// 403 if the request comes from a page of another origin, or by a name that is not this machine's.
pub(super) fn check_nearby(request: &HttpRequest, settings: &Settings) -> ApiResult<()> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| is_here(host, &settings.server.public_url)) {
        return Err(ApiError::forbidden(
            "The demo is only for this machine. Open the server by its own address.",
        ));
    }
    let mut origins = request.headers().get_all(ORIGIN);
    if !origins.all(|origin| origin.to_str().is_ok_and(|origin| is_own_or_listed(origin, host, settings))) {
        return Err(ApiError::forbidden("Pages of other origins can't use the demo."));
    }
    Ok(())
}

/// Whether a `Host` is this machine, or where the settings say that clients reach the service.
fn is_here(host: &str, public_url: &str) -> bool {
    let Ok(asked) = Url::parse(&format!("http://{host}/")) else { return false };
    let is_loopback = match asked.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    is_loopback || Url::parse(public_url).is_ok_and(|public| public.host() == asked.host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_lead_here() {
        let public = "https://dev.example:8443";
        for host in
            ["127.0.0.1:8080", "localhost", "localhost:8080", "[::1]:8080", "dev.example:8443", "dev.example"]
        {
            assert!(is_here(host, public), "{host}");
        }
        for host in
            ["rebound.example:8080", "127.0.0.1.example", "192.168.1.7:8080", "localhost.example", "", "a b"]
        {
            assert!(!is_here(host, public), "{host}");
        }
    }
}
