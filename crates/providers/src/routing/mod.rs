//! Routers: how long a route takes over the road network, and which roads it follows. By default there is no router: the engine's
//! straight line (`roadcall_base::geo`) is the fallback for everything.

mod ahead;
mod answer;
mod cells;
mod line;
mod osrm;
mod plan;
mod routed;
mod router;
mod valhalla;

pub use ahead::{AheadLimits, TripId};
pub use line::{length_m, without_end};
pub use osrm::Osrm;
pub use routed::{Limits, Routed};
pub use router::{Durations, Reach, Road, Router, RoutingError};
pub use valhalla::Valhalla;
