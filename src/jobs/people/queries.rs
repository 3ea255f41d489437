use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// The beginning of a statement that removes the people and the vehicle that jobs name.
macro_rules! unnamed {
    () => {
        "update job_facts set beneficiary_name = null, beneficiary_phone = null, vehicle_color = null,
            vehicle_registration_number = '', receiver_name = null, receiver_phone = null, log_names_customer = true
        where "
    };
}

/// Removes the people whom these jobs name, but not the organisation that ordered them. The logs are cleaned later and hide them until
/// then.
pub async fn forget_named(tx: &mut PgConnection, job_ids: &[Uuid]) -> Result<()> {
    sqlx::query(concat!(
        "with named as (",
        unnamed!(),
        "id = any((select $1)::uuid[]) returning id)
        update job_states state set received_by = null
        from named where state.id = named.id",
    ))
    .bind(job_ids)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes a customer and the people they named from their jobs. The logs are cleaned later and hide them until then.
pub async fn forget_customer(tx: &mut PgConnection, customer_id: Uuid) -> Result<()> {
    sqlx::query(concat!(
        "with named as (",
        unnamed!(),
        "customer_id = $1 returning id)
        update job_states state set customer_name = null, customer_phone = null, received_by = null
        from named where state.id = named.id",
    ))
    .bind(customer_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes a mechanic's name from every job that they were ever on. The logs are cleaned later and hide it until then.
pub async fn forget_mechanic(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> Result<()> {
    sqlx::query(
        "with named as (
            update job_facts set log_names_mechanics = array_append(log_names_mechanics, $1)
            where id = any(array(
                select id from job_states where mechanic_profile_id = $1
                union
                select job_id from job_events
                where kind = 'released' and data ->> 'mechanic_profile_id' = $1::uuid::text))
            returning id
        )
        update job_states state set mechanic_name = null
        from named where state.id = named.id and state.mechanic_profile_id = $1",
    )
    .bind(mechanic_profile_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Locks jobs whose logs name people who left, at most `limit`, so that these logs do not grow until the transaction ends.
/// Returns the jobs' ids.
pub async fn lock_named_in_log(tx: &mut PgConnection, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from jobs where log_names_customer or log_names_mechanics <> '{}'
        order by id limit $1 for no key update",
    )
    .bind(limit)
    .fetch_all(tx)
    .await
}

/// Removes people who left the service from the logs of these jobs.
pub async fn forget_in_logs(tx: &mut PgConnection, job_ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update job_events event
        set snapshot = snapshot_without_names(event.snapshot, job.log_names_customer, job.log_names_mechanics),
            replaced = replaced_without_names(event.replaced, job.log_names_customer, job.log_names_mechanics)
        from job_facts job
        where job.id = any($1) and event.job_id = job.id and (event.snapshot is not null or event.replaced <> '{}')",
    )
    .bind(job_ids)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "update job_facts set log_names_customer = false, log_names_mechanics = '{}' where id = any($1)",
    )
    .bind(job_ids)
    .execute(tx)
    .await
    .map(drop)
}
