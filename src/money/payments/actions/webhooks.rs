//! Takes, processes, replays and dismisses events of the gateway.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use sqlx::PgConnection;
use uuid::Uuid;

use super::gateway::{Lookup, ask_about};
use crate::{
    money::{
        payments::{
            apply::{self, AppliedAtOnce},
            audited, chargebacks,
            context::PaymentsContext,
            inbox::{
                EventClaim, EventRow, NewEvent, PendingEvent, ReadEvent, SentEvent, Stored,
                dto::{WebhookAnswer, WebhookStatus},
                queries,
            },
            refunds,
            transaction::{AfterCommit, Applied},
        },
        wallet,
    },
    platform::{
        audit,
        backoff::pause,
        error::{ApiError, ApiResult, Code, after_commit, commit_error},
    },
    providers::{
        gateway::{Attempt, event::GatewayEvent, redact},
        payouts::Validation,
    },
};

/// The maximum length of an event's name, in characters, and of its id, in bytes. Longer ones are cut.
pub const MAX_NAME: usize = 200;
/// The stored name of an event without a name.
const NAMELESS: &str = "(no name)";

/// Stores a genuine event once, and processes it at once if few are under way; otherwise the worker does.
pub async fn take(
    context: &Arc<PaymentsContext>,
    event_id: String,
    sent: SentEvent,
) -> ApiResult<WebhookAnswer> {
    let (_busy, busy) = context.inbox.enter();
    let now = context.clock.now();
    let id = context.random.id(now);
    // If few are under way, the answer waits for the outcome.
    let claim =
        if busy <= context.gateway_settings.inbox_answer_queue { context.inbox.claim(id) } else { None };
    let (name, body) = (kept_name(&sent.name), redact::for_storage(sent.body));
    let event = PendingEvent { id, event: name.clone(), body: body.to_string() };
    Ok(match (context.inbox.store(NewEvent { event, event_id, at: now }).await?, claim) {
        (Stored::Duplicate, _) => WebhookAnswer::Duplicate,
        (Stored::New, Some(claim)) => process_now(context, claim, ReadEvent::of(&name, body)).await,
        (Stored::New, None) => {
            context.inbox.wakeup().wake();
            WebhookAnswer::Ok
        }
    })
}

/// Returns the event's name as it is stored. Empty and overlong names and those with control characters belong to no
/// event that is acted upon, and neither do their stored forms.
fn kept_name(event: &str) -> String {
    let shown = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    match event {
        "" => NAMELESS.to_owned(),
        event => event.chars().take(MAX_NAME).map(shown).collect(),
    }
}

async fn process_now(
    context: &Arc<PaymentsContext>,
    claim: EventClaim,
    read: ApiResult<ReadEvent>,
) -> WebhookAnswer {
    let within = Duration::from_millis(context.gateway_settings.inbox_answer_wait_ms);
    let processing = context.tasks.run({
        let context = context.clone();
        async move { process_read(&context, &claim, read).await }
    });
    match tokio::time::timeout(within, processing).await {
        Ok(Ok(EventOutcome::Processed | EventOutcome::TakenElsewhere)) => WebhookAnswer::Ok,
        Ok(Ok(EventOutcome::Ignored)) => WebhookAnswer::Ignored,
        Ok(Ok(EventOutcome::Failed(_))) => WebhookAnswer::Error,
        // Either the processing is slow and goes on in the background, or it broke and the event is still pending.
        Ok(Err(_)) | Err(_) => {
            context.inbox.wakeup().wake();
            WebhookAnswer::Ok
        }
    }
}

/// The outcome of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventOutcome {
    Processed,
    /// The service does not use this kind of event.
    Ignored,
    /// The event fits nothing that the service has, or processing failed and is tried again.
    Failed(String),
    /// Another task or server is processing it, or has processed it.
    TakenElsewhere,
}

/// Processes one stored event. Each transaction locks the event's row, too, because of other servers on the same
/// database.
pub async fn process(context: &PaymentsContext, claim: &EventClaim, event: &PendingEvent) -> EventOutcome {
    process_read(context, claim, ReadEvent::of_stored(event)).await
}

async fn process_read(
    context: &PaymentsContext,
    claim: &EventClaim,
    read: ApiResult<ReadEvent>,
) -> EventOutcome {
    let processed = match read {
        Ok(read) => try_to_process(context, claim, &read, &[]).await,
        Err(error) => Err(error),
    };
    match processed {
        Ok(Processed { outcome, .. }) => outcome,
        Err(error) => failed(context, claim.id(), &error).await,
    }
}

/// Processes the events of one order, in which the newest of each attempt comes first. If they are old after it, its transaction
/// settles them as well. After a failure the others stay due, since most would fail alike, each after its own wait for a lock.
pub async fn process_order(
    context: &PaymentsContext,
    mut events: VecDeque<(EventClaim, ReadEvent)>,
) -> Vec<EventOutcome> {
    let mut outcomes = Vec::with_capacity(events.len());
    while let Some((claim, read)) = events.pop_front() {
        let old = events.iter().filter(|(_, event)| event.is_settled_with(&read));
        let old: Vec<Uuid> = old.map(|(claim, _)| claim.id()).collect();
        match try_to_process(context, &claim, &read, &old).await {
            Ok(Processed { outcome, with }) => {
                outcomes.push(outcome);
                outcomes.extend(with.iter().map(|_| EventOutcome::Processed));
                events.retain(|(claim, _)| !with.contains(&claim.id()));
            }
            Err(error) => {
                outcomes.push(failed(context, claim.id(), &error).await);
                break;
            }
        }
    }
    outcomes
}

/// An event that was processed.
struct Processed {
    outcome: EventOutcome,
    /// The other events that were settled in its transaction.
    with: Vec<Uuid>,
}

impl From<EventOutcome> for Processed {
    fn from(outcome: EventOutcome) -> Self {
        Self { outcome, with: Vec::new() }
    }
}

/// Processes an event, and settles those that are `old` after it.
async fn try_to_process(
    context: &PaymentsContext,
    claim: &EventClaim,
    read: &ReadEvent,
    old: &[Uuid],
) -> ApiResult<Processed> {
    if let GatewayEvent::Attempt(attempt) = &read.event
        && read.kept.is_none()
        && let Some(processed) = process_at_once(context, claim, attempt, old).await?
    {
        return Ok(processed);
    }
    // The event is tried twice, because the gateway may have to be asked in between, outside any transaction.
    for _ in 0..2 {
        match attempt(context, claim.id(), read, old).await? {
            Step::Done(processed) => return Ok(processed),
            Step::Ask(lookup) => {
                let _place = context.inbox.place().await;
                ask_about(context, &lookup).await?;
            }
        }
    }
    Err(ApiError::new(Code::Conflict, "The gateway does not know what this event is about."))
}

enum Step {
    Done(Processed),
    Ask(Lookup),
}

/// Settles an event that brings nothing new, or writes what its attempt changes by one statement, which settles it with those that are
/// `old` after it. Returns `None` for any other event.
async fn process_at_once(
    context: &PaymentsContext,
    claim: &EventClaim,
    attempt: &Attempt,
    old: &[Uuid],
) -> ApiResult<Option<Processed>> {
    let events = [&[claim.id()][..], old].concat();
    match apply::apply_at_once(context, attempt, events).await? {
        AppliedAtOnce::Before => {
            let is_settled = context.inbox.settle_as_old(claim).await?;
            let outcome = if is_settled { EventOutcome::Processed } else { EventOutcome::TakenElsewhere };
            Ok(Some(outcome.into()))
        }
        AppliedAtOnce::Now => Ok(Some(Processed { outcome: EventOutcome::Processed, with: old.to_vec() })),
        AppliedAtOnce::Not => Ok(None),
    }
}

async fn attempt(context: &PaymentsContext, id: Uuid, read: &ReadEvent, old: &[Uuid]) -> ApiResult<Step> {
    let _place = context.inbox.place().await;
    let mut tx = context.db.begin().await?;
    let mut taken = queries::take(&mut tx, &[&[id][..], old].concat()).await?;
    if !taken.contains(&id) {
        return Ok(Step::Done(EventOutcome::TakenElsewhere.into()));
    }
    let mut after = AfterCommit::default();
    let (status, why, outcome) = match apply_event(&mut tx, context, &read.event, &mut after).await? {
        EventResult::Ask(lookup) => {
            // A dropped transaction ends later: the row would still be locked when it is taken again.
            tx.rollback().await?;
            return Ok(Step::Ask(lookup));
        }
        EventResult::Done => (WebhookStatus::Processed, None, EventOutcome::Processed),
        EventResult::Ignored => (WebhookStatus::Ignored, None, EventOutcome::Ignored),
        EventResult::Parked(why) => (WebhookStatus::Processed, Some(why.clone()), EventOutcome::Failed(why)),
    };
    if outcome != EventOutcome::Processed {
        taken = vec![id];
    }
    let (kept, now) = (read.kept.as_deref(), context.clock.now());
    queries::settle(&mut tx, &taken, status, why.as_deref(), kept, now).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    taken.retain(|taken| *taken != id);
    Ok(Step::Done(Processed { outcome, with: taken }))
}

enum EventResult {
    Done,
    Ignored,
    Parked(String),
    Ask(Lookup),
}

async fn apply_event(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    event: &GatewayEvent,
    after: &mut AfterCommit,
) -> ApiResult<EventResult> {
    match event.clone() {
        GatewayEvent::Unknown => Ok(EventResult::Ignored),
        // Money may have moved: the event ends dead, so that admins see it and can replay it in a release that knows
        // the status.
        GatewayEvent::UnknownStatus { attempt_id, status } => {
            let why = format!(
                "Payment {attempt_id} has the status \"{status}\", which this release does not know."
            );
            Err(ApiError::new(Code::Conflict, why))
        }
        GatewayEvent::Attempt(attempt) => {
            let applied = apply::apply_attempt(tx, context, &attempt, after).await?;
            Ok(result_of(applied, Lookup::Attempt(attempt.id)))
        }
        GatewayEvent::OrderPaid { order_id } => Ok(EventResult::Ask(Lookup::Order(order_id))),
        GatewayEvent::Refund { refund, attempt } => {
            if let Some(attempt) = &attempt {
                apply::apply_attempt(tx, context, attempt, after).await?;
            }
            let applied = refunds::apply(tx, context, &refund, after).await?;
            Ok(result_of(applied, Lookup::Attempt(refund.attempt_id)))
        }
        GatewayEvent::Chargeback { id, attempt_id, amount_paise, currency, reason, status } => {
            let chargeback =
                chargebacks::Chargeback { id, attempt_id, amount_paise, currency, reason, status };
            let applied = chargebacks::apply(tx, context, &chargeback, after).await?;
            Ok(result_of(applied, Lookup::Attempt(chargeback.attempt_id)))
        }
        GatewayEvent::Payout(payout) => Ok(known(wallet::apply_payout(tx, &context.wallet, &payout).await?)),
        GatewayEvent::Validation { id, upi_account_id, outcome } => {
            let validation = Validation { id, fund_account_id: None, outcome };
            Ok(known(wallet::apply_validation(tx, &context.wallet, upi_account_id, &validation).await?))
        }
    }
}

fn result_of(applied: Applied, lookup: Lookup) -> EventResult {
    match applied {
        Applied::Done => EventResult::Done,
        Applied::Parked(reason) => EventResult::Parked(format!("parked: {reason}")),
        Applied::AskGateway => EventResult::Ask(lookup),
    }
}

/// Returns the result of an event, which is ignored if the service does not have its subject.
fn known(is_known: bool) -> EventResult {
    if is_known { EventResult::Done } else { EventResult::Ignored }
}

/// Records that an event could not be processed.
pub async fn failed(context: &PaymentsContext, id: Uuid, error: &ApiError) -> EventOutcome {
    error.log();
    let why = error.to_string();
    tracing::warn!(webhook_event.id = %id, %why, "a webhook event could not be processed");
    let now = context.clock.now();
    let row = queries::find(&context.db, id).await;
    let tries = row.ok().flatten().map_or(1, |row| row.attempts + 1);
    let gateway = &context.gateway_settings;
    let next = now + pause(gateway.inbox_retry_s, tries);
    if let Err(error) = queries::fail(&context.db, id, &why, next, gateway.inbox_attempts, now).await {
        tracing::warn!(%error, "a failed webhook event could not be marked as failed; it is tried again at once");
    }
    EventOutcome::Failed(why)
}

/// Processes an event again, from the beginning. Returns `None` if it was deleted meanwhile.
pub async fn replay(
    context: &PaymentsContext,
    admin_id: Uuid,
    before: &EventRow,
) -> ApiResult<Option<EventRow>> {
    let (id, now) = (before.id, context.clock.now());
    // The claim is held until the event is read again, so that the answer shows the outcome of this try.
    let claim = context.inbox.claim(id);
    let mut tx = context.db.begin().await?;
    if queries::replay(&mut tx, id, now).await?.is_none() {
        return Ok(None);
    }
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "webhook_event.replay",
        subject_kind: "webhook_event",
        subject_id: id,
        before: audited::event_status(before.status, before.attempts),
        after: audited::event_status(WebhookStatus::Pending, 0),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    match &claim {
        Some(claim) => drop(process(context, claim, &before.pending()).await),
        None => context.inbox.wakeup().wake(),
    }
    queries::find(&context.db, id).await.map_err(after_commit)
}

/// Closes a dead event that needs no processing.
pub async fn dismiss(
    context: &PaymentsContext,
    admin_id: Uuid,
    before: &EventRow,
    reason: &str,
) -> ApiResult<EventRow> {
    let kept = redact::settled(&before.body).map_err(ApiError::internal)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::dismiss(&mut tx, before.id, &kept, now).await?.ok_or_else(|| {
        ApiError::new(Code::InvalidTransition, "Only an event with the status dead can be dismissed.")
    })?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "webhook_event.dismiss",
        subject_kind: "webhook_event",
        subject_id: before.id,
        before: audited::event_status(WebhookStatus::Dead, row.attempts),
        after: audited::event_dismissed(reason),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}
