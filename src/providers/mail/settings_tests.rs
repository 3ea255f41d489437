use super::*;
use crate::service::settings::Settings;

fn smtp(alter: impl FnOnce(&mut MailSettings)) -> Vec<String> {
    let mut mail = Settings::defaults().mail;
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
        ("mail.from", |mail| mail.from = "Roadcall <help@example.com>\r\nBcc: all@example.com".to_owned()),
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
    let mut settings = Settings::defaults();
    assert_eq!(settings.mail_provider(), MailProvider::Log);
    settings.environment = Environment::Production;
    assert_eq!(settings.mail_provider(), MailProvider::Off);
}
