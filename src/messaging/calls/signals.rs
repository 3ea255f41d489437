//! What the devices of a call send each other through the service: descriptions of sessions (SDP) and candidates (ICE). They are
//! passed on to sockets as they are, and neither stored nor logged: addresses of phones stand in them.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    actions,
    dto::{Call, Signal, SignalPayload, Signalled},
    queries::{self, CallRow},
    state::{CallDevice, CallEvent, CallRefusal, CallStatus, Route, Side},
};
use crate::{
    jobs::{self, JobRow},
    messaging::{
        calls::CallsContext,
        guests::{self, Speaker},
    },
    platform::error::{ApiError, ApiResult},
};

/// A signal on its way.
#[derive(Debug)]
pub struct SentSignal {
    pub job_id: Uuid,
    pub at: DateTime<Utc>,
    pub signal: Signal,
}

/// A device of the callee says that it rings: the caller hears it.
pub async fn ring(context: &CallsContext, by: Speaker, id: Uuid) -> ApiResult<Call> {
    let (call, _, device) = live(context, by, id).await?;
    if device.side == Side::Caller {
        return Err(actions::refused(CallRefusal::NotCalled));
    }
    if call.status != CallStatus::Ringing {
        return Err(actions::refused(CallRefusal::Is(call.status)));
    }
    let (caller, at) = (call.caller_link_id.unwrap_or(call.caller_id), call.caller_session_id);
    let call = Call::from(call);
    context.sockets.rings(caller, Some(at), &call);
    Ok(call)
}

/// Passes a signal on to the other side. 429 beyond `calls.signals_per_second`: it is not passed on then.
pub async fn signal(
    context: &CallsContext,
    by: Speaker,
    id: Uuid,
    payload: SignalPayload,
) -> ApiResult<Signalled> {
    context.limits.check_signal(by.device())?;
    let (call, _, device) = live(context, by, id).await?;
    let route = call.stage().route(device, call.caller_session_id).map_err(actions::refused)?;
    let now = context.clock.now();
    let (to, session_id) = match route {
        Route::EveryDevice => {
            let links = guests::links_of(&context.db, call.job_id, now).await?;
            (actions::called(&call, links), None)
        }
        Route::Device(session_id) => (vec![other_end(&call, device.side)], Some(session_id)),
    };
    let signal = Signal { call_id: id, payload };
    let sent = Arc::new(SentSignal { job_id: call.job_id, at: now, signal });
    let send = |any, person| context.sockets.signal(person, session_id, &sent) | any;
    Ok(Signalled { call_id: id, delivered: to.into_iter().fold(false, send) })
}

/// Who talks with that side, as sockets know them: a person, or a guest's link.
fn other_end(call: &CallRow, side: Side) -> Uuid {
    match side {
        Side::Caller => call.callee_link_id.unwrap_or(call.callee_id),
        Side::Callee => call.caller_link_id.unwrap_or(call.caller_id),
    }
}

/// The call, its job, and as which device somebody speaks; refused where it is over by now, even if nobody has ended it yet.
async fn live(
    context: &CallsContext,
    speaker: Speaker,
    id: Uuid,
) -> ApiResult<(CallRow, JobRow, CallDevice)> {
    let gone = || ApiError::not_found("call");
    let call = queries::find(&context.db, id).await?.ok_or_else(gone)?;
    let job = jobs::find(&context.db, call.job_id).await?.ok_or_else(gone)?;
    let device = actions::device_of(speaker, &call, &job).ok_or_else(gone)?;
    match actions::due(&context.settings, &call, &job, context.clock.now()) {
        Some(CallEvent::Over { status, .. }) => Err(actions::refused(CallRefusal::Is(status))),
        Some(CallEvent::Accepted { .. }) | None => Ok((call, job, device)),
    }
}
