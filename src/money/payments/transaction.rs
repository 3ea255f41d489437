//! What every transaction about payments shares: the locks, in one order, what is shown on jobs, and what follows the commit.
//!
//! Locks are taken in one order: the jobs a payment is for, the payment, its refunds and earnings, the ledger.

use std::collections::{BTreeMap, btree_map::Entry};

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Actor, Command, Job};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    context::PaymentsContext,
    queries::{self, PaymentRow},
    state::ParkReason,
};
use crate::{
    accounting::dues::JobDue,
    jobs::{self, JobEventRow, log},
    notifications::PaymentOf,
    platform::error::{ApiError, ApiResult, Code},
};

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It is applied, now or before.
    Done,
    /// It fits no payment; admins see it.
    Parked(ParkReason),
    /// It is about an attempt that is not known yet: ask the gateway about that first.
    AskGateway,
}

/// What a transaction has to announce after its commit. All its commands to jobs go through this, so that it reads each job once,
/// under its lock.
#[derive(Debug, Default)]
pub struct AfterCommit {
    /// As this transaction leaves them.
    jobs: BTreeMap<Uuid, Job>,
    /// What it adds to the logs of those that it changes.
    changed: BTreeMap<Uuid, Vec<JobEventRow>>,
    pub has_refund: bool,
    /// A receipt is to be mailed.
    pub has_mail: bool,
}

impl AfterCommit {
    /// The transaction requests a refund.
    pub fn with_refund() -> Self {
        Self { has_refund: true, ..Self::default() }
    }

    /// Has the jobs' actors take over what was committed, and wakes the worker that sends refunds.
    pub async fn run(mut self, context: &PaymentsContext) {
        if self.has_refund {
            context.refund_wakeup.wake();
        }
        if self.has_mail {
            context.mails.wake();
        }
        for (id, entries) in self.changed {
            if let Some(job) = self.jobs.remove(&id) {
                log::adopt_committed(context, job, entries).await;
            }
        }
    }

    /// The job, locked until the transaction ends.
    pub async fn job(
        &mut self,
        tx: &mut PgConnection,
        context: &PaymentsContext,
        id: Uuid,
    ) -> ApiResult<&mut Job> {
        Ok(match self.jobs.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                unknown.insert(log::lock(tx, context, id).await.map_err(jobs::refused)?)
            }
        })
    }

    pub async fn command(
        &mut self,
        tx: &mut PgConnection,
        context: &PaymentsContext,
        id: Uuid,
        by: Actor,
        command: &Command,
        at: DateTime<Utc>,
    ) -> ApiResult<()> {
        let job = self.job(tx, context, id).await?;
        let (next, entry) =
            log::command_on(tx, context, job, by, command, at).await.map_err(jobs::refused)?;
        *job = next;
        self.changed.entry(id).or_default().extend(entry);
        Ok(())
    }
}

/// The payment that was found without a lock, now locked, after the jobs it is for.
pub async fn lock(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    found: &PaymentRow,
    after: &mut AfterCommit,
) -> ApiResult<PaymentRow> {
    // Which jobs a payment is for never changes.
    for job in jobs_of(tx, found).await? {
        after.job(tx, context, job).await?;
    }
    queries::lock(tx, found.id).await?.ok_or_else(disappeared)
}

/// As [`lock`], for a payment that was not read yet.
pub async fn lock_by_id(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    id: Uuid,
    after: &mut AfterCommit,
) -> ApiResult<PaymentRow> {
    let found = queries::find(&mut *tx, id).await?.ok_or_else(disappeared)?;
    lock(tx, context, &found, after).await
}

fn disappeared() -> ApiError {
    ApiError::internal("a payment has disappeared")
}

/// The jobs that a payment is for, in the order of their locks.
pub async fn jobs_of(tx: &mut PgConnection, payment: &PaymentRow) -> ApiResult<Vec<Uuid>> {
    match payment.job_id {
        Some(job) => Ok(vec![job]),
        None => {
            let fees = queries::fees_of(&mut *tx, &[payment.id]).await?;
            Ok(fees.into_iter().map(|fee| fee.job_id).collect())
        }
    }
}

/// Shows the payment's status to every participant of its jobs.
pub async fn show_on_jobs(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let jobs = jobs_of(tx, payment).await?;
    show_on_these(tx, context, payment, &jobs, after, at).await
}

async fn show_on_these(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    jobs: &[Uuid],
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    for job in jobs {
        let command = Command::NotePayment { payment_id: payment.id };
        after.command(tx, context, *job, Actor::System, &command, at).await?;
    }
    Ok(())
}

/// Closes an open payment: it can't be paid any more. With a `failure` it has failed, unless the gateway reported otherwise. A
/// capture that still comes is applied. Shown to the participants of its jobs among `locked`, which the caller has locked: a
/// payment for fees may be for other jobs too, which must not be locked this late.
pub async fn close(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    failure: Option<&str>,
    locked: &[Uuid],
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    if !queries::close(&mut *tx, payment.id, failure, at).await? {
        return Ok(());
    }
    let mut jobs = jobs_of(tx, payment).await?;
    jobs.retain(|job| locked.contains(job));
    show_on_these(tx, context, payment, &jobs, after, at).await
}

/// Closes the job's open payment if its amount is not what is due now. The job is locked.
pub async fn close_if_amount_changed(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    due: &JobDue,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    match queries::open_of_job(tx, due.job_id).await? {
        Some(open) if open.amount_paise != due.due_paise - due.paid_paise => {
            close(tx, context, &open, None, &[due.job_id], after, at).await
        }
        Some(_) | None => Ok(()),
    }
}

/// 409 if the gateway reports money in another currency than that of the payment: none of it can be booked, so the event fails,
/// and admins see it.
pub fn check_currency(what: &str, reported: Option<&str>, ours: &str) -> ApiResult<()> {
    match reported {
        Some(reported) if reported != ours => {
            let message = format!("The gateway reports a {what} in {reported} of a payment in {ours}.");
            Err(ApiError::new(Code::Conflict, message))
        }
        Some(_) | None => Ok(()),
    }
}

/// The payment, for its customer's notification.
pub fn payment_of(payment: &PaymentRow) -> PaymentOf {
    PaymentOf { payment_id: payment.id, job_id: payment.job_id, customer_id: payment.customer_id }
}
