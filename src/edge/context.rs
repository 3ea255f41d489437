use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use roadcall_actors::EngineHandle;
use tokio::sync::watch;

use super::{connections::Connections, health::Readiness, work::RouteWork};
use crate::{
    accounts::auth::AuthContext,
    cluster::ClusterContext,
    fleet::eta::Etas,
    http::RateLimits,
    jobs::OpenCallbacks,
    openapi::Document,
    platform::{db::WorkQueues, tasks::Tasks},
    ws::{Hub, Openings},
};

/// The context of the layers around the handlers.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct EdgeContext {
    #[deref]
    pub auth: AuthContext,
    pub engine: EngineHandle,
    pub cluster: ClusterContext,
    pub etas: Etas,
    pub callbacks: OpenCallbacks,
    pub limits: Arc<RateLimits>,
    /// The OpenAPI document, with its routes.
    pub document: Arc<Document>,
    pub tasks: Tasks,
    pub readiness: Arc<Readiness>,
    /// Turns true when the service begins to stop.
    pub drain: watch::Receiver<bool>,
    pub connections: Connections,
    pub hub: Hub,
    pub openings: Openings,
    pub admission: WorkQueues,
    pub work: Arc<RouteWork>,
}

impl EdgeContext {
    /// Returns the context behind a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app/ gives every request this context")
    }
}
