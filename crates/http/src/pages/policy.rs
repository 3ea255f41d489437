//! The security policy of the pages: a browser lets them load only from the service, and use only what the apps need.

use actix_web::http::header::{self, HeaderName, HeaderValue};

use super::{colors::Style, facts::PageFacts};

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
    pub(super) fn of(facts: &PageFacts, style: Option<&Style>) -> Self {
        let has_checkout = facts.payments.checkout_url.is_some();
        let policy = policy(facts.file_store.as_deref(), has_checkout, style);
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
