//! Acts on the decisions of the watch over a mechanic on the way to a pickup, and knows whether someone watches
//! them.
//!
//! The journal is read before any action: nothing may follow from an assignment that is over, or from a silence
//! that the service itself may have caused.

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::{
    actor::MechanicActor,
    state::Engagement,
    watch::{AssignmentWatch, Step},
};
use crate::{
    concern::Finding,
    ids::JobId,
    outbound::{Announcement, Nudge},
    refusal::Refusal,
};

impl MechanicActor {
    /// Keeps one watch per assignment, from the job's message about it until the arrival.
    pub(super) fn update_watch(&mut self, now: DateTime<Utc>) {
        let engagement = self.mechanic.as_ref().map(|mechanic| &mechanic.engagement);
        let Some(Engagement::Busy { job_id, pickup, is_arrived: false, duty: Some(duty), .. }) = engagement
        else {
            self.watch = None;
            return;
        };
        match &mut self.watch {
            Some(watch) if watch.is_of(*job_id, *pickup, duty) => watch.update_duty(*duty, now),
            watch => *watch = Some(Box::new(AssignmentWatch::new(*job_id, *pickup, *duty, now))),
        }
    }

    /// Evaluates the evidence. If there is a concern, reads the journal and then acts.
    pub(super) fn watch_over(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        let Some(watch) = &mut self.watch else { return };
        watch.evaluate(&self.context.settings.watch, now);
        if !watch.has_concern() {
            return;
        }
        let (context, id) = (self.context.clone(), self.id);
        let load = async move { context.journal.load_mechanic(id).await };
        ctx.wait(load.into_actor(self).map(|loaded, actor, ctx| match loaded {
            Ok(Some(mechanic)) => {
                actor.adopt(mechanic);
                actor.perform_steps(ctx);
            }
            Ok(None) => ctx.stop(),
            Err(_) => actor.interrupt_watch(),
        }));
    }

    /// Interrupts the watch, because positions may have come that were not accepted while the journal was away.
    pub(super) fn interrupt_watch(&mut self) {
        let now = self.now();
        if let Some(watch) = &mut self.watch {
            watch.interrupt(now);
        }
    }

    fn perform_steps(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        let (Some(watch), Some(mechanic)) = (&mut self.watch, &self.mechanic) else { return };
        let (job_id, attempt, user) = (watch.job(), watch.attempt(), mechanic.profile.user_id);
        for step in watch.steps(&self.context.settings.watch, now) {
            match step {
                Step::Nudge(delay) => {
                    let nudge = Nudge { mechanic: user, job_id, delay };
                    self.context.outbound.announce(Announcement::Nudge(nudge));
                }
                Step::Report(finding) if !self.is_reporting => self.report(job_id, attempt, finding, ctx),
                Step::Report(_) => {}
            }
        }
    }

    fn report(&mut self, job_id: JobId, attempt: u32, finding: Finding, ctx: &mut Context<Self>) {
        self.is_reporting = true;
        let (context, id) = (self.context.clone(), self.id);
        let report = async move { context.jobs.report_finding(job_id, id, attempt, finding).await };
        ctx.spawn(report.into_actor(self).map(move |answer, actor, _| {
            actor.is_reporting = false;
            match answer {
                // The job's own message follows.
                Ok(()) => {
                    tracing::info!(mechanic.id = %actor.id, job.id = %job_id, ?finding, "a finding was reported to the job")
                }
                Err(Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_)) => actor.interrupt_watch(),
                // The job has moved on: its message was lost, or is under way.
                Err(_) => actor.needs_reload = true,
            }
        }));
    }

    /// Notes whether someone watches them, or did a moment ago.
    pub(super) fn check_watchers(&mut self, now: DateTime<Utc>) {
        let Some(mechanic) = &mut self.mechanic else { return };
        let job = mechanic.engagement.job();
        mechanic.is_watched = job.is_some_and(|job| self.context.audience.is_watched(job, now));
    }
}
