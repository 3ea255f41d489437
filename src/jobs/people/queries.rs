use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// Takes what tells who a customer and the people they named are off their jobs, and off what the jobs' logs show.
pub async fn forget_customer(tx: &mut PgConnection, customer_id: Uuid) -> Result<()> {
    sqlx::query(
        "update job_events e set snapshot = e.snapshot || '{\"beneficiary_name\": null, \"beneficiary_phone\": null,
            \"customer_name\": null, \"customer_phone\": null, \"vehicle_color\": null, \"vehicle_registration_number\": \"\"}'
        from jobs j
        where j.id = e.job_id and j.customer_id = $1 and e.snapshot is not null",
    )
    .bind(customer_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "update jobs set beneficiary_name = null, beneficiary_phone = null, customer_name = null, customer_phone = null,
            vehicle_color = null, vehicle_registration_number = ''
        where customer_id = $1",
    )
    .bind(customer_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Takes a mechanic's name off the jobs that they were ever on, and off what the jobs' logs show.
pub async fn forget_mechanic(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> Result<()> {
    sqlx::query(
        "update job_events set snapshot = snapshot || '{\"mechanic_name\": null}'
        where snapshot ->> 'mechanic_profile_id' = $1::uuid::text and job_id in (
            select id from jobs where mechanic_profile_id = $1
            union
            select job_id from job_events where kind = 'released' and data ->> 'mechanic_profile_id' = $1::uuid::text)",
    )
    .bind(mechanic_profile_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("update jobs set mechanic_name = null where mechanic_profile_id = $1")
        .bind(mechanic_profile_id)
        .execute(tx)
        .await
        .map(drop)
}
