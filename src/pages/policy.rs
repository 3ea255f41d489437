//! The security policy of the pages: a browser lets them load only from the service, and use only what the apps need.

use actix_web::http::header::{self, HeaderName, HeaderValue};

use super::colors::Style;
use crate::platform::settings::{GatewayProvider, Settings, StorageProvider, UploadSettings};

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
const USED: HeaderValue =
    HeaderValue::from_static("geolocation=(self), camera=(self), microphone=(self), screen-wake-lock=(self)");

/// The headers of every page, from the settings.
#[derive(Debug)]
pub(super) struct PageHeaders {
    policy: HeaderValue,
    opener: HeaderValue,
}

impl PageHeaders {
    pub(super) fn of(settings: &Settings, style: Option<&Style>) -> Self {
        let has_checkout = settings.gateway.provider == GatewayProvider::Razorpay;
        let policy = policy(store_of(&settings.uploads).as_deref(), has_checkout, style);
        // Banks' pages open in windows of the checkout, which report to the page that opened them.
        let opener = if has_checkout { "same-origin-allow-popups" } else { "same-origin" };
        Self {
            policy: HeaderValue::from_str(&policy).expect("origins are ASCII"),
            opener: HeaderValue::from_static(opener),
        }
    }

    /// Returns the headers, which come in addition to those of every answer (`edge/requests.rs`).
    pub(super) fn all(&self) -> [(HeaderName, HeaderValue); 4] {
        [
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
            (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (PERMISSIONS, USED),
            (OPENER, self.opener.clone()),
        ]
    }
}

/// Returns the origin of the S3 store if browsers send uploads to it and fetch them from it, and not from the service.
fn store_of(uploads: &UploadSettings) -> Option<String> {
    let mut url = uploads.endpoint_url().filter(|_| uploads.provider == StorageProvider::S3)?;
    if !uploads.path_style {
        let host = format!("{}.{}", uploads.bucket, url.host_str()?);
        url.set_host(Some(&host)).ok()?;
    }
    Some(url.origin().ascii_serialization())
}

fn policy(store: Option<&str>, has_checkout: bool, style: Option<&Style>) -> String {
    let style = style.map(|style| format!(" {}", style.source())).unwrap_or_default();
    let store = store.map(|origin| format!(" {origin}")).unwrap_or_default();
    // These hosts are those that Razorpay's checkout.js loads, frames and calls.
    let checkout = |hosts: &'static str| if has_checkout { hosts } else { "" };
    let parts = [
        "default-src 'none'".to_owned(),
        format!("script-src 'self'{}", checkout(" https://checkout.razorpay.com")),
        format!("style-src 'self'{style}"),
        format!("img-src 'self' data: blob:{store}{}", checkout(" https://cdn.razorpay.com")),
        "font-src 'self'".to_owned(),
        format!(
            "connect-src 'self'{store}{}",
            checkout(
                " https://api.razorpay.com https://checkout.razorpay.com https://lumberjack.razorpay.com"
            )
        ),
        checkout("frame-src https://api.razorpay.com https://checkout.razorpay.com").to_owned(),
        "worker-src 'self'".to_owned(),
        "manifest-src 'self'".to_owned(),
        "media-src 'self' blob:".to_owned(),
        format!("form-action 'self'{}", checkout(" https://api.razorpay.com")),
        "base-uri 'none'".to_owned(),
        "frame-ancestors 'none'".to_owned(),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_of_uploads_is_allowed_by_the_address_in_its_links() {
        let mut settings = Settings::defaults().uploads;
        assert_eq!(store_of(&settings), None, "the data folder is behind the service");
        settings.provider = StorageProvider::S3;
        settings.bucket = "files".to_owned();
        for (endpoint, path_style, expected) in [
            ("https://s3.example", false, "https://files.s3.example"),
            ("https://s3.example:9000/", true, "https://s3.example:9000"),
            ("http://127.0.0.1:9000", true, "http://127.0.0.1:9000"),
        ] {
            (settings.endpoint, settings.path_style) = (endpoint.to_owned(), path_style);
            assert_eq!(store_of(&settings).as_deref(), Some(expected));
        }
    }

    #[test]
    fn only_a_gateway_with_a_checkout_opens_the_policy() {
        let closed = policy(None, false, None);
        assert!(
            !closed.contains("razorpay") && !closed.contains("http") && !closed.contains("unsafe"),
            "{closed}"
        );
        let open = policy(Some("https://files.example"), true, None);
        for part in [
            "script-src 'self' https://checkout.razorpay.com;",
            "img-src 'self' data: blob: https://files.example https://cdn.razorpay.com;",
            "connect-src 'self' https://files.example https://api.razorpay.com",
            "frame-src https://api.razorpay.com",
        ] {
            assert!(open.contains(part), "{part} is missing in {open}");
        }
        assert!(!open.contains("unsafe"), "{open}");
    }
}
