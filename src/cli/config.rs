//! `roadcall config check`: checks how a server would be set up here, without starting one.

use std::{fmt::Display, fs, os::unix::fs::PermissionsExt, path::Path};

use clap::{Args, Subcommand};
use roadcall_actors::{clock::Clock, random::Random};

use super::common::{CommonArgs, Failure};
use crate::{
    lifecycle::backup,
    platform::log_filter,
    providers::{mail::Mail, places, push::Fcm, rooms, sms::Sms, storage},
    service::settings::{Environment, PushProvider, Settings, SettingsError, Sources},
};

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Show which settings differ from their defaults and where they are set, what would be refused at start, and what production
    /// needs besides. Shows no secret, and connects to nothing.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Check by production's rules, whatever the settings say
    #[arg(long)]
    production: bool,
    #[command(flatten)]
    common: CommonArgs,
}

pub(super) fn run(ConfigCommand::Check(args): ConfigCommand) -> Result<(), Failure> {
    let sources = Sources::read(args.common.config.as_deref())?;
    let mut settings = args.common.unchecked(&sources)?;
    print!("{}", changes(&sources)?);
    if args.production {
        settings.environment = Environment::Production;
    }
    let faults = all_faults(&settings)?;
    let exposed = args.common.config.as_deref().map(|file| exposed(&sources, file)).transpose()?.flatten();
    if let Some(fault) = &exposed {
        println!("{fault}");
    }
    if faults.is_empty() {
        println!("{} starts with these settings.", environment(&settings));
        for warning in settings.warnings() {
            println!("  warning: {warning}");
        }
        if let Some(Err(error)) = backup::find_age(&settings.backup) {
            println!("  warning: backup.age_recipients: {error}");
        }
        return exposed.map_or(Ok(()), |_| Err("secrets are open to everybody on this machine".into()));
    }
    println!("{} would not start:", environment(&settings));
    for fault in &faults {
        println!("  {fault}");
    }
    let things = if faults.len() == 1 { "1 setting" } else { &format!("{} settings", faults.len()) };
    Err(format!("{things} would be refused").into())
}

/// Returns a fault if a file with secrets can be read by everybody on this machine.
fn exposed(sources: &Sources, file: &Path) -> Result<Option<String>, SettingsError> {
    let is_open = fs::metadata(file).is_ok_and(|found| found.permissions().mode() & 0o004 != 0);
    let is_exposed = is_open && sources.has_secrets_in(file)?;
    let file = file.display();
    Ok(is_exposed.then(|| {
        format!("{file} holds secrets, and everybody on this machine may read it: chmod 640 {file}, and make it the group's of the server")
    }))
}

/// Returns why these settings are refused.
pub(super) fn faults(settings: &Settings) -> Result<Vec<String>, SettingsError> {
    match settings.check() {
        Ok(()) => Ok(Vec::new()),
        Err(SettingsError::Unsound(faults) | SettingsError::Unsafe(faults)) => Ok(faults),
        Err(error) => Err(error),
    }
}

/// Returns why these settings are refused or, if they are not, what would end a start all the same.
pub(super) fn all_faults(settings: &Settings) -> Result<Vec<String>, SettingsError> {
    let faults = faults(settings)?;
    Ok(if faults.is_empty() { start_faults(settings) } else { faults })
}

/// Makes each part of a server that needs no network and no database, as a start does, and returns the faults.
fn start_faults(settings: &Settings) -> Vec<String> {
    fn fault<T>(made: Result<T, impl Display>) -> Option<String> {
        made.err().map(|error| error.to_string())
    }
    let (clock, random, environment) = (Clock::system(), Random::system(), settings.environment);
    let fcm = match settings.push.provider {
        PushProvider::Log => None,
        PushProvider::Fcm => fault(Fcm::start(&settings.push, settings.is_production(), &clock)),
    };
    let filter = fault(log_filter::check_usual(&settings.log.filter));
    [
        filter.map(|why| format!("log.filter: {why}")),
        fault(Sms::start(&settings.sms, &settings.core())).map(|why| format!("sms: {why}")),
        fault(Mail::start(&settings.mail, environment, &clock)).map(|why| format!("mail: {why}")),
        fcm,
        fault(storage::check(&settings.uploads)),
        fault(rooms::start(&settings.calls, &random, "")),
        fault(places::start(&settings.places, environment, &clock)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn environment(settings: &Settings) -> &'static str {
    if settings.is_production() { "Production" } else { "Development" }
}

fn changes(sources: &Sources) -> Result<String, SettingsError> {
    let changed = sources.changed()?;
    if changed.is_empty() {
        return Ok("Every setting has its default.\n".to_owned());
    }
    let width = changed.iter().map(|setting| setting.key.len()).max().unwrap_or(0);
    let lines = changed
        .iter()
        .map(|setting| format!("  {:width$}  {}  (from {})\n", setting.key, setting.value, setting.from));
    Ok(format!("Not as by default:\n{}", lines.collect::<String>()))
}
