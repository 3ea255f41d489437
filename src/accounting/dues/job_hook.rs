//! Books the dues that the end of a job creates, in the transaction that ends it.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::{FeeRow, FeeStatus, charge, queries};
use crate::platform::error::ApiResult;

/// Books the price of a completed job, or the fee of a cancelled one.
pub async fn book_dues(tx: &mut PgConnection, random: &Random, change: &JobChange) -> ApiResult<()> {
    let (job, at) = (&change.next, change.at);
    let mechanic = job.assignment().map(|assignment| assignment.mechanic_id.0);
    match (&change.event, mechanic) {
        (Event::Completed { final_price_paise, .. }, Some(mechanic)) => {
            let customer = job.spec.customer_id.0;
            Ok(queries::insert(tx, job.id.0, customer, mechanic, *final_price_paise, at).await?)
        }
        (Event::Cancelled { fee_paise, .. }, mechanic) if *fee_paise > 0 => {
            let fee = FeeRow {
                job_id: job.id.0,
                customer_id: job.spec.customer_id.0,
                mechanic_profile_id: mechanic,
                amount_paise: *fee_paise,
                status: FeeStatus::Due,
                is_contested: false,
                cancelled_at: at,
            };
            charge(tx, random, &fee, at).await
        }
        _ => Ok(()),
    }
}
