use std::sync::Arc;

use roadcall_base::geo::Point;
use roadcall_platform::core::Core;
use roadcall_providers::places::{self, Geocoder, PlaceSettings, PlacesStartError};

/// The shared parts that place search uses.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct PlacesContext {
    #[deref]
    pub core: Core,
    /// The provider of places; `None` if the operator has none.
    pub(super) geocoder: Option<Arc<dyn Geocoder>>,
    /// The owner of the data, to be shown with places; `None` if it need not be shown.
    pub(super) attribution: Option<String>,
    /// The point where maps begin, near which places are preferred.
    pub(super) center: Point,
    pub(super) request_limits: PlaceRequestLimits,
}

/// The limits on asking people where they are, in 24 hours.
#[derive(Debug, Clone, Copy)]
pub struct PlaceRequestLimits {
    pub per_admin: i64,
    pub per_number: i64,
}

impl PlacesContext {
    pub fn start(
        core: &Core,
        settings: &PlaceSettings,
        center: Point,
        request_limits: PlaceRequestLimits,
    ) -> Result<Self, PlacesStartError> {
        let geocoder = places::start(settings, core.settings.environment, &core.clock)?;
        let attribution = settings.provider.is_asked().then(|| settings.attribution.clone());
        Ok(Self { core: core.clone(), geocoder, attribution, center, request_limits })
    }
}
