//! Decides which addresses a push may go to. A browser names the address of its push service, so anybody could name one of ours.

use reqwest::Url;
use url::Host;

/// Reads the address of a browser's push service: https, a host with a name, the usual port. If `may_be_private`, as in
/// development, any http or https URL will do. `Err` continues "token …".
pub(super) fn endpoint(text: &str, may_be_private: bool) -> Result<Url, &'static str> {
    let url: Url = text.parse().map_err(|_| "must be the endpoint of a browser's subscription")?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    if !is_plain || !matches!(url.scheme(), "https" | "http") {
        return Err("must be the endpoint of a browser's subscription");
    }
    if may_be_private {
        return Ok(url);
    }
    if url.scheme() != "https" || url.port().is_some() {
        return Err("must be https, on the usual port");
    }
    match url.host() {
        Some(Host::Domain(name)) if name.trim_end_matches('.').contains('.') => Ok(url),
        _ => Err("must be on a public host"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_on_public_hosts_except_in_development() {
        let good = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk";
        for may_be_private in [false, true] {
            assert!(endpoint(good, may_be_private).is_ok());
            for text in
                ["", "x", "ftp://push.example/a", "https://a:b@push.example/a", "https://push.example/a#b"]
            {
                assert!(endpoint(text, may_be_private).is_err(), "{text}");
            }
        }
        for private in [
            "http://push.example/a",
            "https://push.example:8443/a",
            "https://localhost/a",
            "https://127.0.0.1/a",
            "https://0x7f.1/a",
            "https://[::1]/a",
            "https://8.8.8.8/a",
            "https://metadata/a",
        ] {
            assert!(endpoint(private, false).is_err(), "{private}");
            assert!(endpoint(private, true).is_ok(), "{private}");
        }
    }
}
