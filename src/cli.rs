//! The command line: what to start, and with which settings.

use std::{future::Future, net::SocketAddr, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{
    app::{self, Running, StartOptions},
    settings::Settings,
    telemetry,
};

type Failure = Box<dyn std::error::Error>;

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
    /// Run the service (what `roadcall` alone does).
    Serve(ServeArgs),
}

#[derive(Debug, Args)]
struct ServeArgs {
    /// Address and port of the public listener [default: 127.0.0.1:8080]
    #[arg(long)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
struct CommonArgs {
    /// Folder of the embedded database and of generated secrets, made if absent [default: ./data]
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// A file of settings; every one stands in config/default.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl CommonArgs {
    /// The settings with what the command line says on top.
    fn settings(&self, listen: Option<SocketAddr>) -> Result<Settings, Failure> {
        let mut settings = Settings::load(self.config.as_deref())?;
        if let Some(folder) = &self.data_dir {
            settings.server.data_dir = folder.clone();
        }
        if let Some(address) = listen {
            settings.server.listen = address;
        }
        settings.check()?;
        Ok(settings)
    }
}

/// Parses the command line and does what it names.
pub fn run() -> ExitCode {
    app::install_tls_provider();
    let cli = Cli::parse();
    let outcome = actix_web::rt::System::new().block_on(async {
        match cli.command.unwrap_or(Command::Serve(cli.serve)) {
            Command::Serve(args) => serve(args).await,
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("roadcall: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs until a signal; a second one while stopping forces.
async fn serve(args: ServeArgs) -> Result<(), Failure> {
    let settings = args.common.settings(args.listen)?;
    telemetry::init(&settings.log)?;
    let mut signals = Signals::new()?;
    let welcome = settings.server.data_dir.join("welcome.shown");
    let running = tokio::select! {
        started = app::start(settings, StartOptions::default()) => started?,
        // The guards in the dropped future stop what had started.
        () = signals.next() => return Ok(()),
    };
    greet(&running, &welcome);
    let failure = tokio::select! {
        () = signals.next() => None,
        error = running.failed() => Some(error),
    };
    running.stop(signals.next()).await;
    failure.map_or(Ok(()), |error| Err(error.into()))
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

    fn next(&mut self) -> impl Future<Output = ()> {
        async {
            tokio::select! {
                _ = self.terminate.recv() => {}
                _ = self.interrupt.recv() => {}
            }
        }
    }
}

/// Says where to look; the first start in a data folder says what to try as well.
fn greet(running: &Running, marker: &std::path::Path) {
    let base = format!("http://{}", running.address);
    println!("roadcall serves {base}, its documents are at {base}/docs/");
    if marker.exists() {
        return;
    }
    println!("{}", include_str!("../docs/welcome.txt").replace("{base}", &base));
    if let Err(error) = std::fs::write(marker, "") {
        tracing::debug!(%error, "could not note that the welcome was shown");
    }
}
