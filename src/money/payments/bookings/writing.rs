//! Writes bookings together, and informs everybody who follows their jobs.

use std::{collections::HashSet, sync::Arc};

use futures_util::FutureExt;

use super::queries::{self, PaymentBooking};
use crate::{
    jobs::{JobRow, JobsContext, RememberedJob, log},
    money::payments::queries::PaymentRow,
    platform::{
        db::{Db, WORTH_ANOTHER, WriteQueue},
        error::{ApiError, ApiResult, was_rolled_back},
    },
};

/// More than the arguments for a payment take.
const PAYMENT_BYTES: usize = 1_000;

/// The outcome of a booking: the row of its job, or `None` if it was surely not written.
type Outcome = Result<Option<Box<JobRow>>, NoAnswer>;

/// The booking may have been written.
#[derive(Debug, Clone, thiserror::Error)]
#[error("no answer to a write: {0}")]
pub(super) struct NoAnswer(String);

/// Writes bookings. Those that arrive during a write are written together afterwards. All clones share the queue.
#[derive(Debug, Clone)]
pub struct BookingWriter(WriteQueue<Arc<PaymentBooking>, Outcome>);

impl BookingWriter {
    /// Writes on the current runtime, which has to outlive the callers.
    pub fn new(db: Db) -> Self {
        Self(WriteQueue::new("booking", WORTH_ANOTHER, move |bookings: Vec<Arc<PaymentBooking>>| {
            let db = db.clone();
            async move { Ok(write_together(&db, &bookings).await) }.boxed()
        }))
    }
}

/// Writes a booking, and informs everybody who follows its job. Returns the payment as it is then, or `None` if nothing was written.
/// Without an answer of the database the outcome is unknown.
pub async fn write(
    context: &JobsContext,
    writer: &BookingWriter,
    booking: PaymentBooking,
) -> ApiResult<Option<PaymentRow>> {
    let booking = Arc::new(booking);
    let noted = context.remembered.begin(booking.job_id());
    let bytes = PAYMENT_BYTES + booking.steps.bytes();
    // Unless the change is ended, it may still happen.
    let written = writer.0.write(booking.clone(), bytes).await;
    let written = written.map_err(|_| ApiError::outcome_unknown("the booking was interrupted"))?;
    match written.map_err(ApiError::outcome_unknown)? {
        Some(row) => {
            noted.end(Some(RememberedJob::from((*row).clone())));
            log::adopt_steps(context, &booking.steps, *row).await;
            Ok(Some(booking.after.clone()))
        }
        None => {
            noted.end(None::<RememberedJob>);
            Ok(None)
        }
    }
}

/// Writes bookings by one statement, of each job only the first. An error of the database rolls all of them back.
async fn write_together(db: &Db, bookings: &[Arc<PaymentBooking>]) -> Vec<Outcome> {
    let mut jobs = HashSet::new();
    let are_first: Vec<bool> = bookings.iter().map(|booking| jobs.insert(booking.job_id())).collect();
    let first =
        bookings.iter().zip(&are_first).filter_map(|(booking, is_first)| is_first.then_some(&**booking));
    let mut rows = match write_first(db, &first.collect::<Vec<_>>()).await {
        Ok(rows) => rows,
        Err(NoAnswer(why)) => return vec![Err(NoAnswer(why)); bookings.len()],
    };
    let outcome = |(booking, is_first): (&Arc<PaymentBooking>, &bool)| {
        let place = rows.iter().position(|row| *is_first && row.id == booking.job_id());
        Ok(place.map(|place| Box::new(rows.swap_remove(place))))
    };
    bookings.iter().zip(&are_first).map(outcome).collect()
}

/// Returns the rows of the jobs whose bookings are written.
async fn write_first(db: &Db, bookings: &[&PaymentBooking]) -> Result<Vec<JobRow>, NoAnswer> {
    let Ok(mut connection) = db.acquire_to_write().await else { return Ok(Vec::new()) };
    let written = queries::book(&mut connection, bookings).await;
    answered(connection.ended(written), bookings.len())
}

/// Returns what so many bookings wrote: nothing if an error rolled all of them back.
pub(super) fn answered<T>(written: sqlx::Result<Vec<T>>, count: usize) -> Result<Vec<T>, NoAnswer> {
    match written {
        Ok(rows) => Ok(rows),
        Err(error) if was_rolled_back(&error) => {
            tracing::debug!(%error, count, "changes that failed together are decided one by one");
            Ok(Vec::new())
        }
        Err(error) => Err(NoAnswer(error.to_string())),
    }
}
