//! What one kind of actor tells another, where neither may know the other's module.

use actix::prelude::*;

use crate::{
    concern::Duty,
    geo::Point,
    ids::{JobId, OfferId},
    ports::{OfferCard, OfferStatus},
};

/// Word from a job's actor. Repeating one is harmless.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) enum Word {
    /// The offer is committed.
    Offered(Box<OfferCard>),
    /// The reservation or the offer ended this way.
    OfferEnded {
        offer_id: OfferId,
        status: OfferStatus,
    },
    Assigned {
        job_id: JobId,
        pickup: Point,
        is_arrived: bool,
        duty: Duty,
    },
    Unassigned {
        job_id: JobId,
    },
    /// Memory and journal disagree: load again.
    Reload,
}

/// How a test ends an actor.
#[cfg(feature = "simulation")]
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) enum Fate {
    /// As if the process had ended.
    Gone,
    Panic,
}

#[cfg(feature = "simulation")]
impl Fate {
    pub(crate) fn befall(self, ctx: &mut impl ActorContext) {
        match self {
            // Not `terminate`: with a cancelled timer left, actix polls such a context without end.
            Self::Gone => ctx.stop(),
            Self::Panic => panic!("a planned panic"),
        }
    }
}
