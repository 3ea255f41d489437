//! Tests of the composed settings: their origins, and the check with every rule.

mod deploy;
mod identity;

use std::collections::{BTreeSet, HashMap};

use super::*;
use crate::platform::settings::PhoneRegion;

#[test]
fn the_defaults_start_in_development() {
    Settings::defaults().check().expect("sound defaults");
}

fn from_environment(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let settings = Settings::of(&Sources::read_from(None, variables.collect())?)?;
    settings.check()?;
    Ok(settings)
}

#[test]
fn the_environment_overrides_numbers_lists_and_texts() {
    let settings = from_environment(&[
        ("ROADCALL__DISPATCH__RINGS_KM", "2,4.5"),
        ("ROADCALL__DISPATCH__ROUND_WIDTHS", "7"),
        ("ROADCALL__ETA__DETOUR_BY_HOUR", ""),
        ("ROADCALL__WS__ALLOWED_ORIGINS", "https://a.example,https://b.example"),
        ("ROADCALL__SERVER__LISTEN", "127.0.0.1:1"),
        ("DATABASE_URL", "postgres://x/y"),
    ])
    .expect("sound");
    assert_eq!(settings.dispatch.rings_km, [2.0, 4.5]);
    assert_eq!(settings.dispatch.round_widths, [7]);
    assert_eq!(settings.eta.detours(), None);
    assert_eq!(settings.ws.allowed_origins, ["https://a.example", "https://b.example"]);
    assert_eq!(settings.server.listen.port(), 1);
    assert_eq!(settings.database.server(), Some("postgres://x/y"));
}

#[test]
fn the_environment_overrides_numbers_and_switches_and_leaves_texts_of_digits_as_they_are() {
    let digits = "00123456789012345678901234567890123";
    let settings = from_environment(&[
        ("ROADCALL__AUTH__TOKEN_SECRET", digits),
        ("ROADCALL__SUPPORT__PHONE", "+918012345678"),
        ("ROADCALL__WS__MAILBOX", "64"),
        ("ROADCALL__MAP__ZOOM", "12"),
        ("ROADCALL__AUTH__DEV_OTP", "false"),
    ])
    .expect("sound");
    assert_eq!(
        (settings.auth.token_secret.0.as_str(), settings.support.phone.as_str()),
        (digits, "+918012345678")
    );
    assert_eq!((settings.ws.mailbox, settings.map.zoom, settings.auth.dev_otp), (64, 12.0, false));
}

#[test]
fn an_unknown_key_or_a_wrong_type_is_refused_by_name() {
    for (variable, named) in [
        ("ROADCALL__DISPATCH__NOPE", "nope"),
        ("ROADCALL__DISPATCH__RINGS_KM", "rings_km"),
        ("ROADCALL__ENGINE__MAILBOX", "mailbox"),
        ("ROADCALL__DISPATCH__STRATEGY", "strategy"),
    ] {
        let message = from_environment(&[(variable, "far")]).expect_err(named).to_string();
        assert!(message.contains(named), "{named} is missing in: {message}");
    }
}

#[test]
fn a_time_zone_that_iana_does_not_know_is_refused_with_its_setting() {
    let zone = |name| from_environment(&[("ROADCALL__OPERATOR__TIME_ZONE", name)]);
    assert_eq!(zone("America/New_York").expect("sound").operator.time_zone.name(), "America/New_York");
    for name in ["Mars/Base", "", "330", "IST", "+05:30"] {
        let message = zone(name).expect_err(name).to_string();
        assert!(
            message.contains("operator.time_zone") && message.contains(&format!("\"{name}\"")),
            "{message}"
        );
    }
}

#[test]
fn a_setting_of_an_earlier_release_is_refused_with_its_replacement() {
    let minutes = from_environment(&[("ROADCALL__ETA__UTC_OFFSET_MINUTES", "330")]);
    let message = minutes.expect_err("it is gone").to_string();
    let expected = "settings: eta.utc_offset_minutes no longer exists: set operator.time_zone to the name of the IANA time \
        zone, such as \"Asia/Kolkata\"";
    assert_eq!(message, expected);
}

#[test]
fn an_unknown_word_is_refused_with_the_list_of_accepted_words() {
    let mut named = Vec::new();
    for key in sources::defaults().expect("readable").into_keys() {
        let text = format!("{key} = \"nonesuch\"\n");
        let read = Sources::of_text(&text).and_then(|sources| Settings::of(&sources));
        let Err(error) = read else { continue };
        let refusal = error.to_string();
        if refusal.contains("variant") {
            assert!(refusal.contains("`nonesuch`, expected "), "{refusal}");
            assert!(refusal.contains(&format!("`{key}`")), "{refusal}");
            named.push(key);
        }
    }
    for key in ["environment", "log.format", "gateway.provider", "payouts.provider", "sms.http.method"] {
        assert!(named.iter().any(|known| known == key), "{key} is missing among {named:?}");
    }
}

/// Choices with which further settings have rules.
const CHOICES: [&str; 5] = [
    "",
    "mail.provider = \"smtp\"\n",
    "uploads.provider = \"s3\"\n",
    "calls.provider = \"hms\"\n",
    "gateway.provider = \"razorpay\"\npayouts.provider = \"razorpay\"\n",
];

fn of_text(text: &str) -> Result<Settings, SettingsError> {
    Settings::of(&Sources::of_text(text)?)
}

#[test]
fn a_number_beyond_its_bounds_is_refused_with_its_setting() {
    let mut refused = BTreeSet::new();
    for choice in CHOICES {
        for rule in of_text(choice).expect("readable").rules() {
            for value in rule.beyond() {
                let line = format!("{} = {value}\n", rule.key());
                let checked = of_text(&format!("{choice}{line}")).and_then(|settings| settings.check());
                let message = checked.expect_err(&line).to_string();
                assert!(message.contains(&rule.key()), "{line} {message}");
                refused.insert(rule.key());
            }
        }
    }
    assert!(refused.len() > 150, "{refused:?}");
}

#[test]
fn every_rule_is_for_a_setting_that_exists() {
    for choice in CHOICES {
        let settings = of_text(choice).expect("readable");
        let rules = settings.rules().into_iter().chain(settings.rules_of_production());
        for key in rules.map(|rule| rule.key()) {
            let refusal = of_text(&format!("{key} = \"x\"\n")).err().map(|error| error.to_string());
            assert!(!refusal.unwrap_or_default().contains("unknown field"), "{key} is no setting");
        }
    }
}

#[test]
fn accepted_secrets_are_few_long_and_different_from_the_current_one() {
    let secret = |letter: &str| Secret(letter.repeat(32));
    let check = |own: &str, accepted: Vec<Secret>| {
        let mut settings = Settings::defaults();
        settings.auth.token_secret.0 = own.to_owned();
        settings.auth.accepted_token_secrets = accepted;
        settings.check().map_err(|refusal| refusal.to_string())
    };
    let own = "a".repeat(32);
    assert_eq!(check(&own, vec![secret("b"), secret("c"), Secret("generated".to_owned())]), Ok(()));
    assert_eq!(check("", vec![secret("b")]), Ok(()));
    let refused = [
        (check(&own, ["b", "c", "d", "e"].map(secret).to_vec()), "more than 3 secrets"),
        (check(&own, vec![Secret("b".repeat(31))]), "must each be at least 32 bytes"),
        (check(&own, vec![secret("b"), secret("a")]), "must not contain auth.token_secret"),
        (check(&own, vec![secret("b"), secret("c"), secret("b")]), "a secret twice"),
        (check("", vec![Secret("generated".to_owned())]), "the generated secret is in use"),
    ];
    for (checked, why) in refused {
        let message = checked.expect_err(why);
        assert!(message.contains("auth.accepted_token_secrets") && message.contains(why), "{message}");
        assert!(!message.contains("bbb") && !message.contains("aaa"), "{message}");
    }
}

#[test]
fn accepted_secrets_are_an_array_or_a_text_with_commas_or_line_breaks() {
    let (one, two) = ("b".repeat(32), "c".repeat(32));
    for text in [format!("{one},{two}"), format!("{one}\n{two}\n"), format!("{one}\r\n{two}")] {
        let settings = from_environment(&[("ROADCALL__AUTH__ACCEPTED_TOKEN_SECRETS", &text)]).expect("read");
        assert_eq!(settings.auth.accepted_token_secrets, [Secret(one.clone()), Secret(two.clone())]);
    }
    let file = format!("[auth]\naccepted_token_secrets = [\"with, a comma {one}\"]");
    let settings = Settings::of(&Sources::of_text(&file).expect("read")).expect("read");
    assert_eq!(settings.auth.accepted_token_secrets, [Secret(format!("with, a comma {one}"))]);
}

#[test]
fn production_refuses_the_defaults_and_names_each() {
    let mut settings = Settings { environment: Environment::Production, ..Settings::defaults() };
    settings.auth.token_secret.0 = "abab".repeat(16);
    let message = settings.check().expect_err("unsafe").to_string();
    assert!(message.contains("auth.token_secret repeats") && !message.contains("abab"), "{message}");
    settings.auth.token_secret.0.clear();
    let message = settings.check().expect_err("unsafe").to_string();
    for key in [
        "auth.dev_otp",
        "auth.token_secret",
        "sms.provider",
        "identity.local_provider_in_production",
        "server.public_url",
        "server.trusted_proxies is empty",
        "gateway.provider = \"sandbox\"",
        "payouts.provider = \"sandbox\"",
    ] {
        assert!(message.contains(key), "{key} is missing in: {message}");
    }
}

#[test]
fn addresses_that_are_not_set_follow_the_listener() {
    let at = |public_url: &str, issuer: &str| {
        let mut settings = Settings::defaults();
        settings.server.public_url = public_url.to_owned();
        settings.identity.issuer = issuer.to_owned();
        let settings = settings.listening_at(SocketAddr::from(([127, 0, 0, 1], 9000)));
        (settings.server.public_url, settings.identity.issuer)
    };
    for ((public_url, issuer), expected) in [
        (("", ""), ("http://127.0.0.1:9000", "http://127.0.0.1:9000/idp")),
        (("https://api.example/", ""), ("https://api.example/", "https://api.example/idp")),
        (("", "https://idp.example"), ("http://127.0.0.1:9000", "https://idp.example")),
    ] {
        assert_eq!(at(public_url, issuer), (expected.0.to_owned(), expected.1.to_owned()));
    }
}

type Spoil = fn(&mut Settings);

/// Asserts that sound settings that are spoilt are refused by name, without the password of a URL.
fn assert_refused(sound: fn() -> Settings, cases: &[(Spoil, &str)]) {
    for (spoil, key) in cases {
        let mut settings = sound();
        spoil(&mut settings);
        let message = settings.check().expect_err(key).to_string();
        assert!(message.contains(key) && !message.contains("hunter2"), "{key} is missing in: {message}");
    }
}

/// Returns settings that suit Razorpay.
fn with_razorpay() -> Settings {
    let mut settings = Settings::defaults();
    settings.gateway.provider = GatewayProvider::Razorpay;
    settings.gateway.key_id = "rzp_live_1".to_owned();
    settings.gateway.key_secret = Secret("a secret".to_owned());
    settings.gateway.webhook_secret = Secret("sixteen bytes...".to_owned());
    settings.payouts.provider = PayoutProvider::Razorpay;
    settings.payouts.account_number = "7878780080316316".to_owned();
    settings
}

#[test]
fn razorpay_needs_all_its_settings() {
    with_razorpay().check().expect("sound");
    let cases: [(Spoil, &str); 7] = [
        (|s| s.gateway.key_id.clear(), "gateway.key_id"),
        (|s| s.gateway.key_secret.0.clear(), "gateway.key_secret"),
        (|s| s.gateway.webhook_secret.0.clear(), "gateway.webhook_secret"),
        (|s| s.gateway.webhook_secret.0 = "fifteen bytes..".to_owned(), "gateway.webhook_secret"),
        (|s| s.payouts.account_number = " ".to_owned(), "payouts.account_number"),
        (|s| s.gateway.base_url = "ftp://api.razorpay.com".to_owned(), "gateway.base_url"),
        (|s| s.gateway.base_url = "https://api.razorpay.com?x".to_owned(), "gateway.base_url"),
    ];
    assert_refused(with_razorpay, &cases);
    let mut settings = with_razorpay();
    settings.payouts.provider = PayoutProvider::Sandbox;
    settings.payouts.account_number.clear();
    settings.check().expect("nothing is paid out of an account");
}

#[test]
fn production_asks_razorpay_only_over_https() {
    let unsafe_with = |alter: Spoil| {
        let mut settings = Settings { environment: Environment::Production, ..with_razorpay() };
        alter(&mut settings);
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    let message = unsafe_with(|_| {});
    assert!(!message.contains("gateway.") && !message.contains("payouts."), "{message}");
    let message = unsafe_with(|s| s.gateway.base_url = "http://api.razorpay.com".to_owned());
    assert!(message.contains("gateway.base_url"), "{message}");
    let message = unsafe_with(|s| s.payouts.provider = PayoutProvider::Sandbox);
    assert!(message.contains("payouts.provider") && !message.contains("gateway."), "{message}");
}

#[test]
fn production_needs_no_gateway_if_customers_pay_in_cash() {
    let mut settings = Settings { environment: Environment::Production, ..Settings::defaults() };
    settings.gateway.provider = GatewayProvider::None;
    settings.payouts.provider = PayoutProvider::None;
    let message = settings.check().expect_err("the rest is unsafe").to_string();
    assert!(!message.contains("gateway.") && !message.contains("payouts."), "{message}");
}

/// Returns settings that suit FCM and Twilio.
fn with_messages() -> Settings {
    let mut settings = Settings::defaults();
    settings.push.provider = PushProvider::Fcm;
    settings.push.fcm_project_id = "roadcall".to_owned();
    settings.push.fcm_client_email = "push@roadcall.example".to_owned();
    settings.push.fcm_private_key = Secret("a key".to_owned());
    settings.sms.provider = SmsProvider::Twilio;
    settings.sms.twilio_account_sid = format!("AC{}", "0".repeat(32));
    settings.sms.twilio_auth_token = Secret("a token".to_owned());
    settings.sms.twilio_from = "+15005550006".to_owned();
    settings
}

#[test]
fn pushes_and_text_messages_need_all_their_settings() {
    with_messages().check().expect("sound");
    let cases: [(Spoil, &str); 17] = [
        (|s| s.push.fcm_base_url = "fcm.googleapis.com".to_owned(), "push.fcm_base_url"),
        (|s| s.push.fcm_token_uri = "ftp://x".to_owned(), "push.fcm_token_uri"),
        (|s| s.push.fcm_project_id.clear(), "push.fcm_project_id"),
        (|s| s.push.fcm_client_email.clear(), "push.fcm_client_email"),
        (|s| s.push.fcm_private_key.0.clear(), "push.fcm_private_key"),
        (|s| s.sms.otp_text = "your code".to_owned(), "sms.otp_text"),
        (|s| s.sms.otp_text = format!("{{code}}{}", "x".repeat(600)), "sms.otp_text"),
        (|s| s.sms.share_text = "your link".to_owned(), "sms.share_text"),
        (|s| s.sms.number_changed_text = " ".to_owned(), "sms.number_changed_text"),
        (|s| s.sms.twilio_base_url.clear(), "sms.twilio_base_url"),
        (|s| s.sms.twilio_account_sid.clear(), "sms.twilio_account_sid"),
        (|s| s.sms.twilio_account_sid = format!("AC{}", "/".repeat(32)), "sms.twilio_account_sid"),
        (|s| s.sms.twilio_auth_token.0.clear(), "sms.twilio_auth_token"),
        (|s| s.sms.twilio_from.clear(), "sms.twilio_from"),
        (|s| s.sms.twilio_messaging_service_sid = "MG1".to_owned(), "sms.twilio_messaging_service_sid"),
        (
            |s| s.sms.twilio_messaging_service_sid = format!("MG{}", "0".repeat(32)),
            "sms.twilio_from or sms.twilio_messaging_service_sid",
        ),
        (
            |s| {
                s.sms.twilio_from.clear();
                s.sms.twilio_messaging_service_sid = format!("AC{}", "0".repeat(32));
            },
            "sms.twilio_messaging_service_sid",
        ),
    ];
    assert_refused(with_messages, &cases);
    let mut settings = with_messages();
    settings.push.fcm_private_key.0.clear();
    settings.push.fcm_service_account_file = "/etc/roadcall/fcm.json".to_owned();
    settings.check().expect("the file has it");
    settings.push.provider = PushProvider::Log;
    settings.push.fcm_service_account_file.clear();
    settings.check().expect("nobody needs it");
}

#[test]
fn production_takes_twilio_and_either_push_provider_only_over_https() {
    let message_with = |alter: Spoil| {
        let mut settings = Settings { environment: Environment::Production, ..with_messages() };
        alter(&mut settings);
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    for fine in [|_: &mut Settings| {}, |s: &mut Settings| s.push.provider = PushProvider::Log] {
        let message = message_with(fine);
        assert!(!message.contains("sms.") && !message.contains("push."), "{message}");
    }
    let cases: [(Spoil, &str); 4] = [
        (|s| s.sms.provider = SmsProvider::Log, "sms.provider"),
        (|s| s.sms.twilio_base_url = "http://api.twilio.com".to_owned(), "sms.twilio_base_url"),
        (|s| s.push.fcm_base_url = "http://fcm.googleapis.com".to_owned(), "push.fcm_base_url"),
        (|s| s.push.fcm_token_uri = "http://oauth2.googleapis.com/token".to_owned(), "push.fcm_token_uri"),
    ];
    for (alter, key) in cases {
        let message = message_with(alter);
        assert!(message.contains(key), "{key} is missing in: {message}");
    }
    let shown = format!("{:?}", with_messages());
    assert!(!shown.contains("a key") && !shown.contains("a token"), "{shown}");
}

#[test]
fn a_gateways_headers_and_ids_can_be_set_in_the_environment() {
    let settings = from_environment(&[
        ("ROADCALL__SMS__HTTP__HEADERS__X_API_KEY", "0012"),
        ("ROADCALL__SMS__HTTP__TEMPLATES__FOUND_HI", "1107"),
        ("ROADCALL__SMS__HTTP__METHOD", "GET"),
    ])
    .expect("sound");
    let http = settings.sms.http;
    assert_eq!(http.headers["x_api_key"].0, "0012");
    assert_eq!((http.templates["found_hi"].as_str(), http.method), ("1107", SmsHttpMethod::Get));
}

/// Returns settings that suit a gateway with registered texts.
fn with_gateway() -> Settings {
    let mut settings = Settings::defaults();
    settings.sms.provider = SmsProvider::Http;
    settings.sms.status = true;
    let http = &mut settings.sms.http;
    http.url = Secret("https://sms.example/v1/{to_digits}?key=hunter2&from={sender}".to_owned());
    http.body = Secret("text={text}&template={template_id}&entity={entity_id}".to_owned());
    http.sender = "ROADCL".to_owned();
    http.entity_id = "1201".to_owned();
    for key in ["otp", "share", "number_changed", "found_en", "arrived_en", "released_en", "cancelled_en"] {
        http.templates.insert(key.to_owned(), "1107".to_owned());
    }
    settings
}

#[test]
fn a_gateway_for_text_messages_needs_every_part_of_its_request() {
    with_gateway().check().expect("sound");
    let cases: [(Spoil, &str); 30] = [
        (|s| s.sms.http.url.0.clear(), "sms.http.url must"),
        (|s| s.sms.http.url.0 = "ftp://sms.example/{to}".to_owned(), "sms.http.url must"),
        (|s| s.sms.http.url.0 = "https://u:p@sms.example/{to}".to_owned(), "sms.http.url must"),
        (|s| s.sms.http.url.0 = "https://{to}.example/{to}".to_owned(), "sms.http.url must"),
        (|s| s.sms.http.url.0 = "https://sms.example/".to_owned(), "must have {to}"),
        (|s| s.sms.http.url.0.push_str("&x={nothing}"), "know only {to}"),
        (|s| s.sms.http.url.0.push_str(&"x".repeat(9000)), "8192 bytes"),
        (|s| s.sms.http.body.0 = "a=1".to_owned(), "must have {text}"),
        (|s| s.sms.http.method = SmsHttpMethod::Get, "sms.http.body must be empty"),
        (|s| s.sms.http.content = SmsHttpContent::Json, "sms.http.body must be JSON"),
        (|s| s.sms.http.sender.clear(), "sms.http.sender"),
        (|s| s.sms.http.sender = "two words".to_owned(), "sms.http.sender"),
        (|s| s.sms.http.entity_id.clear(), "sms.http.entity_id"),
        (|s| drop(s.sms.http.templates.remove("otp")), "sms.http.templates must have otp"),
        (|s| drop(s.sms.http.templates.remove("share")), "sms.http.templates must have otp"),
        (|s| drop(s.sms.http.templates.remove("arrived_en")), "sms.http.templates must have found_en"),
        (
            |s| drop(s.sms.http.templates.insert("otp_en".to_owned(), "1".to_owned())),
            "sms.http.templates may only",
        ),
        (
            |s| drop(s.sms.http.templates.insert("otp".to_owned(), String::new())),
            "sms.http.templates must be ids",
        ),
        (
            |s| drop(s.sms.http.headers.insert("Host".to_owned(), Secret("a".to_owned()))),
            "sms.http.headers must be at most",
        ),
        (
            |s| drop(s.sms.http.headers.insert("a b".to_owned(), Secret("a".to_owned()))),
            "sms.http.headers must be at most",
        ),
        (
            |s| drop(s.sms.http.headers.insert("a".to_owned(), Secret("a\nb".to_owned()))),
            "sms.http.headers must be visible",
        ),
        (
            |s| drop(s.sms.http.headers.insert("a".to_owned(), Secret("{text}".to_owned()))),
            "sms.http.headers must be visible",
        ),
        (|s| s.sms.http.basic_password.0 = "p".to_owned(), "sms.http.basic_user"),
        (|s| s.sms.http.basic_user = "a:b".to_owned(), "sms.http.basic_user"),
        (
            |s| {
                s.sms.http.basic_user = "a".to_owned();
                drop(s.sms.http.headers.insert("Authorization".to_owned(), Secret("a".to_owned())));
            },
            "sms.http.headers must not have Authorization",
        ),
        (|s| s.sms.http.success_pointer = "status".to_owned(), "sms.http.success_pointer"),
        (|s| s.sms.http.success_value = "0".to_owned(), "sms.http.success_value"),
        (|s| drop(s.sms.status_texts.insert("otp".to_owned(), "a".to_owned())), "sms.status_texts may only"),
        (
            |s| drop(s.sms.status_texts.insert("found_en".to_owned(), "{code}".to_owned())),
            "sms.status_texts must",
        ),
        (|s| s.sms.provider = SmsProvider::Log, "sms.status needs"),
    ];
    assert_refused(with_gateway, &cases);
    assert!(!format!("{:?}", with_gateway()).contains("hunter2"));
    let fallback = with_gateway().sms;
    assert!(fallback.may_send("found_en") && !fallback.may_send("found_hi"), "written in English");
}

#[test]
fn production_asks_a_gateway_over_https_or_on_this_machine() {
    let message_with = |url: &str| {
        let mut settings = Settings { environment: Environment::Production, ..with_gateway() };
        settings.sms.http.url.0 = url.to_owned();
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    for url in ["https://sms.example/{to}", "http://127.0.0.1:13013/{to}", "http://[::1]/{to}"] {
        let message = message_with(&format!("{url}?s={{sender}}"));
        assert!(!message.contains("sms."), "{message}");
    }
    for url in ["http://sms.example/{to}", "http://10.0.0.1/{to}", "http://127.0.0.1.example/{to}"] {
        let message = message_with(url);
        assert!(message.contains("sms.http.url is not https"), "{message}");
    }
}

#[test]
fn maps_and_contacts_that_cannot_work_are_refused_with_their_key() {
    let cases: [(Spoil, &str); 13] = [
        (|s| s.operator.brand = String::new(), "operator.brand"),
        (|s| s.operator.brand = "a name that is longer than thirty".to_owned(), "operator.brand"),
        (|s| s.operator.color = "orange".to_owned(), "operator.color"),
        (|s| s.operator.privacy_url = "privacy.html".to_owned(), "operator.privacy_url"),
        (|s| s.operator.terms_url = "javascript:alert(1)".to_owned(), "operator.terms_url"),
        (|s| s.operator.name = "two\nlines".to_owned(), "operator.name"),
        (|s| s.operator.address = "12 MG Road".to_owned(), "operator.name"),
        (|s| s.support.phone = "080 1234 5678".to_owned(), "support.phone"),
        (|s| s.support.email = "help at example.com".to_owned(), "support.email"),
        (|s| s.privacy.contact_email = "Asha <asha@example.com>".to_owned(), "privacy.contact_email"),
        (|s| s.privacy.contact_name = "Asha Rao".to_owned(), "privacy.contact_email"),
        (|s| s.privacy.contact_name = "Asha\nRao".to_owned(), "privacy.contact_name"),
        (|s| s.support.emergency_phone = "one one two".to_owned(), "support.emergency_phone"),
    ];
    assert_refused(Settings::defaults, &cases);
}

/// Returns settings that suit 100ms.
fn with_hms() -> Settings {
    let mut settings = Settings::defaults();
    settings.calls.provider = CallProvider::Hms;
    settings.calls.hms_access_key = "64a1f0c2e4b0a1b2c3d4e5f6".to_owned();
    settings.calls.hms_secret = Secret("a secret".to_owned());
    settings
}

#[test]
fn calls_that_nobody_could_make_are_refused_with_their_key() {
    with_hms().check().expect("sound");
    let relay = |s: &mut Settings| s.calls.turn_urls = vec!["turn:turn.example.com:3478".to_owned()];
    let mut relayed = Settings::defaults();
    relay(&mut relayed);
    relayed.calls.turn_secret = Secret("sixteen bytes...".to_owned());
    relayed.check().expect("sound");
    let cases: [(Spoil, &str); 11] = [
        (|s| s.calls.stun_urls = vec!["stun.example.com".to_owned()], "calls.stun_urls"),
        (|s| s.calls.stun_urls = vec!["stun://stun.example.com".to_owned()], "calls.stun_urls"),
        (|s| s.calls.stun_urls = vec!["turn:turn.example.com".to_owned()], "calls.stun_urls"),
        (|s| s.calls.turn_urls = vec!["turn:".to_owned()], "calls.turn_urls"),
        (|s| s.calls.turn_urls = vec!["turn:a b".to_owned()], "calls.turn_urls"),
        (|s| s.calls.turn_urls = vec!["turn:turn.example.com".to_owned(); 11], "calls.turn_urls"),
        (|s| s.calls.turn_urls = vec!["turn:turn.example.com".to_owned()], "calls.turn_secret"),
        (|s| s.calls.hms_base_url = "ftp://api.100ms.live".to_owned(), "calls.hms_base_url"),
        (|s| s.calls.hms_access_key.clear(), "calls.hms_access_key"),
        (|s| s.calls.hms_secret.0 = " ".to_owned(), "calls.hms_secret"),
        (|s| s.calls.hms_role.clear(), "calls.hms_role"),
    ];
    assert_refused(with_hms, &cases);
    let in_production = |base_url: &str| {
        let mut settings = Settings { environment: Environment::Production, ..with_hms() };
        settings.calls.hms_base_url = base_url.to_owned();
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    assert!(in_production("http://api.100ms.live").contains("calls.hms_base_url"));
    assert!(!in_production("https://api.100ms.live").contains("calls."));
    let shown = format!("{:?} {:?}", with_hms(), relayed);
    assert!(!shown.contains("a secret") && !shown.contains("sixteen"), "{shown}");
}

#[test]
fn money_that_cannot_be_right_is_refused_with_its_key() {
    let cases: [(Spoil, &str); 11] = [
        (|s| s.money.dispute_window_s = i64::MAX, "money.dispute_window_s"),
        (|s| s.money.dispute_window_s = 48 * 3600 + 1, "wallet.clearing_hours"),
        (|s| s.wallet.clearing_hours = 47, "wallet.clearing_hours"),
        (|s| s.wallet.clearing_hours = i64::MAX, "wallet.clearing_hours"),
        (|s| s.wallet.max_withdrawal_paise = 99, "wallet.min_withdrawal_paise"),
        (|s| s.gateway.webhook_secret = Secret("short".to_owned()), "gateway.webhook_secret"),
        (
            |s| s.gateway.webhook_secret_previous = Secret("short".to_owned()),
            "gateway.webhook_secret_previous",
        ),
        (
            |s| {
                s.gateway.webhook_secret = Secret("one of sixteen bytes".to_owned());
                s.gateway.webhook_secret_previous = s.gateway.webhook_secret.clone();
            },
            "gateway.webhook_secret_previous must not be gateway.webhook_secret",
        ),
        (|s| s.gateway.base_url.clear(), "gateway.base_url"),
        (|s| s.gateway.base_url = "https://key@api.razorpay.com".to_owned(), "gateway.base_url"),
        (|s| s.sandbox.delay_min_ms = 201, "sandbox.delay_min_ms"),
    ];
    assert_refused(Settings::defaults, &cases);
}

/// Returns settings that suit a store that speaks S3.
fn with_s3() -> Settings {
    let mut settings = Settings::defaults();
    settings.uploads.provider = StorageProvider::S3;
    settings.uploads.endpoint = "https://s3.ap-south-1.amazonaws.com".to_owned();
    settings.uploads.bucket = "roadcall-files".to_owned();
    settings.uploads.access_key_id = "AKIA1".to_owned();
    settings.uploads.secret_access_key = Secret("a secret".to_owned());
    settings
}

#[test]
fn s3_needs_all_its_settings_and_https_in_production() {
    with_s3().check().expect("sound");
    let cases: [(Spoil, &str); 8] = [
        (|s| s.uploads.endpoint.clear(), "uploads.endpoint"),
        (|s| s.uploads.endpoint = "ftp://s3.example".to_owned(), "uploads.endpoint"),
        (|s| s.uploads.endpoint = "https://key@s3.example".to_owned(), "uploads.endpoint"),
        (|s| s.uploads.region.clear(), "uploads.region"),
        (|s| s.uploads.bucket.clear(), "uploads.bucket"),
        (|s| s.uploads.bucket = "a/b".to_owned(), "uploads.bucket"),
        (|s| s.uploads.access_key_id = " ".to_owned(), "uploads.access_key_id"),
        (|s| s.uploads.secret_access_key.0.clear(), "uploads.secret_access_key"),
    ];
    assert_refused(with_s3, &cases);
    let mut settings = with_s3();
    settings.uploads.endpoint = "http://127.0.0.1:9000".to_owned();
    settings.check().expect("development may");
    settings.environment = Environment::Production;
    let message = settings.check().expect_err("unsafe").to_string();
    assert!(message.contains("uploads.endpoint"), "{message}");
}

#[test]
fn uploads_links_and_sockets_that_cannot_work_are_refused_with_their_key() {
    let cases: [(Spoil, &str); 5] = [
        (|s| s.ws.idle_timeout_s = s.ws.ping_interval_s, "ws.idle_timeout_s"),
        (|s| s.uploads.max_bytes_per_user_and_day = 20_971_519, "uploads.max_bytes_per_user_and_day"),
        (
            |s| s.uploads.max_bytes_per_organisation_and_day = 20_971_519,
            "uploads.max_bytes_per_organisation_and_day",
        ),
        (|s| s.server.public_url = "roads.example".to_owned(), "server.public_url"),
        (|s| s.server.public_url = "ftp://roads.example".to_owned(), "server.public_url"),
    ];
    assert_refused(Settings::defaults, &cases);
}

#[test]
fn keys_of_backups_that_cannot_work_are_refused_with_their_setting() {
    let cases: [(Spoil, &str); 6] = [
        (|s| s.backup.age_recipients = vec!["age1x".to_owned()], "backup.age_recipients must be public keys"),
        (|s| s.backup.age_recipients = vec![String::new(); 21], "backup.age_recipients must have at most 20"),
        (
            |s| s.backup.age_recipients = vec!["AGE-SECRET-KEY-1X".to_owned()],
            "backup.age_recipients has a private key",
        ),
        (|s| s.backup.signers = vec!["age1x".to_owned()], "backup.signers must be public keys"),
        (|s| s.backup.signers = vec!["ssh-ed25519 AAAA".to_owned()], "backup.signers must be public keys"),
        (|s| s.backup.signers = vec![String::new(); 21], "backup.signers must have at most 20"),
    ];
    assert_refused(Settings::defaults, &cases);
}

#[test]
fn settings_that_prevent_dispatching_are_refused_with_their_key() {
    let cases: [(Spoil, &str); 21] = [
        (|s| s.dispatch.rings_km.clear(), "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![3.0, 2.0], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![3.0, 3.0], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![f64::NAN], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![3.0, f64::NAN, 5.0], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![3.0, f64::INFINITY], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = vec![-1.0, 3.0], "dispatch.rings_km"),
        (|s| s.dispatch.rings_km = (1..=11).map(f64::from).collect(), "dispatch.rings_km"),
        (|s| s.dispatch.round_widths.clear(), "dispatch.round_widths"),
        (|s| s.dispatch.round_widths = vec![1, 0], "dispatch.round_widths"),
        (|s| s.dispatch.round_widths = vec![51], "dispatch.round_widths"),
        (|s| s.dispatch.round_widths = vec![1; 21], "dispatch.round_widths"),
        (|s| s.dispatch.max_rounds = 1, "dispatch.urgent_first_round"),
        (|s| s.dispatch.offer_ttl_s = 601, "dispatch.offer_ttl_s"),
        (|s| s.eta.detour_by_hour = vec![1.0; 23], "eta.detour_by_hour"),
        (|s| s.eta.router_url = RouterUrl("ftp://x".to_owned()), "eta.router_url"),
        (|s| s.eta.router_profile = "../v1".to_owned(), "eta.router_profile"),
        (|s| s.watch.dark_after_s = 59, "watch.dark_after_s"),
        (|s| s.watch.dark_after_s = 181, "fees.dark_after_s"),
        (|s| s.fees.stalled_after_s = 299, "fees.stalled_after_s"),
        (|s| s.watch.slip_after_s = 901, "fees.late_grace_s"),
    ];
    assert_refused(Settings::defaults, &cases);
}

#[test]
fn production_must_be_told_who_connects() {
    let message = |proxies: &[&str]| {
        let mut settings = Settings { environment: Environment::Production, ..Settings::defaults() };
        settings.server.trusted_proxies = proxies.iter().map(|text| (*text).to_owned()).collect();
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    assert!(message(&[]).contains("set it to \"direct\""), "{}", message(&[]));
    for said in [&["direct"][..], &["10.0.0.0/8"], &["10.0.0.7", "::1"]] {
        assert!(!message(said).contains("server.trusted_proxies"), "{}", message(said));
    }
    assert!(message(&["direct", "10.0.0.7"]).contains("either \"direct\" or proxies"));
    assert!(message(&["directly"]).contains("must be addresses or networks"));
}

#[test]
fn a_proxy_network_of_all_addresses_and_an_unknown_region_are_refused_by_name() {
    for network in ["0.0.0.0/0", "::/0", "0.0.0.0/1,128.0.0.0/1", "10.0.0.0/8,::/1,8000::/1"] {
        let message = from_environment(&[("ROADCALL__SERVER__TRUSTED_PROXIES", network)]).expect_err(network);
        assert!(message.to_string().contains("server.trusted_proxies"), "{message}");
    }
    for region in ["ZZ", "UK", "001", "India", ""] {
        let message = from_environment(&[("ROADCALL__PHONE__REGION", region)]).expect_err(region).to_string();
        assert!(message.contains("phone.region"), "{message}");
        if !region.is_empty() {
            let list = format!("IN,{region}");
            let message =
                from_environment(&[("ROADCALL__SMS__REGIONS", &list)]).expect_err(region).to_string();
            assert!(message.contains("sms.regions"), "{message}");
        }
    }
    let settings =
        from_environment(&[("ROADCALL__PHONE__REGION", "KE"), ("ROADCALL__SMS__REGIONS", "KE, xk")]);
    let Settings { phone, sms, .. } = settings.expect("regions");
    let codes = [phone.region, sms.regions[0], sms.regions[1]].map(PhoneRegion::calling_code);
    assert_eq!((codes, phone.region.emergency_number()), ([254, 254, 383], "112"));
}

/// Returns settings that ask Photon on this machine.
fn with_places() -> Settings {
    let mut settings = Settings::defaults();
    settings.places.provider = PlaceProvider::Photon;
    settings
}

#[test]
fn a_place_search_that_cannot_work_is_refused_with_its_key() {
    with_places().check().expect("sound");
    let cases: [(Spoil, &str); 6] = [
        (|s| s.places.url = "photon".to_owned(), "places.url"),
        (|s| s.places.url = "http://photon/?key=1".to_owned(), "places.url"),
        (|s| s.places.attribution.clear(), "places.attribution"),
        (|s| s.places.contact = "a (b)\r\nX: y".to_owned(), "places.contact"),
        (|s| s.places.key_header = "X Key".to_owned(), "places.key_header"),
        (|s| s.places.key.0 = "a\nb".to_owned(), "places.key"),
    ];
    assert_refused(with_places, &cases);
}

#[test]
fn the_public_nominatim_is_asked_only_as_its_policy_permits() {
    let mut settings = with_places();
    settings.places.provider = PlaceProvider::Nominatim;
    settings.places.url = "https://nominatim.openstreetmap.org".to_owned();
    let message = settings.check().expect_err("neither").to_string();
    assert!(message.contains("places.contact is needed"), "{message}");
    assert!(message.contains("places.requests_per_second must be at most 1"), "{message}");
    settings.places.contact = "maps@roadcall.example".to_owned();
    settings.places.requests_per_second = 1.0;
    settings.check().expect("as the policy wants");
}

#[test]
fn production_searches_no_sketch_and_sends_no_key_in_the_clear() {
    let production = |settings: Settings| Settings { environment: Environment::Production, ..settings };
    assert_eq!(Settings::defaults().place_provider(), PlaceProvider::Sketch);
    assert_eq!(production(Settings::defaults()).place_provider(), PlaceProvider::None);
    assert_eq!(production(with_places()).place_provider(), PlaceProvider::Photon);
    let message = |url: &str, key: &str| {
        let mut settings = production(with_places());
        settings.places.url = url.to_owned();
        settings.places.key.0 = key.to_owned();
        settings.check().expect_err("the rest is unsafe").to_string()
    };
    assert!(message("http://photon:2322", "hunter2").contains("places.url is not https"));
    assert!(!message("http://photon:2322", "").contains("places."));
    assert!(!message("https://photon.example", "hunter2").contains("places."));
}

/// Returns settings that suit several servers.
fn in_cluster() -> Settings {
    let mut settings = with_s3();
    settings.database.url = Some(Secret("postgres://db/roadcall".to_owned()));
    settings.cluster.nats_url.0 = "tls://one:4222, tls://user:secret@two:4222".to_owned();
    settings
}

#[test]
fn several_servers_need_services_that_all_of_them_reach() {
    in_cluster().check().expect("sound");
    assert_eq!(in_cluster().cluster.nats_urls().count(), 2);
    let account_of = |url: &str| {
        let mut settings = in_cluster();
        settings.cluster.nats_url.0 = url.to_owned();
        settings.cluster.nats_account()
    };
    let account = |user: &str, password: Option<&str>| Some((user.to_owned(), password.map(str::to_owned)));
    assert_eq!(in_cluster().cluster.nats_account(), account("user", Some("secret")));
    assert_eq!(account_of("tls://user:s%40%2Bt+@one"), account("user", Some("s@+t+")));
    assert_eq!(account_of("tls://token@one"), account("token", None));
    assert_eq!(account_of("tls://one:4222"), None);
    let cases: [(Spoil, &str); 6] = [
        (|s| s.cluster.nats_url.0 = " , ".to_owned(), "cluster.nats_url"),
        (|s| s.cluster.nats_url.0 = "nats-1:4222".to_owned(), "cluster.nats_url"),
        (|s| s.cluster.nats_url.0 = "tls://a:b@one,tls://a:c@two".to_owned(), "cluster.nats_url"),
        (|s| s.cluster.nats_url.0 = "https://nats".to_owned(), "cluster.nats_url"),
        (|s| s.database.url = None, "database.url"),
        (|s| s.uploads.provider = StorageProvider::Local, "uploads.provider"),
    ];
    for (spoil, key) in cases {
        let mut settings = in_cluster();
        spoil(&mut settings);
        let message = settings.check().expect_err(key).to_string();
        assert!(message.contains(key) && !message.contains("secret"), "{key} is missing in: {message}");
    }
}

#[test]
fn production_talks_to_nats_over_tls_or_on_this_machine() {
    let refused = |url: &str| {
        let mut settings = Settings { environment: Environment::Production, ..in_cluster() };
        settings.cluster.nats_url.0 = url.to_owned();
        settings.check().expect_err("the rest is unsafe").to_string().contains("cluster.nats_url")
    };
    for safe in ["tls://nats:4222", "nats://127.0.0.1:4222", "nats://[::1]:4222", "nats://localhost:4222"] {
        assert!(!refused(safe), "{safe}");
    }
    for open in ["nats://nats:4222", "tls://one:4222,nats://two:4222", "nats://10.0.0.7:4222"] {
        assert!(refused(open), "{open}");
    }
}

#[test]
fn the_manifests_for_kubernetes_start_in_production() {
    let manifests = include_str!("../../../../deploy/kubernetes.yaml");
    let is_variable = |name: &str| name.starts_with("ROADCALL_") || name == "DATABASE_URL";
    let set = |line: &str| {
        let (name, value) = line.strip_prefix("  ")?.split_once(": ")?;
        is_variable(name).then(|| (name.to_owned(), value.trim_matches('"').to_owned()))
    };
    let variables: HashMap<String, String> = manifests.lines().filter_map(set).collect();
    assert!(variables.len() > 20, "{variables:?}");
    let settings =
        Sources::read_from(None, variables).and_then(|sources| Settings::of(&sources)).expect("settings");
    settings.check().unwrap_or_else(|error| panic!("{error}"));
    assert!(settings.is_production() && settings.cluster.is_shared());
}
