//! The shell around the picture: looks when a job asks, and shortly after supply changed.
//!
//! A pass takes this way; `deciding` asks and solves, `proposing` reserves and tells why.
//!
//! ```text
//! look ─▶ split into components ─▶ due? ─▶ ETA table ─▶ solve ─▶ reserve, propose ─▶ explain
//!                                  no: a timer  (may wait)  (may run beside)
//! ```

use std::{collections::VecDeque, sync::Arc, time::Duration};

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::{
    answers::{Decision, Users},
    explaining::Ledger,
    matching::Waiting,
    messages::{Count, Demand, Supply},
    planning::Due,
    state::Picture,
    view::{Availability, DispatcherCounts, Nearest, Survey},
};
use crate::{ids::MechanicId, world::World};

/// Nothing hangs on a single word: what waits is looked after at least this often.
const SWEEP: Duration = Duration::from_secs(1);
/// A job's word makes a pass at once while no more jobs than this are to be looked at; beyond, words are gathered for
/// `rematch_after`, so that a thousand of them make a few passes.
const LOOK_AT_ONCE: usize = 32;

/// Matches waiting jobs with free mechanics.
#[derive(Debug)]
pub(crate) struct DispatcherActor {
    pub(super) world: Arc<World>,
    pub(super) picture: Picture,
    pub(super) counts: DispatcherCounts,
    is_pass_due: bool,
    /// When the first contested component has gathered for long enough.
    gathers_until: Option<DateTime<Utc>>,
    /// Questions for ETA tables, and solves beside, that are under way.
    pub(super) tables: usize,
    pub(super) solves: usize,
    pub(super) ledger: Ledger,
    /// Decisions that offered a job to nobody, to be explained when there is time.
    pub(super) unexplained: VecDeque<Decision>,
}

impl DispatcherActor {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self {
            world,
            picture: Picture::default(),
            counts: DispatcherCounts::default(),
            is_pass_due: false,
            gathers_until: None,
            tables: 0,
            solves: 0,
            ledger: Ledger::default(),
            unexplained: VecDeque::new(),
        }
    }

    /// Many words make one pass.
    pub(super) fn pass_soon(&mut self, ctx: &mut Context<Self>) {
        if !self.is_pass_due && self.picture.awake() > 0 {
            self.is_pass_due = true;
            let wait = self.world.matching().rematch_after.to_std().unwrap_or_default();
            ctx.run_later(wait, |actor, ctx| {
                actor.is_pass_due = false;
                actor.pass(ctx);
            });
        }
    }

    fn pass(&mut self, ctx: &mut Context<Self>) {
        if self.picture.awake() == 0 {
            return;
        }
        self.counts.passes += 1;
        let now = self.world.clock.now();
        let (open, users) = self.look(now, ctx);
        let (due, gathers_until) = Due::now(open, &self.world.matching(), now);
        if let Some(until) = gathers_until {
            self.pass_at(until, now, ctx);
        }
        self.ask_or_decide(due, &users, now, ctx);
    }

    /// The jobs that somebody fits, and how many of them (those held included) could use each mechanic.
    pub(super) fn look(&mut self, now: DateTime<Utc>, ctx: &mut Context<Self>) -> (Vec<Waiting>, Users) {
        let (world, policy) = (self.world.clone(), self.world.matching());
        let look = self.picture.look(world.ports.eta.as_ref(), &policy, now);
        let mut users = Users::default();
        let usable = |job: &Waiting| {
            job.candidates.iter().map(|candidate| candidate.mechanic_id).collect::<Vec<MechanicId>>()
        };
        look.open.iter().for_each(|job| users.add(usable(job).into_iter()));
        users.add(self.picture.used_by_held());
        let strategy = policy.strategy;
        let nobody = |job| Decision::nobody(job, strategy, now);
        self.explain_soon(look.stuck.into_iter().map(nobody), ctx);
        (look.open, users)
    }

    fn pass_at(&mut self, until: DateTime<Utc>, now: DateTime<Utc>, ctx: &mut Context<Self>) {
        if self.gathers_until.is_some_and(|timer| timer <= until) {
            return;
        }
        self.gathers_until = Some(until);
        ctx.run_later((until - now).to_std().unwrap_or_default(), move |actor, ctx| {
            // One that an earlier timer took the place of does no harm.
            actor.gathers_until = actor.gathers_until.filter(|timer| *timer != until);
            actor.pass(ctx);
        });
    }

    fn sweep(&mut self, ctx: &mut Context<Self>) {
        let now = self.world.clock.now();
        self.picture.wake_forgotten(now);
        let picture = &self.picture;
        self.ledger.forget(now, |id| picture.is_waiting(id));
        self.pass_soon(ctx);
    }
}

impl Actor for DispatcherActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.world.is_stopping() {
            return ctx.stop();
        }
        // Its mailbox holds the last word of everyone: words are small, and each job and mechanic says few.
        ctx.set_mailbox_capacity(self.world.settings.limits.mailbox.max(16) * 1024);
        ctx.run_interval(SWEEP, |actor, ctx| actor.sweep(ctx));
    }
}

impl Handler<Demand> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, demand: Demand, ctx: &mut Self::Context) {
        let is_waiting = demand.want.is_some();
        self.picture.demand(demand.job_id, demand.want, self.world.clock.now());
        match is_waiting {
            true if self.picture.awake() <= LOOK_AT_ONCE => self.pass(ctx),
            true => self.pass_soon(ctx),
            false => {}
        }
    }
}

impl Handler<Supply> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, supply: Supply, ctx: &mut Self::Context) {
        if self.picture.supply(supply.mechanic_id, supply.view, self.world.clock.now()) {
            self.pass_soon(ctx);
        }
    }
}

impl Handler<Survey> for DispatcherActor {
    type Result = MessageResult<Survey>;

    fn handle(&mut self, survey: Survey, _: &mut Self::Context) -> Self::Result {
        let availability: Availability =
            self.picture.survey(&survey, self.world.ports.eta.as_ref(), self.world.clock.now());
        MessageResult(availability)
    }
}

impl Handler<Nearest> for DispatcherActor {
    type Result = MessageResult<Nearest>;

    fn handle(&mut self, nearest: Nearest, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.picture.nearest(&nearest, self.world.clock.now()))
    }
}

impl Handler<Count> for DispatcherActor {
    type Result = MessageResult<Count>;

    fn handle(&mut self, _: Count, _: &mut Self::Context) -> Self::Result {
        let (waiting_jobs, online_mechanics, free_mechanics) = self.picture.sizes();
        MessageResult(DispatcherCounts { waiting_jobs, online_mechanics, free_mechanics, ..self.counts })
    }
}

#[cfg(feature = "simulation")]
impl Handler<crate::wires::Fate> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, fate: crate::wires::Fate, ctx: &mut Self::Context) {
        fate.befall(ctx);
    }
}
