//! `roadcall import`: mechanics and vehicles from CSV files.

use std::{fs::File, io::Read, path::PathBuf, sync::Arc};

use clap::{Args, Subcommand};
use roadcall_actors::{clock::Clock, random::Random};

use super::common::{CommonArgs, Failure};
use crate::{
    lifecycle::importing::{self, ImportKind, ImportOptions, Imported},
    platform::{
        audit::RecentReads,
        core::Core,
        db::{Database, RememberedRows},
        telemetry,
        traces::Traces,
    },
};

/// The number of faults that are printed; further ones are only counted.
const FAULTS_SHOWN: usize = 100;

#[derive(Debug, Subcommand)]
pub(super) enum ImportCommand {
    /// Register mechanics of a CSV file: phone, name, vehicle_types, service_categories (slugs), service_radius_km; several
    /// values in a cell are separated by semicolons. They wait for verification, as if they had registered themselves. Works
    /// whether or not the server is running; an existing mechanic is left unchanged.
    Mechanics(ImportArgs),
    /// Add customers' vehicles of a CSV file: phone and name of the owner, vehicle_type, make, model, registration_number, year,
    /// fuel_type, color. An owner without an account gets one, and has the vehicles when they sign in.
    Vehicles(ImportArgs),
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The file, as a spreadsheet saves CSV: with the columns' names on the first line, cells separated by commas, semicolons or tabs, in
    /// UTF-8 or UTF-16, at most 10,000 lines
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print what would happen, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave bad lines out; otherwise nothing is written if any line is bad
    #[arg(long)]
    skip_bad: bool,
    #[command(flatten)]
    common: CommonArgs,
}

pub(super) async fn run(command: ImportCommand) -> Result<(), Failure> {
    let (kind, args) = match command {
        ImportCommand::Mechanics(args) => (ImportKind::Mechanics, args),
        ImportCommand::Vehicles(args) => (ImportKind::Vehicles, args),
    };
    let settings = args.common.settings(None)?;
    telemetry::init(&settings.log)?;
    let bytes = read(&args.file)?;
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    database.migrate().await?;
    let clock = Clock::system();
    let remembered = RememberedRows::new(database.engine_db(), &clock);
    let core = Core {
        settings: Arc::new(settings.core()),
        db: database.db().clone(),
        bus: None,
        clock,
        random: Random::system(),
        traces: Traces::default(),
        reads: RecentReads::default(),
        remembered,
    };
    let options = ImportOptions { is_dry_run: args.dry_run, skips_bad: args.skip_bad };
    let imported = importing::import(&core, kind, &bytes, options).await;
    drop(core);
    if let Err(error) = importing::settle_tables(database.roles()).await {
        tracing::warn!(%error, "lists may be slow until Postgres has analyzed the tables by itself");
    }
    database.close().await?;
    report(kind, &args, &imported?)
}

/// Reads a file up to one byte more than an import takes, so that the import refuses larger ones.
fn read(path: &PathBuf) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(importing::MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("{} can't be read: {error}", path.display()));
    read?;
    Ok(bytes)
}

fn report(kind: ImportKind, args: &ImportArgs, imported: &Imported) -> Result<(), Failure> {
    for fault in imported.faults.iter().take(FAULTS_SHOWN) {
        eprintln!("{fault}");
    }
    let more = imported.faults.len().saturating_sub(FAULTS_SHOWN);
    if more > 0 {
        eprintln!("and {more} more");
    }
    let mut bad: Vec<u64> = imported.faults.iter().map(|fault| fault.line).collect();
    bad.dedup();
    let (what, bad) = (kind.as_str(), bad.len());
    let (ending, are) = if bad == 1 { ("", "is") } else { ("s", "are") };
    let Imported { added, known, is_written, .. } = imported;
    if *is_written {
        println!("{added} {what} added, {known} were there already, {bad} bad line{ending} left out");
        return Ok(());
    }
    let is_blocked = bad > 0 && !args.skip_bad;
    if args.dry_run {
        let would = if is_blocked { 0 } else { *added };
        println!("{would} {what} would be added, {known} are there already, {bad} line{ending} {are} bad");
    }
    if is_blocked { Err(format!("{bad} line{ending} {are} bad: nothing was written").into()) } else { Ok(()) }
}
