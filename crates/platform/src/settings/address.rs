//! Addresses in the settings.

/// Returns an absolute http or https URL to which paths can be added; `None` for any other text.
pub fn web_url(text: &str) -> Option<url::Url> {
    let url = url::Url::parse(text).ok()?;
    let is_web = ["http", "https"].contains(&url.scheme()) && url.has_host();
    let is_bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    (is_web && is_bare).then_some(url)
}

/// Returns whether the text can be the address in a link.
pub fn is_email(text: &str) -> bool {
    text.len() <= 254
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@._+-".contains(&byte))
}
