use std::{ops::Deref, sync::Arc};

use crate::{
    platform::core::Core,
    providers::places::{self, Geocoder, PlacesStartError},
};

/// The shared parts that place search uses.
#[derive(Debug, Clone)]
pub struct PlacesContext {
    pub core: Core,
    /// The provider of places; `None` if the operator has none.
    pub(super) geocoder: Option<Arc<dyn Geocoder>>,
}

impl Deref for PlacesContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl PlacesContext {
    pub fn start(core: &Core) -> Result<Self, PlacesStartError> {
        let geocoder = places::start(&core.settings, &core.clock)?;
        Ok(Self { core: core.clone(), geocoder })
    }
}
