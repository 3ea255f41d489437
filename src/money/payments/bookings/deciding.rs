//! Decides bookings on what was read without a lock, and on the copy of the job's actor. Whatever is not the rule is left to a
//! transaction.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::JobId,
    job::state::{Actor, Command, Job, Status},
};
use uuid::Uuid;

use super::queries::{self, PaymentBooking, ReportedPayment};
use crate::{
    accounting::{
        dues::JobDue,
        ledger::{Account, EntryKind, LedgerEntry},
    },
    http::Money,
    jobs::log::JobSteps,
    money::payments::{
        context::PaymentsContext,
        dto::{Channel, Purpose},
        earnings::{self, Earned},
        queries::PaymentRow,
        receipt::letter,
        state::{PaymentStatus, Transition},
        transaction::payment_of,
    },
    notifications::{self, DomainEvent},
    platform::error::ApiResult,
    providers::gateway::{Attempt, AttemptStatus},
};

/// Returns the booking of a new cash payment for a job that the payer may pay, or `None` if a transaction has to decide. The payment
/// completes the mark.
pub async fn made_in_cash(
    context: &PaymentsContext,
    job_id: Uuid,
    may_pay: impl FnOnce(&Job) -> bool,
    mark: Option<Uuid>,
) -> ApiResult<Option<PaymentBooking>> {
    let Some((due, false)) = queries::due_and_open(&context.db, job_id).await? else { return Ok(None) };
    let job = context.engine.known_job(JobId(job_id)).await.filter(may_pay);
    let job = job.filter(|job| matches!(job.status(), Status::Completed | Status::Resolved));
    let amount_paise = due.left_paise();
    let Some(job) = job.filter(|_| amount_paise > 0 && !due.awaits_account()) else { return Ok(None) };
    let at = context.clock.now();
    let after = PaymentRow {
        id: context.random.id(at),
        customer_id: job.spec.customer_id.0,
        purpose: Purpose::Job,
        job_id: Some(job_id),
        channel: Channel::Cash,
        status: PaymentStatus::Created,
        amount_paise,
        currency: context.settings.currency.clone(),
        applied_paise: 0,
        refunded_paise: 0,
        gateway: None,
        gateway_order_id: None,
        gateway_payment_id: None,
        method: None,
        failure: None,
        cash_customer_at: None,
        cash_mechanic_at: None,
        is_open: true,
        expires_at: None,
        captured_at: None,
        duplicate_of: None,
        created_at: at,
        updated_at: at,
    };
    let made = noted(context, job, after, due, at);
    Ok(made.map(|booking| PaymentBooking { mark, ..booking }))
}

/// Returns the booking of the confirmation by one side that this amount of cash changed hands, which captures the payment if the
/// other side has confirmed it; `None` if a transaction has to decide.
pub async fn confirmed(
    context: &PaymentsContext,
    payment: &PaymentRow,
    due: Option<JobDue>,
    by: Actor,
    amount: Money,
) -> ApiResult<Option<PaymentBooking>> {
    let at = context.clock.now();
    let mut after = PaymentRow { updated_at: payment.updated_at.max(at), ..payment.clone() };
    let own = match by {
        Actor::Customer(_) => &mut after.cash_customer_at,
        _ => &mut after.cash_mechanic_at,
    };
    let is_first = own.replace(at).is_none();
    let is_exact = payment.channel == Channel::Cash && amount.0 == payment.amount_paise;
    let due = due.filter(|due| is_first && is_exact && is_payable(payment, due));
    let Some(due) = due else { return Ok(None) };
    if after.cash_customer_at.is_some() && after.cash_mechanic_at.is_some() {
        if letter::is_wanted(context, payment.customer_id).await? {
            return Ok(None);
        }
        return captured(context, (payment, after), due, (by, None), at).await;
    }
    let job = context.engine.known_job(JobId(due.job_id)).await;
    let confirmed = job.and_then(|job| noted(context, job, after, due, at));
    Ok(confirmed.map(|booking| PaymentBooking { before: Some(payment.clone()), ..booking }))
}

/// Returns the booking of a capture that the gateway reported, with the events that say so; `None` if a transaction has to decide.
pub async fn reported_capture(
    context: &PaymentsContext,
    reported: &ReportedPayment,
    attempt: &Attempt,
    events: Vec<Uuid>,
) -> ApiResult<Option<PaymentBooking>> {
    let payment = &reported.found.payment;
    if context.mails.are_sent() && reported.is_mail_wanted {
        return Ok(None);
    }
    let is_exact = attempt.status == AttemptStatus::Captured
        && attempt.amount_paise == payment.amount_paise
        && attempt.currency == payment.currency;
    let Some(due) = reported.found.due().filter(|due| is_exact && is_payable(payment, due)) else {
        return Ok(None);
    };
    let at = context.clock.now();
    let after = PaymentRow {
        gateway_payment_id: Some(attempt.id.clone()),
        method: attempt.method.clone().or_else(|| payment.method.clone()),
        updated_at: payment.updated_at.max(at),
        ..payment.clone()
    };
    let captured = captured(context, (payment, after), due, (Actor::System, Some(attempt)), at).await?;
    Ok(captured.map(|booking| PaymentBooking { events, ..booking }))
}

/// Returns the booking of an attempt that moved no money but changes its payment's status, with the events that say so; `None` if a
/// transaction has to decide.
pub async fn reported_status(
    context: &PaymentsContext,
    reported: &ReportedPayment,
    attempt: &Attempt,
    events: Vec<Uuid>,
) -> Option<PaymentBooking> {
    let payment = &reported.found.payment;
    let due = reported.found.due().filter(|_| payment.is_open && payment.captured_at.is_none())?;
    let Transition::Record { payment: status, .. } = reported.state().after(attempt) else { return None };
    let at = context.clock.now();
    let after = PaymentRow {
        status,
        method: attempt.method.clone().or_else(|| payment.method.clone()),
        failure: attempt.error.clone().filter(|_| status == PaymentStatus::Failed),
        updated_at: payment.updated_at.max(at),
        ..payment.clone()
    };
    let job = context.engine.known_job(JobId(due.job_id)).await?;
    let mut booking = noted(context, job, after, due, at)?;
    if status == PaymentStatus::Failed {
        let event = DomainEvent::PaymentFailed(payment_of(payment));
        booking.steps = booking.steps.with(notifications::prepare(&context.random, event, at));
    }
    Some(PaymentBooking { before: Some(payment.clone()), attempt: Some(attempt.clone()), events, ..booking })
}

/// Returns whether the payment is open, and pays all that is due.
fn is_payable(payment: &PaymentRow, due: &JobDue) -> bool {
    payment.is_open && payment.captured_at.is_none() && due.left_paise() == payment.amount_paise
}

/// Returns a booking that shows the payment on its job and moves no money; `None` if the job refuses it.
fn noted(
    context: &PaymentsContext,
    job: Job,
    after: PaymentRow,
    due: JobDue,
    at: DateTime<Utc>,
) -> Option<PaymentBooking> {
    let note = (Actor::System, Command::NotePayment { payment_id: after.id });
    let steps = JobSteps::decide(context, job, &[note], at)?;
    Some(PaymentBooking {
        steps,
        before: None,
        after,
        due,
        earning: None,
        entry: None,
        attempt: None,
        events: Vec::new(),
        mark: None,
        at,
    })
}

/// Returns the booking of a payment's capture, in cash or by an attempt, which settles its job; `None` for a job that is not
/// completed. A transaction captures the payments of customers who get receipts by mail.
async fn captured(
    context: &PaymentsContext,
    (before, after): (&PaymentRow, PaymentRow),
    due: JobDue,
    (by, attempt): (Actor, Option<&Attempt>),
    at: DateTime<Utc>,
) -> ApiResult<Option<PaymentBooking>> {
    let job = context.engine.known_job(JobId(due.job_id)).await;
    let Some(job) = job.filter(|job| job.status() == Status::Completed) else { return Ok(None) };
    // Nobody reads the notifications of an organisation's account.
    let is_told = !matches!(by, Actor::Customer(_)) && job.spec.on_account.is_none();
    let note = (Actor::System, Command::NotePayment { payment_id: before.id });
    let Some(mut steps) = JobSteps::decide(context, job, &[note, (by, Command::Pay)], at) else {
        return Ok(None);
    };
    if is_told {
        let event = DomainEvent::PaymentCaptured(payment_of(before));
        steps = steps.with(notifications::prepare(&context.random, event, at));
    }
    let paid_paise = before.amount_paise;
    let earned = Earned {
        payment_id: before.id,
        job_id: due.job_id,
        mechanic_profile_id: Some(due.mechanic_profile_id),
        is_fee: false,
        is_cash: attempt.is_none(),
        gross_paise: paid_paise,
    };
    let (earning, mut postings) = earnings::share_out(context, earned, at);
    if attempt.is_some() {
        postings.push((Account::GatewayClearing, -paid_paise));
    }
    let kind = if attempt.is_some() { EntryKind::Capture } else { EntryKind::Cash };
    let (key, job_id) = (format!("{kind}:{}", before.id), Some(due.job_id));
    let entry = LedgerEntry { kind, key, job_id, note: None, postings };
    Ok(Some(PaymentBooking {
        steps,
        before: Some(before.clone()),
        after: PaymentRow {
            status: PaymentStatus::Captured,
            applied_paise: paid_paise,
            is_open: false,
            failure: None,
            captured_at: Some(at),
            ..after
        },
        due,
        earning,
        entry: entry.prepared(&context.random, at)?,
        attempt: attempt.cloned(),
        events: Vec::new(),
        mark: None,
        at,
    }))
}
