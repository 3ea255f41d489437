//! Writes rows into the server's database faster than any route, and reads their state at the end.

use std::time::{Duration, Instant};

use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use super::plan::Order;
use crate::{Failure, copies, people::Mechanic};

/// How long the inbox may take to empty.
const EMPTY_LIMIT: Duration = Duration::from_secs(300);
const LOOK: Duration = Duration::from_millis(20);

/// Copies a completed job, each mechanic's in turn, with the amounts due for it, and an order at the gateway for each. Their logs
/// are not copied.
pub async fn copy_with_orders(
    db: &PgPool,
    run: &str,
    like: Uuid,
    mechanics: &[Mechanic],
    count: usize,
) -> Result<Vec<Order>, Failure> {
    let (jobs, payments) = (copies::ids(count), copies::ids(count));
    let orders: Vec<String> = (0..count).map(|n| format!("order_{run}{n}")).collect();
    let mut tx = db.begin().await?;
    copies::of_job(&mut tx, like, &jobs).await?;
    let earners: Vec<&str> =
        mechanics.iter().map(|mechanic| &mechanic.profile_id[..]).cycle().take(count).collect();
    for set in [
        "update job_states set mechanic_profile_id = new.mechanic::uuid
        from unnest($1::uuid[], $2::text[]) as new (job_id, mechanic) where id = new.job_id",
        "update job_dues set mechanic_profile_id = new.mechanic::uuid
        from unnest($1::uuid[], $2::text[]) as new (job_id, mechanic) where job_dues.job_id = new.job_id",
    ] {
        sqlx::query(set).bind(&jobs).bind(&earners).execute(&mut *tx).await?;
    }
    // The orders expire after the run's end, so that nobody asks the gateway about them meanwhile.
    let amounts: Vec<i64> = sqlx::query_scalar(
        "insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, gateway,
            gateway_order_id, is_open, expires_at, asked_at, created_at, updated_at)
        select new.id, due.customer_id, 'job', new.job_id, 'online', 'created', due.due_paise, 'INR', 'sandbox',
            new.order_id, true, now() + interval '1 day', now() + interval '1 day', now(), now()
        from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (id, job_id, order_id)
            join job_dues due on due.job_id = new.job_id
        returning amount_paise",
    )
    .bind(&payments)
    .bind(&jobs)
    .bind(&orders)
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    sqlx::query("analyze").execute(db).await?;
    if amounts.len() != count {
        return Err(format!("{} of {count} orders were made", amounts.len()).into());
    }
    // All copies owe the same.
    let amount_paise = amounts[0];
    Ok(orders.into_iter().map(|id| Order { id, amount_paise }).collect())
}

/// Waits until no event is pending. Returns `None` where the limit was reached.
pub async fn until_empty(db: &PgPool) -> Result<Option<Instant>, Failure> {
    let end = Instant::now() + EMPTY_LIMIT;
    let is_pending = "select exists (select from webhook_events where status = 'pending')";
    while Instant::now() < end {
        if !sqlx::query_scalar::<_, bool>(is_pending).fetch_one(db).await? {
            return Ok(Some(Instant::now()));
        }
        sleep(LOOK).await;
    }
    Ok(None)
}

/// The state at the end of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct End {
    /// The run's orders whose payment is captured, and whose job is paid.
    pub captured: i64,
    pub paid: i64,
    /// The run's events that were stored, and that were processed.
    pub stored: i64,
    pub processed: i64,
    /// The number of tries that this took.
    pub attempts: i64,
}

pub async fn end(db: &PgPool, run: &str) -> Result<End, Failure> {
    Ok(sqlx::query_as(
        "select
            (select count(*) from payments where gateway_order_id like 'order_' || $1 || '%'
                and status = 'captured') as captured,
            (select count(*) from payments p join jobs j on j.id = p.job_id
                where p.gateway_order_id like 'order_' || $1 || '%' and j.status = 'paid') as paid,
            (select count(*) from webhook_events where event_id like 'evt_' || $1 || '%') as stored,
            (select count(*) from webhook_events where event_id like 'evt_' || $1 || '%'
                and status = 'processed') as processed,
            (select coalesce(sum(attempts), 0)::bigint from webhook_events
                where event_id like 'evt_' || $1 || '%') as attempts",
    )
    .bind(run)
    .fetch_one(db)
    .await?)
}
