//! Applies the gateway's reports about a payment. Webhooks, verification and the reconciler all end here, in any order
//! and any number of times.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::{Actor, Command, Status};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    attempts,
    bookings::{self, AttemptNote},
    context::PaymentsContext,
    dto::Channel,
    duplicates,
    earnings::{self, Earned},
    parked::queries::park,
    queries::{self, PaymentRow},
    receipt::letter,
    refunds,
    state::{self, ParkReason, PaymentState, PaymentStatus, Transition},
    transaction::{
        AfterCommit, Applied, close, close_if_amount_changed, jobs_of, lock, payment_of, show_on_jobs,
    },
};
use crate::{
    accounting::{
        dues::{self, FeeRow, FeeStatus, JobDue},
        ledger::{self, Account, EntryKind, LedgerEntry},
    },
    notifications::{self, DomainEvent},
    platform::error::{ApiError, ApiResult},
    providers::gateway::{Attempt, AttemptStatus},
};

/// The result of applying the state of an attempt without a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppliedAtOnce {
    /// This state, or a later one, was applied before. Most messages of the gateway bring nothing new.
    Before,
    /// The attempt is recorded, with the capture or the status that follows from it, and the events are settled.
    Now,
    /// A transaction has to decide.
    Not,
}

/// Applies the state of an attempt to pay by one statement, which also settles these events. It records the attempt, captures an open
/// payment or moves the payment's status; everything else is left to a transaction.
pub async fn apply_at_once(
    context: &PaymentsContext,
    attempt: &Attempt,
    events: Vec<Uuid>,
) -> ApiResult<AppliedAtOnce> {
    let Some(order_id) = &attempt.order_id else { return Ok(AppliedAtOnce::Not) };
    let key = (order_id.clone(), attempt.id.clone());
    let reported = context.reports.get(key).await.map_err(|why| ApiError::unavailable(why.to_string()))?;
    let Some(reported) = reported else { return Ok(AppliedAtOnce::Not) };
    if reported.attempt_status.is_some_and(|before| state::is_old(before, attempt.status)) {
        return Ok(AppliedAtOnce::Before);
    }
    if let Some(note) = AttemptNote::decide(&reported, attempt, &events, context.clock.now()) {
        let is_written = context.attempts.write(note).await?;
        return Ok(if is_written { AppliedAtOnce::Now } else { AppliedAtOnce::Not });
    }
    let booking = match attempt.status {
        AttemptStatus::Captured => bookings::reported_capture(context, &reported, attempt, events).await?,
        _ => bookings::reported_status(context, &reported, attempt, events).await,
    };
    let Some(booking) = booking else { return Ok(AppliedAtOnce::Not) };
    let written = bookings::write(context, &context.bookings, booking).await?;
    Ok(if written.is_some() { AppliedAtOnce::Now } else { AppliedAtOnce::Not })
}

/// Applies the state of an attempt to pay.
pub async fn apply_attempt(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    attempt: &Attempt,
    after: &mut AfterCommit,
) -> ApiResult<Applied> {
    let at = context.clock.now();
    let found = match &attempt.order_id {
        Some(order_id) => queries::by_order(&mut *tx, order_id).await?,
        None => queries::by_attempt(&mut *tx, &attempt.id).await?,
    };
    let Some(payment) = found else {
        return match attempt.status {
            // The attempt moved no money.
            AttemptStatus::Created | AttemptStatus::Failed => Ok(Applied::Done),
            AttemptStatus::Authorized | AttemptStatus::Captured | AttemptStatus::Refunded => {
                park(tx, attempt, None, ParkReason::UnknownOrder, at).await?;
                Ok(Applied::Parked(ParkReason::UnknownOrder))
            }
        };
    };
    let payment = lock(tx, context, &payment, after).await?;
    match state_of(tx, &payment).await?.after(attempt) {
        Transition::Unchanged => Ok(Applied::Done),
        Transition::Park(reason) => {
            park(tx, attempt, Some(payment.id), reason, at).await?;
            Ok(Applied::Parked(reason))
        }
        Transition::Record { payment: status, .. } => {
            attempts::queries::save(tx, payment.id, attempt, at).await?;
            if status != payment.status {
                let (method, failure) = (attempt.method.as_deref(), attempt.error.as_deref());
                queries::set_status(tx, payment.id, status, method, failure, at).await?;
                if status == PaymentStatus::Failed {
                    notifications::record(
                        tx,
                        &context.random,
                        DomainEvent::PaymentFailed(payment_of(&payment)),
                        at,
                    )
                    .await?;
                }
                show_on_jobs(tx, context, &payment, after, at).await?;
            } else {
                // Decisions that were made without a lock, by the attempts known then, are made again.
                queries::touch(tx, payment.id, at).await?;
            }
            Ok(Applied::Done)
        }
        Transition::CaptureAgain => {
            duplicates::give_back(tx, context, &payment, attempt, after, at).await?;
            Ok(Applied::Done)
        }
        Transition::Capture => {
            attempts::queries::save(tx, payment.id, attempt, at).await?;
            capture(tx, context, &payment, CapturedBy::Gateway(attempt), after, at).await?;
            Ok(Applied::Done)
        }
    }
}

async fn state_of(tx: &mut PgConnection, payment: &PaymentRow) -> ApiResult<PaymentState> {
    let rows = attempts::queries::of_payment(tx, payment.id).await?;
    Ok(PaymentState {
        amount_paise: payment.amount_paise,
        currency: payment.currency.clone(),
        status: payment.status,
        captured_attempt: payment.gateway_payment_id.clone(),
        attempts: rows.into_iter().map(|row| (row.gateway_payment_id, row.status)).collect(),
    })
}

/// Closes the customer's open payment for fees if one of the fees was settled otherwise, or is contested. The jobs in
/// `locked` are locked.
pub(super) async fn close_if_fee_settled(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    customer_id: Uuid,
    locked: &[Uuid],
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    match queries::open_for_fees(tx, customer_id).await? {
        Some(open) if queries::has_settled_fee(tx, open.id).await? => {
            close(tx, context, &open, None, locked, after, at).await
        }
        Some(_) | None => Ok(()),
    }
}

/// The party that confirms that the money has arrived.
#[derive(Debug, Clone)]
pub enum CapturedBy<'a> {
    Gateway(&'a Attempt),
    /// The side that confirmed the cash last, and the amount due for the job, which was read under its lock.
    Party(Actor, JobDue),
    /// The organisation that ordered the job owes the money: it never comes in by itself.
    Account,
}

/// Captures a payment, online, in cash or on account: it pays the amount due, and any surplus is refunded. The payment and its jobs
/// are locked. Returns the payment as it is then.
pub async fn capture(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    by: CapturedBy<'_>,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<PaymentRow> {
    let (attempt, source, actor, known_due) = match by {
        CapturedBy::Gateway(attempt) => (Some(attempt), Some(Account::GatewayClearing), Actor::System, None),
        CapturedBy::Account => (None, Some(Account::PartnersReceivable), Actor::System, None),
        CapturedBy::Party(actor, due) => (None, None, actor, Some(due)),
    };
    let mut due = match (known_due, payment.job_id) {
        (None, Some(job_id)) => Some(due_of_job(tx, job_id).await?),
        (known, _) => known,
    };
    let (applied_paise, mut postings) = match &mut due {
        Some(due) => apply_to_job(tx, context, payment, due, at).await?,
        None => apply_to_fees(tx, context, payment, at).await?,
    };
    let surplus_paise = payment.amount_paise - applied_paise;
    let is_online = attempt.is_some();
    if let Some(source) = source {
        postings.push((source, -payment.amount_paise));
        postings.push((Account::Refunds, surplus_paise));
    }
    let captured = queries::capture(tx, payment.id, attempt, applied_paise, at).await?;
    if is_online && surplus_paise > 0 {
        refunds::give_surplus_back(tx, context, payment, surplus_paise, at).await?;
        after.has_refund = true;
    }
    // The row is captured now: the steps below read it that way.
    show_on_jobs(tx, context, payment, after, at).await?;
    let of_job = match due {
        Some(due) => {
            if !payment.is_open {
                // Another payment may have been made since this one was closed.
                close_if_amount_changed(tx, context, &due, after, at).await?;
            }
            let stays_disputed = mark_job_paid(tx, context, &due, actor, after, at).await?;
            if let Some(profile_id) = stays_disputed.filter(|_| applied_paise > 0) {
                let paid = DomainEvent::DisputePaid { profile_id, job_id: due.job_id };
                notifications::record(tx, &context.random, paid, at).await?;
            }
            Some(due.job_id)
        }
        None => {
            let paid = jobs_of(tx, payment).await?;
            close_if_fee_settled(tx, context, payment.customer_id, &paid, after, at).await?;
            // An organisation pays each fee by itself.
            paid.first().copied().filter(|_| payment.channel == Channel::Account)
        }
    };
    // Money that pays for nothing is a surplus, which has a notification of its own. Organisations get bills instead.
    let is_told = applied_paise > 0 && payment.channel != Channel::Account;
    if is_told && !matches!(actor, Actor::Customer(_)) {
        notifications::record(tx, &context.random, DomainEvent::PaymentCaptured(payment_of(payment)), at)
            .await?;
    }
    if is_told {
        letter::post(tx, context, payment, at).await?;
        after.has_mail = true;
    }
    let kind = if source.is_some() { EntryKind::Capture } else { EntryKind::Cash };
    let entry =
        LedgerEntry { kind, key: format!("{kind}:{}", payment.id), job_id: of_job, note: None, postings };
    if ledger::post(tx, &context.random, at, entry).await? {
        Ok(captured)
    } else {
        Err(ApiError::internal(format!("payment {} was booked before", payment.id)))
    }
}

async fn due_of_job(tx: &mut PgConnection, job_id: Uuid) -> ApiResult<JobDue> {
    let due = dues::find(&mut *tx, job_id).await?;
    due.ok_or_else(|| ApiError::internal("a payment is for a job without anything due"))
}

async fn apply_to_job(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    due: &mut JobDue,
    at: DateTime<Utc>,
) -> ApiResult<(i64, Vec<(Account, i64)>)> {
    let applied = payment.amount_paise.min(due.left_paise());
    if applied == 0 {
        return Ok((0, Vec::new()));
    }
    due.paid_paise += applied;
    dues::set(tx, due, at).await?;
    let earned = Earned {
        payment_id: payment.id,
        job_id: due.job_id,
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
    // The amount of a fee that was paid, waived or contested meanwhile is surplus.
    let due = dues::lock_fees(tx, &jobs).await?;
    for fee in due.into_iter().filter(FeeRow::is_due) {
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

/// Marks a completed job as paid once it is paid in full. A disputed job stays disputed, and only the money moves: its
/// mechanic's profile is returned.
pub async fn mark_job_paid(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    due: &JobDue,
    by: Actor,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<Option<Uuid>> {
    if due.paid_paise != due.due_paise {
        return Ok(None);
    }
    let status = after.job(tx, context, due.job_id).await?.status();
    if status == Status::Completed {
        after.command(tx, context, due.job_id, by, &Command::Pay, at).await?;
    }
    Ok((status == Status::Disputed).then_some(due.mechanic_profile_id))
}
