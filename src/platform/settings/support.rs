//! Whom customers and mechanics turn to: `[support]`.

use serde::Deserialize;

use super::check::Rule;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupportSettings {
    pub phone: String,
    pub email: String,
}

/// What can't work anywhere. Both end up in links.
pub(super) fn rules(support: &SupportSettings) -> Vec<Rule> {
    let digits = support.phone.strip_prefix('+').unwrap_or_default();
    let is_phone = (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let email = &support.email;
    let is_email = email.len() <= 254
        && email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && email.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@._+-".contains(&byte));
    vec![
        (support.phone.is_empty() || is_phone, "support.phone must be + and 8 to 15 digits, or empty"),
        (email.is_empty() || is_email, "support.email must be an email address, or empty"),
    ]
}
