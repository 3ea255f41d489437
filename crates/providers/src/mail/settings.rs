//! How mail is sent: `[mail]`.

use std::net::IpAddr;

use lettre::{Address, message::Mailbox};
use roadcall_platform::settings::{Environment, Rule, RulesOf, Secret, Section, choice, list};
use serde::Deserialize;

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
    #[serde(deserialize_with = "choice")]
    pub provider: MailProvider,
    pub host: String,
    pub port: u16,
    #[serde(deserialize_with = "choice")]
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
    #[serde(deserialize_with = "list")]
    pub reports_to: Vec<String>,
}

impl MailSettings {
    /// Returns the provider that sends mail. The log is for development: in production it counts as off.
    pub fn provider_in(&self, environment: Environment) -> MailProvider {
        match self.provider {
            MailProvider::Log if environment == Environment::Production => MailProvider::Off,
            provider => provider,
        }
    }
}

impl Section for MailSettings {
    fn rules(&self) -> Vec<Rule> {
        let mail = RulesOf("mail");
        let is_address = |text: &str| text.is_ascii() && text.parse::<Address>().is_ok();
        let mut rules = vec![
            mail.within("connect_timeout_ms", self.connect_timeout_ms, 100..=60_000),
            mail.within("command_timeout_ms", self.command_timeout_ms, 100..=300_000),
            mail.within("timeout_ms", self.timeout_ms, 100..=600_000),
            mail.within("at_once", self.at_once, 1..=32),
            mail.within("attempts", self.attempts, 1..=50),
            mail.within("retry_s", self.retry_s, 1..=3600),
            mail.within("late_after_s", self.late_after_s, 60..=604_800),
            mail.within("tests_per_day", self.tests_per_day, 0..=1000),
            mail.has("reports_to", self.reports_to.len(), 0..=10, "addresses"),
            mail.says(
                "reports_to",
                self.reports_to.iter().all(|address| is_address(address)),
                "must be addresses such as owner@example.com",
            ),
        ];
        if self.provider == MailProvider::Smtp {
            rules.extend([
                mail.says(
                    "host",
                    is_host(&self.host),
                    "is needed for smtp: a name or an address, without a port",
                ),
                mail.within("port", self.port, 1..=u16::MAX),
                mail.says(
                    "from",
                    is_sender(&self.from),
                    "is needed for smtp, such as \"Roadcall <help@example.com>\": an address in ASCII, and at most 100 characters",
                ),
                mail.says(
                    "reply_to",
                    self.reply_to.is_empty() || is_sender(&self.reply_to),
                    "must be as mail.from, or empty",
                ),
                mail.says(
                    "user",
                    self.user.is_empty() == self.password.0.is_empty(),
                    "and mail.password must be set together",
                ),
                mail.says(
                    "timeout_ms",
                    self.timeout_ms >= self.connect_timeout_ms && self.timeout_ms >= self.command_timeout_ms,
                    "must be at least mail.connect_timeout_ms and mail.command_timeout_ms",
                ),
            ]);
        }
        rules
    }

    /// Returns the rules for production, which keep mail and the password from being sent in the clear.
    fn rules_of_production(&self) -> Vec<Rule> {
        let is_open =
            self.provider == MailProvider::Smtp && self.tls == MailTls::None && !is_here(&self.host);
        vec![RulesOf("mail").says(
            "tls",
            !is_open,
            "= \"none\" sends mail and password in the clear: only to a server on this machine (localhost, 127.0.0.1, ::1)",
        )]
    }
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
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    fn smtp(alter: impl FnOnce(&mut MailSettings)) -> Vec<String> {
        let mut mail: MailSettings = default_of("mail");
        mail.provider = MailProvider::Smtp;
        mail.host = "mail.example.com".to_owned();
        mail.from = "Roadcall <help@example.com>".to_owned();
        alter(&mut mail);
        let rules = mail.rules().into_iter().chain(mail.rules_of_production());
        rules.filter(Rule::is_broken).map(|rule| rule.to_string()).collect()
    }

    #[test]
    fn each_unsound_setting_is_named() {
        assert!(smtp(|_| {}).is_empty());
        assert!(smtp(|mail| mail.from = "help@example.com".to_owned()).is_empty());
        type Spoil = fn(&mut MailSettings);
        let cases: [(&str, Spoil); 10] = [
            ("mail.host", |mail| mail.host.clear()),
            ("mail.host", |mail| mail.host = "mail.example.com:587".to_owned()),
            ("mail.from", |mail| mail.from.clear()),
            ("mail.from", |mail| {
                mail.from = "Roadcall <help@example.com>\r\nBcc: all@example.com".to_owned()
            }),
            ("mail.reply_to", |mail| mail.reply_to = "nobody".to_owned()),
            ("mail.user", |mail| mail.user = "roadcall".to_owned()),
            ("mail.timeout_ms", |mail| mail.timeout_ms = 1000),
            ("mail.at_once", |mail| mail.at_once = 0),
            ("mail.reports_to", |mail| mail.reports_to = vec!["nobody".to_owned()]),
            ("mail.reports_to", |mail| mail.reports_to = vec!["a@example.com".to_owned(); 11]),
        ];
        for (key, alter) in cases {
            let faults = smtp(alter);
            assert!(faults.len() == 1 && faults[0].starts_with(key), "{key}: {faults:?}");
        }
    }

    #[test]
    fn mail_in_the_clear_stays_on_the_machine() {
        let open = |host: &str| {
            smtp(|mail| {
                mail.tls = MailTls::None;
                mail.host = host.to_owned();
            })
        };
        for host in ["localhost", "127.0.0.1", "::1"] {
            assert!(open(host).is_empty(), "{host}");
        }
        assert!(open("mail.example.com").iter().all(|fault| fault.starts_with("mail.tls")));
        assert_eq!(open("mail.example.com").len(), 1);
    }

    #[test]
    fn the_log_is_for_development() {
        let mail: MailSettings = default_of("mail");
        assert_eq!(mail.provider_in(Environment::Development), MailProvider::Log);
        assert_eq!(mail.provider_in(Environment::Production), MailProvider::Off);
    }
}
