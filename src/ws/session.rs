//! One socket: an actor that lives as long as its connection.
//!
//! It reads frames, enforces the limits, and writes answers and events. `listener.rs` follows jobs, `commands.rs`
//! carries out the client's commands. While the peer reads nothing, this actor is not polled: only its mailbox grows,
//! which is bounded.

use std::{sync::Arc, time::Duration};

use actix::prelude::*;
use actix_http::ws::Item;
use actix_web::web::Data;
use actix_web_actors::ws::{CloseCode, CloseReason, Message, ProtocolError, WebsocketContext};
use bytes::BytesMut;
use roadcall_actors::{engine::SocketLink, ports::Nudge};
use serde::Serialize;
use uuid::Uuid;

use super::{
    commands::CommandQueue,
    context::WsContext,
    fleet_map::FleetMap,
    frame_guard::GuardState,
    frame_rate::FrameRate,
    hub::{Connection, Notice, SocketPermit},
    listener::Listener,
    location_queue::LocationQueue,
    openings::Turn,
    protocol::{
        ClientFrame, Draining, Hello, LocationRate, Malformed, Nothing, Nudged, Reference, Reply,
        ServerFrame, ServerType,
    },
    subscriptions::Subscriptions,
};
use crate::{
    accounts::auth::Caller,
    fleet::mechanics::WaitingAdvice,
    http::RateLimits,
    offers::OfferedJob,
    platform::error::{ApiError, Code},
};

pub(super) type Ctx = WebsocketContext<SocketSession>;

/// Our close codes (RFC 6455 leaves 4000–4999 to applications).
mod close {
    use actix_web_actors::ws::CloseCode;

    /// A newer socket of the same mechanic took over: do not reconnect.
    pub const REPLACED: CloseCode = CloseCode::Other(4001);
    /// The session behind the socket has ended, or its role has changed: sign in again.
    pub const SIGNED_OUT: CloseCode = CloseCode::Other(4401);
    /// The client was silent for `ws.idle_timeout_s`.
    pub const SILENT: CloseCode = CloseCode::Other(4408);
    /// Events were missed because the socket was not read, or an admin's desks have changed: reconnect and resume by
    /// `since_seq`.
    pub const LAGGING: CloseCode = CloseCode::Again;
}

/// `server.draining` asks clients to come back within this time.
pub(super) const RETRY_AFTER_MS: std::ops::Range<u32> = 500..5_000;

/// The actor of one socket.
#[derive(Debug)]
pub struct SocketSession {
    pub(super) context: Data<WsContext>,
    /// The id of the request that opened the socket, for the log.
    request_id: Arc<str>,
    pub(super) caller: Caller,
    pub(super) permit: SocketPermit,
    /// Held until the socket knows what it missed.
    pub(super) turn: Option<Turn>,
    connection: Option<Arc<Connection>>,
    /// The link to the mechanic's actor; absent while it answers a position.
    pub(super) link: Option<SocketLink>,
    refusal: GuardState,
    /// The arrival of the last frame, as the time that the clock had run, however the machine's time is set.
    last_frame_at: Duration,
    frames: FrameRate,
    /// The fragments of a message so far; the guard in front of the codec limits their sum. Boxed, because few clients send any.
    fragments: Option<Box<BytesMut>>,
    pub(super) subscriptions: Subscriptions,
    pub(super) locations: LocationQueue,
    pub(super) commands: CommandQueue,
    /// The map that an admin watches; absent on other sockets.
    pub(super) fleet_map: Option<Box<FleetMap>>,
    /// The last pending offer that was shown, and what it said of the job; no job once the offer is over.
    pub(super) shown_offer: Option<(Uuid, Option<Box<OfferedJob>>)>,
    /// The last offer that was declined on this socket.
    pub(super) declined_offer: Option<Uuid>,
}

impl SocketSession {
    pub(super) fn new(
        context: Data<WsContext>,
        request_id: Arc<str>,
        caller: Caller,
        permit: SocketPermit,
        turn: Turn,
        refusal: GuardState,
    ) -> Self {
        let last_frame_at = context.clock.elapsed();
        let frames = FrameRate::new(context.ws_settings.frames_per_second, last_frame_at);
        let locations = LocationQueue::new(context.dispatch.slow_interval_s());
        Self {
            context,
            request_id,
            caller,
            permit,
            turn: Some(turn),
            connection: None,
            link: None,
            refusal,
            last_frame_at,
            frames,
            fragments: None,
            subscriptions: Subscriptions::default(),
            locations,
            commands: CommandQueue::default(),
            fleet_map: None,
            shown_offer: None,
            declined_offer: None,
        }
    }

    pub(super) fn send(&self, frame: &impl Serialize, ctx: &mut Ctx) {
        match serde_json::to_string(frame) {
            Ok(text) => ctx.text(text),
            // Frames are structs of strings and numbers. If one still fails, the client syncs again.
            Err(error) => {
                self.in_span(|| tracing::error!(%error, "serializing a frame failed"));
                self.close(close::LAGGING, "resync", ctx);
            }
        }
    }

    /// Sends a frame about a job that may belong to a trace.
    pub(super) fn send_frame<T: Serialize>(&self, frame: &ServerFrame<T>, ctx: &mut Ctx) {
        frame.trace(&self.context.traces);
        self.send(frame, ctx);
    }

    pub(super) fn send_event(&self, kind: ServerType, data: impl Serialize, ctx: &mut Ctx) {
        self.send(&ServerFrame::new(kind, self.now(), data), ctx);
    }

    /// Tells the mechanic's app how often to send its position from now on.
    pub(super) fn send_location_rate(&mut self, interval_s: u32, ctx: &mut Ctx) {
        self.locations.set_interval(interval_s);
        self.send_event(ServerType::LocationRate, LocationRate { interval_s }, ctx);
    }

    fn close(&self, code: CloseCode, why: &str, ctx: &mut Ctx) {
        ctx.close(Some(CloseReason { code, description: Some(why.to_owned()) }));
        ctx.stop();
    }

    /// Sends `session.replaced`, then closes with the code that means: do not reconnect.
    pub(super) fn close_replaced(&self, ctx: &mut Ctx) {
        self.send_event(ServerType::SessionReplaced, Nothing {}, ctx);
        self.close(close::REPLACED, "a newer socket took over", ctx);
    }

    /// Returns whether the session may go on; closes it if the service stops, or if it was replaced or is lagging.
    fn check_connection(&self, ctx: &mut Ctx) -> bool {
        if self.context.is_draining() {
            self.drain(ctx);
            return false;
        }
        let Some(connection) = &self.connection else { return true };
        if connection.is_replaced() {
            self.close_replaced(ctx);
            return false;
        }
        if connection.is_lagging() {
            self.send_event(ServerType::ResyncRequired, Nothing {}, ctx);
            self.close(close::LAGGING, "events were missed", ctx);
            return false;
        }
        true
    }

    fn send_hello(&mut self, ctx: &mut Ctx) {
        let hello = Hello {
            session_id: self.caller.session_id,
            server_time: self.now().into(),
            heartbeat_s: self.context.ws_settings.ping_interval_s,
            location_interval_s: self.context.dispatch.slow_interval_s(),
        };
        self.send_event(ServerType::Hello, hello, ctx);
        if let Some(mechanic) = self.caller.mechanic {
            self.catch_up_mechanic(mechanic.profile_id, ctx);
        } else {
            self.turn = None;
        }
    }

    /// Returns how long the client has been silent.
    fn silent_for(&self) -> Duration {
        self.context.clock.elapsed().saturating_sub(self.last_frame_at)
    }

    /// Pings, and checks every watched job, which makes up for wakes that found no room.
    pub(super) fn heartbeat(&mut self, ctx: &mut Ctx) {
        if !self.check_connection(ctx) {
            return;
        }
        ctx.ping(b"");
        let settings = &self.context.ws_settings;
        let idle_timeout = Duration::from_secs(settings.idle_timeout_s);
        let silent = self.silent_for();
        if silent + Duration::from_secs(settings.ping_interval_s) > idle_timeout {
            ctx.run_later(idle_timeout.saturating_sub(silent), move |session, ctx| {
                if session.silent_for() >= idle_timeout {
                    session.close(close::SILENT, "the client was silent too long", ctx);
                }
            });
        }
        self.follow_all(ctx);
    }

    fn drain(&self, ctx: &mut Ctx) {
        let spread = RETRY_AFTER_MS.end - RETRY_AFTER_MS.start;
        let retry_after_ms = RETRY_AFTER_MS.start + self.context.random.below(spread);
        self.send_event(ServerType::ServerDraining, Draining { retry_after_ms }, ctx);
        self.close(CloseCode::Away, "the server is stopping", ctx);
    }

    /// Returns the limits on what this person may do in a minute, over HTTP and all sockets together.
    pub(super) fn limits(&self) -> &RateLimits {
        &self.context.chat.limits
    }

    /// Counts a frame other than a location; beyond the rate the socket is closed.
    pub(super) fn count_frame(&mut self, reference: Option<&Reference>, ctx: &mut Ctx) -> bool {
        let elapsed = self.context.clock.elapsed();
        if self.frames.admit(elapsed) {
            return true;
        }
        self.refuse(reference, &ApiError::rate_limited(1), ctx);
        self.close(CloseCode::Policy, "too many frames", ctx);
        false
    }

    fn text(&mut self, text: &str, ctx: &mut Ctx) {
        match ClientFrame::parse(text) {
            Ok(frame) => self.carry_out(frame, ctx),
            Err(Malformed { reference, error }) => {
                if self.count_frame(reference.as_ref(), ctx) {
                    let error = self.limits().check_command(self.caller.budget).err().unwrap_or(error);
                    self.refuse(reference.as_ref(), &error, ctx);
                }
            }
        }
    }

    fn fragment(&mut self, item: Item, ctx: &mut Ctx) {
        if !self.count_frame(None, ctx) {
            return;
        }
        match item {
            Item::FirstText(bytes) => self.fragments = Some(Box::new(BytesMut::from(&bytes[..]))),
            Item::FirstBinary(_) => self.close(CloseCode::Unsupported, "text frames only", ctx),
            Item::Continue(bytes) => self.fragments.get_or_insert_default().extend_from_slice(&bytes),
            Item::Last(bytes) => {
                let mut whole = self.fragments.take().unwrap_or_default();
                whole.extend_from_slice(&bytes);
                match std::str::from_utf8(&whole) {
                    Ok(text) => self.text(text, ctx),
                    Err(_) => self.close(CloseCode::Invalid, "not UTF-8", ctx),
                }
            }
        }
    }

    fn close_on_protocol_error(&self, error: &ProtocolError, ctx: &mut Ctx) {
        let (code, why) = match error {
            _ if self.refusal.is_oversized() => (CloseCode::Size, "the message is too large"),
            ProtocolError::Overflow => (CloseCode::Size, "the message is too large"),
            ProtocolError::Io(error) if error.kind() == std::io::ErrorKind::Other => {
                (CloseCode::Invalid, "not UTF-8")
            }
            _ => (CloseCode::Protocol, "not a WebSocket frame"),
        };
        self.in_span(|| tracing::debug!(%error, "a client broke the WebSocket protocol"));
        self.close(code, why, ctx);
    }
}

impl Listener for SocketSession {
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
        self.send_frame(frame, ctx);
    }

    fn ack<T: Serialize>(&self, reference: Option<&Reference>, data: T, ctx: &mut Ctx) {
        if let Some(reference) = reference {
            self.send(&Reply::Ack { reference, data }, ctx);
        }
    }

    /// Refuses a frame, whether or not it has a reference.
    fn refuse(&self, reference: Option<&Reference>, error: &ApiError, ctx: &mut Ctx) {
        self.in_span(|| error.log());
        let (retry_after_s, error) = (error.retry_after_s, error.body().error);
        let answer: Reply<'_, Nothing> = Reply::Error { reference, error, retry_after_s };
        self.send(&answer, ctx);
    }

    /// Returns whether another attempt may succeed. No frame asked for this subscription, so there is no answer.
    fn tries_again(&self, error: &ApiError, _: &mut Ctx) -> bool {
        self.in_span(|| error.log());
        // The job may have another mechanic by now, or the session may have ended: the recheck handles both.
        !matches!(error.code, Code::NotFound | Code::Unauthorized | Code::AccountSuspended)
    }

    fn connect_again(&self, ctx: &mut Ctx) {
        self.close(close::LAGGING, "the desks have changed", ctx);
    }

    fn sign_out(&self, why: &str, ctx: &mut Ctx) {
        self.close(close::SIGNED_OUT, why, ctx);
    }

    /// Makes the span for these lines alone: one that lasted as long as the socket would be entered with every frame.
    fn in_span(&self, log: impl FnOnce()) {
        let (request, user) = (&self.request_id, self.caller.user_id);
        tracing::info_span!("request", request.id = %request, http.route = "/ws", user.id = %user)
            .in_scope(log);
    }
}

impl Actor for SocketSession {
    type Context = Ctx;

    fn started(&mut self, ctx: &mut Ctx) {
        ctx.set_mailbox_capacity(self.context.ws_settings.mailbox);
        self.connection = Some(self.permit.open(ctx.address().recipient(), Some(self.caller.session_id)));
        self.send_hello(ctx);
        self.begin_chores(ctx);
        // The service may have begun to stop before this socket was registered.
        self.check_connection(ctx);
    }
}

impl StreamHandler<Result<Message, ProtocolError>> for SocketSession {
    fn handle(&mut self, item: Result<Message, ProtocolError>, ctx: &mut Ctx) {
        self.last_frame_at = self.context.clock.elapsed();
        match item {
            Ok(Message::Text(text)) => self.text(&text, ctx),
            Ok(Message::Continuation(item)) => self.fragment(item, ctx),
            Ok(Message::Ping(data)) => {
                if self.count_frame(None, ctx) {
                    ctx.pong(&data);
                }
            }
            Ok(Message::Pong(_)) => {
                self.count_frame(None, ctx);
            }
            Ok(Message::Binary(_)) => self.close(CloseCode::Unsupported, "text frames only", ctx),
            Ok(Message::Close(_)) => {
                ctx.close(Some(CloseCode::Normal.into()));
                ctx.stop();
            }
            Ok(Message::Nop) => {}
            Err(error) => self.close_on_protocol_error(&error, ctx),
        }
    }
}

impl Handler<Notice> for SocketSession {
    type Result = ();

    fn handle(&mut self, notice: Notice, ctx: &mut Ctx) {
        if !self.check_connection(ctx) {
            return;
        }
        match notice {
            Notice::JobMoved(job) => self.follow(job, ctx),
            Notice::Assigned(job) => self.follow_own(job, ctx),
            Notice::Offer(card) => self.show_offer(&card, ctx),
            Notice::WaitAdvised(advice) => {
                self.send_event(ServerType::WaitAdvised, WaitingAdvice::from(&advice), ctx)
            }
            Notice::LocationRate(interval_s) => self.send_location_rate(interval_s, ctx),
            Notice::Notified(notification) => {
                if let Some(job) = notification.data.get("job_id") {
                    self.context.traces.sent(ServerType::NotificationCreated.as_str(), *job);
                }
                self.send_event(ServerType::NotificationCreated, notification, ctx)
            }
            Notice::Rings(call) => self.show_ringing(&call, ctx),
            Notice::Signal(sent) => self.show_signal(&sent, ctx),
            Notice::Nudge(Nudge { job_id, delay, .. }) => {
                let data = Nudged { concern: delay.concern.into(), since: delay.since.into() };
                let frame = ServerFrame::new(ServerType::JobNudge, self.now(), data);
                self.send(&frame.of_job(job_id.0), ctx);
            }
            Notice::Progress(progress) => self.show_progress(progress, ctx),
            Notice::Outlook { job, outlook } => self.show_outlook(job, outlook, ctx),
            Notice::ChatRead { job, read } => {
                self.send(&ServerFrame::new(ServerType::ChatWasRead, self.now(), read).of_job(job), ctx);
            }
            Notice::ChatTyping { job, typing } => {
                self.send(&ServerFrame::new(ServerType::ChatTyped, self.now(), typing).of_job(job), ctx);
            }
            Notice::LookForMissed => self.look_for_missed(ctx),
            Notice::CheckSession => self.check_session(ctx),
            // The check above has already handled this.
            Notice::CheckConnection => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_keeps_little() {
        let size = size_of::<SocketSession>();
        assert!(size <= 704, "{size} bytes for each open socket, most of whose mechanics have no job");
    }
}
