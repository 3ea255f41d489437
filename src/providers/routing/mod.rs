//! Routers: how long a way takes over the road network, and along which roads it leads. The default asks none: the engine's straight line
//! (`roadcall_actors::eta`) is what everything falls back to.

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
