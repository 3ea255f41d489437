//! `roadcall recording export`: exports a part of the log for `roadcall simulate --replay`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use chrono::{DateTime, FixedOffset};
use clap::{Args, Subcommand};

use super::common::{CommonArgs, Failure};
use crate::{
    admin::recording::{self, Stretch},
    platform::{db::Database, telemetry},
};

#[derive(Debug, Subcommand)]
pub(super) enum RecordingCommand {
    /// Write jobs, answers and the rough positions of mechanics as JSON, without ids, names, phone numbers, plates, addresses and
    /// texts. `roadcall simulate --replay` reads the file. Only reads the database. Works whether or not the server is running.
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The first moment, such as 2026-11-20T00:00:00+05:30; hours of the day are counted at this offset from UTC
    #[arg(long, value_name = "TIME")]
    from: DateTime<FixedOffset>,
    /// The moment at which it ends, at most seven days later
    #[arg(long, value_name = "TIME")]
    to: DateTime<FixedOffset>,
    /// The file to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep the calendar date; without this, only the weekday and the time of day are kept
    #[arg(long)]
    keep_date: bool,
    #[command(flatten)]
    common: CommonArgs,
}

pub(super) async fn run(RecordingCommand::Export(args): RecordingCommand) -> Result<(), Failure> {
    let stretch = Stretch::new(args.from, args.to)?;
    let settings = args.common.settings(None)?;
    telemetry::init(&settings.log)?;
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    // The database is not migrated: an older service may be running on it.
    let recorded = recording::record(database.db(), &stretch, args.keep_date).await;
    database.close().await?;
    let recorded = recorded?;
    let mut text = serde_json::to_vec(&recorded)?;
    text.push(b'\n');
    match &args.out {
        Some(path) => std::fs::write(path, &text)
            .map_err(|error| format!("--out: could not write {}: {error}", path.display()))?,
        None => io::stdout().lock().write_all(&text)?,
    }
    let (jobs, mechanics) = (recorded.jobs.len(), recorded.mechanics.len());
    eprintln!("{jobs} jobs, {mechanics} mechanics and {} answers", recorded.answers.len());
    Ok(())
}
