//! The context that nearly every area needs.

use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use roadcall_base::{clock::Clock, random::Random};
use uuid::Uuid;

use super::{
    audit::RecentReads,
    bus::Bus,
    db::{Db, RememberedRows},
    settings::CoreSettings,
    traces::Traces,
};

/// The bottom of every context. A context that adds to it derefs to it, so a function asks for the least that it needs,
/// and any larger context fits.
#[derive(Debug, Clone)]
pub struct Core {
    pub settings: Arc<CoreSettings>,
    pub db: Db,
    /// The connection to the other servers on the database; `None` if this server is alone.
    pub bus: Option<Bus>,
    pub clock: Clock,
    pub random: Random,
    pub traces: Traces,
    /// Recent reads of admins.
    pub reads: RecentReads,
    /// Rows that this server need not read again while it leads.
    pub remembered: RememberedRows,
}

impl AsRef<Self> for Core {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Core {
    /// Returns this server's id, which changes at each start.
    pub fn server_id(&self) -> Uuid {
        self.db.lease().server()
    }

    /// Returns the core behind a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app/ gives every request the core")
    }
}
