//! `roadcall setup`: asks for the settings that a public server needs, and writes them.

use std::{
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::{self, BufRead, IsTerminal, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use clap::Args;
use roadcall_actors::random::Random;

use super::{
    common::{CONFIG_VARIABLE, DATA_DIR_VARIABLE, Failure},
    config,
};
use crate::service::settings::{Settings, Sources};

/// The number of bytes of the key that signs tokens.
const KEY_BYTES: usize = 48;
/// The maximum number of bytes of a typed line.
const MAX_LINE: u64 = 1000;
/// How often a question is repeated after a wrong answer.
const TRIES: usize = 5;

#[derive(Debug, Args)]
pub(super) struct SetupArgs {
    /// The settings file to write. An existing file is left alone, unless it sets nothing: then it is kept as FILE.before
    #[arg(long, value_name = "FILE", default_value = "roadcall.toml", env = CONFIG_VARIABLE, hide_env_values = true)]
    out: PathBuf,
    /// The name by which customers know the service
    #[arg(long, value_name = "NAME")]
    brand: Option<String>,
    /// The colour of the apps' buttons, as #b45309; empty for ours
    #[arg(long, value_name = "COLOR")]
    color: Option<String>,
    /// The address by which clients reach the server, such as https://help.example.com
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// The proxies in front of the server (addresses or networks, separated by commas), or "direct" if there is none
    #[arg(long, value_name = "LIST")]
    proxies: Option<String>,
    /// The country that the server serves, whose phone numbers may be written without a country code, such as IN
    #[arg(long, value_name = "COUNTRY")]
    region: Option<String>,
    /// The currency of prices, such as INR
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// The local time zone, such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The place where maps begin: a latitude and a longitude, such as 52.52,13.40
    #[arg(long, value_name = "LAT,LNG", allow_hyphen_values = true)]
    map_center: Option<String>,
    /// How customers pay: "cash", or "razorpay" for online as well
    #[arg(long, value_name = "HOW")]
    payments: Option<String>,
    /// The number that customers and mechanics may call, as +911234567890; empty for none
    #[arg(long, value_name = "NUMBER")]
    support_phone: Option<String>,
    /// The folder of the database and the files
    #[arg(long, value_name = "FOLDER", env = DATA_DIR_VARIABLE, hide_env_values = true)]
    data_dir: Option<String>,
}

/// A question. They are asked in this order.
struct Question {
    /// The setting of the answer, or one of the keys below.
    key: &'static str,
    flag: &'static str,
    text: &'static str,
    /// `None` if there is no common answer.
    default: Option<&'static str>,
}

const REGION: &str = "phone.region";
/// An answer that makes two settings.
const MAP_CENTER: &str = "map.center";
/// An answer that names the providers of payments and of payouts.
const PAYMENTS: &str = "payments";
/// Settings whose defaults are for India alone.
const INDIAN: [&str; 3] = ["jobs.currency", "operator.time_zone", MAP_CENTER];

const QUESTIONS: [Question; 11] = [
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
        key: REGION,
        flag: "--region",
        text: "Which country do you serve, by its two letters?",
        default: Some("IN"),
    },
    Question {
        key: "jobs.currency",
        flag: "--currency",
        text: "In which currency are your prices, such as EUR?",
        default: Some("INR"),
    },
    Question {
        key: "operator.time_zone",
        flag: "--time-zone",
        text: "In which time zone, such as Europe/Berlin?",
        default: Some("Asia/Kolkata"),
    },
    Question {
        key: MAP_CENTER,
        flag: "--map-center",
        text: "Where should maps begin? A latitude and a longitude, such as 52.52,13.40",
        default: Some("12.9716,77.5946"),
    },
    Question {
        key: PAYMENTS,
        flag: "--payments",
        text: "How do customers pay: in cash alone (cash), or also online by Razorpay (razorpay)?",
        default: Some("cash"),
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
    let is_there = args.out.exists();
    if is_there && !sets_nothing(&args.out)? {
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
        &args.region,
        &args.currency,
        &args.time_zone,
        &args.map_center,
        &args.payments,
        &args.support_phone,
        &args.data_dir,
    ];
    let mut answers = Vec::new();
    let mut is_in_india = true;
    for (question, given) in QUESTIONS.iter().zip(given) {
        let default = question.default.filter(|_| is_in_india || !INDIAN.contains(&question.key));
        let answer = answer(question, given.as_deref(), default)?;
        if question.key == REGION {
            is_in_india = answer.eq_ignore_ascii_case("IN");
        }
        answers.extend(settings_of(question.key, &answer));
    }
    let key = URL_SAFE_NO_PAD.encode(Random::system().bytes::<KEY_BYTES>());
    let text = written(&answers, &key);
    let missing = config::faults(&Settings::of(&Sources::of_text(&text)?)?)?;
    if is_there {
        put_aside(&args.out)?;
    }
    write_new(&args.out, &text)?;
    let is_installed = std::env::var_os(CONFIG_VARIABLE).is_some_and(|own| args.out == Path::new(&own));
    print!("{}", next_steps(&args.out, &missing, is_installed));
    Ok(())
}

/// Returns whether a settings file is as packages install it: comments and empty sections.
fn sets_nothing(path: &Path) -> Result<bool, Failure> {
    let text = fs::read_to_string(path).map_err(|error| format!("--out: {}: {error}", path.display()))?;
    Ok(Sources::of_text(&text)?.changed()?.is_empty())
}

/// Keeps a file under another name, which must not exist yet.
fn put_aside(path: &Path) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".before");
    let before = PathBuf::from(name);
    if before.exists() {
        return Err(format!("{} is in the way: move it elsewhere", before.display()).into());
    }
    fs::rename(path, &before).map_err(|error| format!("--out: {}: {error}", path.display()).into())
}

/// Returns the answer from the command line, or a typed one. Refuses what the settings refuse.
fn answer(
    question: &Question,
    given: Option<&str>,
    default: Option<&'static str>,
) -> Result<String, Failure> {
    if let Some(given) = given {
        return match fault_of(question.key, given.trim()) {
            None => Ok(given.trim().to_owned()),
            Some(fault) => Err(format!("{}: {fault}", question.flag).into()),
        };
    }
    if !io::stdin().is_terminal() {
        let default = default.map(str::to_owned);
        return default
            .ok_or_else(|| format!("{} is needed where nobody can be asked", question.flag).into());
    }
    for _ in 0..TRIES {
        let offered = default.filter(|text| !text.is_empty());
        let shown = offered.map(|text| format!(" [{text}]")).unwrap_or_default();
        print!("{}{shown} ", question.text);
        io::stdout().flush()?;
        let mut line = String::new();
        io::stdin().lock().take(MAX_LINE).read_line(&mut line)?;
        let typed = match line.trim() {
            "" => default.unwrap_or_default(),
            typed => typed,
        };
        match fault_of(question.key, typed) {
            None => return Ok(typed.to_owned()),
            Some(fault) => println!("  {fault}"),
        }
    }
    Err(format!("{} was not answered", question.flag).into())
}

/// Returns the settings that an answer makes.
fn settings_of(key: &'static str, answer: &str) -> Vec<(&'static str, String)> {
    match key {
        MAP_CENTER => {
            let (lat, lng) = answer.split_once(',').unwrap_or((answer, ""));
            vec![("map.center_lat", lat.trim().to_owned()), ("map.center_lng", lng.trim().to_owned())]
        }
        PAYMENTS => {
            let provider = if answer == "cash" { "none" } else { answer };
            vec![("gateway.provider", provider.to_owned()), ("payouts.provider", provider.to_owned())]
        }
        _ => vec![(key, answer.to_owned())],
    }
}

/// Returns what is wrong with that answer by itself.
fn fault_of(key: &'static str, value: &str) -> Option<String> {
    let is_https = value.starts_with("https://") && url::Url::parse(value).is_ok();
    let is_place =
        || settings_of(MAP_CENTER, value).iter().all(|(_, degrees)| degrees.parse::<f64>().is_ok());
    let fault = match key {
        "server.public_url" if !is_https => {
            "must begin with https://, and name where clients reach the service"
        }
        MAP_CENTER if !is_place() => "must be a latitude and a longitude, such as 52.52,13.40",
        PAYMENTS if !["cash", "razorpay"].contains(&value) => "must be cash or razorpay",
        _ => "",
    };
    if !fault.is_empty() {
        return Some(fault.to_owned());
    }
    // The other settings that Razorpay needs are named at the end.
    let settings = if key == PAYMENTS { Vec::new() } else { settings_of(key, value) };
    let read = Sources::of_text(&sections(&settings)).and_then(|sources| Settings::of(&sources));
    match read {
        Err(error) => Some(error.to_string()),
        Ok(settings) => config::faults(&settings)
            .map_or_else(|error| Some(error.to_string()), |faults| faults.into_iter().next()),
    }
}

/// Returns the text of the file.
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

/// Returns a line for each value, as TOML.
fn sections(values: &[(&str, String)]) -> String {
    values.iter().fold(String::new(), |mut text, (key, value)| {
        let value = serde_json::Value::from(value.as_str());
        // A JSON text is also a TOML text.
        writeln!(text, "{key} = {value}").ok();
        text
    })
}

/// Writes a file that only its owner may read. Never replaces another file.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = opened.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| format!("--out: could not write {}: {error}", path.display()).into())
}

fn next_steps(path: &Path, missing: &[String], is_installed: bool) -> String {
    let file = path.display();
    let mut text = format!("Wrote {file}. Only its owner can read it: it holds the key that signs tokens.\n");
    if !missing.is_empty() {
        text.push_str("\nStill to be set there before a server starts with it:\n");
        for fault in missing {
            writeln!(text, "  {fault}").ok();
        }
    }
    let (program, config) = match is_installed {
        true => ("roadcallctl", String::new()),
        false => ("roadcall", format!(" --config {file}")),
    };
    let start = if is_installed { "systemctl enable --now roadcall" } else { &format!("roadcall{config}") };
    writeln!(
        text,
        "\nThen:\n  {program} config check{config}\n  {program} doctor{config}\n  {program} admin invite{config} \
        --email you@example.com\n  {start}\n\nThe third prints a link, by which you become the first super-admin once \
        the server runs."
    )
    .ok();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_file_is_read_back_and_missing_settings_are_named() {
        let answers = QUESTIONS.iter().flat_map(|question| {
            let answer = match question.key {
                "operator.brand" => "Bell & \"Sons\"",
                "server.public_url" => "https://help.example.com",
                MAP_CENTER => "-33.92, 18.42",
                _ => question.default.unwrap_or_default(),
            };
            settings_of(question.key, answer)
        });
        let text = written(&answers.collect::<Vec<_>>(), "0123456789abcdef0123456789abcdef");
        let settings = Settings::of(&Sources::of_text(&text).expect("TOML")).expect("settings");
        assert!(settings.is_production());
        assert_eq!(settings.operator.brand, "Bell & \"Sons\"");
        assert_eq!(settings.server.trusted_proxies, ["127.0.0.1"]);
        assert_eq!((settings.map.center_lat, settings.map.center_lng), (-33.92, 18.42));
        assert_eq!(settings.jobs.currency, "INR");
        assert!(!settings.gateway.is_online() && settings.payouts.is_by_hand(), "cash");
        let missing = config::faults(&settings).expect("rules");
        assert!(missing.iter().any(|fault| fault.starts_with("sms.provider")), "{missing:?}");
        // Only the provider of text messages can't be known.
        for fault in &missing {
            assert!(fault.starts_with("sms."), "{fault}");
        }
    }

    #[test]
    fn an_answer_that_the_settings_refuse_is_refused_at_once() {
        let wrong = [
            ("operator.brand", ""),
            ("operator.brand", "a name that is much too long for a tab"),
            ("operator.color", "orange"),
            ("server.public_url", "http://help.example.com"),
            ("server.public_url", "https://"),
            ("server.trusted_proxies", "10.0.0.0/99"),
            ("operator.time_zone", "Mars/Base"),
            (REGION, "Atlantis"),
            ("jobs.currency", "rupees"),
            ("jobs.currency", ""),
            (MAP_CENTER, "12.97"),
            (MAP_CENTER, "Bengaluru, India"),
            (MAP_CENTER, "52.52,213.4"),
            (PAYMENTS, "sandbox"),
            (PAYMENTS, ""),
            ("support.phone", "080 1234"),
        ];
        assert_eq!(fault_of(PAYMENTS, "razorpay"), None);
        for (key, value) in wrong {
            assert!(fault_of(key, value).is_some(), "{key} = {value}");
        }
        for question in &QUESTIONS {
            let Some(default) = question.default else { continue };
            assert_eq!(fault_of(question.key, default), None, "{}", question.key);
        }
    }
}
