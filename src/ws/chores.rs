//! The regular chores of a socket: its heartbeat, and the check of its session.
//!
//! One timer serves both: a socket's timers are polled with each of its frames, and a mechanic's socket has little else.

use std::time::Duration;

use actix::prelude::*;

use super::{
    listener::Listener,
    session::{Ctx, SocketSession},
    settings::WsSettings,
};

/// The times left until each chore.
#[derive(Debug, Clone, Copy)]
struct Chores {
    heartbeat: Duration,
    recheck: Duration,
}

impl SocketSession {
    /// Lets the timer run.
    pub(super) fn begin_chores(&self, ctx: &mut Ctx) {
        Chores::of(&self.context.ws_settings).do_later(ctx);
    }
}

impl Chores {
    /// Returns the whole times between two of each.
    fn of(settings: &WsSettings) -> Self {
        let heartbeat = Duration::from_secs(settings.ping_interval_s);
        Self { heartbeat, recheck: settings.recheck_interval() }
    }

    /// Repeats each chore in its interval.
    fn do_later(self, ctx: &mut Ctx) {
        let wait = self.heartbeat.min(self.recheck);
        ctx.run_later(wait, move |session, ctx| self.after(wait).do_due(session, ctx).do_later(ctx));
    }

    fn after(self, wait: Duration) -> Self {
        Self { heartbeat: self.heartbeat - wait, recheck: self.recheck - wait }
    }

    /// Carries out the chores that are due, and returns the times until the next ones.
    fn do_due(mut self, session: &mut SocketSession, ctx: &mut Ctx) -> Self {
        let every = Self::of(&session.context.ws_settings);
        if self.heartbeat.is_zero() {
            self.heartbeat = every.heartbeat;
            session.heartbeat(ctx);
        }
        if self.recheck.is_zero() {
            self.recheck = every.recheck;
            session.recheck(ctx);
        }
        self
    }
}
