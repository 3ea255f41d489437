//! Makes the contexts, and starts the engine on them.

use roadcall_actors::{EngineHandle, clock::Clock};
use std::{net::SocketAddr, sync::Arc};

use tokio::sync::watch;

use super::{MoneyProviders, Service};

use crate::{
    accounts::{
        auth::{AuthContext, AuthState},
        uploads::UploadsContext,
    },
    bridge::{self, Recorders, Reports, TrailRecorder, hooks::HOOKS},
    catalogue::dispatch_settings::DispatchConfig,
    demo::{City, DemoContext},
    dispatch::{Decisions, DispatchContext, fleet_view::FleetFeed},
    edge::{Connections, EdgeContext, RouteWork, health::Readiness},
    fleet::{eta::Etas, mechanics::MechanicsContext},
    http::RateLimits,
    jobs::{JobsContext, LongSearches, OpenCallbacks, log::RecentEntries},
    lifecycle::LifecycleContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    money::{
        payments::{Inbox, PaymentsContext},
        wallet::WalletContext,
    },
    notifications::{NotificationsContext, NotifyContext, Wakeups},
    openapi::Document,
    pages::{AppFiles, PagesContext},
    platform::{
        core::Core,
        db::{Db, WorkQueues},
        overload::Overload,
        settings::Settings,
        tasks::Tasks,
        worker::Wakeup,
    },
    providers::{
        push::Pushes,
        rooms,
        storage::{LinkKey, Stores},
    },
    routes,
    sandbox::SandboxContext,
    service::StartError,
    sharing::shares::SharesContext,
    tracking::SharedLogs,
    ws::{FleetSeats, Hub, Openings, WsContext},
};

/// Ends the engine, threads and actors, when it is dropped: they would outlive a service that is not stopped.
#[derive(Debug)]
pub struct EngineThreads(EngineHandle);

impl Drop for EngineThreads {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// What a start brings beside the settings.
#[derive(Debug)]
pub struct StartExtras {
    /// The listener's.
    pub address: SocketAddr,
    pub apps: AppFiles,
    pub city: Option<Arc<dyn City>>,
}

/// Makes the contexts, from the bottom to the top, and starts the engine on them.
pub async fn wire(
    core: Core,
    drain: watch::Receiver<bool>,
    extras: StartExtras,
) -> Result<(Service, EngineThreads), StartError> {
    let Core { settings, db, clock, random, .. } = &core;
    let hub = Hub::new(settings);
    let state = AuthState::start(settings, db, clock, random, Arc::new(hub.clone())).await?;
    let money = MoneyProviders::start(settings, db, clock, random, |purpose| state.hex_key(purpose))?;
    let stores = Stores::start(settings, LinkKey::new(state.hex_key("upload links")))?;
    let rooms = rooms::start(settings, random, &state.hex_key("call tokens"))?;
    let push = Arc::new(Pushes::start(settings, clock, random, state.key("web push"))?);
    let uploads = UploadsContext { core: core.clone(), stores };
    let auth = AuthContext { core: core.clone(), auth: state };
    let notify = NotifyContext { core: core.clone(), wakeups: Wakeups::default() };
    let sockets = Arc::new(hub.clone());
    let push_key = push.web_key().to_owned();
    let notifications = NotificationsContext { notify: notify.clone(), push, sockets };
    let etas = start_etas(settings, db, clock).await?;
    let dispatch = DispatchConfig::load(db, settings.dispatch.clone()).await.map_err(StartError::Recovery)?;
    let searches = LongSearches::default();
    let reports = Reports { hub: hub.clone(), searches: searches.clone(), clock: clock.clone() };
    let (engine, recorders) = start_engine(&core, &notify, &dispatch, (reports, &etas)).await?;
    let Recorders { trail, decisions, calls: call_wakeup, recent, .. } = recorders;
    let engine_threads = EngineThreads(engine.clone());
    let mechanics = MechanicsContext {
        auth: auth.clone(),
        engine: engine.clone(),
        dispatch: dispatch.clone(),
        wakeups: notify.wakeups.clone(),
    };
    let callbacks = OpenCallbacks::default();
    let jobs = JobsContext {
        notify: notify.clone(),
        engine: engine.clone(),
        dispatch,
        hooks: HOOKS,
        recent,
        callbacks: callbacks.clone(),
        searches,
    };
    let limits = Arc::new(RateLimits::new(settings));
    let demo = DemoContext::new(&auth, extras.city, extras.address, drain.clone());
    let tasks = Tasks::default();
    let chat = ChatContext { jobs: jobs.clone(), sockets: Arc::new(hub.clone()), limits: limits.clone() };
    let calls =
        CallsContext { jobs: jobs.clone(), sockets: Arc::new(hub.clone()), limits: limits.clone(), rooms };
    let wallet = WalletContext { notify, payouts: money.payouts, payout_wakeup: Wakeup::default() };
    let overload = Overload::default();
    let openings = Openings::new(settings, db, &overload);
    let fleet = FleetFeed::default();
    let document = Arc::new(Document::generate(routes::all));
    let service = Service {
        dispatch: DispatchContext { jobs: jobs.clone(), decisions, fleet: fleet.clone() },
        payments: PaymentsContext {
            jobs: jobs.clone(),
            wallet: wallet.clone(),
            tasks: tasks.clone(),
            inbox: Inbox::start(db.clone(), money.gateway.name()),
            refund_wakeup: Wakeup::default(),
            gateway: money.gateway,
            webhook_keys: money.webhook_keys,
        },
        wallet,
        shares: SharesContext {
            chat: chat.clone(),
            calls: calls.clone(),
            streams: Arc::new(hub.clone()),
            sms: auth.auth.sms(),
            tokens: auth.auth.tokens_made().clone(),
        },
        lifecycle: LifecycleContext {
            mechanics: mechanics.clone(),
            jobs: jobs.clone(),
            uploads: uploads.clone(),
        },
        uploads,
        notifications,
        ws: WsContext {
            mechanics,
            jobs: jobs.clone(),
            chat,
            calls,
            hub: hub.clone(),
            logs: SharedLogs::default(),
            fleet,
            fleet_seats: FleetSeats::new(&settings.ws),
            openings: openings.clone(),
            drain: drain.clone(),
            tasks: tasks.clone(),
        },
        edge: EdgeContext {
            auth,
            engine,
            etas,
            callbacks,
            limits,
            work: Arc::new(RouteWork::of(document.value())),
            document,
            tasks,
            readiness: Arc::new(Readiness::default()),
            drain,
            connections: Connections::new(&settings.server),
            hub,
            openings,
            admission: WorkQueues::new(&settings.database, db, random, &overload),
        },
        pages: PagesContext::new(&core, extras.apps, demo.is_available(), &push_key),
        demo,
        sandbox: SandboxContext { core: core.clone(), sandbox: money.sandbox },
        trail,
        call_wakeup,
    };
    Ok((service, engine_threads))
}

/// Starts the engine on its ports, with what was committed before.
async fn start_engine(
    core: &Core,
    notify: &NotifyContext,
    dispatch: &DispatchConfig,
    (reports, etas): (Reports, &Etas),
) -> Result<(EngineHandle, Recorders), StartError> {
    let Core { settings, db, clock, random, .. } = core;
    let recorders = Recorders {
        trail: TrailRecorder::start(db.clone(), &settings.engine),
        decisions: Decisions::start(db.clone(), &settings.engine),
        wakeups: notify.wakeups.clone(),
        calls: Wakeup::default(),
        recent: RecentEntries::default(),
    };
    let ports = (Arc::new(reports) as _, Arc::new(etas.clone()) as _);
    let engine = bridge::engine::start(settings, dispatch, db, clock, random, recorders.clone(), ports);
    Ok((engine.await.map_err(StartError::Recovery)?, recorders))
}

/// Loads what was learned so far. Estimates that could not be corrected do not prevent a start.
async fn start_etas(settings: &Settings, db: &Db, clock: &Clock) -> Result<Etas, StartError> {
    let etas = Etas::start(settings, clock)?;
    if settings.eta.learn
        && let Err(error) = etas.learn(db, clock.now()).await
    {
        tracing::warn!(%error, "travel times could not be updated from past trips; will retry");
    }
    Ok(etas)
}
