//! Records attempts that leave their payments as they are, such as a second failure, several by one statement.

mod queries;

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use uuid::Uuid;

pub use queries::AttemptNote;

use super::{
    queries::ReportedPayment,
    writing::{NoAnswer, answered},
};
use crate::{
    money::payments::state::Transition,
    platform::{
        db::{Db, WORTH_ANOTHER, WriteQueue},
        error::{ApiError, ApiResult},
    },
    providers::gateway::Attempt,
};

/// About what the arguments for an attempt take, at most.
const ATTEMPT_BYTES: usize = 2_000;

/// The outcome for an attempt: false if it surely was not recorded.
type Outcome = Result<bool, NoAnswer>;

/// Records attempts. Those that arrive during a write are written together afterwards. All clones share the queue.
#[derive(Debug, Clone)]
pub struct AttemptWriter(WriteQueue<Arc<AttemptNote>, Outcome>);

impl AttemptWriter {
    /// Writes on the current runtime, which has to outlive the callers.
    pub fn new(db: Db) -> Self {
        Self(WriteQueue::new("attempt", WORTH_ANOTHER, move |notes: Vec<Arc<AttemptNote>>| {
            let db = db.clone();
            async move { Ok(write_together(&db, &notes).await) }.boxed()
        }))
    }

    /// Records an attempt, and settles the events that report it. Returns false if a transaction has to decide. Without an answer of the
    /// database the outcome is unknown.
    pub async fn write(&self, note: AttemptNote) -> ApiResult<bool> {
        let written = self.0.write(Arc::new(note), ATTEMPT_BYTES).await;
        let written =
            written.map_err(|_| ApiError::outcome_unknown("the write of an attempt was interrupted"))?;
        written.map_err(ApiError::outcome_unknown)
    }
}

impl AttemptNote {
    /// Returns the note of an attempt that changes nothing but its own status, with the events that report it; `None` for any other attempt.
    pub fn decide(
        reported: &ReportedPayment,
        attempt: &Attempt,
        events: &[Uuid],
        at: DateTime<Utc>,
    ) -> Option<Self> {
        let payment = &reported.found.payment;
        let Transition::Record { payment: status, .. } = reported.state().after(attempt) else { return None };
        (status == payment.status).then(|| Self {
            payment_id: payment.id,
            status,
            updated_before: payment.updated_at,
            attempt: attempt.clone(),
            events: events.to_vec(),
            at,
        })
    }
}

/// Records attempts by one statement, of each payment and each attempt only the first note. An error of the database rolls all of them back.
async fn write_together(db: &Db, notes: &[Arc<AttemptNote>]) -> Vec<Outcome> {
    let (mut payments, mut attempts) = (HashSet::new(), HashSet::new());
    let is_first =
        notes.iter().map(|note| payments.insert(note.payment_id) && attempts.insert(&note.attempt.id));
    let is_first: Vec<bool> = is_first.collect();
    let first = notes.iter().zip(&is_first).filter_map(|(note, is_first)| is_first.then_some(&**note));
    let written = match write_first(db, &first.collect::<Vec<_>>()).await {
        Ok(written) => written,
        Err(why) => return vec![Err(why); notes.len()],
    };
    let outcome =
        |(note, is_first): (&Arc<AttemptNote>, bool)| Ok(is_first && written.contains(&note.payment_id));
    notes.iter().zip(is_first).map(outcome).collect()
}

/// Returns the payments whose attempts are recorded.
async fn write_first(db: &Db, notes: &[&AttemptNote]) -> Result<Vec<Uuid>, NoAnswer> {
    let Ok(mut connection) = db.acquire_to_write().await else { return Ok(Vec::new()) };
    let written = queries::record(&mut connection, notes).await;
    answered(connection.ended(written), notes.len())
}
