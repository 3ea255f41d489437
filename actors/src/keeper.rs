//! Brings back what died. A panic ends one actor alone and silently: the keeper looks once a second for actors that
//! should run and don't, starts them anew (they load from the journal), and has everyone say again where they stand
//! when the dispatcher's picture may be incomplete.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use actix::prelude::*;

use crate::{job, mechanic, wires::Word, world::World};

const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Keeper {
    world: Arc<World>,
}

impl Keeper {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world }
    }

    fn look(&self) {
        let world = &self.world;
        if world.is_stopping() {
            return;
        }
        world.dispatcher();
        for id in world.registry.dead_jobs() {
            tracing::error!(job.id = %id, "a job's actor died, starting it anew");
            world.job(id);
        }
        for id in world.registry.dead_mechanics() {
            tracing::error!(mechanic.id = %id, "a mechanic's actor died, starting it anew");
            world.mechanic(id);
        }
        // At most one word each: whoever has no room for it is told in the next round.
        for id in world.registry.take_missed() {
            world.tell_mechanic(id, Word::Reload);
        }
        if world.needs_announcement.swap(false, Ordering::AcqRel) {
            self.announce_all();
        }
    }

    /// Whoever does not get this is asked again in the next round.
    fn announce_all(&self) {
        let mut is_complete = true;
        for (_, addr) in self.world.registry.jobs() {
            is_complete &= addr.try_send(job::messages::Announce).is_ok();
        }
        for (_, addr) in self.world.registry.mechanics() {
            is_complete &= addr.try_send(mechanic::messages::Announce).is_ok();
        }
        if !is_complete {
            self.world.needs_announcement.store(true, Ordering::Release);
        }
    }
}

impl Actor for Keeper {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(LOOK_EVERY, |keeper, _| keeper.look());
    }
}

#[cfg(feature = "simulation")]
impl Handler<crate::wires::Fate> for Keeper {
    type Result = ();

    fn handle(&mut self, fate: crate::wires::Fate, ctx: &mut Self::Context) {
        fate.befall(ctx);
    }
}
