//! The command line: what to start, and with which settings.

/// Prints as the standard macro does, but does not panic once nobody reads, as with `roadcall doctor | head`.
macro_rules! print {
    ($($text:tt)*) => {
        $crate::cli::common::put(format_args!($($text)*))
    };
}

/// Prints like [`print!`], and ends the line.
macro_rules! println {
    ($($text:tt)*) => {
        $crate::cli::common::put(format_args!("{}\n", format_args!($($text)*)))
    };
}

mod admin;
mod backup;
mod banner;
mod common;
mod config;
mod doctor;
mod import;
mod keys;
mod privacy;
mod progress;
mod recording;
mod reference;
mod setup;
#[cfg(feature = "sim")]
pub mod sim;

use std::{net::SocketAddr, process::ExitCode, sync::Arc};

use clap::{Args, CommandFactory, Parser, Subcommand};
use tokio::signal::unix::{Signal, SignalKind, signal};

use self::common::{CommonArgs, Failure};
use crate::{
    accounting::ledger,
    app::{self, Running, StartAgain, StartOptions},
    pages::AppFiles,
    partners::bills,
    platform::{db::Database, https, telemetry},
};

/// Real-time dispatch of roadside mechanics.
#[derive(Debug, Parser)]
#[command(name = "roadcall", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service (the default).
    Serve(ServeArgs),
    /// Manage admins.
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Ask for the settings that a public server needs, or take them from the command line, and write them to a file. Says what
    /// is missing and what to do next. Starts nothing.
    Setup(setup::SetupArgs),
    /// Check the settings.
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Check that a server has what it needs: settings, disk, database, clock, its public address, its providers. Changes
    /// nothing, works whether or not the server is running, and exits with an error if something needs attention.
    Doctor(CommonArgs),
    /// Check which of the service's secrets are still needed, before you remove one.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Check the ledger.
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Back up the database, uploaded files and the generated secret into a folder of its own, whether or not the server is
    /// running.
    Backup(backup::BackupArgs),
    /// Restore a backup into an empty data folder, or an empty database of a server, and compare the result with the backup.
    /// Exits with an error if anything differs.
    Restore(backup::RestoreArgs),
    /// Register mechanics, or add customers' vehicles, from a CSV file.
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Find out who was affected when somebody misused an account.
    #[command(subcommand)]
    Privacy(privacy::PrivacyCommand),
    /// Record a part of the service's log, without its people, for the simulator.
    #[command(subcommand)]
    Recording(recording::RecordingCommand),
    /// Write the manual, the shells' completions, and the OpenAPI and AsyncAPI documents.
    #[command(hide = true)]
    Reference(reference::ReferenceArgs),
    /// Watch a small simulated city use the service.
    #[cfg(feature = "sim")]
    Demo(sim::DemoArgs),
    /// Compare dispatch policies in a simulated city, under virtual time.
    #[cfg(feature = "sim")]
    Simulate(roadcall_sim::simulate::Arguments),
}

#[derive(Debug, Subcommand)]
enum LedgerCommand {
    /// Check that every balance is the sum of its postings, every transaction sums to zero and every hold is accounted for. Exits
    /// with an error if not. Works whether or not the server is running.
    Check(CommonArgs),
}

#[derive(Debug, Args)]
struct ServeArgs {
    /// Address and port to listen on, or a port of 127.0.0.1 [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", value_parser = common::listen_address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Parses the command line and runs its command. `apps` are the web apps that a server shows.
pub fn run(apps: AppFiles) -> ExitCode {
    https::install_tls_provider();
    let cli = Cli::parse();
    // Every simulated day runs on its own actix system.
    #[cfg(feature = "sim")]
    if let Some(Command::Simulate(arguments)) = &cli.command {
        return ended(sim::simulate(arguments));
    }
    let outcome = actix_web::rt::System::new().block_on(async {
        match cli.command.unwrap_or(Command::Serve(cli.serve)) {
            Command::Serve(args) => serve(args, apps).await,
            Command::Admin(command) => admin::run(command).await,
            Command::Setup(args) => setup::run(&args),
            Command::Config(command) => config::run(command),
            Command::Doctor(args) => doctor::run(args).await,
            Command::Keys(command) => keys::run(command).await,
            Command::Ledger(LedgerCommand::Check(args)) => check_ledger(args).await,
            Command::Backup(args) => until_interrupted(backup::backup(args)).await,
            Command::Restore(args) => until_interrupted(backup::restore(args)).await,
            Command::Import(command) => import::run(command).await,
            Command::Privacy(command) => privacy::run(command).await,
            Command::Recording(command) => recording::run(command).await,
            Command::Reference(args) => reference::write(&args, Cli::command()),
            #[cfg(feature = "sim")]
            Command::Demo(args) => sim::demo(args).await,
            #[cfg(feature = "sim")]
            Command::Simulate(_) => Ok(()),
        }
    });
    ended(outcome)
}

fn ended(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("roadcall: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the work to its end, unless a signal comes first: the work is then dropped, and cleans up after itself.
async fn until_interrupted(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let mut signals = Signals::new()?;
    tokio::select! {
        done = work => done,
        () = signals.next() => Err("interrupted".into()),
    }
}

/// Serves until a signal; a second signal while stopping forces the end. A single server that was replaced becomes a standby
/// again.
async fn serve(args: ServeArgs, apps: AppFiles) -> Result<(), Failure> {
    let settings = args.common.settings(args.listen)?;
    let options = options(apps);
    telemetry::init(&settings.log)?;
    let mut signals = Signals::new()?;
    let welcome = settings.server.data_dir.join("welcome.shown");
    loop {
        let running = tokio::select! {
            started = app::start(settings.clone(), options.clone()) => started?,
            // The guards in the dropped future stop what had started.
            () = signals.next() => return Ok(()),
        };
        greet(&running, &welcome).await;
        let failure = tokio::select! {
            () = signals.next() => None,
            error = running.failed() => Some(error),
            again = running.is_to_start_again() => {
                if again == StartAgain::AtOnce {
                    running.stop_at_once().await;
                    continue;
                }
                let mut is_ended = false;
                let force = async {
                    signals.next().await;
                    is_ended = true;
                    signals.next().await;
                };
                running.step_down(force).await;
                if is_ended {
                    return Ok(());
                }
                continue;
            }
        };
        running.stop(signals.next()).await;
        return failure.map_or(Ok(()), |error| Err(error.into()));
    }
}

/// Adds the city that developers may play.
fn options(apps: AppFiles) -> StartOptions {
    #[cfg(feature = "sim")]
    let city = sim::city();
    #[cfg(not(feature = "sim"))]
    let city = None;
    StartOptions { apps: Arc::new(apps), city, ..StartOptions::default() }
}

async fn check_ledger(args: CommonArgs) -> Result<(), Failure> {
    let settings = args.settings(None)?;
    telemetry::init(&settings.log)?;
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    // The database is not migrated: an older service may be running on it.
    let audits = (ledger::audit(database.db()).await, bills::audit(database.db()).await);
    database.close().await?;
    let (audit, bills) = (audits.0?, audits.1?);
    println!("accounts                   {}", audit.accounts);
    println!("transactions               {}", audit.transactions);
    println!("postings                   {}", audit.postings);
    println!("sum of all, in paise       {}", audit.total_paise);
    println!("wrong balances             {}", audit.wrong_balances);
    println!("unbalanced transactions    {}", audit.unbalanced);
    println!("holds not accounted for    {}", audit.wrong_holds);
    println!("bills of organisations     {}", bills.bills);
    println!("bills unlike the ledger    {}", bills.wrong_bills);
    println!("jobs without their bill    {}", bills.missing_bills);
    if audit.is_sound() && bills.is_sound() { Ok(()) } else { Err("the ledger has errors".into()) }
}

/// SIGTERM and SIGINT, one after the other.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Prints where to look. The first start in a data folder also suggests what to try, except in production, which always prints
/// its setup.
async fn greet(running: &Running, marker: &std::path::Path) {
    let base = format!("http://{}", running.address);
    println!("roadcall is running at {base} (API documentation: {base}/docs/)");
    let settings = &running.service.settings;
    if settings.is_production() {
        print!("{}", banner::of(settings));
        return;
    }
    if marker.exists() {
        return;
    }
    println!("{}", include_str!("../../docs/welcome.txt").replace("{base}", &base));
    if let Some(how) = running.service.pages.missing_apps().await {
        println!("  {how}\n");
    }
    if let Err(error) = std::fs::write(marker, "") {
        tracing::debug!(%error, "could not remember that the welcome was shown");
    }
}
