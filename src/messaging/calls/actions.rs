//! The steps of a call. Each is one transaction: the call, the job's log and the notifications.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command as JobCommand},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    availability::{self, NotCallable},
    dto::Call,
    queries::{self, CallRow},
    state::{CallCommand, CallDevice, CallEvent, CallReach, CallRefusal, CallStatus, EndReason, Side},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{OwnedBy, PathIds},
    jobs::{self, JobRow, Viewer, log},
    messaging::{
        calls::CallsContext,
        guests::{self, Guest, Speaker},
    },
    notifications::{self, Addressee, DomainEvent},
    platform::core::Core,
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        settings::Settings,
    },
};

/// Calls that one run ends; the next run follows at once.
const AT_ONCE: i64 = 100;

/// A call that a speaker takes part in or may answer, and its job. Only a look-up for the speaker makes one.
#[derive(Debug, Clone)]
pub struct OwnCall {
    pub(super) by: Speaker,
    pub(super) device: CallDevice,
    pub(super) call: CallRow,
    pub(super) job: JobRow,
}

impl OwnCall {
    /// The speaker's call with this id; 404 for any other call.
    pub async fn get(core: &Core, by: Speaker, id: Uuid) -> ApiResult<Self> {
        let call = queries::find(&core.db, id).await?.ok_or_else(gone)?;
        let job = jobs::find(&core.db, call.job_id).await?.ok_or_else(gone)?;
        Self::of(by, call, job).ok_or_else(gone)
    }

    /// The same for a guest, within their job.
    pub async fn get_as_guest(core: &Core, guest: Guest, job: &JobRow, id: Uuid) -> ApiResult<Self> {
        let call =
            queries::find(&core.db, id).await?.filter(|call| call.job_id == job.id).ok_or_else(gone)?;
        Self::of(guest.into(), call, job.clone()).ok_or_else(gone)
    }

    fn of(by: Speaker, call: CallRow, job: JobRow) -> Option<Self> {
        let device = device_of(by, &call, &job)?;
        Some(Self { by, device, call, job })
    }
}

impl OwnedBy<Customer> for OwnCall {
    const NAME: &'static str = "call";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        Self::get(core, by.0.into(), path.id("id")?).await.map(Some)
    }
}

/// A call that the caller may see: whoever sees its job does, a mechanic only a call of their own.
#[derive(Debug)]
pub struct ViewedCall(pub(super) CallRow);

impl OwnedBy<Caller> for ViewedCall {
    const NAME: &'static str = "call";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let Some(call) = queries::find(&core.db, path.id("id")?).await? else { return Ok(None) };
        let Some(job) = jobs::find(&core.db, call.job_id).await? else { return Ok(None) };
        let is_seen = match jobs::viewer_of(by, &job) {
            Some(Viewer::Customer | Viewer::Admin) => true,
            Some(Viewer::Mechanic) => Some(call.mechanic_profile_id) == job.mechanic_profile_id,
            None => false,
        };
        Ok(is_seen.then_some(Self(call)))
    }
}

fn gone() -> ApiError {
    ApiError::not_found("call")
}

/// Calls the other side of a job. 409 names a call that is in progress.
pub async fn invite(context: &CallsContext, by: Speaker, job_id: Uuid) -> ApiResult<Call> {
    party(context, by, job_id).await?;
    context.limits.check_call(by.budget())?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, job_id).await?;
    let side = side_of_job(by, &job).ok_or_else(|| ApiError::not_found("job"))?;
    // A call whose time is up ends here, in the same transaction.
    if let Some(mut live) = queries::lock_live(&mut tx, job_id).await?
        && !settle(&mut tx, context, &mut live, &job, now).await?
    {
        return Err(busy(live.id));
    }
    let mechanic_profile_id =
        availability::callable_mechanic(&job, grace(&context.settings), now).map_err(not_callable)?;
    let mechanic = queries::user_of_profile(&mut *tx, mechanic_profile_id).await?;
    let mechanic = mechanic.ok_or_else(|| ApiError::internal("the mechanic has no account"))?;
    let is_mechanics = side == Viewer::Mechanic;
    let callee_id = if is_mechanics { job.customer_id } else { mechanic };
    let on_job = availability::has_active_mechanic(&job);
    // Links end with the job.
    let links =
        if is_mechanics && on_job { guests::links_of(&mut *tx, job_id, now).await? } else { Vec::new() };
    let is_listening = links.iter().any(|link| context.sockets.is_open(*link));
    let mut until = now + TimeDelta::seconds(context.settings.calls.ring_s);
    if let Some(link) = by.link() {
        // The guest was admitted before the job was locked.
        let end = guests::hold_link(&mut tx, link, now).await?.filter(|_| on_job);
        until = until.min(end.ok_or_else(guests::link_expired)?);
    }
    let call = CallRow {
        id: context.random.id(now),
        job_id,
        mechanic_profile_id,
        caller_id: by.account(&job),
        callee_id,
        caller_session_id: by.device(),
        callee_session_id: None,
        on_job,
        status: CallStatus::Ringing,
        end_reason: None,
        deadline_at: Some(until),
        created_at: now,
        answered_at: None,
        ended_at: None,
        rings: match side {
            Viewer::Mechanic => availability::reach(job.contact_preference, !links.is_empty(), is_listening),
            Viewer::Customer | Viewer::Admin => CallReach::Account,
        },
        caller_link_id: by.link(),
        callee_link_id: None,
    };
    queries::insert(&mut tx, &call).await?;
    if call.rings.has_account() {
        let to = Addressee::User(callee_id);
        let rings = DomainEvent::CallIncoming { to, job_id, call_id: call.id, rings_until: until };
        notifications::record(&mut tx, &context.random, rings, now).await?;
    }
    log(&mut tx, context, &call, actor_of(by, &job), now).await?;
    tx.commit().await.map_err(commit_error)?;
    let called = called(&call, links);
    let call = Call::from(call);
    for person in called {
        context.sockets.rings(person, None, &call);
    }
    log::notify_committed(context, job_id).await;
    Ok(call)
}

/// Whom a call rings, by the ids of their sockets. `links` are the job's links for guests.
pub(super) fn called(call: &CallRow, links: Vec<Uuid>) -> Vec<Uuid> {
    let account = call.rings.has_account().then_some(call.callee_id);
    let guests = links.into_iter().filter(|_| call.rings.has_guests());
    account.into_iter().chain(guests).collect()
}

/// Answers a call with this device.
pub async fn accept(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::Accept).await
}

pub async fn reject(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::Reject).await
}

/// Ends a call, ringing or answered.
pub async fn hang_up(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::HangUp).await
}

async fn act(
    context: &CallsContext,
    found: &OwnCall,
    command: fn(CallDevice) -> CallCommand,
) -> ApiResult<Call> {
    let (by, now) = (found.by, context.clock.now());
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, found.job.id).await?;
    let mut call = queries::lock(&mut tx, found.call.id).await?.ok_or_else(gone)?;
    let device = device_of(by, &call, &job).ok_or_else(gone)?;
    let is_settled = settle(&mut tx, context, &mut call, &job, now).await?;
    let refusal = match call.stage().decide(command(device), max_length(&context.settings), now) {
        Ok(CallEvent::Over { .. }) if call.is_elsewhere(by) => Some(CallRefusal::Elsewhere),
        Ok(event) => {
            let event = by_link(&mut tx, &mut call, by, event, now).await?;
            apply(&mut tx, context, &mut call, event, actor_of(by, &job), now).await?;
            None
        }
        Err(CallRefusal::AlreadyDone) if !is_settled => return Ok(call.into()),
        Err(CallRefusal::AlreadyDone) => None,
        Err(refusal) => Some(refusal),
    };
    if let Some(refusal) = refusal.filter(|_| !is_settled) {
        return Err(refused(refusal));
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, call.job_id).await;
    refusal.map_or(Ok(call.into()), |refusal| Err(refused(refusal)))
}

/// The event of a call, bound to the guest's link that takes part in it, if any: an answered call ends with the link at the latest.
async fn by_link(
    tx: &mut PgConnection,
    call: &mut CallRow,
    by: Speaker,
    event: CallEvent,
    now: DateTime<Utc>,
) -> ApiResult<CallEvent> {
    let CallEvent::Accepted { callee_session_id, until } = event else { return Ok(event) };
    call.callee_link_id = by.link();
    let Some(link) = call.callee_link_id.or(call.caller_link_id) else { return Ok(event) };
    let until = match guests::hold_link(tx, link, now).await? {
        Some(end) => until.min(end),
        None if by.link().is_some() => return Err(guests::link_expired()),
        // A guest's own call: the revocation waits for the job's lock, and then ends it.
        None => until,
    };
    Ok(CallEvent::Accepted { callee_session_id, until })
}

/// Ends the call of a guest whose link was revoked.
pub async fn hang_up_for(context: &CallsContext, job_id: Uuid, link_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, job_id).await?;
    let live = queries::lock_live(&mut tx, job_id).await?;
    let Some(mut call) = live.filter(|call| call.has_link(link_id)) else { return Ok(()) };
    if !settle(&mut tx, context, &mut call, &job, now).await? {
        let side = if call.caller_link_id == Some(link_id) { Side::Caller } else { Side::Callee };
        let command = CallCommand::HangUp(CallDevice { side, session_id: link_id });
        let event = call.stage().decide(command, max_length(&context.settings), now).map_err(refused)?;
        apply(&mut tx, context, &mut call, event, Actor::Customer(UserId(job.customer_id)), now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, job_id).await;
    Ok(())
}

/// Ends calls that rang out, lasted too long, or whose job has moved on; returns how many.
pub async fn end_due(context: &CallsContext) -> ApiResult<usize> {
    let due = queries::due(&context.db, context.clock.now(), AT_ONCE).await?;
    let mut ended = 0;
    for id in due {
        // A call that can't be ended now stays due and does not hold up the others.
        match end_one(context, id).await {
            Ok(is_ended) => ended += usize::from(is_ended),
            Err(error) => error.log(),
        }
    }
    Ok(ended)
}

async fn end_one(context: &CallsContext, id: Uuid) -> ApiResult<bool> {
    let Some(found) = queries::find(&context.db, id).await? else { return Ok(false) };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, found.job_id).await?;
    let Some(mut call) = queries::lock(&mut tx, id).await? else { return Ok(false) };
    if !settle(&mut tx, context, &mut call, &job, now).await? {
        return Ok(false);
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, call.job_id).await;
    Ok(true)
}

/// Applies what time or the job has changed; returns whether that changed the call.
async fn settle(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &mut CallRow,
    job: &JobRow,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    let Some(event) = due(&context.settings, call, job, now) else { return Ok(false) };
    apply(tx, context, call, event, Actor::System, now).await?;
    Ok(true)
}

/// What time or the job has changed, even if nothing has stored it yet.
pub(super) fn due(
    settings: &Settings,
    call: &CallRow,
    job: &JobRow,
    now: DateTime<Utc>,
) -> Option<CallEvent> {
    let reason_to_end =
        availability::reason_to_end(job, call.mechanic_profile_id, call.on_job).map(CallCommand::EndByJob);
    // Time first: what rang out before the job moved was missed.
    let commands = [Some(CallCommand::Expire), reason_to_end].into_iter().flatten();
    let decide = |command| call.stage().decide(command, max_length(settings), now).ok();
    commands.filter_map(decide).next()
}

/// Stores what happened, adds it to the job's log, and notifies the callee of a missed call.
async fn apply(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &mut CallRow,
    event: CallEvent,
    by: Actor,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    match event {
        CallEvent::Accepted { callee_session_id, until } => {
            call.status = CallStatus::Accepted;
            call.callee_session_id = Some(callee_session_id);
            (call.answered_at, call.deadline_at) = (Some(now), Some(until));
        }
        CallEvent::Over { status, reason } => {
            // A call that timed out ended at its deadline, however late this is noticed.
            let by_time = matches!(reason, EndReason::NoAnswer | EndReason::MaxLength);
            let deadline = call.deadline_at.take().filter(|_| by_time);
            (call.status, call.end_reason) = (status, Some(reason));
            call.ended_at = Some(deadline.map_or(now, |at| at.min(now)));
        }
    }
    queries::save(tx, call).await?;
    if matches!(call.end_reason, Some(EndReason::NoAnswer | EndReason::CallerHungUp))
        && call.answered_at.is_none()
    {
        let (to, job_id) = (Addressee::User(call.callee_id), call.job_id);
        let missed = DomainEvent::CallMissed { to, job_id, call_id: call.id };
        notifications::record(tx, &context.random, missed, now).await?;
    }
    log(tx, context, call, by, now).await
}

/// Adds the change of the call to the job's log.
async fn log(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &CallRow,
    by: Actor,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let command = JobCommand::NoteCall { call_id: call.id };
    log::command(tx, context, call.job_id, by, &command, now).await.map_err(jobs::refused)?;
    Ok(())
}

/// The job's row, locked. Lock the job before the call.
async fn lock_job(tx: &mut PgConnection, context: &CallsContext, id: Uuid) -> ApiResult<JobRow> {
    log::lock(tx, context, id).await.map_err(jobs::refused)?;
    jobs::find(&mut *tx, id).await?.ok_or_else(|| ApiError::not_found("job"))
}

/// The job, for its customer and their guests, and for the mechanic who is on it, or was when it ended; 404 for others.
pub(super) async fn party(context: &CallsContext, speaker: Speaker, id: Uuid) -> ApiResult<(JobRow, Viewer)> {
    let row = jobs::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    let side = side_of_job(speaker, &row).ok_or_else(|| ApiError::not_found("job"))?;
    Ok((row, side))
}

fn side_of_job(speaker: Speaker, row: &JobRow) -> Option<Viewer> {
    speaker.viewer(row).filter(|viewer| *viewer != Viewer::Admin)
}

/// The speaker's device in the call. `None` for strangers, for a mechanic who lost the job, and for a guest who neither called nor
/// is called.
pub(super) fn device_of(speaker: Speaker, call: &CallRow, job: &JobRow) -> Option<CallDevice> {
    let viewer = side_of_job(speaker, job)?;
    let side = match speaker.account(job) {
        id if id == call.caller_id => Side::Caller,
        id if id == call.callee_id => Side::Callee,
        _ => return None,
    };
    let is_theirs = match viewer {
        Viewer::Customer => match (speaker.link(), side) {
            (None, _) => true,
            (Some(link), Side::Caller) => call.caller_link_id == Some(link),
            (Some(_), Side::Callee) => call.rings.has_guests(),
        },
        Viewer::Mechanic => job.mechanic_profile_id == Some(call.mechanic_profile_id),
        Viewer::Admin => false,
    };
    is_theirs.then_some(CallDevice { side, session_id: speaker.device() })
}

fn actor_of(speaker: Speaker, job: &JobRow) -> Actor {
    let user = UserId(speaker.account(job));
    if user.0 == job.customer_id { Actor::Customer(user) } else { Actor::Mechanic(user) }
}

fn max_length(settings: &Settings) -> TimeDelta {
    TimeDelta::seconds(settings.calls.max_length_s)
}

pub(super) fn grace(settings: &Settings) -> TimeDelta {
    TimeDelta::hours(settings.calls.open_after_end_h)
}

pub(super) fn not_callable(closed: NotCallable) -> ApiError {
    let code = match closed {
        NotCallable::NoMechanic(_) => Code::InvalidTransition,
        NotCallable::TooLate(_) => Code::Conflict,
    };
    ApiError::new(code, closed.to_string())
}

pub(super) fn refused(refusal: CallRefusal) -> ApiError {
    let code = match refusal {
        CallRefusal::AlreadyDone | CallRefusal::NothingDue | CallRefusal::Elsewhere => Code::Conflict,
        CallRefusal::NotCalled | CallRefusal::Is(_) => Code::InvalidTransition,
    };
    ApiError::new(code, refusal.to_string())
}

fn busy(id: Uuid) -> ApiError {
    ApiError::new(Code::Conflict, format!("Another call about this job is in progress ({id}). End it first."))
}
