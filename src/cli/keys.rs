//! `roadcall keys`: shows which of the service's secrets are still needed, and for what.

use clap::Subcommand;
use roadcall_actors::{clock::Clock, random::Random};

use super::common::{CommonArgs, Failure};
use crate::{
    lifecycle::keys::{self, KeyReport, KeyReportError, SecretNeed, SecretUse},
    platform::{db::Database, telemetry},
    service::settings::Settings,
};

/// The number of accounts that are named; further ones are only counted.
const NAMED: usize = 20;
/// The number of earlier secrets that are named.
const MISSING: usize = 5;

#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// Show the names of auth.token_secret and of the secrets that are accepted besides, and what still needs each. Shows no
    /// secret, changes nothing, and works whether or not the server is running. Exits with an error if a second factor needs a
    /// secret that is not in the settings.
    Check(CommonArgs),
    /// Seal second factors with auth.token_secret if another accepted secret has sealed them. A server does so by itself within
    /// the hour; use this for a secret that must go at once. Works whether or not the server is running.
    Reseal(CommonArgs),
}

pub(super) async fn run(command: KeysCommand) -> Result<(), Failure> {
    match command {
        KeysCommand::Check(args) => check(args).await,
        KeysCommand::Reseal(args) => reseal(args).await,
    }
}

async fn reseal(args: CommonArgs) -> Result<(), Failure> {
    let settings = args.settings(None)?;
    telemetry::init(&settings.log)?;
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    let resealed = keys::reseal(&settings.named_secrets(), database.db(), &Random::system()).await;
    database.close().await?;
    println!("{} sealed anew", counted(i64::try_from(resealed?)?, "second factor"));
    Ok(())
}

async fn check(args: CommonArgs) -> Result<(), Failure> {
    let settings = args.settings(None)?;
    telemetry::init(&settings.log)?;
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    let report = look(&settings, &database).await;
    database.close().await?;
    let report = report?;
    for secret in &report.secrets {
        println!("{}", line(secret));
    }
    if report.secrets.len() > 1 && report.older_browsers > 0 {
        println!(
            "{} subscribed before {} was in use. Without the secret of that time, a browser gets no notification until its app is opened again.",
            counted(report.older_browsers, "browser"),
            report.secrets[0].id
        );
    }
    let Some(fault) = fault(&report) else { return Ok(()) };
    for account in report.unreadable.iter().take(NAMED) {
        println!("account {account}: its second factor can't be read");
    }
    Err(fault.into())
}

/// Compares the settings with the database.
pub(super) async fn look(settings: &Settings, database: &Database) -> Result<KeyReport, KeyReportError> {
    let (secrets, lives) = (settings.named_secrets(), settings.longest_life());
    keys::report(&secrets, lives, database.db(), Clock::system().now()).await
}

/// Describes what is wrong, and what to do; `None` if everything that was sealed can be read.
pub(super) fn fault(report: &KeyReport) -> Option<String> {
    if report.unreadable.is_empty() {
        return None;
    }
    let missing: Vec<String> = report.missing.iter().take(MISSING).map(|key| key.id.to_string()).collect();
    let missing = match missing.as_slice() {
        [] => String::new(),
        missing => format!(" (servers have started with {})", missing.join(", ")),
    };
    Some(format!(
        "{} can't be read: put the secret that sealed it back into auth.accepted_token_secrets{missing}",
        counted(report.unreadable.len() as i64, "second factor")
    ))
}

/// Says in one line which secrets may be removed.
pub(super) fn summary(report: &KeyReport) -> String {
    let may_go = |secret: &&SecretUse| secret.need == SecretNeed::Nothing;
    let accepted = report.secrets.len() - 1;
    match (accepted, report.secrets.iter().filter(may_go).count()) {
        (0, _) => format!("{} is the only one", report.secrets[0].id),
        (_, 0) => format!("{} in use, {accepted} accepted beside it", report.secrets[0].id),
        (_, may_go) => {
            format!("{may_go} of auth.accepted_token_secrets may go: `roadcall keys check` says which")
        }
    }
}

fn line(secret: &SecretUse) -> String {
    let SecretUse { id, setting, second_factors, .. } = secret;
    let sealed = match second_factors {
        0 => String::new(),
        many => format!(", {}", counted(*many as i64, "second factor")),
    };
    let need = match secret.need {
        SecretNeed::InUse => "in use".to_owned(),
        SecretNeed::Next => "not used by any server so far: the next one".to_owned(),
        SecretNeed::Server => {
            "needed: a server has started with it last; start every server with the new one".to_owned()
        }
        SecretNeed::SecondFactors => {
            "needed: second factors are sealed anew within the hour, while a server runs".to_owned()
        }
        SecretNeed::Until(at) => format!("needed until {}", at.format("%Y-%m-%d %H:%M:%S UTC")),
        SecretNeed::Nothing => "may go".to_owned(),
    };
    format!("{id}  {setting}: {need}{sealed}")
}

fn counted(many: i64, what: &str) -> String {
    if many == 1 { format!("1 {what}") } else { format!("{many} {what}s") }
}
