use std::sync::{Arc, PoisonError, RwLock};

use roadcall_actors::Engine;

/// The engine, while it runs in this process. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct EngineHere(Arc<RwLock<Option<Engine>>>);

impl EngineHere {
    /// Returns the engine, if it runs here.
    pub fn get(&self) -> Option<Engine> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, engine: Engine) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(engine);
    }

    /// Ends the engine's threads with all actors on them: they would go on sending this server's sockets what they remember.
    pub fn end(&self) {
        let engine = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(engine) = engine {
            engine.end();
        }
    }
}
