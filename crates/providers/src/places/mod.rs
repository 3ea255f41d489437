//! Place search: places by name, and the address at a point.
//!
//! | file | what |
//! | --- | --- |
//! | `geocoder.rs` | the questions and the answers |
//! | `photon.rs`, `nominatim.rs` | the services that search OpenStreetMap's data |
//! | `remembered.rs` | what protects such a service: a memory, a pace with a share for each person, a pause after failures |
//! | `sketch.rs`, `sketch_map.rs` | the demo city, searched without a network |
//! | `address.rs` | writing an address on one line |
//! | `answer.rs` | asking a service and reading its answer |
//!
//! No log, metric or error shows what people search for or where they are.

mod address;
mod answer;
mod geocoder;
mod nominatim;
mod pace;
mod photon;
mod remembered;
mod settings;
mod sketch;
mod sketch_map;

use std::sync::Arc;

use roadcall_base::clock::Clock;
use roadcall_platform::settings::Environment;

pub use geocoder::{
    FoundPlace, Geocoder, MAX_PLACES, PlaceKind, PlaceQuery, PlacesError, PlacesStartError, RoundedPoint,
};
pub use nominatim::Nominatim;
pub use photon::Photon;
pub use remembered::{PlaceLimits, Remembered};
pub use settings::{PlaceProvider, PlaceSettings};
pub use sketch::SketchSearch;

/// Starts the place search that the settings name, if any. Makes no request.
pub fn start(
    places: &PlaceSettings,
    environment: Environment,
    clock: &Clock,
) -> Result<Option<Arc<dyn Geocoder>>, PlacesStartError> {
    Ok(match places.provider_in(environment) {
        PlaceProvider::None => None,
        PlaceProvider::Sketch => Some(Arc::new(SketchSearch::new()?)),
        PlaceProvider::Photon => Some(remembered(Arc::new(Photon::start(places)?), places, clock)),
        PlaceProvider::Nominatim => Some(remembered(Arc::new(Nominatim::start(places)?), places, clock)),
    })
}

fn remembered(asked: Arc<dyn Geocoder>, settings: &PlaceSettings, clock: &Clock) -> Arc<dyn Geocoder> {
    Arc::new(Remembered::new(asked, PlaceLimits::of(settings), clock.clone()))
}
