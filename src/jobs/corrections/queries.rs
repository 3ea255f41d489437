use roadcall_actors::job::state::{DetailChanges, Job, NewTime};
use sqlx::{PgConnection, Result};

/// Writes a correction; the row advances in the same transaction.
pub async fn correct(
    tx: &mut PgConnection,
    job: &Job,
    changes: &DetailChanges,
    time: Option<NewTime>,
) -> Result<()> {
    let (spec, contact) = (&job.spec, changes.contact.as_ref());
    sqlx::query(
        "update job_facts set pickup_address = coalesce($2, pickup_address),
            description = case when $3 then $4 else description end,
            photo_urls = coalesce($5, photo_urls),
            beneficiary_name = case when $6 then $7 else beneficiary_name end,
            beneficiary_phone = case when $6 then $8 else beneficiary_phone end,
            contact_preference = coalesce($9, contact_preference),
            pickup_lat = $10, pickup_lng = $11, travel_price_paise = $12, estimated_price_paise = $13,
            corrections = $14, original_pickup_lat = $15, original_pickup_lng = $16,
            scheduled_for = case when $17 then $18 else scheduled_for end, begin_at = $19
        where id = $1",
    )
    .bind(job.id.0)
    .bind(&changes.pickup_address)
    .bind(changes.description.is_some())
    .bind(changes.description.as_ref().and_then(Option::as_ref))
    .bind(&changes.photo_urls)
    .bind(contact.is_some())
    .bind(contact.and_then(|contact| contact.beneficiary_name.as_ref()))
    .bind(contact.and_then(|contact| contact.beneficiary_phone.as_ref()))
    .bind(contact.map(|contact| &contact.preference))
    .bind(spec.pickup.lat)
    .bind(spec.pickup.lng)
    .bind(spec.travel_price_paise)
    .bind(spec.estimated_price_paise())
    .bind(i32::try_from(job.corrections).unwrap_or(i32::MAX))
    .bind(job.moved_from.map(|point| point.lat))
    .bind(job.moved_from.map(|point| point.lng))
    .bind(time.is_some())
    .bind(time.and_then(|time| time.scheduled_for))
    .bind(spec.begin_at)
    .execute(tx)
    .await
    .map(drop)
}
