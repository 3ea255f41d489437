//! The mechanic's actor: keeps their position, reservation and availability, and reports to the dispatcher whenever that
//! changes what they may be offered.

use std::{sync::Arc, time::Duration};

use actix::prelude::*;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::oneshot;

use super::{
    context::MechanicContext,
    messages::{Announce, EndParking, GetMechanic, Locate, ProfileChanged, Reserve, SetAvailability},
    parking::not_saved,
    state::{Engagement, Located, Mechanic},
    watch::{AssignmentWatch, TrustedPosition},
};
use crate::{
    ids::{JobId, MechanicId, OfferId},
    messages::{MechanicMessage, Supply, SupplyReport},
    outbound::{Announcement, Sighting},
    refusal::Refusal,
    registry::Registry,
};

/// The time between two checks of what changes with time: freshness, abandoned availability, expired reservations.
const TICK: Duration = Duration::from_secs(5);
/// The number of ticks after which an engaged mechanic is compared with the journal, in case a message was lost.
const CHECK_EVERY: u32 = 12;
/// The time without a position from the phone after which an actor that nobody needs ends.
const END_AFTER: TimeDelta = TimeDelta::minutes(20);

/// The mechanics that have actors.
pub(crate) type RunningMechanics = Registry<MechanicId, MechanicActor>;

/// Receives the state of the actor on another thread that this one continues.
pub(super) type Predecessor = oneshot::Receiver<MechanicActor>;

/// Owns one mechanic.
#[derive(Debug)]
pub(crate) struct MechanicActor {
    pub(super) id: MechanicId,
    pub(super) running: Arc<RunningMechanics>,
    pub(super) context: Arc<MechanicContext>,
    /// `None` until loaded.
    pub(super) mechanic: Option<Mechanic>,
    /// When something last came from their phone, or they became available, measured by the clock's elapsed time.
    pub(super) heard_at: Duration,
    rate_s: u32,
    /// Set if the copy and the journal may disagree: the mechanic is loaded again, and only the copy's own
    /// knowledge is kept.
    pub(super) needs_reload: bool,
    ticks: u32,
    /// The last report to the dispatcher, so that nothing is reported twice.
    reported: Option<Supply>,
    /// A committed offer that contradicts the engagement in the copy.
    pub(super) conflicting_offer: Option<(JobId, OfferId)>,
    /// Present while they are on the way to a pickup. Boxed, because most mechanics are not.
    pub(super) watch: Option<Box<AssignmentWatch>>,
    /// Whether a finding of the watch is being reported to the job.
    pub(super) is_reporting: bool,
    pub(super) predecessor: Option<Predecessor>,
}

impl MechanicActor {
    pub(crate) fn new(id: MechanicId, running: Arc<RunningMechanics>, context: Arc<MechanicContext>) -> Self {
        let heard_at = context.clock.elapsed();
        Self {
            id,
            running,
            context,
            mechanic: None,
            heard_at,
            rate_s: 0,
            needs_reload: false,
            ticks: 0,
            reported: None,
            conflicting_offer: None,
            watch: None,
            is_reporting: false,
            predecessor: None,
        }
    }

    pub(crate) fn loaded(
        mechanic: Mechanic,
        running: Arc<RunningMechanics>,
        context: Arc<MechanicContext>,
    ) -> Self {
        Self { mechanic: Some(mechanic.clone()), ..Self::new(mechanic.id, running, context) }
    }

    /// Creates an actor that continues another one.
    pub(super) fn following(
        predecessor: Predecessor,
        id: MechanicId,
        running: Arc<RunningMechanics>,
        context: Arc<MechanicContext>,
    ) -> Self {
        Self { predecessor: Some(predecessor), ..Self::new(id, running, context) }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.context.clock.now()
    }

    /// Updates the watch, the dispatcher, and the rate at which the app should send. Called after every change.
    pub(super) fn publish_changes(&mut self) {
        let now = self.now();
        self.check_watchers(now);
        self.publish(now);
    }

    /// Publishes changes as [`MechanicActor::publish_changes`] does, where the watchers are checked already.
    fn publish(&mut self, now: DateTime<Utc>) {
        self.update_watch(now);
        let Some(mechanic) = &self.mechanic else { return };
        let policy = &self.context.settings.presence;
        // A mechanic who may be engaged is not offered anything.
        let place = mechanic.matched_at(policy, now).filter(|_| !self.needs_reload);
        if let Some(report) = mechanic.report(place, &mut self.reported) {
            self.context.dispatcher.update_supply(self.id, report);
        }
        let rate_s = mechanic.interval_s(policy);
        if rate_s != self.rate_s {
            self.rate_s = rate_s;
            let mechanic = mechanic.profile.user_id;
            self.context.outbound.announce(Announcement::Rate { mechanic, interval_s: rate_s });
        }
    }

    fn located(&mut self, locate: Locate) -> Result<Located, Refusal> {
        let now = self.now();
        // The watchers are checked first, because the answer names the interval.
        self.check_watchers(now);
        let context = &self.context;
        let mechanic = self.mechanic.as_mut().ok_or(Refusal::NotFound)?;
        let located =
            mechanic.locate(locate.pings, locate.source, &context.settings.presence, locate.received_at);
        if located.accepted > 0 {
            self.heard_at = context.clock.elapsed();
        }
        let mut seen = None;
        if let (true, Some(fix)) = (located.moved, mechanic.last) {
            context.journal.record_position(self.id, fix);
            if let Engagement::Busy { job_id, pickup, is_arrived, delivers_to, .. } = mechanic.engagement {
                let ahead = if is_arrived { delivers_to } else { Some(pickup) };
                let estimate = ahead.map(|place| context.eta.estimate(fix.point, place, fix.received_at));
                // Only the trip to the pickup is watched; on the way to the destination the customer's vehicle is
                // with them.
                let to_pickup = estimate.filter(|_| !is_arrived);
                seen = to_pickup.and_then(|way| TrustedPosition::of(&fix, way, &context.settings.presence));
                let sighting = Sighting { job_id, mechanic_id: self.id, fix, estimate };
                context.outbound.announce(Announcement::Located(sighting));
            }
        }
        if let Some(watch) = self.watch.as_mut().filter(|_| located.accepted > 0) {
            watch.observe(seen, locate.source, &context.settings.watch, now);
        }
        self.publish(now);
        Ok(located)
    }

    fn tick(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        self.ticks = self.ticks.wrapping_add(1);
        let Some(mechanic) = &mut self.mechanic else { return self.load(ctx) };
        let is_checked =
            self.ticks.is_multiple_of(CHECK_EVERY) && !matches!(mechanic.engagement, Engagement::Free);
        if is_checked || mechanic.has_overdue_offer(now) {
            self.needs_reload = true;
        }
        if let Some(offer_id) = mechanic.expired_reservation(now) {
            mechanic.end_offer(offer_id, now);
        }
        let policy = &self.context.settings.presence;
        let parking_end = mechanic.parking_end(policy, now);
        // The elapsed time does not depend on how the machine's time was set meanwhile.
        let quiet = self.context.clock.elapsed().saturating_sub(self.heard_at);
        let quiet = TimeDelta::from_std(quiet).unwrap_or(TimeDelta::MAX);
        let should_go_offline = mechanic.should_go_offline(policy, quiet);
        let is_idle = matches!(mechanic.engagement, Engagement::Free) && !mechanic.available;
        self.publish_changes();
        if self.needs_reload {
            self.load(ctx);
        } else if let Some(why) = parking_end {
            ctx.notify(EndParking { why });
        } else if should_go_offline {
            tracing::info!(mechanic.id = %self.id, "availability ends by itself: no position for too long");
            ctx.notify(SetAvailability { available: false });
        } else if is_idle && quiet > END_AFTER {
            ctx.stop();
        } else {
            self.watch_over(ctx);
        }
    }

    /// Loads the mechanic. Messages wait meanwhile.
    pub(super) fn load(&self, ctx: &mut Context<Self>) {
        let (context, id) = (self.context.clone(), self.id);
        let load = async move { context.journal.load_mechanic(id).await };
        ctx.wait(load.into_actor(self).map(|loaded, actor, ctx| match loaded {
            Ok(Some(mechanic)) => actor.adopt(mechanic),
            Ok(None) => ctx.stop(),
            // The next tick tries again; until then callers get `Unavailable`.
            Err(error) => {
                tracing::warn!(mechanic.id = %actor.id, error.cause = %error, "could not load the mechanic");
                actor.interrupt_watch();
            }
        }));
    }

    /// Notes that they want offers from now on, if they did not before.
    pub(super) fn becomes_available(&mut self, now: DateTime<Utc>) {
        let Some(mechanic) = self.mechanic.as_mut().filter(|mechanic| !mechanic.available) else { return };
        mechanic.available = true;
        mechanic.idle_since = now;
        mechanic.begin_session();
        self.heard_at = self.context.clock.elapsed();
    }

    pub(super) fn missing(&self) -> Refusal {
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
        match self.predecessor.take() {
            Some(predecessor) => self.follow(predecessor, ctx),
            None if self.mechanic.is_none() => self.load(ctx),
            None => {}
        }
        self.publish_changes();
    }

    fn stopped(&mut self, ctx: &mut Self::Context) {
        // An actor that panicked stays registered, so that the supervisor finds it.
        if !std::thread::panicking() && self.running.has(self.id, &ctx.address()) {
            self.context.dispatcher.update_supply(self.id, SupplyReport::Changed(None));
            self.running.remove(self.id, &ctx.address());
        }
    }
}

impl Handler<Locate> for MechanicActor {
    type Result = ActorResponse<Self, Result<Located, Refusal>>;

    /// Updates the copy first, then stores the trail: the answer says what is stored. Points that are not stored
    /// may be sent again.
    fn handle(&mut self, mut locate: Locate, ctx: &mut Self::Context) -> Self::Result {
        if let Some(socket) = locate.socket.take().filter(|socket| !socket.is_current()) {
            self.move_to(&socket, ctx);
        }
        let located = if self.mechanic.is_some() { self.located(locate) } else { Err(self.missing()) };
        let mut located = match located {
            Ok(located) if !located.trail.is_empty() => located,
            answered => return ActorResponse::reply(answered),
        };
        let (journal, trail) = (self.context.journal.clone(), std::mem::take(&mut located.trail));
        let record = async move {
            let recorded = journal.record_trail(trail.clone()).await;
            (trail, recorded)
        };
        ActorResponse::r#async(record.into_actor(self).map(
            move |(trail, recorded), actor, _| match recorded {
                Ok(()) => {
                    let stored = actor.mechanic.as_mut().and_then(|mechanic| mechanic.confirm_trail(&trail));
                    Ok(Located { last_seq: stored, ..located })
                }
                Err(error) => {
                    actor.mechanic.iter_mut().for_each(|mechanic| mechanic.discard_trail(&trail));
                    actor.interrupt_watch();
                    Err(Refusal::Unavailable(error.to_string()))
                }
            },
        ))
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
            context.journal.save_availability(id, set.available, now).await.map_err(not_saved)
        };
        AtomicResponse::new(Box::pin(save.into_actor(self).map(move |saved, actor, _| {
            match (&saved, &mut actor.mechanic) {
                (Ok(()), _) if set.available => actor.becomes_available(now),
                (Ok(()), Some(mechanic)) => (mechanic.available, mechanic.parked) = (false, None),
                // The change may be saved: load what the row says.
                (Err(Refusal::OutcomeUnknown(_)), _) => actor.needs_reload = true,
                _ => {}
            }
            actor.publish_changes();
            saved
        })))
    }
}

impl Handler<Reserve> for MechanicActor {
    type Result = bool;

    fn handle(&mut self, reserve: Reserve, _: &mut Self::Context) -> bool {
        let (now, context) = (self.now(), self.context.clone());
        let needs_reload = self.needs_reload;
        let Some(mechanic) = &mut self.mechanic else { return false };
        let is_reserved = !needs_reload
            && mechanic.reserve(reserve.offer_id, reserve.job_id, &context.settings.presence, now);
        if !is_reserved {
            // The dispatcher's state was wrong: report again, even what was reported before.
            self.reported = None;
        }
        self.publish_changes();
        is_reserved
    }
}

impl Handler<MechanicMessage> for MechanicActor {
    type Result = ();

    fn handle(&mut self, message: MechanicMessage, ctx: &mut Self::Context) {
        self.receive(message);
        if self.mechanic.is_none() || self.needs_reload {
            self.load(ctx);
        }
    }
}

impl Handler<ProfileChanged> for MechanicActor {
    type Result = AtomicResponse<Self, ()>;

    /// Loads with no other message in between, so that the last of several changes counts and a change of availability
    /// that is being committed is not undone. The engagement stays as it is: messages about it are under way.
    fn handle(&mut self, _: ProfileChanged, _: &mut Self::Context) -> Self::Result {
        let (context, id) = (self.context.clone(), self.id);
        let load = async move { context.journal.load_mechanic(id).await };
        AtomicResponse::new(Box::pin(load.into_actor(self).map(|loaded, actor, ctx| {
            match (loaded, &mut actor.mechanic) {
                (Ok(Some(loaded)), Some(mechanic)) => {
                    mechanic.profile = loaded.profile;
                    mechanic.available = loaded.available;
                    mechanic.parked = loaded.parked;
                }
                (Ok(Some(loaded)), memory @ None) => *memory = Some(loaded),
                (Ok(None), _) => ctx.stop(),
                // The mechanic is not matched until the next tick has loaded them.
                (Err(_), _) => actor.needs_reload = true,
            }
            actor.publish_changes();
        })))
    }
}

impl Handler<Announce> for MechanicActor {
    type Result = ();

    fn handle(&mut self, _: Announce, _: &mut Self::Context) {
        self.reported = None;
        self.publish_changes();
    }
}

impl Handler<GetMechanic> for MechanicActor {
    type Result = Option<Mechanic>;

    fn handle(&mut self, _: GetMechanic, _: &mut Self::Context) -> Self::Result {
        self.mechanic.clone()
    }
}

#[cfg(any(test, feature = "simulation"))]
impl Handler<crate::messages::InjectedFault> for MechanicActor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
