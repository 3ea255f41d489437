use roadcall_actors::job::state::Destination;
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// Stores how far the vehicle was towed; the row advances in the same transaction.
pub async fn set_driven(tx: &mut PgConnection, job_id: Uuid, driven_m: Option<i32>) -> Result<()> {
    sqlx::query("update job_facts set destination_driven_m = $2 where id = $1")
        .bind(job_id)
        .bind(driven_m)
        .execute(tx)
        .await
        .map(drop)
}

/// Sets the job's destination, or removes it with `None`; the row advances in the same transaction.
pub async fn set_destination(
    tx: &mut PgConnection,
    job_id: Uuid,
    destination: Option<&Destination>,
) -> Result<()> {
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let workshop = destination.and_then(|destination| destination.workshop.as_ref());
    sqlx::query(
        "update job_facts set destination_address = $2, destination_lat = $3, destination_lng = $4,
            destination_workshop_id = $5, destination_workshop_name = $6, destination_distance_m = $7,
            destination_duration_s = $8, receiver_name = $9, receiver_phone = $10
        where id = $1",
    )
    .bind(job_id)
    .bind(destination.map(|destination| &destination.address))
    .bind(destination.map(|destination| destination.place.lat))
    .bind(destination.map(|destination| destination.place.lng))
    .bind(workshop.map(|workshop| workshop.id))
    .bind(workshop.map(|workshop| &workshop.name))
    .bind(destination.map(|destination| int(destination.distance_m)))
    .bind(destination.map(|destination| int(destination.duration_s)))
    .bind(destination.and_then(|destination| destination.receiver.name.as_ref()))
    .bind(destination.and_then(|destination| destination.receiver.phone.as_ref()))
    .execute(tx)
    .await
    .map(drop)
}
