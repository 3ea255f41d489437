//! `roadcall demo` and `roadcall simulate`: the parts of the service that `roadcall-sim` needs.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use clap::Args;
use futures_util::{FutureExt, TryFutureExt, future::BoxFuture};
use roadcall_actors::geo::Point;
use roadcall_sim::{
    demo::{self, Scenario, Server, ServiceAccess, rupees},
    scenario::ScenarioFile,
    simulate::{self, ServiceSettings, TripLearning},
};
use tokio::sync::Mutex;

use super::{
    Signals,
    common::{CommonArgs, Failure},
};
use crate::{
    accounting::ledger::{self, Audit},
    app::{self, Running, StartOptions},
    catalogue::dispatch_settings::{SearchOverrides, Versioned, search_policy},
    demo::{City, CityAdmin, CityPerson, PlayTime, city_admin},
    lifecycle::admins::CreateAdminError,
    platform::{
        db::{Database, Db},
        telemetry,
    },
    service::{engine_settings, settings::Settings},
};

/// The demo's own port, so that it can run beside a service on the usual one.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// The scenario: bengaluru, or a file such as demo/bengaluru.toml
    #[arg(long, default_value = "bengaluru", value_name = "NAME|FILE")]
    scenario: String,
    /// Print lines instead of a live board
    #[arg(long)]
    headless: bool,
    /// Stop after this many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// Use a development service that is already running, e.g. http://127.0.0.1:8080; needs its --data-dir
    #[arg(long, conflicts_with = "listen")]
    url: Option<String>,
    /// Address and port of the demo's own service, or a port of 127.0.0.1 [default: 127.0.0.1:8090]
    #[arg(long, value_name = "ADDRESS", value_parser = super::common::listen_address)]
    listen: Option<SocketAddr>,
    /// Folder for the demo's own database, kept afterwards [default: a temporary one]
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// Settings file; config/default.toml lists all settings
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Runs until a signal or until its time is over.
pub(super) async fn demo(args: DemoArgs) -> Result<(), Failure> {
    let DemoArgs { scenario, headless, seconds, url, listen, data_dir, config } = args;
    let common = CommonArgs { data_dir: data_dir.clone(), config };
    let mut settings = common.settings(Some(listen.unwrap_or(LISTEN)))?;
    // The demo makes too many requests to log each, and a board must stay readable, unless someone asks for more.
    if settings.log.filter == Settings::defaults().log.filter {
        settings.log.filter = if demo::draws(headless) { "error" } else { "warn" }.to_owned();
    }
    telemetry::init(&settings.log)?;
    let signals = Mutex::new(Signals::new()?);
    let scenario = Scenario::load(&scenario)?;
    demo::print("starting the service and signing everyone up …\n");
    let server = match &url {
        Some(url) => DemoServer::running_at(url, &settings).await?,
        None => DemoServer::start(settings, data_dir.as_deref()).await?,
    };
    let options = demo::Options { headless, run_for: seconds.map(Duration::from_secs) };
    Ok(demo::run(scenario, server, options, || async { signals.lock().await.next().await }).await?)
}

pub(super) fn simulate(arguments: &simulate::Arguments) -> Result<(), Failure> {
    let settings = Settings::load(arguments.config.as_deref())?;
    Ok(simulate::main(arguments, simulated_settings(&settings))?)
}

/// Returns the settings that a simulated service takes from the real one.
pub fn simulated_settings(settings: &Settings) -> ServiceSettings {
    let by = Versioned { version: 0, settings: Arc::new(settings.dispatch.clone()) };
    let eta = &settings.eta;
    let learning =
        TripLearning { every: Duration::from_secs(eta.learn_every_s), min_trips: eta.learn_min_trips };
    ServiceSettings {
        learning: eta.learn.then_some(learning),
        engine: engine_settings(settings),
        search: search_policy(&by, &SearchOverrides::default()),
    }
}

/// Makes the demo's admin, with a password that only this process knows. `base` is the service's address, such as
/// `http://127.0.0.1:8090`.
pub async fn demo_access(db: &Db, base: String) -> Result<ServiceAccess, CreateAdminError> {
    Ok(access(base, city_admin(db).await?))
}

fn access(base: String, admin: CityAdmin) -> ServiceAccess {
    ServiceAccess { base, admin_email: admin.email, admin_password: admin.password }
}

/// Returns the built-in scenario, for a server whose developer asks for it.
pub(super) fn city() -> Option<Arc<dyn City>> {
    match Scenario::load("bengaluru") {
        Ok(scenario) => Some(Arc::new(ScenarioCity(scenario))),
        Err(error) => {
            tracing::error!(%error, "the built-in scenario");
            None
        }
    }
}

/// A scenario to play on a running server.
#[derive(Debug)]
pub struct ScenarioCity(pub Scenario);

impl City for ScenarioCity {
    fn title(&self) -> &str {
        &self.0.title
    }

    fn center(&self) -> Point {
        self.0.centre()
    }

    fn nearest(&self, point: Point) -> Point {
        Scenario::nearest(point)
    }

    fn play(
        &self,
        base: String,
        admin: CityAdmin,
        around: Option<Point>,
        until: PlayTime,
    ) -> BoxFuture<'static, Result<(), String>> {
        let scenario = around.map_or_else(|| self.0.clone(), |point| self.0.around(point));
        let access = access(base, admin);
        let playing = async move { demo::play_until(scenario, &access, until.stop, until.end).await };
        playing.map_err(|error| error.to_string()).boxed()
    }

    fn settle(&self, base: String, person: CityPerson) -> BoxFuture<'static, Result<(), String>> {
        let settling = async move {
            match person {
                CityPerson::Customer { token } => demo::settle_customer(&base, &token).await,
                CityPerson::Mechanic { token, admin_token } => {
                    demo::settle_mechanic(&base, &token, &admin_token).await
                }
            }
        };
        settling.map_err(|error| error.to_string()).boxed()
    }
}

/// The service that the demo uses.
struct DemoServer {
    access: ServiceAccess,
    /// The service that was started for the demo, if any.
    own: Option<Running>,
    /// The folder to remove at the end, unless the user asked to keep it.
    scratch: Option<Scratch>,
}

/// A folder that is removed when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "the demo's folder could not be removed");
        }
    }
}

impl DemoServer {
    /// Starts a service with an embedded Postgres in `data_dir`, or in a folder that is removed at the end.
    ///
    /// `DATABASE_URL` is ignored: the demo's invented people do not belong in anyone's database. Mechanics can withdraw at once,
    /// although that leaves no time for disputes: nobody watches for two days.
    async fn start(mut settings: Settings, data_dir: Option<&Path>) -> Result<Self, Failure> {
        refuse_production(&settings)?;
        settings.database.url = None;
        settings.database.owner_url = None;
        (settings.money.dispute_window_s, settings.wallet.clearing_hours) = (0, 0);
        settings.wallet.new_account_wait_hours = 0;
        // A whole city signs in from this machine.
        settings.limits.per_address_per_minute = 1_000_000;
        settings.auth.otp_requests_per_address_per_hour = 100_000;
        let scratch = match data_dir {
            Some(_) => None,
            None => Some(Scratch(std::env::temp_dir().join(format!("roadcall-demo-{}", std::process::id())))),
        };
        if let Some(Scratch(folder)) = &scratch {
            settings.server.data_dir = folder.clone();
        }
        let running = app::start(settings, StartOptions::default()).await?;
        let access = demo_access(&running.service.db, format!("http://{}", running.address)).await;
        Ok(Self { access: access.map_err(admin_error)?, own: Some(running), scratch })
    }

    /// Uses a running service. Its admin is made through its database, as `roadcall admin create` does.
    async fn running_at(url: &str, settings: &Settings) -> Result<Self, Failure> {
        refuse_production(settings)?;
        let base = url.trim_end_matches('/').to_owned();
        let is_usable = url::Url::parse(&base)
            .is_ok_and(|url| url.scheme() == "http" && url.host().is_some() && url.path() == "/");
        if !is_usable {
            return Err("--url must be http://HOST:PORT: the demo uses a development service nearby".into());
        }
        let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
        let access = demo_access(database.db(), base).await;
        database.close().await?;
        Ok(Self { access: access.map_err(admin_error)?, own: None, scratch: None })
    }
}

fn admin_error(error: CreateAdminError) -> String {
    format!("the demo's admin: {error}")
}

fn refuse_production(settings: &Settings) -> Result<(), Failure> {
    if settings.is_production() {
        Err("the demo is for development; unset ROADCALL_ENV".into())
    } else {
        Ok(())
    }
}

impl Server for DemoServer {
    fn access(&self) -> &ServiceAccess {
        &self.access
    }

    async fn failed(&self) -> String {
        match &self.own {
            Some(running) => running.failed().await.to_string(),
            None => std::future::pending().await,
        }
    }

    async fn check_ledger(&self) -> Option<String> {
        let own = self.own.as_ref()?;
        Some(ledger_line(ledger::audit(&own.service.db).await.map_err(|error| error.to_string())))
    }

    async fn stop(self, force: impl Future<Output = ()>) {
        if let Some(running) = self.own {
            running.stop(force).await;
        }
        drop(self.scratch);
    }
}

fn ledger_line(audit: Result<Audit, String>) -> String {
    match audit {
        Err(why) => format!("the ledger could not be checked: {why}"),
        Ok(audit) if !audit.is_sound() => format!("THE LEDGER IS NOT SOUND: {audit:?}"),
        Ok(Audit { accounts, transactions, postings, total_paise, .. }) => format!(
            "the ledger is sound: {transactions} entries of {postings} postings to {accounts} accounts sum to {}, and \
             every balance is the sum of its postings",
            rupees(total_paise)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsound_or_unchecked_ledger_is_named_as_such() {
        let sound = Audit {
            accounts: 9,
            transactions: 4,
            postings: 12,
            total_paise: 0,
            wrong_balances: 0,
            unbalanced: 0,
            wrong_holds: 0,
        };
        assert!(
            ledger_line(Ok(sound.clone()))
                .starts_with("the ledger is sound: 4 entries of 12 postings to 9 accounts")
        );
        assert!(ledger_line(Ok(Audit { unbalanced: 1, ..sound })).contains("NOT SOUND"));
        assert!(ledger_line(Err("no answer".into())).ends_with("no answer"));
    }
}
