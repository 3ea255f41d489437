//! The one door through which a payment moves: webhook, verification and reconciler all bring their word here, and
//! each word may come in any order and any number of times.
//!
//! Locks are taken in one order: the jobs a payment is for, the payment, its refunds and earnings, the ledger.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Actor, Command, Status};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::Channel,
    earnings::{self, Earned},
    queries::{self, PaymentRow},
    refunds,
    state::{Known, Move, ParkReason, PaymentStatus},
};
use crate::accounting::dues::{self, FeeStatus, FreeRow};
use crate::{
    accounting::ledger::{self, Account, Entry, EntryKind},
    jobs::{self, log},
    money::payments::PaymentsContext,
    notifications::{self, Happening, PaymentOf},
    platform::error::{ApiError, ApiResult, commit_error},
    providers::gateway::{Attempt, AttemptStatus},
};

/// What a word came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It was taken, now or before.
    Taken,
    /// It fits nothing of ours; admins see it.
    Parked(ParkReason),
    /// It speaks of an attempt that was not heard of: the gateway must be asked first.
    AskFirst,
}

/// Who must be told after the commit.
#[derive(Debug, Default)]
pub struct Touched {
    pub jobs: BTreeSet<Uuid>,
    pub has_refund: bool,
}

impl Touched {
    /// After the commit: watchers are woken, and so is whoever makes refunds.
    pub async fn tell(self, context: &PaymentsContext) {
        if self.has_refund {
            context.money.refunds.notify_one();
        }
        for job in self.jobs {
            log::notify_committed(context, job).await;
        }
    }
}

/// A word about an attempt to pay.
pub async fn hear_attempt(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    heard: &Attempt,
    touched: &mut Touched,
) -> ApiResult<Heard> {
    let at = context.clock.now();
    let found = match &heard.order_id {
        Some(order_id) => queries::by_order(&mut *tx, order_id).await?,
        None => queries::by_attempt(&mut *tx, &heard.id).await?,
    };
    let Some(payment) = found else {
        return match heard.status {
            // No money moved.
            AttemptStatus::Created | AttemptStatus::Failed => Ok(Heard::Taken),
            AttemptStatus::Authorized | AttemptStatus::Captured | AttemptStatus::Refunded => {
                queries::park(tx, heard, None, ParkReason::UnknownOrder, at).await?;
                Ok(Heard::Parked(ParkReason::UnknownOrder))
            }
        };
    };
    // Most words are known: those need no lock.
    if known(tx, &payment).await?.weigh(heard) == Move::Nothing {
        return Ok(Heard::Taken);
    }
    let payment = lock(tx, context, payment.id).await?;
    match known(tx, &payment).await?.weigh(heard) {
        Move::Nothing => Ok(Heard::Taken),
        Move::Park(reason) => {
            queries::park(tx, heard, Some(payment.id), reason, at).await?;
            Ok(Heard::Parked(reason))
        }
        Move::Record { payment: status, .. } => {
            queries::save_attempt(tx, payment.id, heard, at).await?;
            if status != payment.status {
                let (method, failure) = (heard.method.as_deref(), heard.error.as_deref());
                queries::set_status(tx, payment.id, status, method, failure, at).await?;
                if status == PaymentStatus::Failed {
                    notifications::note(tx, &context.random, Happening::PaymentFailed(of(&payment)), at)
                        .await?;
                }
                note(tx, context, &payment, touched, at).await?;
            }
            Ok(Heard::Taken)
        }
        Move::Capture => {
            queries::save_attempt(tx, payment.id, heard, at).await?;
            capture(tx, context, &payment, By::Gateway(heard), touched, at).await?;
            Ok(Heard::Taken)
        }
    }
}

async fn known(tx: &mut PgConnection, payment: &PaymentRow) -> ApiResult<Known> {
    let rows = queries::attempts(tx, payment.id).await?;
    Ok(Known {
        amount_paise: payment.amount_paise,
        currency: payment.currency.clone(),
        status: payment.status,
        captured_attempt: payment.gateway_payment_id.clone(),
        attempts: rows.into_iter().map(|row| (row.gateway_payment_id, row.status)).collect(),
    })
}

/// The payment, locked, after the jobs it is for.
pub(super) async fn lock(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    id: Uuid,
) -> ApiResult<PaymentRow> {
    let gone = || ApiError::internal("a payment is gone");
    let payment = queries::find(&mut *tx, id).await?.ok_or_else(gone)?;
    for job in jobs_of(tx, &payment).await? {
        log::lock(tx, context, job).await.map_err(jobs::refused)?;
    }
    queries::lock(tx, id).await?.ok_or_else(gone)
}

/// The jobs that a payment is for, in the order of their locks.
pub(super) async fn jobs_of(tx: &mut PgConnection, payment: &PaymentRow) -> ApiResult<Vec<Uuid>> {
    match payment.job_id {
        Some(job) => Ok(vec![job]),
        None => {
            let fees = queries::fees_of(&mut *tx, &[payment.id]).await?;
            Ok(fees.into_iter().map(|fee| fee.job_id).collect())
        }
    }
}

/// Every participant of the jobs is shown how the payment stands.
pub(super) async fn note(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let jobs = jobs_of(tx, payment).await?;
    note_at(tx, context, payment, &jobs, touched, at).await
}

async fn note_at(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    jobs: &[Uuid],
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    for job in jobs {
        let command = Command::NotePayment { payment_id: payment.id };
        log::command(tx, context, *job, Actor::System, &command, at).await.map_err(jobs::refused)?;
        touched.jobs.insert(*job);
    }
    Ok(())
}

/// An open payment can't be paid any more; with a `failure` it has failed, where nothing was heard of it. A capture that
/// comes all the same is taken. Shown to the participants of its jobs among `locked`, which the caller has locked: one
/// for fees may be for others too, whose locks would be out of order by now.
pub(super) async fn close(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    failure: Option<&str>,
    locked: &[Uuid],
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    if !queries::close(&mut *tx, payment.id, failure, at).await? {
        return Ok(());
    }
    let mut jobs = jobs_of(tx, payment).await?;
    jobs.retain(|job| locked.contains(job));
    note_at(tx, context, payment, &jobs, touched, at).await
}

/// Closes the job's open payment if it is for another sum than what is due by now. The job is locked.
pub(super) async fn close_unfit(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let Some(due) = dues::find(&mut *tx, job_id).await? else { return Ok(()) };
    match queries::open_of_job(tx, job_id).await? {
        Some(open) if open.amount_paise != due.due_paise - due.paid_paise => {
            close(tx, context, &open, None, &[job_id], touched, at).await
        }
        Some(_) | None => Ok(()),
    }
}

/// Closes the customer's open payment for fees if one of them was settled otherwise. These jobs are locked.
async fn close_unfit_fees(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    customer_id: Uuid,
    locked: &[Uuid],
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    match queries::open_for_fees(tx, customer_id).await? {
        Some(open) if queries::has_settled_fee(tx, open.id).await? => {
            close(tx, context, &open, None, locked, touched, at).await
        }
        Some(_) | None => Ok(()),
    }
}

/// A payment, as its customer is told of it.
pub(super) fn of(payment: &PaymentRow) -> PaymentOf {
    PaymentOf { payment_id: payment.id, job_id: payment.job_id, customer_id: payment.customer_id }
}

/// Who says that the money is here.
#[derive(Debug, Clone, Copy)]
pub(super) enum By<'a> {
    Gateway(&'a Attempt),
    /// In cash, by whoever confirmed last.
    Party(Actor),
}

/// The money is here, online or in cash: it pays what is due, and whatever is beyond is given
/// back by itself. The payment and its jobs are locked.
pub(super) async fn capture(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    by: By<'_>,
    touched: &mut Touched,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let (attempt, actor) = match by {
        By::Gateway(attempt) => (Some(attempt), Actor::System),
        By::Party(actor) => (None, actor),
    };
    let (applied_paise, mut postings) = match payment.job_id {
        Some(job_id) => apply_to_job(tx, context, payment, job_id, at).await?,
        None => apply_to_fees(tx, context, payment, at).await?,
    };
    let surplus_paise = payment.amount_paise - applied_paise;
    let is_online = attempt.is_some();
    if is_online {
        postings.push((Account::GatewayClearing, -payment.amount_paise));
        postings.push((Account::Refunds, surplus_paise));
    }
    queries::capture(tx, payment.id, attempt, applied_paise, at).await?;
    if is_online && surplus_paise > 0 {
        refunds::give_surplus_back(tx, context, payment.id, surplus_paise, at).await?;
        touched.has_refund = true;
    }
    // Captured: what follows reads it so.
    note(tx, context, payment, touched, at).await?;
    match payment.job_id {
        Some(job_id) => {
            // Another may have been made since this one was closed.
            close_unfit(tx, context, job_id, touched, at).await?;
            pay_job(tx, context, job_id, actor, at).await?;
        }
        None => {
            let paid = jobs_of(tx, payment).await?;
            close_unfit_fees(tx, context, payment.customer_id, &paid, touched, at).await?;
        }
    }
    if !matches!(actor, Actor::Customer(_)) {
        notifications::note(tx, &context.random, Happening::PaymentCaptured(of(payment)), at).await?;
    }
    let kind = if is_online { EntryKind::Capture } else { EntryKind::Cash };
    let entry =
        Entry { kind, key: format!("{kind}:{}", payment.id), job_id: payment.job_id, note: None, postings };
    if ledger::post(tx, &context.random, at, entry).await? {
        Ok(())
    } else {
        Err(ApiError::internal(format!("payment {} was booked before", payment.id)))
    }
}

async fn apply_to_job(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    job_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<(i64, Vec<(Account, i64)>)> {
    let due = dues::find(&mut *tx, job_id).await?;
    let mut due = due.ok_or_else(|| ApiError::internal("a job is paid that owes nothing"))?;
    let applied = payment.amount_paise.min(due.due_paise - due.paid_paise);
    if applied == 0 {
        return Ok((0, Vec::new()));
    }
    due.paid_paise += applied;
    dues::set(tx, &due, at).await?;
    let earned = Earned {
        payment_id: payment.id,
        job_id,
        mechanic_profile_id: Some(due.mechanic_profile_id),
        is_fee: false,
        is_cash: payment.channel == Channel::Cash,
        gross_paise: applied,
    };
    Ok((applied, earnings::credit(tx, context, earned, at).await?))
}

async fn apply_to_fees(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    at: DateTime<Utc>,
) -> ApiResult<(i64, Vec<(Account, i64)>)> {
    let paid = queries::fees_of(&mut *tx, &[payment.id]).await?;
    let jobs: Vec<Uuid> = paid.iter().map(|fee| fee.job_id).collect();
    let (mut applied, mut postings) = (0, Vec::new());
    // One that was paid or waived meanwhile is surplus.
    let due = dues::lock_fees(tx, &jobs).await?;
    for fee in due.into_iter().filter(|fee| fee.status == FeeStatus::Due) {
        dues::settle_fee(tx, fee.job_id, FeeStatus::Paid, at).await?;
        applied += fee.amount_paise;
        let earned = Earned {
            payment_id: payment.id,
            job_id: fee.job_id,
            mechanic_profile_id: fee.mechanic_profile_id,
            is_fee: true,
            is_cash: false,
            gross_paise: fee.amount_paise,
        };
        postings.extend(earnings::credit(tx, context, earned, at).await?);
        postings.push((Account::FeesReceivable, fee.amount_paise));
        postings.push((Account::FeesUnearned, -fee.amount_paise));
    }
    Ok((applied, postings))
}

/// Jobs that cost nothing have nothing to wait for: they are paid. One that fails stops no other, and is tried again in
/// the next round.
pub(super) async fn settle_free(context: &PaymentsContext, at_once: i64) -> ApiResult<()> {
    let mut last: Option<FreeRow> = None;
    loop {
        let free = dues::free(&context.db, last.as_ref(), at_once).await?;
        for job in &free {
            if let Err(error) = settle_one_free(context, job.job_id).await {
                error.log();
                tracing::warn!(job.id = %job.job_id, %error, "a job that costs nothing was not settled");
            }
        }
        if (free.len() as i64) < at_once {
            return Ok(());
        }
        last = free.last().copied();
    }
}

async fn settle_one_free(context: &PaymentsContext, job_id: Uuid) -> ApiResult<()> {
    let at = context.clock.now();
    let mut tx = context.db.begin().await?;
    pay_job(&mut tx, context, job_id, Actor::System, at).await?;
    if let Some(due) = dues::find(&mut *tx, job_id).await? {
        dues::set(&mut tx, &due, at).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, job_id).await;
    Ok(())
}

/// Completed and paid in full is paid. A disputed job stays so: what was captured moved the money alone.
async fn pay_job(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job_id: Uuid,
    by: Actor,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let job = log::lock(tx, context, job_id).await.map_err(jobs::refused)?;
    let due = dues::find(&mut *tx, job_id).await?;
    let is_settled = due.is_some_and(|due| due.paid_paise == due.due_paise);
    if is_settled && job.status() == Status::Completed {
        log::command(tx, context, job_id, by, &Command::Pay, at).await.map_err(jobs::refused)?;
    }
    Ok(())
}
