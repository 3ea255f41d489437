//! One job as server-sent events: the frames of the socket, for clients that only listen.
//!
//! `listener.rs` follows, replays and shows jobs, as for sockets. This actor is the body of its response. While the
//! peer reads nothing, it is not polled: only its mailbox grows, which is bounded, until the kernel's timeout ends the
//! stream.

use std::{sync::Arc, time::Duration};

use actix::{dev::AsyncContextParts, prelude::*};
use actix_web::web::Data;
use actix_web_actors::HttpContext;
use bytes::Bytes;
use serde::Serialize;
use uuid::Uuid;

use super::{
    context::WsContext,
    hub::{Connection, Notice, SocketPermit},
    listener::Listener,
    openings::Turn,
    protocol::{Draining, Nothing, Reference, ServerFrame, ServerType},
    session::RETRY_AFTER_MS,
    subscriptions::{AskedBy, Since, Subscriptions},
};
use crate::{accounts::auth::Caller, platform::error::ApiError};

pub(super) type Ctx = HttpContext<JobStream>;

/// A stream of one job.
#[derive(Debug)]
pub(super) struct JobStream {
    context: Data<WsContext>,
    caller: Caller,
    permit: SocketPermit,
    /// Held until its job is looked up.
    turn: Option<Turn>,
    connection: Option<Arc<Connection>>,
    job: Uuid,
    since: Since,
    subscriptions: Subscriptions,
}

impl JobStream {
    pub(super) fn new(
        context: Data<WsContext>,
        caller: Caller,
        permit: SocketPermit,
        turn: Turn,
        job: Uuid,
        since: Since,
    ) -> Self {
        let turn = Some(turn);
        Self {
            context,
            caller,
            permit,
            turn,
            connection: None,
            job,
            since,
            subscriptions: Subscriptions::default(),
        }
    }

    /// Sends a comment, so that proxies know that the stream is alive, and checks the job's slot.
    fn heartbeat(&mut self, ctx: &mut Ctx) {
        if self.goes_on(ctx) {
            ctx.write(Bytes::from_static(b":\n\n"));
            self.follow_all(ctx);
        }
    }

    /// Returns whether the stream may go on: if the service stops, or the stream missed something important, it ends, and
    /// the client resumes by its last id.
    fn goes_on(&self, ctx: &mut Ctx) -> bool {
        if self.context.is_draining() {
            self.drain(ctx);
            return false;
        }
        let is_lagging = self.connection.as_ref().is_some_and(|connection| connection.is_lagging());
        if is_lagging {
            self.show(&ServerFrame::new(ServerType::ResyncRequired, self.now(), Nothing {}), ctx);
            ctx.stop();
        }
        !is_lagging
    }

    fn drain(&self, ctx: &mut Ctx) {
        let spread = RETRY_AFTER_MS.end - RETRY_AFTER_MS.start;
        let retry_after_ms = RETRY_AFTER_MS.start + self.context.random.below(spread);
        // This field tells the browser's own client when to reconnect.
        ctx.write(Bytes::from(format!("retry: {retry_after_ms}\n")));
        let data = Draining { retry_after_ms };
        self.show(&ServerFrame::new(ServerType::ServerDraining, self.now(), data), ctx);
        ctx.stop();
    }
}

impl Listener for JobStream {
    fn context(&self) -> &Data<WsContext> {
        &self.context
    }

    fn caller(&self) -> Caller {
        self.caller
    }

    fn permit(&self) -> &SocketPermit {
        &self.permit
    }

    fn subscriptions(&mut self) -> &mut Subscriptions {
        &mut self.subscriptions
    }

    fn set_caller(&mut self, caller: Caller) {
        self.caller = caller;
    }

    fn has_opened(&mut self) {
        self.turn = None;
    }

    fn show<T: Serialize>(&self, frame: &ServerFrame<T>, ctx: &mut Ctx) {
        frame.trace(&self.context().traces);
        match serde_json::to_string(frame) {
            Ok(json) => ctx.write(Bytes::from(event(frame.kind, frame.seq, &json))),
            // Frames are structs of strings and numbers. If one still fails, the client syncs again.
            Err(error) => {
                tracing::error!(%error, "serializing a frame failed");
                ctx.stop();
            }
        }
    }

    /// Does nothing: a stream gets no requests.
    fn ack<T: Serialize>(&self, _: Option<&Reference>, _: T, _: &mut Ctx) {}

    /// Logs the error: a stream gets no requests to answer.
    fn refuse(&self, _: Option<&Reference>, error: &ApiError, _: &mut Ctx) {
        error.log();
    }

    /// Ends the stream, because the job could not be looked up or has another mechanic by now: the client's next
    /// attempt gets the reason.
    fn tries_again(&self, error: &ApiError, ctx: &mut Ctx) -> bool {
        error.log();
        ctx.stop();
        false
    }

    fn connect_again(&self, ctx: &mut Ctx) {
        ctx.stop();
    }

    fn sign_out(&self, _: &str, ctx: &mut Ctx) {
        ctx.stop();
    }
}

/// Writes one event in the format of the stream (WHATWG HTML, 9.2.5). Only events of the job's log have an id, so a
/// client resumes at the last id that it has.
fn event(kind: ServerType, seq: Option<i64>, json: &str) -> String {
    let id = seq.map(|seq| format!("id: {seq}\n")).unwrap_or_default();
    format!("{id}event: {kind}\ndata: {json}\n\n")
}

impl Actor for JobStream {
    type Context = Ctx;

    fn started(&mut self, ctx: &mut Ctx) {
        let settings = self.context.ws_settings.clone();
        ctx.parts().set_mailbox_capacity(settings.mailbox);
        self.connection = Some(self.permit.open(ctx.address().recipient(), None));
        self.subscribe(self.job, self.since, AskedBy::Server, ctx);
        ctx.run_interval(Duration::from_secs(settings.ping_interval_s), Self::heartbeat);
        ctx.run_interval(settings.recheck_interval(), |stream, ctx| stream.recheck(ctx));
        // The service may have begun to stop before this stream was registered.
        self.goes_on(ctx);
    }
}

impl Handler<Notice> for JobStream {
    type Result = ();

    fn handle(&mut self, notice: Notice, ctx: &mut Ctx) {
        if !self.goes_on(ctx) {
            return;
        }
        match notice {
            Notice::JobMoved(job) => self.follow(job, ctx),
            Notice::Progress(progress) => self.show_progress(progress, ctx),
            Notice::Outlook { job, outlook } => self.show_outlook(job, outlook, ctx),
            Notice::CheckSession => self.check_session(ctx),
            // Notices about the person rather than this job go to sockets only.
            Notice::Offer(_)
            | Notice::LocationRate(_)
            | Notice::WaitAdvised(_)
            | Notice::Nudge(_)
            | Notice::Assigned(_)
            | Notice::Notified(_)
            | Notice::ChatRead { .. }
            | Notice::ChatTyping { .. }
            | Notice::Rings(_)
            | Notice::Signal(_)
            | Notice::LookForMissed
            | Notice::CheckConnection => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_an_id_if_it_is_in_the_log() {
        assert_eq!(event(ServerType::JobUpdated, Some(7), "{}"), "id: 7\nevent: job.updated\ndata: {}\n\n");
        assert_eq!(event(ServerType::EtaUpdated, None, "{}"), "event: eta.updated\ndata: {}\n\n");
    }
}
