//! Calls over a socket, as far as they are not commands like others: what it is told beside the log, and the signals that
//! it sends.

use std::collections::VecDeque;

use actix::prelude::*;
use uuid::Uuid;

use super::{
    following::{AskedBy, Listener, Since},
    protocol::{Reference, ServerFrame, ServerType},
    session::{Ctx, Session},
};
use crate::{
    auth::{self, Customer},
    calls::{self, Call, Payload, Told},
    error::ApiError,
};

/// Signals of one socket that wait to be passed on; one more is refused.
const WAITING_SIGNALS: usize = 32;

/// A signal that a client sends.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub reference: Option<Reference>,
    pub call_id: Uuid,
    pub payload: Payload,
}

/// Signals are passed on one at a time: a candidate must not overtake the description that it belongs to.
#[derive(Debug, Default)]
pub(super) struct SignalQueue {
    waiting: VecDeque<Outgoing>,
    is_busy: bool,
}

impl Session {
    /// It rings. Whoever hears that follows the job from then on: how it goes on, on whichever device, stands in the log.
    pub(super) fn show_ringing(&mut self, call: &Call, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallRinging, self.now(), call.clone());
        self.send(&frame.of_job(call.job_id), ctx);
        if !self.followed.knows(call.job_id) {
            self.subscribe(call.job_id, Since::Now, AskedBy::Client(None), ctx);
        }
    }

    /// What the other device of a call says.
    pub(super) fn show_signal(&self, told: &Told, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallSignal, told.at, &told.signal);
        self.send(&frame.of_job(told.job_id), ctx);
    }

    pub(super) fn take_signal(&mut self, signal: Outgoing, ctx: &mut Ctx) {
        if self.signals.waiting.len() >= WAITING_SIGNALS {
            return self.refuse(signal.reference.as_ref(), &ApiError::rate_limited(1), ctx);
        }
        self.signals.waiting.push_back(signal);
        if !self.signals.is_busy {
            self.signal_next(ctx);
        }
    }

    fn signal_next(&mut self, ctx: &mut Ctx) {
        let next = self.signals.waiting.pop_front();
        self.signals.is_busy = next.is_some();
        let Some(Outgoing { reference, call_id, payload }) = next else { return };
        let (state, caller) = (self.state.clone(), self.caller);
        let task = actix_rt::spawn(async move {
            let caller = auth::principal_of_session(&state, caller.user_id, caller.session_id).await?;
            let Customer(caller) = Customer::of(caller)?;
            calls::signal(&state, &caller, call_id, payload).await
        });
        ctx.spawn(task.into_actor(self).map(move |done, session, ctx| {
            match done.unwrap_or_else(|gone| Err(ApiError::internal(gone))) {
                Ok(signalled) => session.ack(reference.as_ref(), signalled, ctx),
                Err(error) => session.refuse(reference.as_ref(), &error, ctx),
            }
            session.signal_next(ctx);
        }));
    }
}
