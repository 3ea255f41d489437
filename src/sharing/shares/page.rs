//! The page that a browser shows for a link. It contains nothing about the job: its script keeps loading that from the
//! page's own address, and the chat from below it. It loads nothing from elsewhere. A map is on another site and opens
//! only on a click.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

pub(super) struct Page {
    pub html: String,
    /// Its Content-Security-Policy: only the page's own style and script, by their hashes, and requests to its own
    /// address.
    pub policy: String,
}

/// The page is the same for all links.
pub(super) fn page() -> &'static Page {
    static PAGE: LazyLock<Page> = LazyLock::new(|| Page {
        html: HTML.replace("{style}", STYLE).replace("{script}", SCRIPT),
        policy: format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; connect-src 'self'; base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'",
            hash(STYLE),
            hash(SCRIPT),
        ),
    });
    &PAGE
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}
