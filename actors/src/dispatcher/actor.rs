//! The dispatcher's actor: makes a pass when a job asks for offers, and shortly after supply changes.
//!
//! The steps of a pass are shown below. `deciding` requests tables and solves; `proposing` reserves and explains.
//!
//! ```text
//! look ─▶ split into components ─▶ due? ─▶ ETA table ─▶ solve ─▶ reserve, propose ─▶ explain
//!                                  no: a timer  (may wait)  (may run on another thread)
//! ```

use std::{collections::VecDeque, sync::Arc, time::Duration};

use actix::prelude::*;
use chrono::{DateTime, TimeDelta, Utc};

use super::{
    advice::Advisor,
    answers::{CandidateUse, Decision},
    context::DispatcherContext,
    explaining::LastRecorded,
    feed::Reports,
    matching::WaitingJob,
    messages::{Count, Expectation, Survey},
    outlook::{Forecast, Outlooks, Prospects},
    planning::Due,
    pricing::Prices,
    queries::{
        AdviceQuery, AvailabilityQuery, CandidatesQuery, DispatcherCounts, FleetQuery, NearestQuery,
        OutlookQuery, PricesQuery,
    },
    state::DispatchState,
};
use crate::{
    experience::{Calibration, HeldJob, WorkTimes},
    ids::{JobId, MechanicId},
    messages::{Demand, DemandUpdate, MechanicMessage, SupplyChanged, SupplyReport},
    outbound::{Announcement, Outlook},
};

/// The time between two checks of waiting jobs, which find them even if an update was lost.
const SWEEP: Duration = Duration::from_secs(1);
/// The number of these checks between two looks at the mechanics who stand free near held jobs: ten seconds.
const WATCH_EVERY: u32 = 10;
/// The time between two price updates, and the time before the first, after which all mechanics have reported.
const REPRICE_EVERY: Duration = Duration::from_secs(60);
const FIRST_PRICES_AFTER: Duration = Duration::from_secs(3);
/// A job's update causes a pass at once while no more jobs than this are ready. Beyond that, updates are gathered for
/// `rematch_after`, so that a thousand of them cause only a few passes.
const LOOK_AT_ONCE: usize = 32;
/// The number of outlooks that one pass makes. The other jobs get theirs when they are looked at again.
const MAX_OUTLOOKS: usize = 64;

/// Matches waiting jobs with free mechanics.
#[derive(Debug)]
pub(crate) struct DispatcherActor {
    pub(super) context: Arc<DispatcherContext>,
    pub(super) state: DispatchState,
    /// The room for the reports that are taken in next.
    reports: Reports,
    pub(super) counts: DispatcherCounts,
    is_pass_due: bool,
    sweeps: u32,
    /// When the first contested component has gathered long enough.
    gathers_until: Option<DateTime<Utc>>,
    /// The requests for ETA tables, and the solves on other threads, that are under way.
    pub(super) tables: usize,
    pub(super) solves: usize,
    pub(super) recorded: LastRecorded,
    outlooks: Outlooks,
    advisor: Advisor,
    work: WorkTimes,
    calibration: Calibration,
    /// Decisions that offered a job to nobody, to be explained when there is time.
    pub(super) unexplained: VecDeque<Decision>,
}

impl DispatcherActor {
    pub(crate) fn new(context: DispatcherContext) -> Self {
        let (work, calibration) = (context.experience.work_times(), context.experience.calibration());
        Self {
            context: Arc::new(context),
            state: DispatchState::default(),
            reports: Reports::default(),
            counts: DispatcherCounts::default(),
            is_pass_due: false,
            sweeps: 0,
            gathers_until: None,
            tables: 0,
            solves: 0,
            recorded: LastRecorded::default(),
            outlooks: Outlooks::default(),
            advisor: Advisor::default(),
            work,
            calibration,
            unexplained: VecDeque::new(),
        }
    }

    /// Schedules a pass, so that many updates cause only one.
    pub(super) fn pass_soon(&mut self, ctx: &mut Context<Self>) {
        if !self.is_pass_due && self.state.ready() > 0 {
            self.is_pass_due = true;
            let wait = self.context.policy().rematch_after.to_std().unwrap_or_default();
            ctx.run_later(wait, |actor, ctx| {
                actor.is_pass_due = false;
                actor.pass(ctx);
            });
        }
    }

    /// Takes in what mechanics have reported. Returns whether this made an unmatched job ready.
    pub(super) fn take_supplies_in(&mut self) -> bool {
        let now = self.context.clock.now();
        let mut has_matched = false;
        let Self { context, state, reports, .. } = self;
        context.supplies.take(reports, |id, report| {
            has_matched |= match report {
                SupplyReport::Changed(supply) => state.update_supply(id, supply, now),
                SupplyReport::Moved { point, fresh_until } => {
                    state.update_position(id, point, fresh_until, now).unwrap_or_else(|| {
                        // Their last whole report was lost.
                        context.mechanics.request_supply(id);
                        false
                    })
                }
            };
        });
        has_matched
    }

    /// Has reports of mechanics wake the dispatcher while there are unmatched jobs, and only then.
    pub(super) fn set_wakes(&mut self, ctx: &mut Context<Self>) {
        if self.context.supplies.wake_for_each(self.state.has_unmatched()) && self.take_supplies_in() {
            self.pass_soon(ctx);
        }
    }

    fn pass(&mut self, ctx: &mut Context<Self>) {
        self.take_supplies_in();
        if self.state.ready() == 0 || self.context.loading.is_incomplete() {
            return;
        }
        self.counts.passes += 1;
        let now = self.context.clock.now();
        let (open, uses) = self.look(now, ctx);
        let (due, gathers_until) = Due::now(open, &self.context.policy(), now);
        if let Some(until) = gathers_until {
            self.pass_at(until, now, ctx);
        }
        self.ask_or_decide(due, &uses, now, ctx);
    }

    /// Returns the jobs that have candidates, and how many jobs (including pending ones) could use each mechanic.
    pub(super) fn look(
        &mut self,
        now: DateTime<Utc>,
        ctx: &mut Context<Self>,
    ) -> (Vec<WaitingJob>, CandidateUse) {
        let policy = self.context.policy();
        let look = self.state.look(self.context.eta.as_ref(), &policy, now);
        self.note_holds(&look.unmatched, now);
        self.look_ahead(look.open.iter().chain(&look.unmatched), now);
        let mut uses = CandidateUse::default();
        let usable = |job: &WaitingJob| {
            job.candidates.iter().map(|candidate| candidate.mechanic_id).collect::<Vec<MechanicId>>()
        };
        look.open.iter().for_each(|job| uses.add(usable(job).into_iter()));
        uses.add(self.state.used_by_pending());
        let strategy = policy.strategy;
        let nobody = |job| Decision::nobody(job, strategy, now);
        self.explain_soon(look.unmatched.into_iter().map(nobody), ctx);
        self.set_wakes(ctx);
        (look.open, uses)
    }

    /// Remembers which jobs are held back from whom, to learn the results of holding them back.
    fn note_holds(&self, jobs: &[WaitingJob], now: DateTime<Utc>) {
        let held = jobs.iter().filter(|job| job.candidates.is_empty()).filter_map(|job| {
            let (demand, candidate) = (&job.demand, job.held.first()?);
            Some(HeldJob {
                job_id: job.job_id,
                category_id: demand.category_id,
                cell: demand.pickup.cell(),
                mechanic_id: candidate.mechanic_id,
                busy: TimeDelta::seconds(candidate.terms.foresight?.busy_s),
                late_at: demand.waiting_since + demand.search.in_time,
            })
        });
        let mut held = held.peekable();
        if held.peek().is_some() {
            self.context.experience.hold(held, now);
        }
    }

    /// Tells customers what to expect, where there is news. Customers of jobs with an offer out know it since the
    /// offer.
    fn look_ahead<'a>(&mut self, jobs: impl Iterator<Item = &'a WaitingJob>, now: DateTime<Utc>) {
        let due = jobs.filter(|job| !job.demand.has_offer && self.outlooks.is_due(job.job_id, now));
        for job in due.take(MAX_OUTLOOKS).collect::<Vec<_>>() {
            self.report_outlook(job.job_id, &job.demand, &[], now);
        }
    }

    /// Notes that an offer of the job is out, and tells its customer that a mechanic is being asked if they don't
    /// know.
    pub(super) fn note_offer(&mut self, id: JobId, demand: &Demand, asked: &[MechanicId]) {
        if self.outlooks.note_offer(id) {
            self.report_outlook(id, demand, asked, self.context.clock.now());
        }
    }

    fn report_outlook(&mut self, id: JobId, demand: &Demand, asked: &[MechanicId], now: DateTime<Utc>) {
        let forecast = self.forecast(demand, asked, now);
        if self.outlooks.last(id).is_none() {
            self.context.experience.promise(id, forecast.chance_permille);
        }
        let outlook = forecast.outlook(self.calibration.calibrated(forecast.chance_permille));
        if self.outlooks.note(id, outlook, !asked.is_empty(), now) {
            self.context.outbound.announce(Announcement::Outlook { job: id, outlook });
        }
    }

    fn forecast(&self, demand: &Demand, asked: &[MechanicId], now: DateTime<Utc>) -> Forecast {
        let (policy, eta) = (self.context.policy(), self.context.eta.as_ref());
        let prospects = Prospects::of(&self.state, demand, asked, &policy, &self.work, eta, now);
        prospects.forecast(demand.search.in_time)
    }

    fn outlook_of(&self, query: &OutlookQuery) -> Outlook {
        // While an offer of the job is being made, and after its search, the last outlook still holds.
        let is_searching = |id: &JobId| self.state.is_searching(*id);
        let rests = query.job_id.filter(|id| query.asked.is_empty() && !is_searching(id));
        rests.and_then(|id| self.outlooks.last(id)).unwrap_or_else(|| {
            // The dispatcher's own copy of the demand is used, so that the job is not counted as a waiting rival of
            // itself.
            let known = query.job_id.and_then(|id| self.state.demand(id));
            let demand = known.unwrap_or(&query.demand);
            let forecast = self.forecast(demand, &query.asked, self.context.clock.now());
            forecast.outlook(self.calibration.calibrated(forecast.chance_permille))
        })
    }

    fn pass_at(&mut self, until: DateTime<Utc>, now: DateTime<Utc>, ctx: &mut Context<Self>) {
        if self.gathers_until.is_some_and(|timer| timer <= until) {
            return;
        }
        self.gathers_until = Some(until);
        ctx.run_later((until - now).to_std().unwrap_or_default(), move |actor, ctx| {
            // A timer that was replaced by an earlier one does no harm.
            actor.gathers_until = actor.gathers_until.filter(|timer| *timer != until);
            actor.pass(ctx);
        });
    }

    /// Sets the first prices, once all mechanics are loaded, and then updates them at intervals.
    fn begin_prices(&mut self, ctx: &mut Context<Self>) {
        if self.context.loading.is_incomplete() {
            ctx.run_later(FIRST_PRICES_AFTER, |actor, ctx| actor.begin_prices(ctx));
            return;
        }
        self.reprice(ctx);
        ctx.run_interval(REPRICE_EVERY, |actor, ctx| actor.reprice(ctx));
    }

    /// Updates the prices of mechanics' time.
    fn reprice(&mut self, ctx: &mut Context<Self>) {
        let experience = &self.context.experience;
        (self.work, self.calibration) = (experience.work_times(), experience.calibration());
        let policy = self.context.policy();
        let Some(pricing) = policy.pricing else {
            if *self.state.prices() != Prices::default() {
                self.state.set_prices(Prices::default());
                self.pass_soon(ctx);
            }
            return;
        };
        self.take_supplies_in();
        let experience = &self.context.experience;
        let rates = experience.call_rates(pricing.window, self.context.clock.now());
        let waiting = self.state.demands().map(|demand| (demand.pickup, demand.kind()));
        let (last, census) = (self.state.prices(), self.state.census());
        let mut prices = last.refreshed(census, &rates, waiting, experience.work_times());
        prices.count_holds(experience.holds_by_place(self.context.clock.now()));
        self.state.set_prices(prices);
        if let Some(idle_for) = pricing.advise_after {
            self.advise(idle_for, pricing.window);
        }
        self.pass_soon(ctx);
    }

    /// Advises mechanics without a job where to wait.
    fn advise(&mut self, idle_for: TimeDelta, window: TimeDelta) {
        let now = self.context.clock.now();
        let rates = self.context.experience.area_rates(window, now);
        for (id, advice) in self.advisor.renew(&self.state, &rates, idle_for, self.context.eta.as_ref(), now)
        {
            self.context.mechanics.notify(id, MechanicMessage::Advised(advice));
        }
    }

    fn counts(&mut self, ctx: &mut Context<Self>) -> DispatcherCounts {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        let (waiting_jobs, online_mechanics, free_mechanics) = self.state.sizes();
        let held_jobs = self.state.held();
        let advice = self.advisor.settle(&self.state, self.context.clock.now());
        DispatcherCounts { waiting_jobs, held_jobs, online_mechanics, free_mechanics, advice, ..self.counts }
    }

    fn sweep(&mut self, ctx: &mut Context<Self>) {
        let now = self.context.clock.now();
        self.take_supplies_in();
        self.sweeps = self.sweeps.wrapping_add(1);
        if self.sweeps.is_multiple_of(WATCH_EVERY) {
            // Markets are watched before held jobs are looked at again.
            self.state.watch_markets();
        }
        self.state.retry_overdue(now);
        let state = &self.state;
        self.recorded.forget(now, |id| state.is_waiting(id));
        self.outlooks.forget(now, |id| state.is_waiting(id));
        self.pass_soon(ctx);
    }
}

impl Actor for DispatcherActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        if self.context.shutdown.has_begun() {
            return ctx.stop();
        }
        // The mailbox has room for an update from everyone: updates are small, and each job and mechanic sends few.
        ctx.set_mailbox_capacity(self.context.settings.limits.mailbox.max(16) * 1024);
        ctx.run_interval(SWEEP, |actor, ctx| actor.sweep(ctx));
        ctx.run_later(FIRST_PRICES_AFTER, |actor, ctx| actor.begin_prices(ctx));
    }
}

impl Handler<DemandUpdate> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, update: DemandUpdate, ctx: &mut Self::Context) {
        let is_waiting = update.demand.is_some();
        self.state.update_demand(update.job_id, update.demand, self.context.clock.now());
        self.set_wakes(ctx);
        match is_waiting {
            true if self.state.ready() <= LOOK_AT_ONCE => self.pass(ctx),
            true => self.pass_soon(ctx),
            false => {}
        }
    }
}

impl Handler<SupplyChanged> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, _: SupplyChanged, ctx: &mut Self::Context) {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
    }
}

impl Handler<AvailabilityQuery> for DispatcherActor {
    type Result = MessageResult<AvailabilityQuery>;

    fn handle(&mut self, query: AvailabilityQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        MessageResult(self.state.availability(&query, self.context.eta.as_ref(), self.context.clock.now()))
    }
}

impl Handler<NearestQuery> for DispatcherActor {
    type Result = MessageResult<NearestQuery>;

    fn handle(&mut self, query: NearestQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        MessageResult(self.state.nearest(&query, self.context.clock.now()))
    }
}

impl Handler<CandidatesQuery> for DispatcherActor {
    type Result = MessageResult<CandidatesQuery>;

    fn handle(&mut self, query: CandidatesQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        MessageResult(self.state.candidates(&query, self.context.clock.now()))
    }
}

impl Handler<FleetQuery> for DispatcherActor {
    type Result = MessageResult<FleetQuery>;

    fn handle(&mut self, query: FleetQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        MessageResult(self.state.fleet(&query))
    }
}

impl Handler<OutlookQuery> for DispatcherActor {
    type Result = MessageResult<OutlookQuery>;

    fn handle(&mut self, query: OutlookQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        MessageResult(self.outlook_of(&query))
    }
}

impl Handler<Expectation> for DispatcherActor {
    type Result = MessageResult<Expectation>;

    fn handle(
        &mut self,
        Expectation { supply, outlook }: Expectation,
        ctx: &mut Self::Context,
    ) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        let available = self.state.availability(&supply, self.context.eta.as_ref(), self.context.clock.now());
        MessageResult((available, self.outlook_of(&outlook)))
    }
}

impl Handler<AdviceQuery> for DispatcherActor {
    type Result = MessageResult<AdviceQuery>;

    fn handle(&mut self, AdviceQuery(id): AdviceQuery, ctx: &mut Self::Context) -> Self::Result {
        if self.take_supplies_in() {
            self.pass_soon(ctx);
        }
        let advice = self.advisor.advice(id, self.context.clock.now());
        MessageResult(advice.filter(|_| self.state.supply(id).is_some_and(|supply| supply.is_free)))
    }
}

impl Handler<Count> for DispatcherActor {
    type Result = MessageResult<Count>;

    fn handle(&mut self, _: Count, ctx: &mut Self::Context) -> Self::Result {
        MessageResult(self.counts(ctx))
    }
}

impl Handler<PricesQuery> for DispatcherActor {
    type Result = MessageResult<PricesQuery>;

    fn handle(&mut self, _: PricesQuery, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.state.prices().markets.clone())
    }
}

impl Handler<Survey> for DispatcherActor {
    type Result = MessageResult<Survey>;

    fn handle(&mut self, _: Survey, ctx: &mut Self::Context) -> Self::Result {
        MessageResult((self.counts(ctx), self.state.prices().markets.clone()))
    }
}

#[cfg(any(test, feature = "simulation"))]
impl Handler<crate::messages::InjectedFault> for DispatcherActor {
    type Result = ();

    fn handle(&mut self, fault: crate::messages::InjectedFault, ctx: &mut Self::Context) {
        fault.inject(ctx);
    }
}
