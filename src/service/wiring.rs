//! Makes the contexts, and starts the engine on them.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use roadcall_actors::{EngineHandle, remote::RemoteEngine};
use tokio::sync::watch;

use super::{EngineHere, MoneyProviders, Service, StartError, engine_settings, settings::Settings};
use crate::{
    accounting::ledger::Shares,
    accounts::{
        auth::{AuthContext, AuthStartError, OpenSockets, SignInSetup},
        notices::{CurrentNotice, NoticesContext},
        organisations::OrganisationsContext,
        uploads::UploadsContext,
    },
    admin::{FreeSpace, LastLook, RecentCounts},
    bridge::{self, EngineParts, Recorders, Reports, hooks::HOOKS},
    catalogue::{
        categories::{CategoriesContext, CurrentCategories},
        dispatch_settings::DispatchConfig,
        job_stops::{CurrentJobStop, JobStopsContext},
    },
    cluster::{
        self, AllSockets, AnnouncementQueue, Announcements, ClusterContext, EngineLink, Lead, Peers, Speaking,
    },
    demo::{City, DemoContext},
    dispatch::{DispatchContext, fleet_view::FleetFeed},
    edge::{Connections, EdgeContext, RouteWork, health::Readiness},
    fleet::{eta::Etas, mechanics::MechanicsContext},
    grievances::GrievancesContext,
    http::RateLimits,
    jobs::{JobsContext, LongSearches, NearMechanics, OpenCallbacks},
    lifecycle::LifecycleContext,
    mails::Mails,
    messaging::{calls::CallsContext, chat::ChatContext},
    money::{payments::PaymentsContext, wallet::WalletContext},
    notifications::{DeliverySetup, MechanicsShare, NotificationsContext, NotifyContext},
    openapi::Document,
    pages::{AppFiles, PagesContext},
    partners::{context::PartnersContext, feeds::FeedsContext},
    places::PlacesContext,
    platform::{
        core::Core,
        db::{EngineDb, LeadershipStatus, WorkQueues, note_ready},
        overload::Overload,
        tasks::Tasks,
        worker::Wakeup,
    },
    providers::{rooms, sms::Sms},
    routes,
    sandbox::SandboxContext,
    sharing::{ratings::RatingsContext, shares::SharesContext},
    tracking::{SharedLogs, TrackersContext},
    ws::{FleetSeats, Hub, Openings, OtherServers, WsContext},
};

/// Ends the engine, threads and actors, when it is dropped: they would outlive a service that is not stopped.
#[derive(Debug)]
pub struct EngineThreads(EngineHere);

impl Drop for EngineThreads {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The parts that a server of a cluster needs to lead, at any time.
#[derive(Debug)]
pub struct Candidacy {
    parts: EngineParts,
    link: EngineLink,
    announced: AnnouncementQueue,
}

impl Candidacy {
    /// Starts the engine, and serves the other servers. Call this only once this server leads.
    pub async fn lead(&self, service: &Service) -> Result<Lead, StartError> {
        let Self { parts, link, announced } = self;
        announced.forget().await;
        // Positions may have arrived after an earlier lead of this server had ended.
        service.trail.forget().await;
        let since = Instant::now();
        let engine = loop {
            match Box::pin(bridge::engine::start(parts)).await {
                Ok(engine) => break engine,
                Err(error) if is_in_vain(parts.db.lease().standing(), since.elapsed()) => {
                    return Err(StartError::Recovery(error));
                }
                Err(error) => {
                    tracing::warn!(%error, "what was committed before could not be taken up; will retry");
                    tokio::time::sleep(LOAD_AGAIN).await;
                }
            }
        };
        service.engine.set(engine.clone());
        let lead = Lead::begin(link, &engine, &parts.db.lease(), announced.clone(), &parts.core).await?;
        note_ready(&parts.db).await;
        // The previous leader may have committed changes that it did not announce.
        cluster::heal(&service.ws).await;
        Ok(lead)
    }
}

/// The parts of a start besides the settings.
#[derive(Debug)]
pub struct StartExtras {
    /// The listener's address.
    pub address: SocketAddr,
    pub apps: Arc<AppFiles>,
    pub city: Option<Arc<dyn City>>,
}

/// The pause between two tries to load what was committed.
const LOAD_AGAIN: Duration = Duration::from_millis(250);
/// A leader that could not load what was committed for this long gives the lead away: another server may be able to.
const LOAD_LIMIT: Duration = Duration::from_secs(60);

/// Returns whether a server that could not load what was committed for so long must give up. A server that is cut off
/// has no lead to give away, and no other server may be better off.
fn is_in_vain(standing: LeadershipStatus, tried_for: Duration) -> bool {
    match standing {
        LeadershipStatus::Replaced => true,
        LeadershipStatus::Leading => tried_for > LOAD_LIMIT,
        LeadershipStatus::Standby | LeadershipStatus::CutOff | LeadershipStatus::Member => false,
    }
}

/// Makes the contexts, from the bottom to the top. A server without a cluster also starts the engine, below the first context
/// that needs it; only the leader uses `engine_db`.
pub async fn wire(
    settings: Arc<Settings>,
    core: Core,
    engine_db: &EngineDb,
    drain: watch::Receiver<bool>,
    extras: StartExtras,
) -> Result<(Box<Service>, EngineThreads, Option<Candidacy>), StartError> {
    let Core { db, clock, random, .. } = &core;
    let (tasks, overload) = (Tasks::default(), Overload::default());
    let limits = Arc::new(RateLimits::new(&settings.rates(), clock));
    let speaking = core.bus.clone().map(|bus| Arc::new(Speaking(bus)) as Arc<dyn OtherServers>);
    let hub = Hub::new(&settings.ws, clock, speaking);
    let sockets = AllSockets::new(&hub, core.bus.as_ref());

    let setup = sign_in_setup(&settings, &core, sockets.auth)?;
    let auth = AuthContext::start(core.clone(), setup).await?;
    let money = MoneyProviders::start(&settings, db, clock, random, |purpose| auth.auth.hex_keys(purpose))?;
    let uploads = UploadsContext::start(&auth, &settings.uploads)?;
    let rooms = rooms::start(&settings.calls, random, auth.auth.hex_keys("call tokens").current())?;
    let (center, asking) = (settings.map_center(), settings.place_request_limits());
    let places = PlacesContext::start(&core, &settings.places, center, asking)?;
    let notify = NotifyContext::new(&core);
    let deliveries = delivery_setup(&settings);
    let notifications =
        NotificationsContext::start(notify.clone(), &auth.auth, sockets.notifications, deliveries)?;
    let grievances = GrievancesContext {
        notify: notify.clone(),
        answered_within: TimeDelta::days(settings.privacy.grievance_days),
        contact: settings.privacy_contact(),
    };

    let policies = Arc::new(engine_settings(&settings));
    let etas = Etas::start(&core, &settings.eta, policies.presence.max_speed_mps).await?;
    let dispatch = DispatchConfig::load(db, settings.dispatch.clone()).await.map_err(StartError::Recovery)?;
    let offered = CurrentCategories::load(db).await.map_err(StartError::Recovery)?;
    let stop = CurrentJobStop::load(db).await.map_err(StartError::Recovery)?;
    let notice = CurrentNotice::load(db).await.map_err(StartError::Recovery)?;
    let searches = LongSearches::default();
    let near = NearMechanics::within(settings.sms.near());
    let peers = core.bus.clone().map(|bus| Peers::new(bus, &settings.cluster));
    let (elsewhere, announced) = peers.as_ref().map(|_| Announcements::new()).unzip();
    let reports = Reports {
        hub: hub.clone(),
        searches: searches.clone(),
        near: near.clone(),
        clock: clock.clone(),
        elsewhere,
    };
    let recorders = Recorders::start(&core, engine_db, &settings.engine, notify.wakeups.clone());
    let parts = EngineParts {
        core: core.clone(),
        db: engine_db.clone(),
        policies: policies.clone(),
        dispatch: dispatch.clone(),
        recorders: recorders.clone(),
        outbound: Arc::new(reports),
        eta: Arc::new(etas.clone()),
    };
    let running = EngineHere::default();
    let engine_threads = EngineThreads(running.clone());
    let (engine, candidacy) = match (&peers, announced) {
        (Some(Peers { link, .. }), Some(announced)) => {
            let remote = RemoteEngine::new(link.clone(), clock.clone());
            let candidacy = Candidacy { parts, link: link.clone(), announced };
            (EngineHandle::elsewhere(Arc::new(remote)), Some(candidacy))
        }
        _ => {
            let starting = Box::pin(bridge::engine::start(&parts));
            let engine = starting.await.map_err(StartError::Recovery)?;
            note_ready(engine_db).await;
            running.set(engine.clone());
            (EngineHandle::here(engine), None)
        }
    };

    let mechanics = MechanicsContext {
        auth: auth.clone(),
        presence_settings: Arc::new(settings.presence.clone()),
        engine: engine.clone(),
        dispatch: dispatch.clone(),
        notice: notice.clone(),
        wakeups: notify.wakeups.clone(),
    };
    let settings_changed = Wakeup::anywhere(core.bus.as_ref(), "settings");
    let categories = CategoriesContext {
        core: core.clone(),
        dispatch: dispatch.clone(),
        current: offered.clone(),
        changed: settings_changed.clone(),
    };
    let jobs = JobsContext {
        notify: notify.clone(),
        job_settings: Arc::new(settings.jobs.clone()),
        fee_settings: Arc::new(settings.fees.clone()),
        visibility: Arc::new(settings.job_visibility()),
        rates: settings.share_rates(),
        support_phone: settings.support.phone.as_str().into(),
        engine: engine.clone(),
        policies,
        etas: etas.clone(),
        dispatch,
        categories: offered,
        stop: stop.clone(),
        notice: notice.clone(),
        hooks: HOOKS,
        recent: recorders.recent,
        callbacks: OpenCallbacks::default(),
        searches,
        near,
    };
    let job_stops =
        JobStopsContext { core: core.clone(), current: stop.clone(), changed: settings_changed.clone() };
    let notices =
        NoticesContext { auth: auth.clone(), current: notice.clone(), changed: settings_changed.clone() };
    let maps = FleetFeed::default();
    let dispatch = DispatchContext {
        jobs: jobs.clone(),
        decisions: recorders.decisions,
        fleet: maps.clone(),
        settings_changed,
    };

    let wallet = WalletContext::new(
        notify.clone(),
        Arc::new(settings.wallet.clone()),
        Arc::new(settings.payouts.clone()),
        money.payouts,
    );
    let gateway = (money.gateway, money.webhook_keys);
    let payments = PaymentsContext::start(
        jobs.clone(),
        wallet.clone(),
        tasks.clone(),
        Arc::new(settings.gateway.clone()),
        gateway,
        auth.auth.mails().clone(),
    );

    let calls = CallsContext {
        jobs: jobs.clone(),
        call_settings: Arc::new(settings.calls.clone()),
        sockets: sockets.calls,
        limits: limits.clone(),
        rooms,
    };
    let chat = ChatContext {
        jobs: jobs.clone(),
        chat_settings: Arc::new(settings.chat.clone()),
        sockets: sockets.chat,
        limits: limits.clone(),
    };
    let share_settings = Arc::new(settings.shares.clone());
    let shares = SharesContext::new(chat.clone(), calls.clone(), share_settings, sockets.links, &auth.auth);
    let ratings = RatingsContext { notify, rating_settings: Arc::new(settings.ratings.clone()) };
    let trackers = TrackersContext::new(jobs.clone(), &auth.auth);
    let keys_in = settings.partners.keys_in(settings.environment);
    let partners = PartnersContext {
        shares: shares.clone(),
        organisations: OrganisationsContext::new(auth.clone(), keys_in),
        partner_settings: Arc::new(settings.partners.clone()),
    };
    let feeds = FeedsContext::start(partners.clone()).map_err(StartError::Webhooks)?;
    let lifecycle = LifecycleContext {
        mechanics: mechanics.clone(),
        privacy_settings: Arc::new(settings.privacy.clone()),
        jobs: jobs.clone(),
        uploads: uploads.clone(),
        wallet: wallet.clone(),
        ratings: ratings.clone(),
        grievances: grievances.clone(),
    };

    let openings = Openings::new(&settings.ws, settings.share_rates(), db, &overload);
    let callbacks = jobs.callbacks.clone();
    let ws = WsContext {
        ws_settings: Arc::new(settings.ws.clone()),
        mechanics,
        jobs,
        chat,
        calls,
        hub: hub.clone(),
        logs: SharedLogs::default(),
        fleet: maps,
        fleet_seats: FleetSeats::new(&settings.ws),
        openings: openings.clone(),
        drain: drain.clone(),
        tasks: tasks.clone(),
    };

    let sandbox = SandboxContext { core: core.clone(), sandbox: money.sandbox };
    let demo = DemoContext::new(&auth, extras.city, extras.address, drain.clone());
    let push_key = notifications.push.web_key();
    let moved_to = demo.moved_to();
    let pages = PagesContext::new(
        &core,
        settings.page_facts(),
        extras.apps,
        moved_to,
        push_key,
        (Arc::new(stop), Arc::new(notice)),
    );
    let cluster = ClusterContext {
        core: core.clone(),
        peers,
        engine: engine.clone(),
        hub: hub.clone(),
        engine_db: engine_db.clone(),
        drain: drain.clone(),
        since: clock.now(),
    };
    let document = Arc::new(Document::generate(routes::all));
    let edge = EdgeContext {
        auth,
        engine,
        cluster,
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
    let service = Box::new(Service {
        expected: Arc::new(settings.expected_status()),
        settings,
        engine: running,
        uploads,
        categories,
        grievances,
        notifications,
        dispatch,
        job_stops,
        notices,
        payments,
        wallet,
        shares,
        ratings,
        trackers,
        partners,
        feeds,
        lifecycle,
        ws,
        edge,
        sandbox,
        pages,
        places,
        demo,
        counts: RecentCounts::default(),
        free_space: FreeSpace::default(),
        last_look: LastLook::default(),
        trail,
        call_wakeup,
    });
    Ok((service, engine_threads, candidacy))
}

/// Makes the senders of text messages and mail, and the settings and providers of sign-in.
fn sign_in_setup(
    settings: &Settings,
    core: &Core,
    sockets: Arc<dyn OpenSockets>,
) -> Result<SignInSetup, AuthStartError> {
    Ok(SignInSetup {
        settings: settings.auth.clone(),
        identity: settings.identity.clone(),
        admin: settings.admin.clone(),
        text_limits: settings.text_limits(),
        sms: Sms::start(&settings.sms, &core.settings)?,
        mails: Mails::start(core, &settings.mail)?,
        recheck_gather: settings.ws.recheck_gather(),
        sockets,
    })
}

fn delivery_setup(settings: &Settings) -> DeliverySetup {
    let rates = settings.share_rates();
    DeliverySetup {
        settings: settings.notifications.clone(),
        push: settings.push.clone(),
        texts: settings.status_texts(),
        mechanics_share: MechanicsShare::new(move |price_paise| {
            Shares::of(price_paise, rates).mechanic_paise
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_that_can_load_nothing_gives_up_the_lead_after_a_minute() {
        let (short, long) = (Duration::from_secs(59), Duration::from_secs(61));
        assert!(!is_in_vain(LeadershipStatus::Leading, short) && is_in_vain(LeadershipStatus::Leading, long));
        assert!(!is_in_vain(LeadershipStatus::CutOff, long), "the database is away");
        assert!(is_in_vain(LeadershipStatus::Replaced, Duration::ZERO));
    }
}
