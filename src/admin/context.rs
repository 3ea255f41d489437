use std::ops::Deref;

use roadcall_actors::EngineHandle;

use crate::{bridge::TrailRecorder, dispatch::Decisions, platform::core::Core, ws::Hub};

/// The sources of the figures.
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
