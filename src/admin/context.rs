use roadcall_actors::EngineHandle;

use crate::{bridge::TrailRecorder, dispatch::Decisions, platform::core::Core, ws::Hub};

/// The sources of the figures.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct FiguresContext {
    #[deref]
    pub core: Core,
    pub engine: EngineHandle,
    pub hub: Hub,
    pub trail: TrailRecorder,
    pub decisions: Decisions,
}
