//! `roadcall setup`: asks what a server that serves people needs, and writes its settings.

use std::{
    fmt::Write as _,
    fs::OpenOptions,
    io::{self, BufRead, IsTerminal, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use clap::Args;
use roadcall_actors::random::Random;

use super::{common::Failure, config};
use crate::platform::settings::{Settings, Sources};

/// Bytes of the key that signs tokens.
const KEY_BYTES: usize = 48;
/// A line that is typed has at most this many bytes.
const MAX_LINE: u64 = 1000;
/// How often a wrong answer is asked for again.
const TRIES: usize = 5;

#[derive(Debug, Args)]
pub(super) struct SetupArgs {
    /// Where to write the settings; an existing file is left alone
    #[arg(long, value_name = "FILE", default_value = "roadcall.toml")]
    out: PathBuf,
    /// What customers know the service as
    #[arg(long, value_name = "NAME")]
    brand: Option<String>,
    /// The colour of the apps' buttons, as #b45309; empty for ours
    #[arg(long, value_name = "COLOR")]
    color: Option<String>,
    /// Where clients reach it, such as https://help.example.com
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// The proxies in front of it (addresses or networks, separated by commas), or "direct" if there is none
    #[arg(long, value_name = "LIST")]
    proxies: Option<String>,
    /// The local time zone, such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The country of phone numbers that are written without one, such as IN
    #[arg(long, value_name = "COUNTRY")]
    region: Option<String>,
    /// The number that customers and mechanics may call, as +911234567890; empty for none
    #[arg(long, value_name = "NUMBER")]
    support_phone: Option<String>,
    /// Where the database and the files are
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
}

/// What is asked, in this order.
struct Question {
    key: &'static str,
    flag: &'static str,
    text: &'static str,
    /// `None` where everybody has another answer.
    default: Option<&'static str>,
}

const QUESTIONS: [Question; 8] = [
    Question {
        key: "operator.brand",
        flag: "--brand",
        text: "What do customers know your service as?",
        default: None,
    },
    Question {
        key: "operator.color",
        flag: "--color",
        text: "Which colour should the apps' buttons have, as #005f73? Nothing for ours",
        default: Some(""),
    },
    Question {
        key: "server.public_url",
        flag: "--public-url",
        text: "Where do they reach it, such as https://help.example.com?",
        default: None,
    },
    Question {
        key: "server.trusted_proxies",
        flag: "--proxies",
        text: "Which proxies are in front of it? Their addresses or networks, or \"direct\" for none",
        default: Some("127.0.0.1"),
    },
    Question {
        key: "operator.time_zone",
        flag: "--time-zone",
        text: "Its time zone?",
        default: Some("Asia/Kolkata"),
    },
    Question {
        key: "phone.region",
        flag: "--region",
        text: "The country of its phone numbers?",
        default: Some("IN"),
    },
    Question {
        key: "support.phone",
        flag: "--support-phone",
        text: "Which number may people call for help, as +911234567890? Nothing for none",
        default: Some(""),
    },
    Question {
        key: "server.data_dir",
        flag: "--data-dir",
        text: "Where should the database and the files be?",
        default: Some("./data"),
    },
];

pub(super) fn run(args: &SetupArgs) -> Result<(), Failure> {
    if args.out.exists() {
        return Err(format!(
            "{} exists already: change it, or name another file with --out",
            args.out.display()
        )
        .into());
    }
    let given = [
        &args.brand,
        &args.color,
        &args.public_url,
        &args.proxies,
        &args.time_zone,
        &args.region,
        &args.support_phone,
        &args.data_dir,
    ];
    let mut answers = Vec::new();
    for (question, given) in QUESTIONS.iter().zip(given) {
        answers.push((question.key, answer(question, given.as_deref())?));
    }
    let key = URL_SAFE_NO_PAD.encode(Random::system().bytes::<KEY_BYTES>());
    let text = written(&answers, &key);
    let missing = config::faults(&Settings::of(&Sources::of_text(&text)?)?)?;
    write_new(&args.out, &text)?;
    print!("{}", next_steps(&args.out, &missing));
    Ok(())
}

/// What was given on the command line, or typed. Refuses what the settings refuse.
fn answer(question: &Question, given: Option<&str>) -> Result<String, Failure> {
    if let Some(given) = given {
        return match fault_of(question.key, given.trim()) {
            None => Ok(given.trim().to_owned()),
            Some(fault) => Err(format!("{}: {fault}", question.flag).into()),
        };
    }
    if !io::stdin().is_terminal() {
        let default = question.default.map(str::to_owned);
        return default
            .ok_or_else(|| format!("{} is needed where nobody can be asked", question.flag).into());
    }
    for _ in 0..TRIES {
        let default = question.default.filter(|text| !text.is_empty());
        let shown = default.map(|text| format!(" [{text}]")).unwrap_or_default();
        print!("{}{shown} ", question.text);
        io::stdout().flush()?;
        let mut line = String::new();
        io::stdin().lock().take(MAX_LINE).read_line(&mut line)?;
        let typed = match line.trim() {
            "" => question.default.unwrap_or_default(),
            typed => typed,
        };
        match fault_of(question.key, typed) {
            None => return Ok(typed.to_owned()),
            Some(fault) => println!("  {fault}"),
        }
    }
    Err(format!("{} was not answered", question.flag).into())
}

/// What is wrong with that value by itself.
fn fault_of(key: &str, value: &str) -> Option<String> {
    let is_https = value.starts_with("https://") && url::Url::parse(value).is_ok();
    if key == "server.public_url" && !is_https {
        return Some("must begin with https://, and name where clients reach the service".to_owned());
    }
    let read =
        Sources::of_text(&sections(&[(key, value.to_owned())])).and_then(|sources| Settings::of(&sources));
    match read {
        Err(error) => Some(error.to_string()),
        Ok(settings) => config::faults(&settings)
            .map_or_else(|error| Some(error.to_string()), |faults| faults.into_iter().next()),
    }
}

/// The file.
fn written(answers: &[(&str, String)], key: &str) -> String {
    let mut values = answers.to_vec();
    values.push(("auth.token_secret", key.to_owned()));
    format!(
        "# Written by `roadcall setup`. Every setting is explained in config/default.toml; `roadcall config check --config` \
        with this file\n# says what is missing. It holds the key that signs tokens: keep it secret, and in your backups.\n\
        environment = \"production\"\n\n{}auth.dev_otp = false\n\
        # Admins' passwords and second factors are in the service's own database. With a provider of your own, set\n\
        # identity.issuer instead.\n\
        identity.local_provider_in_production = true\n",
        sections(&values)
    )
}

/// A line for each value, as TOML.
fn sections(values: &[(&str, String)]) -> String {
    values.iter().fold(String::new(), |mut text, (key, value)| {
        let value = serde_json::Value::from(value.as_str());
        // JSON's texts are TOML's.
        writeln!(text, "{key} = {value}").ok();
        text
    })
}

/// Only its owner may read it. Never takes the place of another file.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = opened.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| format!("--out: could not write {}: {error}", path.display()).into())
}

fn next_steps(path: &Path, missing: &[String]) -> String {
    let file = path.display();
    let mut text = format!("Wrote {file}. Only you can read it: it holds the key that signs tokens.\n");
    if !missing.is_empty() {
        text.push_str("\nStill to be set there before a server starts with it:\n");
        for fault in missing {
            writeln!(text, "  {fault}").ok();
        }
    }
    writeln!(
        text,
        "\nThen:\n  roadcall config check --config {file}\n  roadcall doctor --config {file}\n  roadcall admin invite --config {file} \
        --email you@example.com\n  roadcall --config {file}\n\nThe third prints a link, by which you become the first super-admin once \
        the server runs."
    )
    .ok();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_says_what_is_missing() {
        let answers = QUESTIONS.iter().map(|question| {
            let answer = match question.key {
                "operator.brand" => "Bell & \"Sons\"",
                "server.public_url" => "https://help.example.com",
                _ => question.default.unwrap_or_default(),
            };
            (question.key, answer.to_owned())
        });
        let text = written(&answers.collect::<Vec<_>>(), "0123456789abcdef0123456789abcdef");
        let settings = Settings::of(&Sources::of_text(&text).expect("TOML")).expect("settings");
        assert!(settings.is_production());
        assert_eq!(settings.operator.brand, "Bell & \"Sons\"");
        assert_eq!(settings.server.trusted_proxies, ["127.0.0.1"]);
        let missing = config::faults(&settings).expect("rules");
        assert!(missing.iter().any(|fault| fault.starts_with("sms.provider")), "{missing:?}");
        assert!(missing.iter().any(|fault| fault.starts_with("gateway.provider")), "{missing:?}");
        // The providers alone are what it can't know.
        for fault in &missing {
            assert!(["sms.", "gateway.", "payouts."].iter().any(|of| fault.starts_with(of)), "{fault}");
        }
    }

    #[test]
    fn an_answer_that_the_settings_refuse_is_refused_by_itself() {
        let wrong = [
            ("operator.brand", ""),
            ("operator.brand", "a name that is much too long for a tab"),
            ("operator.color", "orange"),
            ("server.public_url", "http://help.example.com"),
            ("server.public_url", "https://"),
            ("server.trusted_proxies", "10.0.0.0/99"),
            ("operator.time_zone", "Mars/Base"),
            ("phone.region", "Atlantis"),
            ("support.phone", "080 1234"),
        ];
        for (key, value) in wrong {
            assert!(fault_of(key, value).is_some(), "{key} = {value}");
        }
        for question in &QUESTIONS {
            let Some(default) = question.default else { continue };
            assert_eq!(fault_of(question.key, default), None, "{}", question.key);
        }
    }
}
