//! Server-sent events for the holder of a link who may talk: they report that something has changed or that the
//! mechanic is calling, and carry signals of the mechanic's device.
//!
//! Changes are only in the responses of `/shares/{token}`, so one place decides what a link shows. Like a
//! `JobStream`, the stream is the body of its response. Calls and signals reach it by the link's id.

use std::{sync::Arc, time::Duration};

use actix::{dev::AsyncContextParts, prelude::*};
use actix_web::web::Data;
use actix_web_actors::HttpContext;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{
    context::WsContext,
    hub::{Connection, Notice, SocketPermit},
    protocol::Nothing,
    session::RETRY_AFTER_MS,
    watch::Watch,
};
use crate::{
    messaging::{calls::SharedCall, guests::Guest},
    sharing::shares,
};

/// The step of a timer, which counts whole milliseconds and may fire within the last one before a link expires.
const CLOCK_STEP: Duration = Duration::from_millis(1);

type Ctx = HttpContext<GuestStream>;

/// A stream of one link.
#[derive(Debug)]
pub(super) struct GuestStream {
    context: Data<WsContext>,
    guest: Guest,
    permit: SocketPermit,
    connection: Option<Arc<Connection>>,
    watch: Option<Watch>,
    /// The last event of the job's log that its reader was notified of.
    seq: i64,
    /// The timer of the check at the link's expiry.
    expiry: Option<SpawnHandle>,
}

impl GuestStream {
    /// `seq` is the job's newest event when the guest was admitted.
    pub(super) fn new(context: Data<WsContext>, guest: Guest, permit: SocketPermit, seq: i64) -> Self {
        Self { context, guest, permit, connection: None, watch: None, seq, expiry: None }
    }

    /// Notifies the reader if the job's log has grown.
    fn look(&mut self, ctx: &mut Ctx) {
        let Some(watch) = &self.watch else { return };
        watch.look_again();
        let newest = watch.newest_seq();
        if newest > self.seq {
            self.seq = newest;
            watch.has_sent(newest);
            write("changed", &Nothing {}, ctx);
            self.recheck(ctx);
        }
    }

    /// Sends a comment, so that proxies keep the stream open, and checks the job's slot.
    fn heartbeat(&mut self, ctx: &mut Ctx) {
        if self.goes_on(ctx) {
            ctx.write(Bytes::from_static(b":\n\n"));
            self.look(ctx);
        }
    }

    /// Returns whether the stream may go on: if the service stops, or the stream missed something important, it ends, and
    /// the client connects again.
    fn goes_on(&self, ctx: &mut Ctx) -> bool {
        if self.context.is_draining() {
            self.drain(ctx);
            return false;
        }
        let is_lagging = self.connection.as_ref().is_some_and(|connection| connection.is_lagging());
        if is_lagging {
            ctx.stop();
        }
        !is_lagging
    }

    /// Checks the link again when it expires.
    fn check_at(&mut self, expires_at: DateTime<Utc>, ctx: &mut Ctx) {
        let left = (expires_at - self.context.clock.now()).to_std().unwrap_or_default();
        let next = ctx.run_later(left + CLOCK_STEP, Self::recheck_at_expiry);
        if let Some(earlier) = self.expiry.replace(next) {
            ctx.cancel_future(earlier);
        }
    }

    fn recheck_at_expiry(&mut self, ctx: &mut Ctx) {
        self.expiry = None;
        self.recheck(ctx);
    }

    /// Ends the stream if the link has ended.
    fn recheck(&mut self, ctx: &mut Ctx) {
        let (context, guest) = (self.context.clone(), self.guest);
        let look = actix_rt::spawn(async move { shares::admitted_until(&context, guest).await });
        ctx.spawn(look.into_actor(self).map(|looked, stream, ctx| match looked {
            // The link of a job that is moved to a later time lasts longer.
            Ok(Ok(Some(expires_at))) => stream.check_at(expires_at, ctx),
            Ok(Ok(None)) => {
                write("ended", &Nothing {}, ctx);
                ctx.stop();
            }
            // The database is away: decide at the next check.
            Ok(Err(error)) => error.log(),
            Err(gone) => tracing::error!(error.cause = %gone, "checking a link failed"),
        }));
    }

    fn drain(&self, ctx: &mut Ctx) {
        let spread = RETRY_AFTER_MS.end - RETRY_AFTER_MS.start;
        let retry_after_ms = RETRY_AFTER_MS.start + self.context.random.below(spread);
        ctx.write(Bytes::from(format!("retry: {retry_after_ms}\n\n")));
        ctx.stop();
    }
}

/// Writes one event in the format of the stream (WHATWG HTML, 9.2.5).
fn write(name: &str, data: &impl Serialize, ctx: &mut Ctx) {
    match serde_json::to_string(data) {
        Ok(json) => ctx.write(Bytes::from(format!("event: {name}\ndata: {json}\n\n"))),
        // The data are structs of strings and numbers. If one still fails, the client reconnects.
        Err(error) => {
            tracing::error!(%error, "serializing an event failed");
            ctx.stop();
        }
    }
}

impl Actor for GuestStream {
    type Context = Ctx;

    fn started(&mut self, ctx: &mut Ctx) {
        let settings = self.context.ws_settings.clone();
        ctx.parts().set_mailbox_capacity(settings.mailbox);
        self.connection = Some(self.permit.open(ctx.address().recipient(), Some(self.guest.link_id)));
        self.watch = self.permit.watch(self.guest.job_id);
        if let Some(watch) = &self.watch {
            watch.has_sent(self.seq);
        }
        // This comment shows the client that the stream is open.
        ctx.write(Bytes::from_static(b":\n\n"));
        ctx.run_interval(Duration::from_secs(settings.ping_interval_s), Self::heartbeat);
        ctx.run_interval(Duration::from_secs(settings.recheck_s), Self::recheck);
        self.check_at(self.guest.expires_at, ctx);
        // The service may have begun to stop before this stream was registered.
        self.goes_on(ctx);
    }
}

impl Handler<Notice> for GuestStream {
    type Result = ();

    fn handle(&mut self, notice: Notice, ctx: &mut Ctx) {
        if !self.goes_on(ctx) {
            return;
        }
        match notice {
            Notice::JobMoved(_) => self.look(ctx),
            Notice::CheckSession => self.recheck(ctx),
            Notice::Rings(call) => write("call.ringing", &SharedCall::from(*call), ctx),
            Notice::Signal(sent) => write("call.signal", &sent.signal, ctx),
            // These notices are for people with an account.
            Notice::Progress(_)
            | Notice::Outlook { .. }
            | Notice::Offer(_)
            | Notice::LocationRate(_)
            | Notice::WaitAdvised(_)
            | Notice::Nudge(_)
            | Notice::Assigned(_)
            | Notice::Notified(_)
            | Notice::ChatRead { .. }
            | Notice::ChatTyping { .. }
            | Notice::LookForMissed
            | Notice::CheckConnection => {}
        }
    }
}
