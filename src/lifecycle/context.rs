use std::ops::Deref;

use crate::{accounts::uploads::UploadsContext, fleet::mechanics::MechanicsContext, jobs::JobsContext};

#[derive(Debug, Clone)]
pub struct LifecycleContext {
    pub mechanics: MechanicsContext,
    pub jobs: JobsContext,
    pub uploads: UploadsContext,
}

impl Deref for LifecycleContext {
    type Target = MechanicsContext;

    fn deref(&self) -> &MechanicsContext {
        &self.mechanics
    }
}
