//! Restarts actors that died. A panic ends one actor alone and silently: the supervisor checks once a second which
//! actors should run and don't, and starts them again (they load from the journal). It also has everyone report
//! again when the dispatcher may have missed something.

use std::{sync::Arc, time::Duration};

use actix::prelude::*;

use crate::{context::EngineContext, job, mechanic, messages::MechanicMessage};

const CHECK_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Supervisor {
    context: Arc<EngineContext>,
}

impl Supervisor {
    pub(crate) fn new(context: Arc<EngineContext>) -> Self {
        Self { context }
    }

    fn check(&self) {
        let context = &self.context;
        if context.shutdown.has_begun() {
            return;
        }
        context.dispatcher();
        for id in context.jobs.dead() {
            tracing::error!(job.id = %id, "a job's actor died, starting it anew");
            context.job(id);
        }
        for id in context.mechanics.dead() {
            tracing::error!(mechanic.id = %id, "a mechanic's actor died, starting it anew");
            context.mechanic(id);
        }
        // One message each: if the mailbox is still full, the next check tries again.
        for id in context.take_missed_messages() {
            context.notify_mechanic(id, MechanicMessage::Reload);
        }
        if context.take_needs_announcement() {
            self.announce_all();
        }
    }

    /// Makes everyone report again. If a mailbox is full, everyone is asked again at the next check.
    fn announce_all(&self) {
        let mut is_complete = true;
        for (_, addr) in self.context.jobs.all() {
            is_complete &= addr.try_send(job::messages::Announce).is_ok();
        }
        for (_, addr) in self.context.mechanics.all() {
            is_complete &= addr.try_send(mechanic::messages::Announce).is_ok();
        }
        if !is_complete {
            self.context.request_announcement();
        }
    }
}

impl Actor for Supervisor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(CHECK_EVERY, |supervisor, _| supervisor.check());
    }
}

#[cfg(any(test, feature = "simulation"))]
impl Handler<crate::messages::InjectedFault> for Supervisor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
