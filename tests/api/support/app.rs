use std::{
    env, fs,
    net::SocketAddr,
    ops::Deref,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Once,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::{FutureExt, future::BoxFuture};
use roadcall::{
    app::{self, Running, StartOptions},
    demo::{City, CityAdmin, CityPerson, PlayTime},
    platform::{
        db::{
            RememberedRows,
            testing::{TestDatabase, fresh_database},
        },
        https, telemetry,
    },
    providers::gateway::NewGatewayOrder,
    service::{
        Service,
        settings::{LogFormat, LogSettings, Settings, StorageProvider},
    },
};
use roadcall_actors::{Engine, clock::Clock, geo::Point};

use super::{Answer, Client, Nats, Person, Scene, Stranded, wire::Wire, within};

/// The service, started in this process. It ends with the test.
#[derive(Debug)]
pub struct TestApp {
    pub address: SocketAddr,
    pub service: Box<Service>,
    pub running: Option<Running>,
    pub database: TestRows,
    pub data_dir: PathBuf,
    /// The number of scenes that were set: each has a place of its own.
    pub scenes: AtomicU32,
    city: Option<Arc<dyn City>>,
    /// The rest of a cluster, whose leader is not the server at `address`.
    pub cluster: Option<Box<TestCluster>>,
}

/// The test's own way to the database. Servers do not learn of what a test writes there, so they forget what they remember at each
/// use.
#[derive(Debug)]
pub struct TestRows {
    database: TestDatabase,
    remembered: Vec<RememberedRows>,
}

impl TestRows {
    fn beside<'a>(database: TestDatabase, servers: impl IntoIterator<Item = &'a Running>) -> Self {
        Self { database, remembered: remembered_by(servers) }
    }
}

impl Deref for TestRows {
    type Target = TestDatabase;

    fn deref(&self) -> &TestDatabase {
        self.remembered.iter().for_each(RememberedRows::forget_all);
        &self.database
    }
}

fn remembered_by<'a>(servers: impl IntoIterator<Item = &'a Running>) -> Vec<RememberedRows> {
    servers.into_iter().map(|server| server.service.remembered.clone()).collect()
}

/// The leader and the bus of a cluster.
#[derive(Debug)]
pub struct TestCluster {
    pub leader: Option<Running>,
    pub nats: Nats,
}

/// Returns the options of a test. Its clock shows the machine's time until the test stops it or sets it forward.
fn options() -> StartOptions {
    options_at(Clock::system().now())
}

/// Returns the same with a clock that shows `now` when the service starts.
fn options_at(now: DateTime<Utc>) -> StartOptions {
    StartOptions { clock: Clock::controlled(now), ..StartOptions::default() }
}

/// Returns half past noon of today in UTC, so that neither an hour nor a day ends while a test runs.
pub fn midday() -> DateTime<Utc> {
    let today = Clock::system().now().date_naive();
    today.and_hms_opt(12, 30, 0).expect("a time of the day").and_utc()
}

/// Starts two servers of one database: one leads, and clients use the other.
pub async fn spawn_cluster() -> TestApp {
    spawn_cluster_as(options()).await
}

/// Starts a cluster like [`spawn_cluster`], with the test's own clock.
pub async fn spawn_cluster_as(options: StartOptions) -> TestApp {
    spawn_cluster_with(|_| {}, options).await
}

/// Starts a cluster like [`spawn_cluster_as`], with settings that `alter` has changed.
pub async fn spawn_cluster_with(alter: impl FnOnce(&mut Settings), options: StartOptions) -> TestApp {
    let same = [options.clone(), options];
    Box::pin(async { start_cluster(fresh_database().await, alter, same).await }).await
}

/// Starts two servers with clocks of their own; the first leads.
pub async fn spawn_cluster_by(clocks: [Clock; 2]) -> TestApp {
    let options = clocks.map(|clock| StartOptions { clock, ..StartOptions::default() });
    Box::pin(async { start_cluster(fresh_database().await, |_| {}, options).await }).await
}

async fn until_it_leads(server: &Running) {
    within("it leads", async {
        while server.service.engine.get().is_none() {
            // Nothing signals it to outsiders.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// Starts a cluster on another database, over the same NATS.
pub async fn spawn_beside(app: &TestApp) -> TestApp {
    let url = app.cluster.as_ref().expect("a cluster").nats.url();
    let elsewhere = move |settings: &mut Settings| settings.cluster.nats_url.0 = url;
    let options = options();
    let same = [options.clone(), options];
    Box::pin(async { start_cluster(fresh_database().await, elsewhere, same).await }).await
}

/// Changes the settings that all servers of a cluster share.
pub fn in_cluster(settings: &mut Settings, nats: &Nats) {
    if !settings.cluster.is_shared() {
        settings.cluster.nats_url.0 = nats.url();
    }
    settings.uploads.provider = StorageProvider::S3;
    // Nothing listens there.
    settings.uploads.endpoint = "http://127.0.0.1:9".to_owned();
    settings.uploads.bucket = "files".to_owned();
    settings.uploads.path_style = true;
    settings.uploads.access_key_id = "key".to_owned();
    settings.uploads.secret_access_key.0 = "secret".to_owned();
}

async fn start_cluster(
    database: TestDatabase,
    alter: impl FnOnce(&mut Settings),
    [leaders_options, options]: [StartOptions; 2],
) -> TestApp {
    set_up_once();
    let nats = Nats::start().await;
    let mut altered = None;
    let first = |settings: &mut Settings| {
        alter(settings);
        in_cluster(settings, &nats);
        altered = Some(settings.clone());
    };
    let leader = Box::pin(run(&database, &new_data_dir(), first, leaders_options)).await;
    until_it_leads(&leader).await;
    let data_dir = new_data_dir();
    let same = |settings: &mut Settings| {
        let listen = settings.server.clone();
        *settings = altered.expect("the first server's settings");
        settings.server = listen;
    };
    let city = options.city.clone();
    let running = Box::pin(run(&database, &data_dir, same, options)).await;
    TestApp {
        address: running.address,
        service: running.service.clone(),
        database: TestRows::beside(database, [&leader, &running]),
        running: Some(running),
        data_dir,
        scenes: AtomicU32::new(0),
        city,
        cluster: Some(Box::new(TestCluster { leader: Some(leader), nats })),
    }
}

/// Starts the service with the settings of development.
pub async fn spawn_app() -> TestApp {
    spawn_app_with(|_| {}).await
}

/// Starts the service as [`spawn_app`] does; returns it with an admin.
pub async fn spawn_with_admin() -> (TestApp, Person) {
    let app = spawn_app().await;
    let admin = app.admin().await;
    (app, admin)
}

/// Starts the service as [`spawn_app_with`] does; returns it with an admin.
pub async fn spawn_admin_with(alter: impl FnOnce(&mut Settings)) -> (TestApp, Person) {
    let app = spawn_app_with(alter).await;
    let admin = app.admin().await;
    (app, admin)
}

/// Starts the service as [`spawn_app`] does; returns it with a super-admin.
pub async fn spawn_with_super_admin() -> (TestApp, Person) {
    let app = spawn_app().await;
    let boss = app.super_admin().await;
    (app, boss)
}

/// Starts the service as [`spawn_app`] does; returns it with a customer.
pub async fn spawn_with_customer() -> (TestApp, Person) {
    let app = spawn_app().await;
    let customer = app.customer().await;
    (app, customer)
}

/// Starts the service as [`spawn_app`] does; returns it with a customer whose vehicle has broken down.
pub async fn spawn_with_breakdown() -> (TestApp, Stranded) {
    let app = spawn_app().await;
    let stranded = app.breakdown().await;
    (app, stranded)
}

/// Starts the service as [`spawn_app`] does; returns it with a job that a mechanic has accepted.
pub async fn spawn_accepted() -> (TestApp, Scene) {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    (app, scene)
}

/// Starts the service with settings that `alter` has changed. Its demo is a city that waits.
pub async fn spawn_app_with(alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_as(alter, StartOptions { city: Some(Arc::new(WaitingCity)), ..options() }).await
}

/// Starts the service as [`spawn_app_with`] does, at the time `now`.
pub async fn spawn_app_at(now: DateTime<Utc>, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_as(alter, options_at(now)).await
}

/// A city in which nothing ever happens.
#[derive(Debug)]
struct WaitingCity;

impl City for WaitingCity {
    fn title(&self) -> &str {
        "a city that waits"
    }

    fn center(&self) -> Point {
        Point::new(12.9716, 77.5946)
    }

    fn nearest(&self, point: Point) -> Point {
        point
    }

    fn play(
        &self,
        _: String,
        _: CityAdmin,
        _: Option<Point>,
        mut until: PlayTime,
    ) -> BoxFuture<'static, Result<(), String>> {
        async move {
            tokio::select! {
                _ = until.stop.wait_for(|is_over| *is_over) => Ok(()),
                _ = until.end.wait_for(|is_over| *is_over) => Ok(()),
            }
        }
        .boxed()
    }

    fn settle(&self, _: String, _: CityPerson) -> BoxFuture<'static, Result<(), String>> {
        async { Ok(()) }.boxed()
    }
}

/// Applies the limits that production has by default.
pub fn limits_of_production(settings: &mut Settings) {
    let defaults = Settings::defaults();
    settings.limits = defaults.limits;
    settings.auth.otp_requests_per_address_per_hour = defaults.auth.otp_requests_per_address_per_hour;
}

/// Starts the service with other settings, and the test's own clock, randomness or routes.
pub async fn spawn_app_as(alter: impl FnOnce(&mut Settings), options: StartOptions) -> TestApp {
    Box::pin(async { start(fresh_database().await, alter, options).await }).await
}

/// Starts the service behind a wire to Postgres that the test can cut.
pub async fn spawn_app_behind(alter: impl FnOnce(&mut Settings)) -> (TestApp, Wire) {
    spawn_app_behind_as(alter, options()).await
}

/// Starts the service like [`spawn_app_behind`], with other options.
pub async fn spawn_app_behind_as(
    alter: impl FnOnce(&mut Settings),
    options: StartOptions,
) -> (TestApp, Wire) {
    let database = fresh_database().await;
    let wire = Wire::before(database.connect_options(), &database.url()).await;
    let through = wire.settings(database.settings());
    let app = start(
        database,
        |settings| {
            settings.database = through;
            alter(settings);
        },
        options,
    );
    (Box::pin(app).await, wire)
}

async fn start(database: TestDatabase, alter: impl FnOnce(&mut Settings), options: StartOptions) -> TestApp {
    // `ROADCALL_TEST_CLUSTER_OF_TWO=1 cargo test --test api jobs` makes each test use a cluster, through the server that does not
    // lead.
    if env::var_os("ROADCALL_TEST_CLUSTER_OF_TWO").is_some() {
        return Box::pin(start_cluster(database, alter, [options.clone(), options])).await;
    }
    set_up_once();
    let data_dir = new_data_dir();
    let city = options.city.clone();
    let running = Box::pin(run(&database, &data_dir, alter, options)).await;
    TestApp {
        address: running.address,
        service: running.service.clone(),
        database: TestRows::beside(database, [&running]),
        running: Some(running),
        data_dir,
        scenes: AtomicU32::new(0),
        city,
        cluster: None,
    }
}

async fn run(
    database: &TestDatabase,
    data_dir: &Path,
    alter: impl FnOnce(&mut Settings),
    options: StartOptions,
) -> Running {
    let mut settings = Settings::defaults();
    settings.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
    settings.server.workers = 1;
    settings.server.data_dir = data_dir.to_owned();
    // Tests move their mechanics anywhere at any time.
    settings.dispatch.max_speed_kmh = 1_000_000.0;
    // Even on a slow machine, the response to a webhook then shows its outcome.
    settings.gateway.inbox_answer_wait_ms = 10_000;
    settings.wallet.upi_look_ups_per_day = 1_000;
    // All clients of a test come from one address, and some behave like a crowd. Tests of limits set them.
    settings.limits.per_address_per_minute = 1_000_000;
    settings.auth.otp_requests_per_address_per_hour = 100_000;
    settings.jobs.max_withdrawn_offers = 1_000_000;
    settings.database = database.settings();
    alter(&mut settings);
    Box::pin(app::start(settings, options)).await.expect("the service starts")
}

impl TestApp {
    /// Returns the server that runs the engine and the workers.
    pub fn leading(&self) -> &Service {
        let leader = self.cluster.as_ref().and_then(|cluster| cluster.leader.as_ref());
        leader.map_or(&self.service, |leader| &leader.service)
    }

    /// Returns the engine, wherever it runs.
    pub fn engine(&self) -> Engine {
        self.leading().engine.get().expect("a server that leads")
    }

    /// Returns a client without a token.
    pub fn anonymous(&self) -> Client {
        Client::new(self.address)
    }

    /// Makes an order at the gateway and returns its id.
    pub async fn gateway_order(&self, amount_paise: i64) -> String {
        let payment_id = self.service.random.id(self.service.clock.now());
        let new = NewGatewayOrder { payment_id, amount_paise, currency: "INR".to_owned() };
        self.service.payments.gateway.create_order(&new).await.expect("an order").id
    }

    /// Sends a signed webhook like the gateway.
    pub async fn webhook(&self, event: &serde_json::Value) -> Answer {
        let body = event.to_string();
        let signature = self.service.payments.webhook_keys.sign(body.as_bytes());
        self.anonymous().webhook(body, &[("x-gateway-signature", &signature)]).await
    }

    /// Stops the service as SIGTERM would.
    pub async fn stop(&mut self) {
        if let Some(leader) = self.cluster.as_mut().and_then(|cluster| cluster.leader.take()) {
            leader.stop(std::future::pending()).await;
        }
        if let Some(running) = self.running.take() {
            running.stop(std::future::pending()).await;
        }
    }

    /// Stops the service as SIGTERM would, and starts it again on the same data, at another address.
    pub async fn restart(&mut self) {
        self.restart_with(|_| ()).await;
    }

    /// Restarts the service like [`TestApp::restart`], with other settings.
    pub async fn restart_with(&mut self, alter: impl FnOnce(&mut Settings)) {
        let mut settings = Settings::clone(&self.service.settings);
        alter(&mut settings);
        self.stop().await;
        let clock = self.service.clock.clone();
        let options = StartOptions { clock, city: self.city.clone(), ..StartOptions::default() };
        let running = app::start(settings, options).await.expect("the service starts again");
        (self.address, self.service) = (running.address, running.service.clone());
        until_it_leads(&running).await;
        self.database.remembered = remembered_by([&running]);
        self.running = Some(running);
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.data_dir).ok();
    }
}

/// Initialises TLS and logging once. `ROADCALL_TEST_LOG=debug cargo test …` shows what the service logs.
fn set_up_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        https::install_tls_provider();
        let shown = env::var("ROADCALL_TEST_LOG");
        // A failed test says why.
        let hook = shown.is_err().then(std::panic::take_hook);
        let filter = shown.unwrap_or_else(|_| "off".to_owned());
        telemetry::init(&LogSettings { filter, format: LogFormat::Text }).expect("a filter");
        if let Some(hook) = hook {
            std::panic::set_hook(hook);
        }
    });
}

fn new_data_dir() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("roadcall-api-{}-{number}", process::id()));
    fs::remove_dir_all(&folder).ok();
    folder
}
