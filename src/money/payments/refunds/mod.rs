//! Refunds to customers: requested by admins and resolutions, automatic for captures beyond the amount due, or reported
//! by the gateway. The ledger books the promise first, and the money leaving once the gateway confirms it.

mod bills;
pub(crate) mod queries;
pub(super) mod worker;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub use queries::RefundRow;

use super::{
    chargebacks::queries::lost,
    context::PaymentsContext,
    dto::{Channel, RefundSource},
    earnings, parked, queries as payments,
    queries::PaymentRow,
    state::{PaymentStatus, RefundStatus, refunded},
    transaction::{AfterCommit, Applied, check_currency, jobs_of, lock, payment_of, show_on_jobs},
};
use crate::{
    accounting::{
        dues,
        ledger::{self, Account, EntryKind, LedgerEntry},
    },
    http::Money,
    notifications::{self, DomainEvent},
    platform::error::{ApiError, ApiResult, Code},
    providers::gateway::GatewayRefund,
};

/// A request for a refund, with its origin and its reason.
#[derive(Debug, Clone)]
pub(super) struct RefundRequest<'a> {
    pub amount_paise: i64,
    pub source: RefundSource,
    pub reason: Option<&'a str>,
    pub requested_by: Option<Uuid>,
    pub gateway_refund_id: Option<&'a str>,
    /// The job whose earning gives the amount back before the others of the payment.
    pub first_from: Option<Uuid>,
}

/// Promises a refund: inserts its row and books its entry. The payment and its jobs are locked. 409 for a payment that
/// was not captured, 422 on `amount` for more than is left of it.
pub(super) async fn create(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    request: RefundRequest<'_>,
    at: DateTime<Utc>,
) -> ApiResult<RefundRow> {
    let is_captured = payment.captured_at.is_some();
    if !is_captured {
        let message = format!("This payment is {}, so it can't be refunded.", payment.status);
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let left_paise = payment.amount_paise - payment.refunded_paise;
    if request.amount_paise > left_paise {
        let left = Money(left_paise);
        return Err(ApiError::invalid(
            "amount",
            format!("must be at most {left}, what is left of this payment"),
        ));
    }
    let surplus_left = queries::surplus_left(tx, payment.id).await?.max(0);
    let row = RefundRow {
        id: context.random.id(at),
        payment_id: payment.id,
        amount_paise: request.amount_paise,
        status: RefundStatus::Requested,
        source: request.source,
        surplus_paise: surplus_left.min(request.amount_paise),
        reason: request.reason.map(str::to_owned),
        requested_by: request.requested_by,
        gateway_refund_id: request.gateway_refund_id.map(str::to_owned),
        failure: None,
        attempts: 0,
        next_try_at: Some(at),
        created_at: at,
        updated_at: at,
        settled_at: None,
    };
    queries::insert(tx, &row).await?;
    book(tx, context, payment, &row, ("", request.first_from), at).await?;
    if payment.channel == Channel::Account {
        // No money has to move: the organisation owes less.
        queries::set_status(tx, row.id, RefundStatus::Processed, None, None, None, at).await?;
        show_refunded(tx, payment, at).await?;
    }
    Ok(row)
}

/// Gives back the amount that was captured beyond the amount due, and notifies the customer; the capture's own entry
/// promised it already.
pub(super) async fn give_surplus_back(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    surplus_paise: i64,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let row = RefundRow {
        id: context.random.id(at),
        payment_id: payment.id,
        amount_paise: surplus_paise,
        status: RefundStatus::Requested,
        source: RefundSource::Surplus,
        surplus_paise,
        reason: Some("The customer paid more than was due.".to_owned()),
        requested_by: None,
        gateway_refund_id: None,
        failure: None,
        attempts: 0,
        next_try_at: Some(at),
        created_at: at,
        updated_at: at,
        settled_at: None,
    };
    queries::insert(tx, &row).await?;
    queries::add_to_payment(tx, payment.id, surplus_paise, at).await?;
    let returned = DomainEvent::SurplusReturned { refund_id: row.id, of: payment_of(payment) };
    Ok(notifications::record(tx, &context.random, returned, at).await?)
}

/// Takes the refund from those who shared the payment, except for the part that was surplus.
async fn book(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund: &RefundRow,
    (step, first_from): (&str, Option<Uuid>),
    at: DateTime<Utc>,
) -> ApiResult<()> {
    queries::add_to_payment(tx, payment.id, refund.amount_paise, at).await?;
    let shared_paise = refund.amount_paise - refund.surplus_paise;
    let taken = earnings::take_back(tx, refund.id, payment.id, shared_paise, first_from).await?;
    for (job_id, gross) in &taken.gross_of_jobs {
        lower_due(tx, *job_id, payment.channel, *gross, at).await?;
    }
    let mut postings = taken.postings;
    let job_id = match payment.channel {
        Channel::Account => {
            postings.extend(bills::lower_bills(tx, payment, shared_paise).await?);
            // An organisation pays each fee by itself.
            jobs_of(tx, payment).await?.first().copied()
        }
        Channel::Online | Channel::Cash => {
            postings.push((Account::Refunds, shared_paise));
            payment.job_id
        }
    };
    let key = format!("refund:{}{step}", refund.id);
    let entry = LedgerEntry { kind: EntryKind::Refund, key, job_id, note: None, postings };
    ledger::post(tx, &context.random, at, entry).await.map(drop)
}

/// Lowers the price of a job by a refund, so that nobody owes it again. A negative amount raises the price.
async fn lower_due(
    tx: &mut PgConnection,
    job_id: Uuid,
    channel: Channel,
    paise: i64,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    // A job with a fee has no such row: the fee stays paid.
    let Some(mut due) = dues::find(&mut *tx, job_id).await? else { return Ok(()) };
    due.due_paise -= paise;
    due.paid_paise -= paise;
    if channel == Channel::Account {
        due.account_paise -= paise;
    }
    Ok(dues::set(tx, &due, at).await?)
}

/// Applies the state of a refund at the gateway, whether we or the dashboard requested it.
pub(super) async fn apply(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    reported: &GatewayRefund,
    after: &mut AfterCommit,
) -> ApiResult<Applied> {
    let at = context.clock.now();
    let Some(payment) = payments::by_attempt(&mut *tx, &reported.attempt_id).await? else {
        let is_parked = parked::apply_refund(tx, reported, at).await?;
        return Ok(if is_parked { Applied::Done } else { Applied::AskGateway });
    };
    check_currency("refund", reported.currency.as_deref(), &payment.currency)?;
    let payment = lock(tx, context, &payment, after).await?;
    let refund = match find(tx, &payment, reported).await? {
        Some(refund) => refund,
        None => {
            let request = RefundRequest {
                amount_paise: reported.amount_paise,
                source: RefundSource::Gateway,
                reason: None,
                requested_by: None,
                gateway_refund_id: Some(&reported.id),
                first_from: None,
            };
            create(tx, context, &payment, request, at).await?
        }
    };
    let next = refund.status.after(reported.status);
    if next == refund.status {
        return Ok(Applied::Done);
    }
    move_to(tx, context, &payment, &refund, next, &reported.id, at).await?;
    if matches!(next, RefundStatus::Failed | RefundStatus::Processed) {
        // The refund may have left too little for a lost chargeback, or taken its place.
        take_lost(tx, context, payment.id).await?;
    }
    show_on_jobs(tx, context, &payment, after, at).await?;
    Ok(Applied::Done)
}

/// Finds a refund: ours by our id, another by the gateway's. A refund of the whole amount in the gateway's dashboard
/// counts as the one that we promised: the gateway refuses a second one.
async fn find(
    tx: &mut PgConnection,
    payment: &PaymentRow,
    reported: &GatewayRefund,
) -> ApiResult<Option<RefundRow>> {
    if let Some(refund) = queries::by_gateway_id(&mut *tx, &reported.id).await? {
        return Ok(Some(refund));
    }
    let Some(id) = reported.refund_id else {
        let is_whole = reported.amount_paise == payment.amount_paise;
        return Ok(if is_whole { queries::promised_whole(tx, payment.id).await? } else { None });
    };
    let ours = queries::lock(tx, id).await?;
    Ok(ours.filter(|refund| refund.payment_id == payment.id && refund.amount_paise == reported.amount_paise))
}

/// Moves a refund on, and books the entries of the move.
async fn move_to(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund: &RefundRow,
    next: RefundStatus,
    gateway_refund_id: &str,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let ask_again = at + chrono::TimeDelta::seconds(context.gateway_settings.reconcile_after_s);
    let next_try_at = (next == RefundStatus::Pending).then_some(ask_again);
    let failure = (next == RefundStatus::Failed).then_some("The gateway could not refund it.");
    queries::set_status(tx, refund.id, next, Some(gateway_refund_id), failure, next_try_at, at).await?;
    match next {
        RefundStatus::Requested | RefundStatus::Pending => {}
        RefundStatus::Failed => {
            undo(tx, context, payment, refund, ":undone", at).await?;
            let happened = DomainEvent::RefundFailed { refund_id: refund.id, of: payment_of(payment) };
            notifications::record(tx, &context.random, happened, at).await?;
        }
        RefundStatus::Processed => {
            if refund.status == RefundStatus::Failed {
                make_room(tx, context, payment.id, refund.amount_paise, at).await?;
                book_again(tx, context, payment, refund, at).await?;
            }
            let entry = LedgerEntry {
                kind: EntryKind::RefundPaid,
                key: format!("refund:{}:paid", refund.id),
                job_id: payment.job_id,
                note: None,
                postings: vec![
                    (Account::Refunds, -refund.amount_paise),
                    (Account::GatewayClearing, refund.amount_paise),
                ],
            };
            ledger::post(tx, &context.random, at, entry).await?;
            // The customer knows about the money that their own bank took back.
            if refund.source != RefundSource::Chargeback {
                notify_processed(tx, context, payment, refund.id, at).await?;
            }
        }
    }
    show_refunded(tx, payment, at).await
}

/// Moves the payment to the status that follows from its processed refunds.
async fn show_refunded(tx: &mut PgConnection, payment: &PaymentRow, at: DateTime<Utc>) -> ApiResult<()> {
    let processed = queries::processed_sum(tx, payment.id).await?;
    let status: PaymentStatus = refunded(payment.amount_paise, processed);
    Ok(queries::set_payment_status(tx, payment.id, status, at).await?)
}

async fn notify_processed(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let happened = DomainEvent::RefundProcessed { refund_id, of: payment_of(payment) };
    Ok(notifications::record(tx, &context.random, happened, at).await?)
}

/// Records that the refund of a cash payment has reached the customer.
pub(super) async fn mark_paid(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund_id: Uuid,
    reference: &str,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let refund = queries::lock(tx, refund_id).await?.ok_or_else(|| ApiError::not_found("refund"))?;
    if payment.channel != Channel::Cash || refund.status != RefundStatus::Requested {
        return Err(ApiError::new(
            Code::InvalidTransition,
            "This refund can't be marked as paid: it is not a pending cash refund.",
        ));
    }
    queries::set_status(tx, refund.id, RefundStatus::Processed, None, None, None, at).await?;
    let entry = LedgerEntry {
        kind: EntryKind::RefundPaid,
        key: format!("refund:{}:paid", refund.id),
        job_id: payment.job_id,
        note: Some(reference),
        postings: vec![
            (Account::Refunds, -refund.amount_paise),
            (Account::PayoutClearing, refund.amount_paise),
        ],
    };
    ledger::post(tx, &context.random, at, entry).await?;
    notify_processed(tx, context, payment, refund.id, at).await?;
    show_refunded(tx, payment, at).await
}

/// Books a refund that reached the customer after it had failed: it takes the amounts that it took before. An admin may
/// have made another refund in its place. Refunds under way are therefore booked anew, after it: if one fails later, it
/// puts back the amounts that it took in addition.
async fn book_again(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund: &RefundRow,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let others = queries::under_way(tx, payment.id).await?;
    for other in &others {
        undo(tx, context, payment, other, &format!(":before:{}", refund.id), at).await?;
        queries::set_surplus(tx, other.id, 0).await?;
    }
    queries::set_surplus(tx, refund.id, 0).await?;
    let refund = with_surplus(tx, refund).await?;
    book(tx, context, payment, &refund, (":again", None), at).await?;
    for other in &others {
        let other = with_surplus(tx, other).await?;
        book(tx, context, payment, &other, (&format!(":after:{}", refund.id), None), at).await?;
    }
    Ok(())
}

/// Gives a refund whose surplus was set to zero as much surplus as it had before, unless other refunds return it.
async fn with_surplus(tx: &mut PgConnection, refund: &RefundRow) -> ApiResult<RefundRow> {
    let left_paise = queries::surplus_left(tx, refund.payment_id).await?.max(0);
    let surplus_paise = refund.surplus_paise.min(left_paise);
    queries::set_surplus(tx, refund.id, surplus_paise).await?;
    Ok(RefundRow { surplus_paise, ..refund.clone() })
}

/// Puts back the amounts that a refund took. A surplus still belongs to the customer: an admin refunds it again.
async fn undo(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    refund: &RefundRow,
    step: &str,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    queries::add_to_payment(tx, payment.id, -refund.amount_paise, at).await?;
    let shared_paise = refund.amount_paise - refund.surplus_paise;
    let put = earnings::put_back(tx, refund.id, payment.id, shared_paise).await?;
    for (job_id, gross) in &put.gross_of_jobs {
        lower_due(tx, *job_id, payment.channel, -gross, at).await?;
    }
    let mut postings = put.postings;
    postings.push((Account::Refunds, -shared_paise));
    let key = format!("refund:{}{step}", refund.id);
    let entry =
        LedgerEntry { kind: EntryKind::RefundUndone, key, job_id: payment.job_id, note: None, postings };
    ledger::post(tx, &context.random, at, entry).await.map(drop)
}

/// Takes the amounts that lost chargebacks of a captured payment have not taken yet, as processed refunds, as far as
/// anything is left of the payment. Returns whether anything was taken. The payment and its jobs are locked.
pub(super) async fn take_lost(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment_id: Uuid,
) -> ApiResult<bool> {
    let at = context.clock.now();
    let mut has_taken = false;
    for lost in lost(tx, payment_id).await? {
        let payment = reread(tx, payment_id).await?;
        let left_paise = payment.amount_paise - payment.refunded_paise;
        let amount_paise = left_paise.min(lost.amount_paise - lost.taken_paise);
        if amount_paise <= 0 {
            continue;
        }
        // A chargeback that found too little left takes the rest in another row.
        let id = match lost.times {
            0 => lost.gateway_dispute_id,
            times => format!("{}:{}", lost.gateway_dispute_id, times + 1),
        };
        let request = RefundRequest {
            amount_paise,
            source: RefundSource::Chargeback,
            reason: Some("The customer's bank took it back."),
            requested_by: None,
            gateway_refund_id: Some(&id),
            first_from: None,
        };
        let refund = create(tx, context, &payment, request, at).await?;
        move_to(tx, context, &payment, &refund, RefundStatus::Processed, &id, at).await?;
        has_taken = true;
    }
    Ok(has_taken)
}

/// Makes room for a refund that reached the customer after all. It takes precedence over lost chargebacks: if both
/// exceed the payment, all that the chargebacks took is put back, to be taken again from the rest.
async fn make_room(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment_id: Uuid,
    amount_paise: i64,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    let payment = reread(tx, payment_id).await?;
    if payment.amount_paise - payment.refunded_paise >= amount_paise {
        return Ok(());
    }
    for taken in queries::taken_by_chargebacks(tx, payment_id).await? {
        let why = Some("A refund of the same money reached the customer.");
        queries::set_status(tx, taken.id, RefundStatus::Failed, None, why, None, at).await?;
        undo(tx, context, &payment, &taken, ":undone", at).await?;
        let entry = LedgerEntry {
            kind: EntryKind::RefundUndone,
            key: format!("refund:{}:unpaid", taken.id),
            job_id: payment.job_id,
            note: None,
            postings: vec![
                (Account::Refunds, taken.amount_paise),
                (Account::GatewayClearing, -taken.amount_paise),
            ],
        };
        ledger::post(tx, &context.random, at, entry).await?;
    }
    Ok(())
}

/// Reads the payment again, in the transaction that has it locked.
async fn reread(tx: &mut PgConnection, payment_id: Uuid) -> ApiResult<PaymentRow> {
    let row = payments::find(&mut *tx, payment_id).await?;
    row.ok_or_else(|| ApiError::internal("a payment has disappeared"))
}
