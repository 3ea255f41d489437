//! The parts that every transaction about payments shares: the locks, showing payments on jobs, and the steps after the
//! commit.
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

/// The outcome of applying an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The event is applied, now or before.
    Done,
    /// The event fits no payment; admins see it.
    Parked(ParkReason),
    /// The event is about an attempt that is not known yet: the gateway must be asked about the attempt first.
    AskGateway,
}

/// The announcements that a transaction makes after its commit. All its commands to jobs go through this, so that it
/// reads each job once, under its lock.
#[derive(Debug, Default)]
pub struct AfterCommit {
    /// The jobs as this transaction leaves them.
    jobs: BTreeMap<Uuid, Job>,
    /// The entries that the transaction adds to the logs of the jobs that it changes.
    changed: BTreeMap<Uuid, Vec<JobEventRow>>,
    pub has_refund: bool,
    /// Whether a receipt is to be mailed.
    pub has_mail: bool,
}

impl AfterCommit {
    /// Returns the announcements of a transaction that requests a refund.
    pub fn with_refund() -> Self {
        Self { has_refund: true, ..Self::default() }
    }

    /// Makes the announcements: the jobs' actors take over the committed changes, and the workers for refunds and mails
    /// are woken.
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

    /// Returns the job, locked until the transaction ends.
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

/// Locks a payment that was found without a lock, after the jobs that it is for.
pub async fn lock(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    found: &PaymentRow,
    after: &mut AfterCommit,
) -> ApiResult<PaymentRow> {
    // The jobs that a payment is for never change.
    for job in jobs_of(tx, found).await? {
        after.job(tx, context, job).await?;
    }
    queries::lock(tx, found.id).await?.ok_or_else(disappeared)
}

/// Locks a payment that was not read yet, as [`lock`] does.
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

/// Returns the jobs that a payment is for, in the order of their locks.
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

/// Closes an open payment: it can no longer be paid. With a `failure` it has failed, unless the gateway reported
/// otherwise. A capture that still comes is applied. The close is shown to the participants of its jobs among `locked`,
/// which the caller has locked: a payment for fees may be for other jobs too, which must not be locked this late.
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

/// Closes the job's open payment if its amount is not the amount due now. The job is locked.
pub async fn close_if_amount_changed(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    due: &JobDue,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    match queries::open_of_job(tx, due.job_id).await? {
        Some(open) if open.amount_paise != due.left_paise() => {
            close(tx, context, &open, None, &[due.job_id], after, at).await
        }
        Some(_) | None => Ok(()),
    }
}

/// Refuses with 409 money that the gateway reports in another currency than the payment's: none of it can be booked, so
/// the event fails, and admins see it.
pub fn check_currency(what: &str, reported: Option<&str>, ours: &str) -> ApiResult<()> {
    match reported {
        Some(reported) if reported != ours => {
            let message = format!("The gateway reports a {what} in {reported} of a payment in {ours}.");
            Err(ApiError::new(Code::Conflict, message))
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns the payment's ids for its customer's notification.
pub fn payment_of(payment: &PaymentRow) -> PaymentOf {
    PaymentOf { payment_id: payment.id, job_id: payment.job_id, customer_id: payment.customer_id }
}
