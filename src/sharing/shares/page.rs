//! The page that a browser shows for a link. It holds nothing of the job: its script asks for that at the page's own
//! address, again and again, and for the chat below it, and loads nothing from elsewhere. A map is another site's and opens by a click alone.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

pub(super) struct Page {
    pub html: String,
    /// Its Content-Security-Policy: the page's own style and script, by their hashes, and its own address to ask at.
    pub policy: String,
}

/// The one page, whatever the link.
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
