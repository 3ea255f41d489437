//! How mail is sent: `[mail]`.

use std::net::IpAddr;

use lettre::{Address, message::Mailbox};
use serde::Deserialize;

use super::{
    Secret, choice, list,
    rule::{Rule, within},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailProvider {
    Off,
    Log,
    Smtp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailTls {
    Implicit,
    Starttls,
    None,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: MailProvider,
    pub host: String,
    pub port: u16,
    #[serde(deserialize_with = "choice::choice")]
    pub tls: MailTls,
    pub user: String,
    pub password: Secret,
    pub from: String,
    pub reply_to: String,
    pub connect_timeout_ms: u64,
    pub command_timeout_ms: u64,
    pub timeout_ms: u64,
    pub at_once: usize,
    pub attempts: i32,
    pub retry_s: i64,
    pub late_after_s: i64,
    pub tests_per_day: i64,
    #[serde(deserialize_with = "list::list")]
    pub reports_to: Vec<String>,
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(mail: &MailSettings) -> Vec<Rule> {
    let is_address = |text: &str| text.is_ascii() && text.parse::<Address>().is_ok();
    let mut rules = vec![
        (within(mail.connect_timeout_ms, 100..=60_000), "mail.connect_timeout_ms must be 100 to 60000"),
        (within(mail.command_timeout_ms, 100..=300_000), "mail.command_timeout_ms must be 100 to 300000"),
        (within(mail.timeout_ms, 100..=600_000), "mail.timeout_ms must be 100 to 600000"),
        (within(mail.at_once, 1..=32), "mail.at_once must be 1 to 32"),
        (within(mail.attempts, 1..=50), "mail.attempts must be 1 to 50"),
        (within(mail.retry_s, 1..=3600), "mail.retry_s must be 1 to 3600"),
        (within(mail.late_after_s, 60..=604_800), "mail.late_after_s must be 60 to 604800"),
        (within(mail.tests_per_day, 0..=1000), "mail.tests_per_day must be 0 to 1000"),
        (mail.reports_to.len() <= 10, "mail.reports_to must have at most 10 addresses"),
        (
            mail.reports_to.iter().all(|address| is_address(address)),
            "mail.reports_to must be addresses such as owner@example.com",
        ),
    ];
    if mail.provider == MailProvider::Smtp {
        rules.extend([
            (is_host(&mail.host), "mail.host is needed for smtp: a name or an address, without a port"),
            (mail.port > 0, "mail.port must be 1 to 65535"),
            (
                is_sender(&mail.from),
                "mail.from is needed for smtp, such as \"Roadcall <help@example.com>\": an address in ASCII, and at most 100 characters",
            ),
            (
                mail.reply_to.is_empty() || is_sender(&mail.reply_to),
                "mail.reply_to must be as mail.from, or empty",
            ),
            (
                mail.user.is_empty() == mail.password.0.is_empty(),
                "mail.user and mail.password must be set together",
            ),
            (
                mail.timeout_ms >= mail.connect_timeout_ms && mail.timeout_ms >= mail.command_timeout_ms,
                "mail.timeout_ms must be at least mail.connect_timeout_ms and mail.command_timeout_ms",
            ),
        ]);
    }
    rules
}

/// Returns the rules for production, which keep mail and the password from being sent in the clear.
pub(super) fn unsafe_in_production(mail: &MailSettings) -> Vec<Rule> {
    let is_open = mail.provider == MailProvider::Smtp && mail.tls == MailTls::None && !is_here(&mail.host);
    vec![(
        !is_open,
        "mail.tls = \"none\" sends mail and password in the clear: only to a server on this machine (localhost, 127.0.0.1, ::1)",
    )]
}

fn is_host(text: &str) -> bool {
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    !text.is_empty() && text.len() <= 253 && (is_name || text.parse::<IpAddr>().is_ok())
}

fn is_sender(text: &str) -> bool {
    let is_short = text.chars().count() <= 100 && !text.chars().any(char::is_control);
    is_short && text.parse::<Mailbox>().is_ok_and(|mailbox| mailbox.email.to_string().is_ascii())
}

fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
