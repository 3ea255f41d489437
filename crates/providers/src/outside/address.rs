//! Decides which addresses a request may go to. Browsers and partners name these addresses, so anybody could name one of ours.

use reqwest::Url;
use url::Host;

/// Reads an address: https, a host with a name, the usual port. If `may_be_private`, as in development, any http or https URL
/// will do. `Err` continues the field's name; it is `expected` for a text that is no such URL at all.
pub fn endpoint(text: &str, may_be_private: bool, expected: &'static str) -> Result<Url, &'static str> {
    let url: Url = text.parse().map_err(|_| expected)?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    if !is_plain || !matches!(url.scheme(), "https" | "http") {
        return Err(expected);
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

    fn endpoint(text: &str, may_be_private: bool) -> Result<Url, &'static str> {
        super::endpoint(text, may_be_private, "must be a URL")
    }

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
            "https://[::ffff:10.0.0.1]/a",
            "https://2130706433/a",
            "https://127.1/a",
            "https://169.254.169.254/latest/meta-data",
            "https://8.8.8.8/a",
            "https://metadata/a",
        ] {
            assert!(endpoint(private, false).is_err(), "{private}");
            assert!(endpoint(private, true).is_ok(), "{private}");
        }
    }
}
