//! What nearly every area needs, and all that many areas need.

use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use roadcall_actors::{clock::Clock, random::Random};
use uuid::Uuid;

use super::{audit::RecentReads, bus::Bus, db::Db, settings::Settings, traces::Traces};

/// The bottom of every context. A context that adds to it derefs to it, so a function asks for the least that it needs,
/// and every context that has more fits.
#[derive(Debug, Clone)]
pub struct Core {
    pub settings: Arc<Settings>,
    pub db: Db,
    /// The way to other servers on the database; `None` of one that serves alone.
    pub bus: Option<Bus>,
    pub clock: Clock,
    pub random: Random,
    pub traces: Traces,
    /// What admins have read lately.
    pub reads: RecentReads,
}

impl Core {
    /// This server's id, another one after each start.
    pub fn server_id(&self) -> Uuid {
        self.db.lease().server()
    }

    /// The core behind a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app.rs gives every request the core")
    }
}
