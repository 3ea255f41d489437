//! Makes the contexts, and starts the engine on them.

use std::{net::SocketAddr, sync::Arc};

use roadcall_actors::{Engine, EngineHandle};
use tokio::sync::watch;

use super::{MoneyProviders, Service, StartError};
use crate::{
    accounts::{auth::AuthContext, uploads::UploadsContext},
    bridge::{self, Recorders, Reports, hooks::HOOKS},
    catalogue::dispatch_settings::{DispatchConfig, engine_settings},
    demo::{City, DemoContext},
    dispatch::{DispatchContext, fleet_view::FleetFeed},
    edge::{Connections, EdgeContext, RouteWork, health::Readiness},
    fleet::{eta::Etas, mechanics::MechanicsContext},
    http::RateLimits,
    jobs::{JobsContext, LongSearches, OpenCallbacks},
    lifecycle::LifecycleContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    money::{payments::PaymentsContext, wallet::WalletContext},
    notifications::{NotificationsContext, NotifyContext},
    openapi::Document,
    pages::{AppFiles, PagesContext},
    platform::{core::Core, db::WorkQueues, overload::Overload, tasks::Tasks},
    providers::rooms,
    routes,
    sandbox::SandboxContext,
    sharing::shares::SharesContext,
    tracking::SharedLogs,
    ws::{FleetSeats, Hub, Openings, WsContext},
};

/// Ends the engine, threads and actors, when it is dropped: they would outlive a service that is not stopped.
#[derive(Debug)]
pub struct EngineThreads(Engine);

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

/// Makes the contexts, from the bottom to the top, and starts the engine below the first that needs it.
pub async fn wire(
    core: Core,
    drain: watch::Receiver<bool>,
    extras: StartExtras,
) -> Result<(Service, EngineThreads), StartError> {
    let Core { settings, db, clock, random, .. } = &core;
    let (tasks, overload) = (Tasks::default(), Overload::default());
    let limits = Arc::new(RateLimits::new(settings));
    let hub = Hub::new(settings);
    let sockets = Arc::new(hub.clone());

    let auth = AuthContext::start(core.clone(), sockets.clone()).await?;
    let money = MoneyProviders::start(settings, db, clock, random, |purpose| auth.auth.hex_key(purpose))?;
    let uploads = UploadsContext::start(&auth)?;
    let rooms = rooms::start(settings, random, &auth.auth.hex_key("call tokens"))?;
    let notify = NotifyContext::new(&core);
    let notifications = NotificationsContext::start(notify.clone(), &auth.auth, sockets.clone())?;

    let etas = Etas::start(&core).await?;
    let dispatch = DispatchConfig::load(db, settings.dispatch.clone()).await.map_err(StartError::Recovery)?;
    let searches = LongSearches::default();
    let reports = Reports { hub: hub.clone(), searches: searches.clone(), clock: clock.clone() };
    let recorders = Recorders::start(&core, notify.wakeups.clone());
    let ports = (Arc::new(reports) as _, Arc::new(etas.clone()) as _);
    let engine = bridge::engine::start(&core, &dispatch, recorders.clone(), ports);
    let running = engine.await.map_err(StartError::Recovery)?;
    let engine_threads = EngineThreads(running.clone());
    let engine = EngineHandle::here(running.clone());

    let mechanics = MechanicsContext {
        auth: auth.clone(),
        engine: engine.clone(),
        dispatch: dispatch.clone(),
        wakeups: notify.wakeups.clone(),
    };
    let jobs = JobsContext {
        notify: notify.clone(),
        engine: engine.clone(),
        policies: Arc::new(engine_settings(settings)),
        etas: etas.clone(),
        dispatch,
        hooks: HOOKS,
        recent: recorders.recent,
        callbacks: OpenCallbacks::default(),
        searches,
    };
    let fleet = FleetFeed::default();
    let dispatch =
        DispatchContext { jobs: jobs.clone(), decisions: recorders.decisions, fleet: fleet.clone() };

    let wallet = WalletContext::new(notify, money.payouts);
    let gateway = (money.gateway, money.webhook_keys);
    let payments = PaymentsContext::start(jobs.clone(), wallet.clone(), tasks.clone(), gateway);

    let calls = CallsContext { jobs: jobs.clone(), sockets: sockets.clone(), limits: limits.clone(), rooms };
    let chat = ChatContext { jobs: jobs.clone(), sockets: sockets.clone(), limits: limits.clone() };
    let shares = SharesContext::new(chat.clone(), calls.clone(), sockets, &auth.auth);
    let lifecycle =
        LifecycleContext { mechanics: mechanics.clone(), jobs: jobs.clone(), uploads: uploads.clone() };

    let openings = Openings::new(settings, db, &overload);
    let callbacks = jobs.callbacks.clone();
    let ws = WsContext {
        mechanics,
        jobs,
        chat,
        calls,
        hub: hub.clone(),
        logs: SharedLogs::default(),
        fleet,
        fleet_seats: FleetSeats::new(&settings.ws),
        openings: openings.clone(),
        drain: drain.clone(),
        tasks: tasks.clone(),
    };

    let sandbox = SandboxContext { core: core.clone(), sandbox: money.sandbox };
    let demo = DemoContext::new(&auth, extras.city, extras.address, drain.clone());
    let pages = PagesContext::new(&core, extras.apps, demo.is_available(), notifications.push.web_key());
    let document = Arc::new(Document::generate(routes::all));
    let edge = EdgeContext {
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
    };
    let (trail, call_wakeup) = (recorders.trail, recorders.calls);
    let service = Service {
        engine: running,
        uploads,
        notifications,
        dispatch,
        payments,
        wallet,
        shares,
        lifecycle,
        ws,
        edge,
        sandbox,
        pages,
        demo,
        trail,
        call_wakeup,
    };
    Ok((service, engine_threads))
}
