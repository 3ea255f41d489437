//! `roadcall privacy`: helps an operator to find out who was affected by a breach.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
};

use chrono::{DateTime, FixedOffset, Utc};
use clap::{Args, Subcommand};
use roadcall_actors::{clock::Clock, random::Random};

use super::common::{CommonArgs, Failure};
use crate::{
    admin::affected::{AffectedSearch, affected},
    platform::{db::Database, telemetry},
};

#[derive(Debug, Subcommand)]
pub(super) enum PrivacyCommand {
    /// Write as CSV whose data an admin's account read or changed in a period, according to the audit log: a job counts for its
    /// customer, its mechanics and the people it names, a payment for its customer, and so on. Also says what the log can't know.
    /// Works whether or not the server is running, and leaves an entry in the audit log.
    Affected(AffectedArgs),
}

#[derive(Debug, Args)]
pub(super) struct AffectedArgs {
    /// The admin's email, or the id of their account
    #[arg(long, value_name = "EMAIL OR ID")]
    admin: String,
    /// The first moment, such as 2026-11-20T00:00:00+05:30
    #[arg(long, value_name = "TIME")]
    from: DateTime<FixedOffset>,
    /// The moment at which the period ends
    #[arg(long, value_name = "TIME")]
    to: DateTime<FixedOffset>,
    /// Include names and phone numbers, to tell people who can't be told in their account
    #[arg(long)]
    with_phones: bool,
    /// The new file to write, which only you can read [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

pub(super) async fn run(PrivacyCommand::Affected(args): PrivacyCommand) -> Result<(), Failure> {
    let settings = args.common.settings(None)?;
    telemetry::init(&settings.log)?;
    let search = AffectedSearch {
        admin: args.admin,
        from: args.from.with_timezone(&Utc),
        to: args.to.with_timezone(&Utc),
        with_phones: args.with_phones,
    };
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    // The database is not migrated: an older service may be running on it.
    let found = affected(database.db(), &search, &Clock::system(), &Random::system()).await;
    database.close().await?;
    let found = found?;
    let mut text = Vec::new();
    found.write_csv(&mut text)?;
    match &args.out {
        Some(path) => OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .and_then(|mut file| file.write_all(&text))
            .map_err(|error| format!("--out: could not write {}: {error}", path.display()))?,
        None => io::stdout().lock().write_all(&text)?,
    }
    eprint!("{}", found.notes());
    Ok(())
}
