//! A destination as it was chosen. Pure data.

use roadcall_actors::geo::Point;
use uuid::Uuid;

/// A destination as it was chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Chosen {
    Workshop(Uuid),
    Place { address: String, place: Point },
}
