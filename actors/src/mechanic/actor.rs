//! The shell around the mechanic's state machine: keeps its position, its reservation and its wish, and tells the
//! dispatcher whenever that changes what it may be offered.

use std::sync::Arc;

use actix::prelude::*;
use chrono::{DateTime, TimeDelta, Utc};

use super::{
    context::MechanicContext,
    messages::{Announce, Locate, Look, ProfileChanged, Reserve, SetAvailability},
    state::{Engagement, Located, Mechanic},
    watch::{Seen, Watch},
};
use crate::{
    commit::CommitError,
    ids::{JobId, MechanicId, OfferId},
    messages::{MechanicMessage, Supply, SupplyUpdate},
    offer::OfferCard,
    outbound::Sighting,
    refusal::Refusal,
    status::OfferStatus,
};

/// How often an idle actor looks at its own clock: freshness, forgotten availability, stale reservations.
const TICK: std::time::Duration = std::time::Duration::from_secs(5);
/// Every so many ticks an engaged mechanic is compared with the journal: a word may have been lost.
const CHECK_EVERY: u32 = 12;
/// An actor that nobody needs ends after this long without a word from its phone.
const REST_AFTER: TimeDelta = TimeDelta::minutes(20);

/// Owns one mechanic.
#[derive(Debug)]
pub(crate) struct MechanicActor {
    pub(super) id: MechanicId,
    pub(super) context: Arc<MechanicContext>,
    /// `None` until loaded.
    pub(super) mechanic: Option<Mechanic>,
    available_since: DateTime<Utc>,
    rate_s: u32,
    /// Memory and journal may disagree: load again, keeping what only memory knows.
    pub(super) is_suspect: bool,
    ticks: u32,
    /// What the dispatcher was told last, so that nothing is said twice.
    reported: Option<Supply>,
    /// A committed offer that it could not take while memory had it engaged otherwise.
    misfit: Option<(JobId, OfferId)>,
    /// While it is on its way to a pickup.
    pub(super) watch: Option<Watch>,
    /// A report of the watch is on its way to the job.
    pub(super) is_reporting: bool,
    /// Until then it counts as watched, so that a socket that comes back changes nothing.
    pub(super) watched_until: Option<DateTime<Utc>>,
}

impl MechanicActor {
    pub(crate) fn new(id: MechanicId, context: MechanicContext) -> Self {
        let available_since = context.clock.now();
        Self {
            id,
            context: Arc::new(context),
            mechanic: None,
            available_since,
            rate_s: 0,
            is_suspect: false,
            ticks: 0,
            reported: None,
            misfit: None,
            watch: None,
            is_reporting: false,
            watched_until: None,
        }
    }

    pub(crate) fn loaded(mechanic: Mechanic, context: MechanicContext) -> Self {
        Self { mechanic: Some(mechanic.clone()), ..Self::new(mechanic.id, context) }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.context.clock.now()
    }

    /// After every change: the watch over it, the dispatcher's view, and the rate at which the app shall send.
    pub(super) fn share(&mut self) {
        let now = self.now();
        self.keep_watch(now);
        self.look_who_watches(now);
        let Some(mechanic) = &self.mechanic else { return };
        let policy = &self.context.settings.presence;
        // Who may be engaged without knowing it is not offered anything.
        let supply = mechanic.supply(policy, now).filter(|_| !self.is_suspect);
        if supply != self.reported {
            self.context
                .dispatcher
                .update_supply(SupplyUpdate { mechanic_id: self.id, supply: supply.clone() });
            self.reported = supply;
        }
        let rate_s = mechanic.interval_s(policy);
        if rate_s != self.rate_s {
            self.rate_s = rate_s;
            self.context.outbound.location_rate(mechanic.profile.user_id, rate_s);
        }
    }

    fn receive(&mut self, message: MechanicMessage) {
        let now = self.now();
        let outbound = self.context.outbound.clone();
        let Some(mechanic) = &mut self.mechanic else { return };
        let user = mechanic.profile.user_id;
        match message {
            MechanicMessage::Offered(mut card) => {
                card.mechanic_user = user;
                let is_news =
                    !matches!(&mechanic.engagement, Engagement::Offered(held) if held.id == card.id);
                if !mechanic.offered((*card).clone()) {
                    // Either memory is wrong or the offer must go: the journal tells.
                    self.misfit = Some((card.job_id, card.id));
                    self.is_suspect = true;
                } else if is_news {
                    outbound.offer_changed(&card);
                    if !mechanic.available {
                        // Its wish changed while the offer was on its way.
                        self.context.jobs.revoke_offer(card.job_id, card.id, self.id);
                    }
                }
            }
            MechanicMessage::OfferEnded { offer_id, status } => {
                if let Some(mut card) = mechanic.let_go(offer_id, now) {
                    card.status = status;
                    mechanic.history.hear(status);
                    outbound.offer_changed(&card);
                    if status == OfferStatus::Accepted {
                        // Between this and the word of the assignment it must not be taken for free.
                        mechanic.assign(card.job_id, card.pickup, false);
                    }
                }
            }
            MechanicMessage::Assigned { job_id, pickup, is_arrived, duty } => {
                let is_news =
                    !matches!(&mechanic.engagement, Engagement::Busy { job_id: held, .. } if *held == job_id);
                if is_news {
                    if let Engagement::Offered(card) = &mechanic.engagement
                        && card.job_id != job_id
                    {
                        // Assigned past an offer of another job: that one can't be served any more.
                        outbound
                            .offer_changed(&OfferCard { status: OfferStatus::Revoked, ..(**card).clone() });
                        self.context.jobs.revoke_offer(card.job_id, card.id, self.id);
                    }
                    mechanic.assign(job_id, pickup, is_arrived);
                }
                mechanic.engagement = Engagement::Busy { job_id, pickup, is_arrived, duty: Some(duty) };
                outbound.assigned(user, job_id, true);
            }
            MechanicMessage::Unassigned { job_id } => {
                if mechanic.unassign(job_id, now) {
                    outbound.assigned(user, job_id, false);
                }
            }
            MechanicMessage::Reload => self.is_suspect = true,
        }
        self.share();
    }

    fn located(&mut self, locate: Locate) -> Result<Located, Refusal> {
        let context = self.context.clone();
        // Before the answer is composed: it names the interval.
        self.look_who_watches(self.now());
        let mechanic = self.mechanic.as_mut().ok_or(Refusal::NotFound)?;
        let located = mechanic.locate(locate.pings, &context.settings.presence, locate.received_at);
        let (engagement, last) = (mechanic.engagement.clone(), mechanic.last);
        let mut seen = None;
        if let (true, Some(fix)) = (located.moved, last) {
            context.journal.record_position(self.id, fix);
            if let Engagement::Busy { job_id, pickup, is_arrived, .. } = engagement {
                let estimate =
                    (!is_arrived).then(|| context.eta.estimate(fix.point, pickup, fix.received_at));
                seen = estimate.and_then(|way| Seen::of(&fix, way, &context.settings.presence));
                context.outbound.located(&Sighting { job_id, mechanic_id: self.id, fix, estimate });
            }
        }
        if let Some(watch) = self.watch.as_mut().filter(|_| located.accepted > 0) {
            watch.hear(seen, &context.settings.watch, context.clock.now());
        }
        self.share();
        Ok(located)
    }

    fn tick(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        self.ticks = self.ticks.wrapping_add(1);
        let Some(mechanic) = &mut self.mechanic else { return self.load_then(ctx) };
        let is_checked =
            self.ticks.is_multiple_of(CHECK_EVERY) && !matches!(mechanic.engagement, Engagement::Free);
        if is_checked || mechanic.has_outlived_its_offer(now) {
            self.is_suspect = true;
        }
        if let Some(offer_id) = mechanic.stale_hold(now) {
            mechanic.let_go(offer_id, now);
        }
        let policy = &self.context.settings.presence;
        let is_forgotten = mechanic.is_forgotten(policy, self.available_since, now);
        let quiet = now - mechanic.heard_at().unwrap_or(self.available_since).max(self.available_since);
        let is_idle = matches!(mechanic.engagement, Engagement::Free) && !mechanic.available;
        self.share();
        if self.is_suspect {
            self.load_then(ctx);
        } else if is_forgotten {
            tracing::info!(mechanic.id = %self.id, "availability ends by itself: no position for too long");
            ctx.notify(SetAvailability { available: false });
        } else if is_idle && quiet > REST_AFTER {
            ctx.stop();
        } else {
            self.watch_over(ctx);
        }
    }

    /// Loads the mechanic where memory is empty. Messages wait meanwhile.
    fn load_then(&self, ctx: &mut Context<Self>) {
        let (context, id) = (self.context.clone(), self.id);
        let load = async move { context.journal.load_mechanic(id).await };
        ctx.wait(load.into_actor(self).map(|loaded, actor, ctx| match loaded {
            Ok(Some(mechanic)) => actor.take_up(mechanic),
            Ok(None) => ctx.stop(),
            // The next tick tries again; until then callers are told that it is unavailable.
            Err(error) => {
                tracing::warn!(mechanic.id = %actor.id, error.cause = %error, "could not load the mechanic");
                actor.interrupt_watch();
            }
        }));
    }

    /// Takes the mechanic as the journal has it. What differs from memory are words that were lost: they are passed
    /// on now.
    pub(super) fn take_up(&mut self, loaded: Mechanic) {
        let now = self.now();
        let outbound = &self.context.outbound;
        let before = self.mechanic.as_ref().map_or(Engagement::Free, |old| old.engagement.clone());
        let mechanic = loaded.with_memory_of(self.mechanic.take(), now);
        let user = mechanic.profile.user_id;
        for card in mechanic.offer_words_since(&before, now) {
            outbound.offer_changed(&card);
        }
        match (before.job(), mechanic.engagement.job()) {
            (old, new) if old == new => {}
            (old, new) => {
                old.into_iter().for_each(|job| outbound.assigned(user, job, false));
                new.into_iter().for_each(|job| outbound.assigned(user, job, true));
            }
        }
        let offer = mechanic.engagement.offer().map(|card| card.id);
        if let Some((job_id, offer_id)) = self.misfit.take().filter(|(_, id)| Some(*id) != offer) {
            self.context.jobs.revoke_offer(job_id, offer_id, self.id);
        }
        self.is_suspect = false;
        self.mechanic = Some(mechanic);
        self.share();
    }

    fn missing(&self) -> Refusal {
        Refusal::Unavailable("the mechanic could not be loaded".to_owned())
    }
}

impl Actor for MechanicActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.context.shutdown.has_begun() {
            return ctx.stop();
        }
        ctx.set_mailbox_capacity(self.context.settings.limits.mailbox);
        ctx.run_interval(TICK, |actor, ctx| actor.tick(ctx));
        if self.mechanic.is_none() {
            self.load_then(ctx);
        }
        self.share();
    }

    fn stopped(&mut self, ctx: &mut Self::Context) {
        // One that panicked stays in the registry, where the keeper finds it.
        if !std::thread::panicking() {
            self.context.dispatcher.update_supply(SupplyUpdate { mechanic_id: self.id, supply: None });
            self.context.registry.remove(self.id, &ctx.address());
        }
    }
}

impl Handler<Locate> for MechanicActor {
    type Result = ResponseActFuture<Self, Result<Located, Refusal>>;

    /// Memory first, then the trail: the answer says what is stored. Points that were not are taken again.
    fn handle(&mut self, locate: Locate, _: &mut Self::Context) -> Self::Result {
        let located = if self.mechanic.is_some() { self.located(locate) } else { Err(self.missing()) };
        let journal = self.context.journal.clone();
        let record = async move {
            let mut located = located?;
            let trail = std::mem::take(&mut located.trail);
            let recorded = match trail.is_empty() {
                true => Ok(()),
                false => journal.record_trail(trail.clone()).await,
            };
            Ok((located, trail, recorded))
        };
        Box::pin(record.into_actor(self).map(|answer, actor, _| {
            let (located, trail, recorded) = answer?;
            match recorded {
                Ok(()) => {
                    let stored = actor.mechanic.as_mut().and_then(|mechanic| mechanic.stored(&trail));
                    Ok(Located { last_seq: stored, ..located })
                }
                Err(error) => {
                    actor.mechanic.iter_mut().for_each(|mechanic| mechanic.forget(&trail));
                    actor.interrupt_watch();
                    Err(Refusal::Unavailable(error.to_string()))
                }
            }
        }))
    }
}

impl Handler<SetAvailability> for MechanicActor {
    type Result = AtomicResponse<Self, Result<(), Refusal>>;

    fn handle(&mut self, set: SetAvailability, _: &mut Self::Context) -> Self::Result {
        let (context, id, now) = (self.context.clone(), self.id, self.now());
        let is_missing = self.mechanic.is_none();
        let missing = self.missing();
        let save = async move {
            if is_missing {
                return Err(missing);
            }
            match context.journal.save_availability(id, set.available, now).await {
                Ok(()) => Ok(()),
                Err(CommitError::Refused(_)) => Err(Refusal::NotEligible("it is not verified")),
                Err(CommitError::Unknown(why)) => Err(Refusal::OutcomeUnknown(why)),
                Err(error) => Err(Refusal::Unavailable(error.to_string())),
            }
        };
        AtomicResponse::new(Box::pin(save.into_actor(self).map(move |saved, actor, _| {
            match (&saved, &mut actor.mechanic) {
                (Ok(()), Some(mechanic)) => {
                    if set.available && !mechanic.available {
                        actor.available_since = now;
                        mechanic.idle_since = now;
                        mechanic.begin_session();
                    }
                    mechanic.available = set.available;
                }
                // It may be saved: what the row says counts.
                (Err(Refusal::OutcomeUnknown(_)), _) => actor.is_suspect = true,
                _ => {}
            }
            actor.share();
            saved
        })))
    }
}

impl Handler<Reserve> for MechanicActor {
    type Result = bool;

    fn handle(&mut self, reserve: Reserve, _: &mut Self::Context) -> bool {
        let (now, context) = (self.now(), self.context.clone());
        let is_suspect = self.is_suspect;
        let Some(mechanic) = &mut self.mechanic else { return false };
        let holds = !is_suspect
            && mechanic.reserve(reserve.offer_id, reserve.job_id, &context.settings.presence, now);
        if !holds {
            // The dispatcher's picture was wrong: say it again, even what was said before.
            self.reported = None;
        }
        self.share();
        holds
    }
}

impl Handler<MechanicMessage> for MechanicActor {
    type Result = ();

    fn handle(&mut self, message: MechanicMessage, ctx: &mut Self::Context) {
        self.receive(message);
        if self.mechanic.is_none() || self.is_suspect {
            self.load_then(ctx);
        }
    }
}

impl Handler<ProfileChanged> for MechanicActor {
    type Result = AtomicResponse<Self, ()>;

    /// Read here, with no other message in between, so that the last of several changes counts and no wish for
    /// offers that is being committed is undone. The engagement stays as memory has it: words about it are under way.
    fn handle(&mut self, _: ProfileChanged, _: &mut Self::Context) -> Self::Result {
        let (context, id) = (self.context.clone(), self.id);
        let load = async move { context.journal.load_mechanic(id).await };
        AtomicResponse::new(Box::pin(load.into_actor(self).map(|loaded, actor, ctx| {
            match (loaded, &mut actor.mechanic) {
                (Ok(Some(loaded)), Some(mechanic)) => {
                    mechanic.profile = loaded.profile;
                    mechanic.available = loaded.available;
                }
                (Ok(Some(loaded)), memory @ None) => *memory = Some(loaded),
                (Ok(None), _) => ctx.stop(),
                // Not matched until the next tick reads it.
                (Err(_), _) => actor.is_suspect = true,
            }
            actor.share();
        })))
    }
}

impl Handler<Announce> for MechanicActor {
    type Result = ();

    fn handle(&mut self, _: Announce, _: &mut Self::Context) {
        self.reported = None;
        self.share();
    }
}

impl Handler<Look> for MechanicActor {
    type Result = Option<Mechanic>;

    fn handle(&mut self, _: Look, _: &mut Self::Context) -> Self::Result {
        self.mechanic.clone()
    }
}

#[cfg(feature = "simulation")]
impl Handler<crate::messages::InjectedFault> for MechanicActor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
