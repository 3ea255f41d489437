//! Settings of the support for customers and mechanics: `[support]`.

use serde::Deserialize;

use super::rule::Rule;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupportSettings {
    pub phone: String,
    pub email: String,
    /// The number to call before any other. If empty, the number of `phone.region` is used.
    pub emergency_phone: String,
}

/// Returns the rules that must hold everywhere. The phone number and the address become links.
pub(super) fn rules(support: &SupportSettings) -> Vec<Rule> {
    let digits = support.phone.strip_prefix('+').unwrap_or_default();
    let is_phone = (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let emergency = support.emergency_phone.strip_prefix('+').unwrap_or(&support.emergency_phone);
    let is_emergency =
        (2..=15).contains(&emergency.len()) && emergency.bytes().all(|byte| byte.is_ascii_digit());
    let email = &support.email;
    vec![
        (support.phone.is_empty() || is_phone, "support.phone must be + and 8 to 15 digits, or empty"),
        (email.is_empty() || is_email(email), "support.email must be an email address, or empty"),
        (
            support.emergency_phone.is_empty() || is_emergency,
            "support.emergency_phone must be 2 to 15 digits, with or without a +, or empty",
        ),
    ]
}

/// Returns whether the text can be the address in a link.
pub(super) fn is_email(text: &str) -> bool {
    text.len() <= 254
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@._+-".contains(&byte))
}
