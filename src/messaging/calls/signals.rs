//! Signals between the devices of a call: session descriptions (SDP) and candidates (ICE). They are passed on to sockets
//! unchanged, and neither stored nor logged, since they contain addresses of phones.

use std::sync::Arc;

use futures_util::future::join_all;
use uuid::Uuid;

use super::{
    context::CallsContext,
    dto::{Call, SentSignal, Signal, SignalPayload, Signalled},
    due::due,
    owned::OwnCall,
    queries::CallRow,
    refusals::refused,
    state::{CallEvent, CallRefusal, CallStatus, Route, Side},
};
use crate::{
    messaging::guests::{self, Speaker},
    platform::error::ApiResult,
};

/// Tells the caller that a device of the callee rings.
pub async fn ring(context: &CallsContext, own: OwnCall) -> ApiResult<Call> {
    check_live(context, &own)?;
    let OwnCall { call, device, .. } = own;
    if device.side == Side::Caller {
        return Err(refused(CallRefusal::NotCalled));
    }
    if call.status != CallStatus::Ringing {
        return Err(refused(CallRefusal::Is(call.status)));
    }
    let (caller, at) = (call.caller_link_id.unwrap_or(call.caller_id), call.caller_session_id);
    let call = Call::from(call);
    context.sockets.rings(caller, Some(at), &call);
    Ok(call)
}

/// Passes a signal on to the other side, unless that exceeds `calls.signals_per_second`, which is 429.
pub async fn signal(
    context: &CallsContext,
    by: Speaker,
    id: Uuid,
    payload: SignalPayload,
) -> ApiResult<Signalled> {
    context.limits.check_signal(by.device())?;
    pass_on(context, &OwnCall::get(context, by, id).await?, payload).await
}

/// Passes a guest's signal on to the other side of a known call.
pub async fn signal_as_guest(
    context: &CallsContext,
    own: &OwnCall,
    payload: SignalPayload,
) -> ApiResult<Signalled> {
    context.limits.check_signal(own.by.device())?;
    pass_on(context, own, payload).await
}

async fn pass_on(context: &CallsContext, own: &OwnCall, payload: SignalPayload) -> ApiResult<Signalled> {
    check_live(context, own)?;
    let OwnCall { call, device, .. } = own;
    let id = call.id;
    let route = call.stage().route(*device, call.caller_session_id).map_err(refused)?;
    let now = context.clock.now();
    let (to, session_id) = match route {
        Route::EveryDevice => {
            let links = match call.rings.has_guests() {
                true => guests::links_of(&context.db, call.job_id, now).await?,
                false => Vec::new(),
            };
            (call.rung(links), None)
        }
        Route::Device(session_id) => (vec![other_end(call, device.side)], Some(session_id)),
    };
    let signal = Signal { call_id: id, payload };
    let sent = Arc::new(SentSignal { job_id: call.job_id, at: now, signal });
    let send = |person| context.sockets.signal(person, session_id, &sent);
    let delivered = join_all(to.into_iter().map(send)).await.into_iter().any(|taken| taken);
    Ok(Signalled { call_id: id, delivered })
}

/// Returns the other side's socket id: a person's, or a guest's link.
fn other_end(call: &CallRow, side: Side) -> Uuid {
    match side {
        Side::Caller => call.callee_link_id.unwrap_or(call.callee_id),
        Side::Callee => call.caller_link_id.unwrap_or(call.caller_id),
    }
}

/// Refuses a call that is over, even if nothing has ended it yet.
fn check_live(context: &CallsContext, own: &OwnCall) -> ApiResult<()> {
    match due(&context.call_settings, &own.call, &own.job, context.clock.now()) {
        Some(CallEvent::Over { status, .. }) => Err(refused(CallRefusal::Is(status))),
        Some(CallEvent::Accepted { .. }) | None => Ok(()),
    }
}
