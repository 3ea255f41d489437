//! The service's contexts, made once by [`wire`] and shared by all threads.
//!
//! An area's functions take the area's own context. A context holds the one below it and derefs to it, so any higher context fits
//! as well.

mod engine_here;
mod engine_settings;
mod error;
mod money_providers;
pub mod settings;
mod wiring;

pub use engine_here::EngineHere;
pub use engine_settings::engine_settings;
pub use error::StartError;
pub use money_providers::{MoneyError, MoneyProviders};
pub use wiring::{Candidacy, EngineThreads, StartExtras, wire};

use std::{ops::Deref, sync::Arc};

use actix_web::web::{Data, ServiceConfig};

use crate::{
    accounts::{
        auth::AuthContext, notices::NoticesContext, organisations::OrganisationsContext,
        uploads::UploadsContext,
    },
    admin::{ExpectedStatus, FiguresContext, FreeSpace, LastLook, RecentCounts, StatusContext},
    bridge::TrailRecorder,
    catalogue::{categories::CategoriesContext, job_stops::JobStopsContext},
    cluster::ClusterContext,
    demo::DemoContext,
    dispatch::DispatchContext,
    edge::EdgeContext,
    fleet::mechanics::MechanicsContext,
    grievances::GrievancesContext,
    http::RateLimits,
    jobs::JobsContext,
    lifecycle::LifecycleContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    money::{payments::PaymentsContext, wallet::WalletContext},
    notifications::{NotificationsContext, NotifyContext},
    openapi::Document,
    pages::PagesContext,
    partners::{context::PartnersContext, feeds::FeedsContext},
    places::PlacesContext,
    platform::{core::Core, worker::Wakeup},
    sandbox::SandboxContext,
    sharing::{ratings::RatingsContext, shares::SharesContext},
    tracking::TrackersContext,
    ws::WsContext,
};
use settings::Settings;

/// Every context, for the code that starts, stops and maintains the whole.
#[derive(Debug, Clone)]
pub struct Service {
    /// All settings, for code that spans areas.
    pub settings: Arc<Settings>,
    /// Jobs, mechanics and the dispatcher, while they run in this process.
    pub engine: EngineHere,
    pub uploads: UploadsContext,
    pub categories: CategoriesContext,
    pub grievances: GrievancesContext,
    pub notifications: NotificationsContext,
    pub dispatch: DispatchContext,
    pub job_stops: JobStopsContext,
    pub notices: NoticesContext,
    pub payments: PaymentsContext,
    pub wallet: WalletContext,
    pub shares: SharesContext,
    pub ratings: RatingsContext,
    pub trackers: TrackersContext,
    pub partners: PartnersContext,
    pub feeds: FeedsContext,
    pub lifecycle: LifecycleContext,
    pub ws: WsContext,
    pub edge: EdgeContext,
    pub sandbox: SandboxContext,
    pub pages: PagesContext,
    pub places: PlacesContext,
    pub demo: DemoContext,
    /// The settings that the state of the service is compared with.
    pub expected: Arc<ExpectedStatus>,
    /// The counts of this process in the last quarter of an hour.
    pub counts: RecentCounts,
    pub free_space: FreeSpace,
    pub last_look: LastLook,
    pub trail: TrailRecorder,
    /// Woken when a job has moved on: its call may be over.
    pub call_wakeup: Wakeup,
}

impl Deref for Service {
    type Target = EdgeContext;

    fn deref(&self) -> &EdgeContext {
        &self.edge
    }
}

impl Service {
    pub fn core(&self) -> &Core {
        &self.uploads.core
    }

    /// Gives every handler of the app its context.
    pub fn provide(&self, app: &mut ServiceConfig) {
        let jobs = &self.payments.jobs;
        let figures = FiguresContext {
            core: self.core().clone(),
            engine: self.edge.engine.clone(),
            hub: self.edge.hub.clone(),
            trail: self.trail.clone(),
            decisions: self.dispatch.decisions.clone(),
        };
        let status = StatusContext {
            figures: figures.clone(),
            expected: self.expected.clone(),
            cluster: self.edge.cluster.clone(),
            etas: self.edge.etas.clone(),
            overload: self.edge.admission.overload().clone(),
            stop: self.job_stops.current.clone(),
            counts: self.counts.clone(),
            free_space: self.free_space.clone(),
            last: self.last_look.clone(),
        };
        app.app_data(Data::<Core>::new(self.core().clone()))
            .app_data(Data::<AuthContext>::new(self.edge.auth.clone()))
            .app_data(Data::<UploadsContext>::new(self.uploads.clone()))
            .app_data(Data::<CategoriesContext>::new(self.categories.clone()))
            .app_data(Data::<GrievancesContext>::new(self.grievances.clone()))
            .app_data(Data::<NotifyContext>::new(self.notifications.notify.clone()))
            .app_data(Data::<NotificationsContext>::new(self.notifications.clone()))
            .app_data(Data::<MechanicsContext>::new(self.ws.mechanics.clone()))
            .app_data(Data::<JobsContext>::new(jobs.clone()))
            .app_data(Data::<DispatchContext>::new(self.dispatch.clone()))
            .app_data(Data::<JobStopsContext>::new(self.job_stops.clone()))
            .app_data(Data::<NoticesContext>::new(self.notices.clone()))
            .app_data(Data::<PaymentsContext>::new(self.payments.clone()))
            .app_data(Data::<WalletContext>::new(self.wallet.clone()))
            .app_data(Data::<ChatContext>::new(self.ws.chat.clone()))
            .app_data(Data::<CallsContext>::new(self.ws.calls.clone()))
            .app_data(Data::<SharesContext>::new(self.shares.clone()))
            .app_data(Data::<RatingsContext>::new(self.ratings.clone()))
            .app_data(Data::<TrackersContext>::new(self.trackers.clone()))
            .app_data(Data::<OrganisationsContext>::new(self.partners.organisations.clone()))
            .app_data(Data::<PartnersContext>::new(self.partners.clone()))
            .app_data(Data::<FeedsContext>::new(self.feeds.clone()))
            .app_data(Data::<Document>::from(self.edge.document.clone()))
            .app_data(Data::<LifecycleContext>::new(self.lifecycle.clone()))
            .app_data(Data::<WsContext>::new(self.ws.clone()))
            .app_data(Data::<FiguresContext>::new(figures))
            .app_data(Data::<StatusContext>::new(status))
            .app_data(Data::<ClusterContext>::new(self.edge.cluster.clone()))
            .app_data(Data::<EdgeContext>::new(self.edge.clone()))
            .app_data(Data::<RateLimits>::from(self.edge.limits.clone()))
            .app_data(Data::<SandboxContext>::new(self.sandbox.clone()))
            .app_data(Data::<PagesContext>::new(self.pages.clone()))
            .app_data(Data::<PlacesContext>::new(self.places.clone()))
            .app_data(Data::<DemoContext>::new(self.demo.clone()));
    }
}
