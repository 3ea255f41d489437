//! The part of the admins' work that belongs to no area: the audit log, and figures across all areas.
//!
//! What admins do to a thing is with the thing (docs/adr/0009). `figures/`, `heatmap/` and `recording/` read other areas'
//! tables, and change none.

mod dto;
mod figures;
mod handlers;
mod heatmap;
mod queries;
pub mod recording;

use roadcall_actors::EngineHandle;
use std::ops::Deref;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{bridge::TrailRecorder, dispatch::Decisions, platform::core::Core, ws::Hub};

/// What the figures are read from.
#[derive(Debug, Clone)]
pub struct FiguresContext {
    pub core: Core,
    pub engine: EngineHandle,
    pub hub: Hub,
    pub trail: TrailRecorder,
    pub decisions: Decisions,
}

impl Deref for FiguresContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::list_audit_log).configure(figures::routes).configure(heatmap::routes);
}
