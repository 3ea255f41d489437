//! The destination that a customer or a mechanic chose, and the way there.

use roadcall_actors::{
    geo::Point,
    job::state::{Destination, Receiver, Workshop},
};

use super::chosen::Chosen;
use crate::{
    catalogue::{
        categories::{CategoryRow, DestinationRule},
        workshops,
    },
    fleet::eta::Haul,
    http::ValidationErrors,
    jobs::context::JobsContext,
    platform::error::{ApiError, ApiResult},
};

/// A destination, and the way there.
#[derive(Debug, Clone, PartialEq)]
pub struct Hauled {
    pub place: Point,
    pub address: String,
    pub workshop: Option<Workshop>,
    pub haul: Haul,
}

impl Hauled {
    pub fn destination(self, receiver: Receiver) -> Destination {
        let Self { place, address, workshop, haul } = self;
        let Haul { distance_m, duration_s, .. } = haul;
        Destination { place, address, workshop, receiver, distance_m, duration_s }
    }
}

/// Checks whether a job of this category may, and must, have a destination.
pub fn fits(category: &CategoryRow, is_given: bool) -> ApiResult<()> {
    let mut faults = ValidationErrors::default();
    match (category.destination, is_given) {
        (DestinationRule::Required, false) => faults.add("destination", "is required for this kind of help"),
        (DestinationRule::NotTaken, true) => {
            faults.add("destination", "can't be given: this kind of help is given where the vehicle is");
        }
        (DestinationRule::Required | DestinationRule::Optional, true)
        | (DestinationRule::Optional | DestinationRule::NotTaken, false) => {}
    }
    faults.into_result()
}

/// Returns the chosen destination with the way from the pickup, or the fault.
pub async fn haul(context: &JobsContext, pickup: Point, chosen: Chosen) -> ApiResult<Hauled> {
    let (place, address, workshop) = match chosen {
        Chosen::Place { address, place } => (place, address, None),
        Chosen::Workshop(id) => {
            let row = workshops::find_active(&context.db, id).await?;
            let unknown =
                || ApiError::invalid("destination.workshop_id", "is not a workshop that can be chosen");
            let row = row.ok_or_else(unknown)?;
            (Point::new(row.lat, row.lng), row.address, Some(Workshop { id: row.id, name: row.name }))
        }
    };
    // No router is asked for the way to the other end of the world.
    check_distance(context, pickup.distance_m(place))?;
    let haul = context.etas.haul(pickup, place, context.clock.now()).await;
    let no_way = || ApiError::invalid("destination", "can't be reached from the pickup by road");
    let haul = haul.ok_or_else(no_way)?;
    check_distance(context, f64::from(haul.distance_m))?;
    Ok(Hauled { place, address, workshop, haul })
}

fn check_distance(context: &JobsContext, distance_m: f64) -> ApiResult<()> {
    let most_km = context.job_settings.max_destination_km;
    if distance_m <= most_km * 1000.0 {
        return Ok(());
    }
    let why = format!("is {:.0} km from the pickup; at most {most_km} km are possible", distance_m / 1000.0);
    Err(ApiError::invalid("destination", why))
}
