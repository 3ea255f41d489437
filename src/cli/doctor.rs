//! `roadcall doctor`: checks that a server has what it needs, and says what to do if not.

use std::{fmt, fs, io::ErrorKind, path::Path, time::Duration};

use chrono::TimeDelta;
use nix::sys::statvfs::statvfs;
use reqwest::{Client, Url, redirect::Policy};
use roadcall_actors::clock::Clock;
use serde_json::Value;

use super::{
    common::{CommonArgs, Failure},
    config, keys,
};
use crate::{
    lifecycle::backup,
    platform::{
        db::{
            Database, DbError, Schema, Writes,
            locate::{self, Places},
        },
        https,
    },
    providers::{identity, mail::SmtpMail},
    service::settings::{
        CallProvider, EtaProvider, GatewayProvider, MailProvider, PushProvider, Settings, SmsProvider,
        Sources, StorageProvider,
    },
    thresholds::{self, Level},
};

/// How long an answer over HTTP may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The size of the probe: an empty file would need no room on the disk.
const PROBE_BYTES: usize = 65_536;
const BYTES_PER_GIB: f64 = 1_073_741_824.0;

/// The result of one check.
#[derive(Debug)]
struct Finding {
    verdict: Verdict,
    about: &'static str,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// It works, but perhaps not for long.
    Warning,
    Fault,
}

impl Finding {
    fn of(about: &'static str, looked: Result<String, String>) -> Self {
        match looked {
            Ok(text) => Self { verdict: Verdict::Fine, about, text },
            Err(text) => Self { verdict: Verdict::Fault, about, text },
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Fine => "ok",
            Verdict::Warning => "warning",
            Verdict::Fault => "FAULT",
        };
        write!(f, "{verdict:<9}{:<15}{}", self.about, self.text)
    }
}

/// Prints the findings, and fails if anything needs attention.
pub(super) async fn run(args: CommonArgs) -> Result<(), Failure> {
    let settings = args.unchecked(&Sources::read(args.config.as_deref())?)?;
    let mut faults = 0;
    let mut tell = |finding: &Finding| {
        println!("{finding}");
        faults += usize::from(finding.verdict == Verdict::Fault);
    };
    for finding in of_settings(&settings)? {
        tell(&finding);
    }
    tell(&of_data_folder(&settings.server.data_dir));
    let clock = Clock::system();
    for finding in of_database(&settings, &clock).await {
        tell(&finding);
    }
    for finding in [of_backups(&settings).await, of_signing(&settings).await].into_iter().flatten() {
        tell(&finding);
    }
    let client = https::client().timeout(PATIENCE).redirect(Policy::none()).build()?;
    tell(&of_server(&client, &settings).await);
    if !settings.server.public_url.is_empty() {
        tell(&of_public_address(&client, &settings.server.public_url).await);
    }
    if !settings.has_embedded_provider() {
        tell(&of_identity(&settings, &clock).await);
    }
    for (about, url) in providers(&settings) {
        tell(&Finding::of(about, answers(&client, &url).await));
    }
    if settings.mail_provider() == MailProvider::Smtp {
        tell(&Finding::of("mail", of_mail(&settings, &clock).await));
    }
    match faults {
        0 => Ok(()),
        1 => Err("1 thing needs your attention".into()),
        many => Err(format!("{many} things need your attention").into()),
    }
}

fn of_settings(settings: &Settings) -> Result<Vec<Finding>, Failure> {
    let faults = config::all_faults(settings)?;
    if faults.is_empty() {
        let text = if settings.is_production() { "those of production" } else { "those of development" };
        let warning = |text| Finding { verdict: Verdict::Warning, about: "settings", text };
        let fine = Finding::of("settings", Ok(text.to_owned()));
        return Ok([fine].into_iter().chain(settings.warnings().into_iter().map(warning)).collect());
    }
    Ok(faults.into_iter().map(|fault| Finding::of("settings", Err(fault))).collect())
}

fn of_data_folder(folder: &Path) -> Finding {
    let about = "data folder";
    let shown = folder.display();
    if !folder.exists() {
        return Finding::of(about, Ok(format!("{shown} is made by the first start")));
    }
    let probe = folder.join(".doctor");
    let written = fs::write(&probe, vec![0_u8; PROBE_BYTES]);
    fs::remove_file(&probe).ok();
    if let Err(error) = written {
        let text = if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            format!("{shown}: the disk is full; make room, but never remove anything of Postgres")
        } else {
            format!("{shown}: this user can't write there ({error}); run this as the user of the server")
        };
        return Finding::of(about, Err(text));
    }
    let Ok(stats) = statvfs(folder) else {
        return Finding::of(about, Ok(format!("{shown} can be written")));
    };
    let bytes = |blocks: u64| blocks.saturating_mul(stats.fragment_size());
    let free_bytes = bytes(stats.blocks_available());
    let text = format!("{shown}, with {:.1} GiB free", free_bytes as f64 / BYTES_PER_GIB);
    match thresholds::disk(free_bytes, bytes(stats.blocks())) {
        Level::Fine => Finding::of(about, Ok(text)),
        // The server still works. A full disk is a fault, which the probe finds.
        Level::Warn | Level::Fail => Finding { verdict: Verdict::Warning, about, text },
    }
}

async fn of_database(settings: &Settings, clock: &Clock) -> Vec<Finding> {
    let is_embedded = settings.database.server().is_none();
    let data_dir = &settings.server.data_dir;
    if let Err(error) = Database::refuse_unfinished_restore(data_dir) {
        return vec![Finding::of("database", Err(error.to_string()))];
    }
    let is_made = ["postgres", "postgres.location"].iter().any(|name| data_dir.join(name).exists());
    if is_embedded && !is_made {
        let found = locate::find(&Places::of_this_machine(), None).map_err(|error| error.to_string());
        let found = found.map(|found| {
            format!(
                "embedded, made by the first start with Postgres {} of {}",
                found.major,
                found.dir.display()
            )
        });
        return vec![Finding::of("database", found)];
    }
    let reported = async {
        let database = Database::open_beside(&settings.database, data_dir).await?;
        let report = database.report(clock).await;
        let work = match &report {
            Ok(report) if matches!(report.schema, Schema::Fits) => {
                vec![of_secrets(settings, &database).await, of_writes(&database).await]
            }
            _ => Vec::new(),
        };
        database.close().await?;
        Ok::<_, DbError>((report?, work))
    };
    let (report, work) = match reported.await {
        Ok(found) => found,
        Err(error) => return vec![Finding::of("database", Err(error.to_string()))],
    };
    let kind = if is_embedded { "embedded" } else { "of DATABASE_URL" };
    let size = report.size_bytes as f64 / BYTES_PER_GIB;
    let schema = match report.schema {
        Schema::Fits => Ok("fits this program".to_owned()),
        Schema::Older => Ok("is older than this program, whose next start migrates it".to_owned()),
        Schema::Contracted(_) => Err("is of a newer program, and this one can't work with it".to_owned()),
    };
    let mut findings = vec![
        Finding::of("database", Ok(format!("{kind}, Postgres {}, {size:.2} GiB", report.version))),
        Finding::of("schema", schema),
        of_clock(report.clock_ahead),
    ];
    findings.extend(work);
    findings
}

fn of_clock(ahead: TimeDelta) -> Finding {
    let verdict = match thresholds::CLOCK.level_of(ahead.abs()) {
        Level::Fine => return Finding::of("clock", Ok("agrees with the database's".to_owned())),
        Level::Warn => Verdict::Warning,
        Level::Fail => Verdict::Fault,
    };
    let ahead_ms = ahead.num_milliseconds();
    let text = format!("is {ahead_ms} ms ahead of the database's: let both machines set theirs by NTP");
    Finding { verdict, about: "clock", text }
}

/// Checks that the database takes writes: one whose disk is full still answers reads.
async fn of_writes(database: &Database) -> Finding {
    let tried = match database.try_to_write().await {
        Ok(Writes::Taken) => Ok("are taken".to_owned()),
        Ok(refused) => Err(format!("{}; RUNBOOK.md, RoadcallWritesRefused", refused.as_check())),
        Err(error) => Err(error.to_string()),
    };
    Finding::of("writes", tried)
}

/// Checks that backups can be encrypted as the settings ask. An invalid public key was reported with the settings, and is not
/// tried.
async fn of_backups(settings: &Settings) -> Option<Finding> {
    let faults = config::faults(settings).ok()?;
    if faults.iter().any(|fault| fault.starts_with("backup.age_recipients")) {
        return None;
    }
    let keys = match settings.backup.age_recipients.len() {
        1 => "1 key".to_owned(),
        many => format!("{many} keys"),
    };
    let tried = backup::try_age(&settings.backup).await?;
    let shown = tried.map(|program| format!("encrypted for {keys} by {}", program.display()));
    let shown = shown.map_err(|error| format!("backup.age_recipients: {error}"));
    Some(Finding::of("backups", shown))
}

/// Checks that backups can be signed as the settings ask.
async fn of_signing(settings: &Settings) -> Option<Finding> {
    let tried = backup::try_signing(&settings.backup).await?;
    let shown = tried.map(|()| format!("signed with {}", settings.backup.signing_key.display()));
    Some(Finding::of("backups", shown.map_err(|error| format!("backup.signing_key: {error}"))))
}

/// Checks that the secrets of the settings can read what was sealed with the service's secrets.
async fn of_secrets(settings: &Settings, database: &Database) -> Finding {
    let about = "secrets";
    match keys::look(settings, database).await {
        Err(error) if error.is_before_the_first_start(&settings.named_secrets()) => {
            Finding::of(about, Ok("generated by the first start".to_owned()))
        }
        Err(error) => Finding::of(about, Err(error.to_string())),
        Ok(report) => {
            Finding::of(about, keys::fault(&report).map_or_else(|| Ok(keys::summary(&report)), Err))
        }
    }
}

/// Checks whether a server runs here, and what it reports about itself.
async fn of_server(client: &Client, settings: &Settings) -> Finding {
    let about = "server";
    let url = format!("http://{}/health/ready", settings.server.listen);
    let Ok(response) = client.get(&url).send().await else {
        let text = format!("nobody answers at {}: it does not run", settings.server.listen);
        return Finding { verdict: Verdict::Warning, about, text };
    };
    let is_ready = response.status().is_success();
    let body: Value = response.json().await.unwrap_or_default();
    if is_ready {
        return Finding::of(about, Ok(format!("ready at {}", settings.server.listen)));
    }
    if body["status"] == "standby" {
        return Finding::of(about, Ok(format!("stands by at {}", settings.server.listen)));
    }
    let checks = body["checks"].as_object().into_iter().flatten();
    let wrong = checks.filter(|(_, found)| **found != "ok");
    let wrong: Vec<String> =
        wrong.map(|(check, found)| format!("{check}: {}", found.as_str().unwrap_or_default())).collect();
    let why = if wrong.is_empty() { "something else answers there".to_owned() } else { wrong.join("; ") };
    Finding::of(about, Err(format!("not ready at {}: {why}", settings.server.listen)))
}

/// Checks that clients reach a server of this program at its public address.
async fn of_public_address(client: &Client, public_url: &str) -> Finding {
    let url = format!("{}/health", public_url.trim_end_matches('/'));
    let looked = match client.get(&url).send().await {
        Err(error) => Err(format!("{url} does not answer ({})", reason(&error))),
        Ok(response) => {
            let status = response.status().as_u16();
            let body: Value = response.json().await.unwrap_or_default();
            match body["service_version"].as_str() {
                Some(version) => Ok(format!("{public_url} leads to roadcall {version}")),
                None => Err(format!(
                    "{url} answers {status}, and not as roadcall does: look at the proxy's settings"
                )),
            }
        }
    };
    Finding::of("public address", looked)
}

/// Checks that the provider that admins sign in at describes itself under the name in the settings.
async fn of_identity(settings: &Settings, clock: &Clock) -> Finding {
    let identity = &settings.identity;
    let (about, issuer) = ("identity", &identity.issuer);
    match identity::try_issuer(issuer, PATIENCE, clock.now()).await {
        Ok(()) => Finding::of(about, Ok(format!("{issuer} says how admins sign in"))),
        // ID tokens can still be read, but nobody can sign in on the console.
        Err(fault) if !identity.jwks_url.is_empty() => {
            Finding { verdict: Verdict::Warning, about, text: format!("{issuer}: {fault}") }
        }
        Err(fault) => Finding::of(about, Err(format!("{issuer}: {fault}"))),
    }
}

/// Lists the external services that the settings name, each with its address. They are not asked.
fn providers(settings: &Settings) -> Vec<(&'static str, String)> {
    let is_routed = matches!(settings.eta.provider, EtaProvider::Osrm | EtaProvider::Valhalla);
    let used = [
        (settings.sms.provider == SmsProvider::Twilio, "sms", &settings.sms.twilio_base_url),
        (settings.sms.provider == SmsProvider::Http, "sms", &settings.sms.http.url.0),
        (settings.gateway.provider == GatewayProvider::Razorpay, "payments", &settings.gateway.base_url),
        (settings.push.provider == PushProvider::Fcm, "pushes", &settings.push.fcm_base_url),
        (settings.calls.provider == CallProvider::Hms, "calls", &settings.calls.hms_base_url),
        (is_routed, "ways", &settings.eta.router_url.0),
        (settings.place_provider().is_asked(), "places", &settings.places.url),
        (settings.uploads.provider == StorageProvider::S3, "files", &settings.uploads.endpoint),
    ];
    used.into_iter().filter(|(is_used, ..)| *is_used).map(|(_, about, url)| (about, url.clone())).collect()
}

/// Asks for the front page of a provider: any answer shows that it is there. Its own address may send or cost something.
async fn answers(client: &Client, url: &str) -> Result<String, String> {
    let url = Url::parse(url).map_err(|_| "its address is no URL".to_owned())?;
    // The origin has no user and no password.
    let origin = url.origin().ascii_serialization();
    match client.head(&origin).send().await {
        Ok(response) => Ok(format!("{origin} answers ({})", response.status().as_u16())),
        Err(error) => Err(format!("{origin} does not answer ({})", reason(&error))),
    }
}

/// Describes the reason, without the URL.
fn reason(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "not within 5 s"
    } else if error.is_connect() {
        "no connection: its name, its port, its certificate or a firewall"
    } else {
        "no HTTP"
    }
}

async fn of_mail(settings: &Settings, clock: &Clock) -> Result<String, String> {
    let mail = SmtpMail::start(&settings.mail, clock).map_err(|error| error.to_string())?;
    let host = &settings.mail.host;
    let tried = mail.try_connection().await;
    tried
        .map(|()| format!("{host} takes mail from here"))
        .map_err(|error| format!("{host}: {}", error.reason()))
}
