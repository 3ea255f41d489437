//! Moves a mechanic's actor to the thread that reads their socket.
//!
//! The successor is registered first and waits. The predecessor still answers everything that it was sent before,
//! then hands over its state and ends. If it dies before that, the successor loads the mechanic from the journal.

use actix::prelude::*;
use tokio::sync::oneshot;

use super::{
    actor::{MechanicActor, Predecessor},
    state::Engagement,
};
use crate::placement::SocketThread;

/// The last message to an actor that moves.
#[derive(Debug, Message)]
#[rtype(result = "()")]
struct HandOver(oneshot::Sender<MechanicActor>);

impl MechanicActor {
    /// Starts a successor on the socket's thread, unless the mechanic is engaged: their trail and watch have work in progress.
    pub(super) fn move_to(&mut self, socket: &SocketThread, ctx: &mut Context<Self>) {
        let is_free = self.mechanic.as_ref().is_some_and(|mechanic| mechanic.engagement == Engagement::Free);
        if !is_free {
            return;
        }
        let (hand_over, predecessor) = oneshot::channel();
        let (id, running, context) = (self.id, self.running.clone(), self.context.clone());
        self.running.replace(self.id, &ctx.address(), || {
            // This bypasses the mailbox's capacity, and must come after everything that was sent here.
            ctx.address().do_send(HandOver(hand_over));
            MechanicActor::start_in_arbiter(socket.arbiter(), move |_| {
                MechanicActor::following(predecessor, id, running, context)
            })
        });
    }

    /// Takes over from the actor before this one. Messages wait meanwhile.
    pub(super) fn follow(&self, predecessor: Predecessor, ctx: &mut Context<Self>) {
        ctx.wait(predecessor.into_actor(self).map(|handed_over, actor, ctx| match handed_over {
            Ok(mut known) => {
                // The requests that waited for these points are repeated, and come here.
                known.mechanic.iter_mut().for_each(|mechanic| mechanic.forget_unstored());
                known.is_reporting = false;
                *actor = known;
                actor.publish_changes();
                if actor.mechanic.is_none() || actor.needs_reload {
                    actor.load(ctx);
                }
            }
            Err(_) => actor.load(ctx),
        }));
    }
}

impl Handler<HandOver> for MechanicActor {
    type Result = ();

    fn handle(&mut self, HandOver(successor): HandOver, ctx: &mut Self::Context) {
        let left = Self::new(self.id, self.running.clone(), self.context.clone());
        successor.send(std::mem::replace(self, left)).ok();
        ctx.stop();
    }
}
