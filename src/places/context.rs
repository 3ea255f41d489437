use std::{ops::Deref, sync::Arc};

use crate::{
    platform::core::Core,
    providers::places::{self, Geocoder, PlacesStartError},
};

/// What place search needs.
#[derive(Debug, Clone)]
pub struct PlacesContext {
    pub core: Core,
    /// Who knows places; `None` where the operator has nobody.
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
