//! The shell around the picture: matches at once when a job asks, and shortly after supply changed.

use std::{sync::Arc, time::Duration};

use actix::prelude::*;

use super::{
    matching::Candidate,
    messages::{Availability, Count, Demand, DispatcherCounts, Supply, Survey},
    state::Picture,
};
use crate::{
    ids::{CommandId, JobId, OfferId},
    job::{
        messages::Order,
        state::{Actor as By, Command, Proposal},
    },
    mechanic::messages::Reserve,
    ports::OfferStatus,
    wires::Word,
    world::World,
};

/// Positions age without a word: waiting jobs are matched again at least this often.
const SWEEP: Duration = Duration::from_secs(1);

/// Matches waiting jobs with free mechanics.
#[derive(Debug)]
pub(crate) struct DispatcherActor {
    world: Arc<World>,
    picture: Picture,
    is_pass_due: bool,
}

impl DispatcherActor {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world, picture: Picture::default(), is_pass_due: false }
    }

    /// Many words of supply make one pass.
    fn pass_soon(&mut self, ctx: &mut Context<Self>) {
        if !self.is_pass_due && self.picture.is_anyone_waiting() {
            self.is_pass_due = true;
            let wait = self.world.settings.matching.rematch_after.to_std().unwrap_or_default();
            ctx.run_later(wait, |actor, ctx| actor.pass(ctx));
        }
    }

    fn pass(&mut self, ctx: &mut Context<Self>) {
        self.is_pass_due = false;
        if !self.picture.is_anyone_waiting() {
            return;
        }
        let now = self.world.clock.now();
        let world = self.world.clone();
        let chosen = self.picture.decide(world.ports.eta.as_ref(), &world.settings.matching, now);
        for (job_id, candidates) in chosen {
            for candidate in &candidates {
                self.picture.take(candidate.mechanic_id);
            }
            self.picture.propose(job_id);
            self.propose(job_id, candidates, ctx);
        }
    }

    /// Reserves each candidate with its own actor, then proposes those that are reserved to the job's actor.
    fn propose(&mut self, job_id: JobId, candidates: Vec<Candidate>, ctx: &mut Context<Self>) {
        let Some((attempt, round)) = self.picture.want(job_id).map(|want| (want.attempt, want.round)) else {
            return;
        };
        let world = self.world.clone();
        let work = async move {
            let mut proposals = Vec::new();
            for candidate in candidates {
                let offer_id = OfferId(world.new_id());
                let reserve = Reserve { offer_id, job_id };
                match world.ask_mechanic(candidate.mechanic_id, reserve).await {
                    Ok(true) => proposals.push(Proposal {
                        offer_id,
                        mechanic_id: candidate.mechanic_id,
                        distance_m: candidate.estimate.distance_m,
                        eta_s: candidate.estimate.eta_s,
                        cost_s: candidate.cost_s,
                    }),
                    // Its own word, already on its way, says why.
                    Ok(false) => {}
                    // Taken in the picture, and perhaps free in truth.
                    Err(_) => world.ask_where_it_stands(candidate.mechanic_id),
                }
            }
            offer(&world, job_id, attempt, round, proposals).await
        };
        ctx.spawn(work.into_actor(self).map(move |is_heard, actor, _| {
            if !is_heard {
                // The sweep tries again.
                actor.picture.withdraw(job_id);
            }
        }));
    }
}

/// Hands the proposals to the job. Whatever comes of it, the job speaks again, which ends the proposal; only when
/// its actor can't be reached (`false`) the reservations are let go here.
async fn offer(
    world: &Arc<World>,
    job_id: JobId,
    attempt: u32,
    round: u32,
    proposals: Vec<Proposal>,
) -> bool {
    let held: Vec<_> = proposals.iter().map(|proposal| (proposal.offer_id, proposal.mechanic_id)).collect();
    let command = Command::Offer { attempt, round, proposals };
    let order = Order { id: CommandId(world.new_id()), by: By::System, command };
    let Err(error) = world.ask_job(job_id, order).await else { return true };
    tracing::warn!(job.id = %job_id, error.cause = %error, "a proposal did not reach its job");
    for (offer_id, mechanic_id) in held {
        world.tell_mechanic(mechanic_id, Word::OfferEnded { offer_id, status: OfferStatus::Revoked });
        // It may have reached the job all the same.
        world.tell_mechanic(mechanic_id, Word::Reload);
    }
    false
}

impl Actor for DispatcherActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.world.is_stopping() {
            return ctx.stop();
        }
        // Its mailbox holds the last word of everyone: words are small, and each job and mechanic says few.
        ctx.set_mailbox_capacity(self.world.settings.limits.mailbox.max(16) * 1024);
        ctx.run_interval(SWEEP, |actor, ctx| actor.pass_soon(ctx));
    }
}

impl Handler<Demand> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, demand: Demand, ctx: &mut Self::Context) {
        let is_waiting = demand.want.is_some();
        self.picture.demand(demand.job_id, demand.want);
        if is_waiting && !self.is_pass_due {
            self.pass(ctx);
        }
    }
}

impl Handler<Supply> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, supply: Supply, ctx: &mut Self::Context) {
        let could_serve = supply.view.as_ref().is_some_and(|view| view.is_free);
        self.picture.supply(supply.mechanic_id, supply.view);
        if could_serve {
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

impl Handler<Count> for DispatcherActor {
    type Result = MessageResult<Count>;

    fn handle(&mut self, _: Count, _: &mut Self::Context) -> Self::Result {
        let counts: DispatcherCounts = self.picture.counts();
        MessageResult(counts)
    }
}

#[cfg(feature = "simulation")]
impl Handler<crate::wires::Fate> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, fate: crate::wires::Fate, ctx: &mut Self::Context) {
        fate.befall(ctx);
    }
}
