//! Assembles the service, runs it, and takes it apart again.
//!
//! A start opens the database (embedded, or the one that `DATABASE_URL` names), binds the public address, migrates, takes the
//! lock of the one leader, recovers, and only then serves. While another server leads, a standby answers (`standby.rs`). A stop
//! accepts no new connections, closes the sockets, finishes requests in progress, and then closes the database.

mod leading;
mod listening;
mod supervisor;
mod upgrades;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_web::{
    dev::{Server, ServerHandle},
    rt,
    web::{Data, ServiceConfig},
};
use roadcall_actors::{clock::Clock, random::Random};
use tokio::{sync::watch, task::JoinHandle};

pub use self::leading::StartAgain;
use self::{
    leading::{LeaderTasks, RunningLead},
    listening::http_server,
};
use crate::{
    demo::City,
    edge::{self, standby::StandbyServer},
    pages::AppFiles,
    platform::{
        audit::RecentReads,
        bus::Bus,
        core::Core,
        db::{Database, EngineDb, RememberedRows, Serving},
        traces::Traces,
    },
    service::{self, Candidacy, EngineThreads, Service, StartError, StartExtras, settings::Settings},
    workers,
};

/// A working database answers within this time whether another server leads.
const LEADS_AT_ONCE: Duration = Duration::from_secs(1);
/// The number of connections that may wait to be accepted, if the system allows so many (Linux: `net.core.somaxconn`).
const BACKLOG: i32 = 16_384;
/// A stop continues once no request has arrived for this long.
const QUIET: Duration = Duration::from_millis(100);
/// How long a stop waits for sockets whose peers read nothing.
const SOCKETS_LIMIT: Duration = Duration::from_secs(3);

/// The parts that a test replaces or adds.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub clock: Clock,
    pub random: Random,
    /// Routes besides those of the interface, e.g. one that panics.
    pub extra_routes: fn(&mut ServiceConfig),
    /// The address to which the sandbox sends its webhooks; by default the service itself.
    pub webhooks_to: Option<String>,
    pub apps: Arc<AppFiles>,
    /// The city that plays when a developer asks for it.
    pub city: Option<Arc<dyn City>>,
}

impl Default for StartOptions {
    fn default() -> Self {
        let (clock, random) = (Clock::system(), Random::system());
        Self { clock, random, extra_routes: |_| {}, webhooks_to: None, apps: Arc::default(), city: None }
    }
}

/// A started service.
#[derive(Debug)]
pub struct Running {
    /// The address of the public listener; the port is the real one even if port 0 was asked for.
    pub address: SocketAddr,
    /// Boxed, because it is too large to be moved.
    pub service: Box<Service>,
    drain: watch::Sender<bool>,
    http: ServerHandle,
    ended: watch::Receiver<Option<String>>,
    metrics: Option<ServerHandle>,
    workers: Vec<JoinHandle<()>>,
    leader_tasks: LeaderTasks,
    /// Set only in a cluster.
    candidacy: Option<Arc<Candidacy>>,
    webhooks_to: String,
    engine_db: EngineDb,
    /// Set as soon as everything runs.
    database: Option<Database>,
    engine_threads: EngineThreads,
}

/// A server that does not serve yet: its database is open and migrated, and its address is taken.
#[derive(Debug)]
pub struct Candidate {
    /// The address of the public listener; the port is the real one even if port 0 was asked for.
    pub address: SocketAddr,
    settings: Arc<Settings>,
    options: StartOptions,
    database: Database,
    listener: TcpListener,
}

/// Starts the whole service, as soon as no other server leads on its database. Nothing is left running if it fails.
pub async fn start(settings: Settings, options: StartOptions) -> Result<Running, StartError> {
    // In a debug build each level of a nested future takes its size of the stack several times, and a test's thread has 2 MB.
    Box::pin(async move { Box::pin(Candidate::open(settings, options)).await?.lead().await }).await
}

impl Candidate {
    pub async fn open(settings: Settings, options: StartOptions) -> Result<Self, StartError> {
        // A replaced server opens again, and systemd has expected signs of life since its first start.
        supervisor::alive_during(Box::pin(Self::open_first(settings, options))).await
    }

    async fn open_first(settings: Settings, options: StartOptions) -> Result<Self, StartError> {
        // This comes first, because its lock refuses a second server on the same data folder.
        let serving = if settings.cluster.is_shared() { Serving::Members } else { Serving::Leader };
        let database = Database::open(&settings.database, &settings.server.data_dir, serving).await?;
        let prepared = async {
            let listener = bind(settings.server.listen)?;
            let address = listener.local_addr()?;
            // This comes before this server leads: an older server that leads meanwhile works with a newer schema.
            database.migrate().await?;
            if settings.cluster.is_shared() {
                database.set_clock(&options.clock).await?;
            }
            database.check_time_zone(&settings.operator.time_zone, options.clock.now()).await?;
            Ok((listener, address))
        };
        match prepared.await {
            Ok((listener, address)) => {
                let settings = Arc::new(settings.listening_at(address));
                Ok(Self { address, settings, options, database, listener })
            }
            Err(error) => Err(given_up(database, error).await),
        }
    }

    /// Starts the service: at once in a cluster, and otherwise once no other server leads. Until then, answers as a standby.
    pub async fn lead(self) -> Result<Running, StartError> {
        let Self { settings, options, database, listener, .. } = self;
        let parts = async {
            let bus = if settings.cluster.is_shared() {
                let server = database.db().lease().server();
                Some(Bus::start(&settings.cluster, &database.name().await?, server, &options.clock).await?)
            } else {
                wait_to_lead(&database, &listener).await?;
                None
            };
            let parts = Box::pin(assemble(settings, options, &database, listener, bus)).await?;
            Box::pin(parts.into_running(&database)).await
        };
        match supervisor::alive_during(Box::pin(parts)).await {
            Ok(running) => Ok(Running { database: Some(database), ..running }),
            Err(error) => Err(given_up(database, error).await),
        }
    }
}

async fn given_up(database: Database, error: StartError) -> StartError {
    if let Err(error) = database.close().await {
        tracing::error!(%error, "the database did not stop");
    }
    error
}

async fn wait_to_lead(database: &Database, listener: &TcpListener) -> Result<(), StartError> {
    let mut leading = std::pin::pin!(database.lead());
    // Usually no other server leads, and a standby is not worth starting.
    if let Ok(led) = tokio::time::timeout(LEADS_AT_ONCE, &mut leading).await {
        return Ok(led?);
    }
    tracing::info!("another server is serving from this database; standing by");
    let standby = StandbyServer::start(listener.try_clone()?, database.db().lease().clone())?;
    supervisor::standing_by();
    let led = leading.await;
    standby.stop().await;
    tracing::info!("this server is serving now");
    Ok(led?)
}

/// Everything in [`Running`] except the database.
struct Parts {
    address: SocketAddr,
    service: Box<Service>,
    drain: watch::Sender<bool>,
    server: Server,
    metrics: Option<Server>,
    webhooks_to: Option<String>,
    engine_threads: EngineThreads,
    candidacy: Option<Candidacy>,
}

async fn assemble(
    settings: Arc<Settings>,
    options: StartOptions,
    database: &Database,
    listener: TcpListener,
    bus: Option<Bus>,
) -> Result<Parts, StartError> {
    let address = listener.local_addr()?;
    let metrics_listener = settings.is_production().then(|| bind(settings.metrics.listen)).transpose()?;
    let (drain, drained) = watch::channel(false);
    let StartOptions { clock, random, extra_routes, webhooks_to, apps, city } = options;
    let (db, reads) = (database.db().clone(), RecentReads::default());
    let traces = Traces::start(&settings.traces, db.lease().server()).map_err(StartError::Traces)?;
    let remembered = RememberedRows::new(database.engine_db(), &clock);
    let core =
        Core { settings: Arc::new(settings.core()), db, bus, clock, random, traces, reads, remembered };
    let extras = StartExtras { address, apps, city };
    let (service, engine_threads, candidacy) =
        Box::pin(service::wire(settings, core, database.engine_db(), drained, extras)).await?;
    service.edge.readiness.set_recovered();
    let metrics = metrics_listener
        .map(|listener| edge::metrics::server(listener, Data::new(service.edge.clone())))
        .transpose()?;
    let server = http_server(&service, listener, extra_routes)?;
    Ok(Parts { address, service, drain, server, metrics, webhooks_to, engine_threads, candidacy })
}

impl Parts {
    async fn into_running(self, database: &Database) -> Result<Running, StartError> {
        let (report, ended) = watch::channel(None);
        let http = self.server.handle();
        let server = self.server;
        rt::spawn(async move {
            let reason = server.await.err().map_or("it was stopped".to_owned(), |error| error.to_string());
            report.send_replace(Some(reason));
        });
        let metrics = self.metrics.map(|server| {
            let handle = server.handle();
            rt::spawn(server);
            handle
        });
        let webhooks_to =
            self.webhooks_to.unwrap_or_else(|| format!("http://{}/payments/webhook", self.address));
        let Self { address, service, drain, engine_threads, .. } = self;
        let mut workers = workers::start(&service).await?;
        workers.extend(supervisor::report_life(&service));
        let leader_tasks = LeaderTasks::default();
        let candidacy = self.candidacy.map(Arc::new);
        match &candidacy {
            None => leader_tasks.begin(workers::start_leading(&service, webhooks_to.clone()), None),
            Some(candidacy) => leader_tasks.stand(database, candidacy, &service, &webhooks_to),
        }
        let engine_db = database.engine_db().clone();
        let database = None;
        supervisor::serving();
        Ok(Running {
            address,
            service,
            drain,
            http,
            ended,
            metrics,
            workers,
            leader_tasks,
            candidacy,
            webhooks_to,
            engine_db,
            database,
            engine_threads,
        })
    }
}

impl Running {
    /// Resolves only if the HTTP server ended by itself.
    pub async fn failed(&self) -> StartError {
        let mut ended = self.ended.clone();
        let reason = match ended.wait_for(Option::is_some).await {
            Ok(reason) => reason.clone().unwrap_or_default(),
            Err(_) => "its task is gone".to_owned(),
        };
        StartError::Http(io::Error::other(reason))
    }

    /// Resolves when another server has taken over: stop this one then; it may become a standby again.
    pub async fn replaced(&self) {
        self.engine_db.lease().replaced().await;
    }

    /// Resolves when this server leads and no other one hears it, or it is not ready: stop it then to let another lead.
    pub async fn unheard(&self) {
        match &self.service.edge.cluster.peers {
            Some(peers) => peers.unheard.noticed().await,
            None => std::future::pending().await,
        }
    }

    /// Stops accepting, notifies the sockets, lets requests finish within `server.shutdown_timeout_ms`, then stops the rest. When
    /// `force` resolves first, requests are cut instead.
    pub async fn stop(self, force: impl Future<Output = ()>) {
        supervisor::stopping();
        self.step_down(force).await;
    }

    /// Stops like [`Self::stop`], to start again at once: systemd would wait for the end of a process that stops, and then kill
    /// it.
    pub async fn step_down(self, force: impl Future<Output = ()>) {
        tracing::info!("stopping");
        self.hand_over().await;
        let accepting_ended = self.http.stop(true);
        self.begin_draining();
        tokio::select! {
            () = accepting_ended => {}
            () = self.all_answered() => {}
            () = force => tracing::warn!("second signal: aborting open requests"),
        }
        self.take_apart().await;
    }

    /// Stops without waiting for requests: another server has taken over, and nothing in progress here can be committed.
    pub async fn stop_at_once(self) {
        tracing::info!("stopping immediately");
        self.begin_draining();
        self.http.stop(false).await;
        self.take_apart().await;
    }

    fn begin_draining(&self) {
        // A socket that opens in between sees the flag.
        self.drain.send_replace(true);
        self.service.edge.hub.announce_stop();
    }

    /// Lets another server of the cluster lead before this one stops serving: its sockets and requests go on meanwhile.
    async fn hand_over(&self) {
        let (Some(_), Some(database)) = (&self.candidacy, &self.database) else { return };
        self.engine_db.lease().retire();
        // This server may have the lock, and still load what was committed.
        self.leader_tasks.stand_no_more();
        if !self.engine_db.lease().is_leading() {
            return;
        }
        let RunningLead { workers, lead, .. } = self.leader_tasks.take();
        if let Some(lead) = &lead {
            lead.end();
            // The engine answers its open commands during this time.
            tokio::time::sleep(QUIET).await;
        }
        self.end_engine(workers).await;
        drop(lead);
        database.held_lead().give_up().await;
        self.service.engine.end();
        tracing::info!("another server may lead now");
    }

    async fn end_engine(&self, workers: Vec<JoinHandle<()>>) {
        if let Some(engine) = self.service.engine.get() {
            engine.stop();
        }
        if self.engine_db.lease().is_held() {
            self.service.trail.flush(&self.engine_db.current()).await;
            self.service.dispatch.decisions.flush_at_stop().await;
        }
        workers.iter().for_each(JoinHandle::abort);
    }

    async fn take_apart(self) {
        if let Some(metrics) = &self.metrics {
            metrics.stop(false).await;
        }
        self.workers.iter().for_each(JoinHandle::abort);
        self.leader_tasks.stand_no_more();
        let RunningLead { workers, lead, .. } = self.leader_tasks.take();
        drop(lead);
        self.end_engine(workers).await;
        self.service.core().traces.finish().await;
        let closed = match self.database {
            Some(database) => database.close().await,
            None => Ok(()),
        };
        drop(self.engine_threads);
        match closed {
            Ok(()) => tracing::info!("stopped"),
            Err(error) => tracing::error!(%error, "the database did not stop"),
        }
    }

    /// Waits until every request has its answer, including those of clients that are gone, and the sockets are closed. The
    /// framework itself would wait its whole timeout for one socket whose peer does not read.
    async fn all_answered(&self) {
        self.service.edge.tasks.0.close();
        loop {
            self.service.edge.tasks.0.wait().await;
            tokio::time::sleep(QUIET).await;
            if self.service.edge.tasks.0.is_empty() {
                break;
            }
        }
        let gone = async {
            while self.service.edge.hub.sockets() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(SOCKETS_LIMIT, gone).await.ok();
    }
}

fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        // The standard library's 128 is far too few when thousands connect at once: the others would try again seconds later.
        socket2::SockRef::from(&listener).listen(BACKLOG)?;
        Ok(listener)
    });
    listener.map_err(|source| StartError::Listen { address, source })
}
