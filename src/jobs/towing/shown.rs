//! A job's destination, as each reader may see it and as the engine knows it. Pure.

use std::sync::Arc;

use roadcall_actors::{
    geo::Point,
    job::state::{Destination, Receiver, Workshop},
};

use super::dto::JobDestination;
use crate::jobs::{coarsening, queries::JobRow, shown::ShownJob, viewer::Viewer};

/// Returns the destination as the viewer sees it. The mechanic needs the receiver's number only while the job is theirs.
pub fn destination(row: &ShownJob, viewer: Viewer) -> Option<JobDestination> {
    let shows_phone = viewer != Viewer::Mechanic || row.status.is_active();
    Some(JobDestination {
        address: row.destination_address.clone()?,
        lat: row.destination_lat?,
        lng: row.destination_lng?,
        workshop_id: row.destination_workshop_id,
        workshop_name: row.destination_workshop_name.clone(),
        receiver_name: row.receiver_name.clone(),
        receiver_phone: row.receiver_phone.clone().filter(|_| shows_phone),
        distance_m: row.destination_distance_m.unwrap_or_default(),
        duration_s: row.destination_duration_s.unwrap_or_default(),
        driven_m: row.destination_driven_m,
    })
}

/// Returns the row's destination for the engine.
pub fn engine_destination(row: &JobRow) -> Option<Arc<Destination>> {
    let whole =
        |number: Option<i32>| number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
    let workshop = row.destination_workshop_id.zip(row.destination_workshop_name.clone());
    Some(Arc::new(Destination {
        place: Point::new(row.destination_lat?, row.destination_lng?),
        address: row.destination_address.clone().unwrap_or_default(),
        workshop: workshop.map(|(id, name)| Workshop { id, name }),
        receiver: Receiver { name: row.receiver_name.clone(), phone: row.receiver_phone.clone() },
        distance_m: whole(row.destination_distance_m),
        duration_s: whole(row.destination_duration_s),
    }))
}

/// Removes from the destination everything that says exactly where the vehicle went, and to whom.
pub fn roughly(destination: JobDestination) -> JobDestination {
    JobDestination {
        address: coarsening::shortened(&destination.address),
        lat: coarsening::rounded(destination.lat),
        lng: coarsening::rounded(destination.lng),
        workshop_id: None,
        workshop_name: None,
        receiver_name: None,
        receiver_phone: None,
        ..destination
    }
}
