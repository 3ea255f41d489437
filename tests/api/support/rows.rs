//! Rows that a test needs and no route of the area under test can make.

use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{bodies::FLAT_TYRE, within};

/// A job for a vehicle (as `POST /vehicles` showed it) in the seeded category, with the status given.
pub async fn insert_job(db: &mut PgConnection, vehicle: &Value, status: &str) -> Uuid {
    insert_job_in(db, vehicle, FLAT_TYRE, status).await
}

/// As [`insert_job`], in another category.
pub async fn insert_job_in(db: &mut PgConnection, vehicle: &Value, category: &str, status: &str) -> Uuid {
    let uuid = |value: &Value| value.as_str().expect("an id").parse::<Uuid>().expect("a UUID");
    sqlx::query_scalar(
        "insert into jobs (id, customer_id, vehicle_id, vehicle_type, service_category_id, status, version, seq,
            pickup_address, pickup_lat, pickup_lng, contact_preference, urgency, begin_at, base_price_paise,
            travel_price_paise, estimated_price_paise, created_at, updated_at)
        values (gen_random_uuid(), $1, $2, 'four_wheeler', $3, $4, 1, 1, 'MG Road', 12.97, 77.59, 'booker',
            'normal', now(), 29900, 0, 29900, now(), now())
        returning id",
    )
    .bind(uuid(&vehicle["user_id"]))
    .bind(uuid(&vehicle["id"]))
    .bind(category.parse::<Uuid>().expect("a UUID"))
    .bind(status)
    .fetch_one(db)
    .await
    .expect("a job is inserted")
}

/// Moves a job to a status, whatever the rules say.
pub async fn set_job_status(db: &PgPool, job: Uuid, status: &str) {
    let update = sqlx::query("update jobs set status = $2 where id = $1").bind(job).bind(status);
    update.execute(db).await.expect("the job is updated");
}

/// Waits until some statement waits for a lock.
pub async fn until_blocked(db: &PgPool) {
    let is_blocked = || {
        sqlx::query_scalar::<_, bool>(
            "select exists (select 1 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock')",
        )
        .fetch_one(db)
    };
    within("a statement waits for a lock", async { while !is_blocked().await.expect("an answer") {} }).await;
}
