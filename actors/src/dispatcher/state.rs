//! The dispatcher's knowledge of waiting jobs and online mechanics. Pure.
//!
//! A waiting job is *ready* (the next pass looks at it), *unmatched* (no mechanic fits; a mechanic who does makes
//! it ready), *held* (the time of the mechanics who fit is worth more than the pickup; it becomes ready when a
//! mechanic becomes free or prices change), *pending* (a decision about it waits for an ETA table or a solve) or
//! none of these (mechanics are being proposed to it, until its next update). So a pass looks at only a few jobs,
//! however many wait, and only at free mechanics.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    census::{Census, GroupId},
    guard::Sample,
    index::Grid,
    matching::{self, Candidate, Found, Online, WaitingJob},
    pricing::{Prices, Skills},
    queries::{
        Availability, AvailabilityQuery, CandidatesQuery, Fleet, FleetQuery, FleetSquare, NearbyMechanic,
        NearestQuery, OnlineMechanic,
    },
    worth::Worth,
};
use crate::{
    eta::{Eta, TripEstimate},
    geo::{Cell, Point},
    ids::{JobId, MechanicId},
    messages::{Demand, Supply},
    settings::MatchingPolicy,
};

/// The time after which a pass looks at an unmatched or held job again, even if no mechanic made it ready.
pub const LOOK_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(10);

/// Waiting jobs and online mechanics.
#[derive(Debug, Default)]
pub struct DispatchState {
    waiting: BTreeMap<JobId, Entry>,
    ready: BTreeSet<JobId>,
    unmatched: Grid<JobId>,
    held: Grid<JobId>,
    /// The pending jobs, each with the mechanics that it could use.
    pending: BTreeMap<JobId, Vec<MechanicId>>,
    census: Census,
    /// The mechanics who may be matched. Those in `engaged` are only mentioned in explanations.
    free: Grid<MechanicId, Member>,
    engaged: Grid<MechanicId, Member>,
    revisions: u64,
    prices: Prices,
}

/// A mechanic who is online, with the group in which the census counts them.
#[derive(Debug)]
struct Member {
    online: Online,
    group: GroupId,
}

#[derive(Debug)]
struct Entry {
    demand: Arc<Demand>,
    revision: u64,
    round_since: DateTime<Utc>,
    looked_at: DateTime<Utc>,
    rest: Rest,
    /// The free mechanics who fit the job, if it is held.
    held_from: Vec<MechanicId>,
}

/// The reason why a job is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    None,
    Unmatched,
    Held,
}

/// The result of a pass.
#[derive(Debug, Default)]
pub struct PassResult {
    /// Jobs with candidates.
    pub open: Vec<WaitingJob>,
    /// Jobs that no mechanic fits, or that only held-back mechanics fit.
    pub unmatched: Vec<WaitingJob>,
}

/// The estimates of an ETA table for one job.
#[derive(Debug, Clone)]
pub struct JobEstimates {
    pub job_id: JobId,
    pub estimates: BTreeMap<MechanicId, TripEstimate>,
}

impl DispatchState {
    /// Takes in what a job wants at `now`. This ends any proposal that was under way.
    pub fn update_demand(&mut self, job_id: JobId, demand: Option<Demand>, now: DateTime<Utc>) {
        self.unmatched.remove(job_id);
        self.held.remove(job_id);
        let Some(demand) = demand else {
            self.ready.remove(&job_id);
            self.waiting.remove(&job_id);
            return;
        };
        let before = self.waiting.get(&job_id);
        let is_same_round = before.is_some_and(|entry| {
            (entry.demand.attempt, entry.demand.round) == (demand.attempt, demand.round)
        });
        // A repeated report neither ends a decision under way nor restarts the wait for competing jobs.
        let revision = before.filter(|entry| *entry.demand == demand).map(|entry| entry.revision);
        let revision = revision.unwrap_or_else(|| {
            self.revisions += 1;
            self.revisions
        });
        let round_since = before.filter(|_| is_same_round).map_or(now, |entry| entry.round_since);
        self.waiting.insert(
            job_id,
            Entry {
                demand: Arc::new(demand),
                revision,
                round_since,
                looked_at: now,
                rest: Rest::None,
                held_from: Vec::new(),
            },
        );
        self.mark_ready(job_id);
    }

    /// Takes in how a mechanic can be matched. Returns whether this makes an unmatched job ready.
    pub fn update_supply(&mut self, id: MechanicId, supply: Option<Supply>, now: DateTime<Utc>) -> bool {
        let Some(supply) = supply else {
            if let Some(left) = self.remove(id) {
                self.census.leave(left.group, left.online.supply.is_free);
            }
            return false;
        };
        let was_free = self.supply(id).is_some_and(|before| before.is_free);
        let helped = self.helped_by(id, &supply, !was_free, now);
        let group = self.count(id, &supply);
        // Mechanics with the same skills share one copy of them here, which a search keeps close.
        let Skills { categories, vehicle_types } = self.census.skills(group).clone();
        let online = Online {
            supply: Supply { categories, vehicle_types, ..supply },
            price: self.census.price(group),
        };
        self.place(id, Member { online, group });
        helped.iter().for_each(|job| self.mark_ready(*job));
        !helped.is_empty()
    }

    /// Takes in that a mechanic is elsewhere, or that their position is fresh for longer. Everything else stays as it
    /// is, even that they were taken. Returns whether this makes an unmatched job ready, or `None` if the mechanic is not
    /// online.
    pub fn update_position(
        &mut self,
        id: MechanicId,
        point: Point,
        fresh_until: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Option<bool> {
        let moved = match self.free.relocate(id, point) {
            Some(member) => Some(member),
            None => self.engaged.relocate(id, point),
        };
        let Member { online, group } = moved?;
        let supply = &mut online.supply;
        let is_in_other_cell = supply.point.cell() != point.cell();
        (supply.point, supply.fresh_until) = (point, fresh_until);
        let is_free = supply.is_free;
        if is_in_other_cell {
            self.census.leave(*group, is_free);
            *group = self.census.enter(supply, &self.prices);
            online.price = self.census.price(*group);
        }
        if !is_free || self.unmatched.is_empty() {
            return Some(false);
        }
        let helped = self.helped_by(id, self.supply(id)?, false, now);
        helped.iter().for_each(|job| self.mark_ready(*job));
        Some(!helped.is_empty())
    }

    /// Counts the mechanic in the place that the report names.
    fn count(&mut self, id: MechanicId, supply: &Supply) -> GroupId {
        if let Some(Member { online, group }) = self.free.get(id).or_else(|| self.engaged.get(id)) {
            let was_free = online.supply.is_free;
            if online.is_grouped_as(supply) {
                self.census.set_free(*group, was_free, supply.is_free);
                return *group;
            }
            self.census.leave(*group, was_free);
        }
        self.census.enter(supply, &self.prices)
    }

    fn place(&mut self, id: MechanicId, member: Member) {
        let Supply { is_free, point, .. } = member.online.supply;
        let (into, from) = match is_free {
            true => (&mut self.free, &mut self.engaged),
            false => (&mut self.engaged, &mut self.free),
        };
        from.remove(id);
        into.put_with(id, point, member);
    }

    fn remove(&mut self, id: MechanicId) -> Option<Member> {
        self.free.remove(id).or_else(|| self.engaged.remove(id))
    }

    /// Returns the resting jobs that the mechanic helps: unmatched ones, and held ones if the mechanic was not free.
    fn helped_by(
        &self,
        id: MechanicId,
        supply: &Supply,
        becomes_free: bool,
        now: DateTime<Utc>,
    ) -> Vec<JobId> {
        if !supply.is_free {
            return Vec::new();
        }
        let mut helped = self.matched_by(&self.unmatched, id, supply, now);
        if becomes_free {
            helped.extend(self.matched_by(&self.held, id, supply, now));
        }
        helped
    }

    /// Returns those of the resting jobs that the mechanic fits. Only this or an update of the job itself can help
    /// an unmatched job: as time passes, its candidates only become fewer.
    fn matched_by(
        &self,
        resting: &Grid<JobId>,
        id: MechanicId,
        supply: &Supply,
        now: DateTime<Utc>,
    ) -> Vec<JobId> {
        let near = resting.within(supply.point, supply.radius_m).into_iter();
        let fit = near.filter(|(job, distance)| {
            self.waiting.get(job).is_some_and(|entry| {
                let demand = entry.demand.as_ref();
                *distance <= matching::reach_m(demand)
                    && matching::fitness(demand, id, supply, *distance, now).is_ok()
            })
        });
        fit.map(|(job, _)| job).collect()
    }

    /// Marks a mechanic as taken until their own report says otherwise.
    pub fn take(&mut self, id: MechanicId) {
        if let Some(mut mechanic) = self.remove(id) {
            let supply = &mut mechanic.online.supply;
            self.census.set_free(mechanic.group, supply.is_free, false);
            supply.is_free = false;
            self.place(id, mechanic);
        }
    }

    /// Leaves a job alone until its next update, because mechanics are being proposed to it.
    pub fn mark_proposed(&mut self, id: JobId) {
        self.mark_ready(id);
        self.ready.remove(&id);
    }

    /// Leaves a job without candidates alone until a mechanic fits.
    pub fn mark_unmatched(&mut self, id: JobId) {
        if let (true, Some(entry)) = (self.ready.remove(&id), self.waiting.get_mut(&id)) {
            entry.rest = Rest::Unmatched;
            self.unmatched.put(id, entry.demand.pickup);
        }
    }

    /// Leaves a job alone until another mechanic becomes free, because the time of all its candidates is worth
    /// more.
    pub fn mark_held(&mut self, id: JobId, from: &[Candidate]) {
        if let (true, Some(entry)) = (self.ready.remove(&id), self.waiting.get_mut(&id)) {
            entry.rest = Rest::Held;
            entry.held_from = from.iter().map(|candidate| candidate.mechanic_id).collect();
            self.held.put(id, entry.demand.pickup);
        }
    }

    /// Makes the next pass look at a job, e.g. because a proposal failed and the job may not know.
    pub fn mark_ready(&mut self, id: JobId) {
        if let (Some(entry), false) = (self.waiting.get_mut(&id), self.pending.contains_key(&id)) {
            entry.rest = Rest::None;
            self.unmatched.remove(id);
            self.held.remove(id);
            self.ready.insert(id);
        }
    }

    /// Makes the next pass look at unmatched and held jobs that no pass has looked at for long, in case an update was
    /// lost.
    pub fn retry_overdue(&mut self, now: DateTime<Utc>) {
        let is_old = |entry: &Entry| entry.rest != Rest::None && now - entry.looked_at >= LOOK_AGAIN_AFTER;
        let old = self.waiting.iter().filter(|(_, entry)| is_old(entry));
        let old: Vec<JobId> = old.map(|(id, _)| *id).collect();
        old.into_iter().for_each(|id| self.mark_ready(id));
    }

    /// Notes that a decision about the job is under way. No other begins until [`Self::resolve_pending`].
    pub fn mark_pending(&mut self, job: &WaitingJob) {
        self.ready.remove(&job.job_id);
        let usable = job.candidates.iter().map(|candidate| candidate.mechanic_id);
        self.pending.insert(job.job_id, usable.collect());
    }

    /// Ends the wait for a decision. Returns whether the job still wants what the decision was made for.
    pub fn resolve_pending(&mut self, id: JobId, revision: u64) -> bool {
        self.pending.remove(&id);
        self.mark_ready(id);
        self.waiting.get(&id).is_some_and(|entry| entry.revision == revision)
    }

    pub fn is_waiting(&self, id: JobId) -> bool {
        self.waiting.contains_key(&id)
    }

    /// Returns whether a mechanic's report may help an unmatched job.
    pub fn has_unmatched(&self) -> bool {
        !self.unmatched.is_empty()
    }

    /// Returns the number of jobs that are held back.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Takes over new prices. The next pass looks at held jobs again.
    pub fn set_prices(&mut self, prices: Prices) {
        self.prices = prices;
        self.census.set_prices(&self.prices);
        for Member { online, group } in self.free.values_mut().chain(self.engaged.values_mut()) {
            online.price = self.census.price(*group);
        }
        let held = self.waiting.iter().filter(|(_, entry)| entry.rest == Rest::Held);
        let held: Vec<JobId> = held.map(|(id, _)| *id).collect();
        held.into_iter().for_each(|id| self.mark_ready(id));
    }

    /// Returns the numbers of mechanics by cell and skills.
    pub fn census(&self) -> &Census {
        &self.census
    }

    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Records how many mechanics are busy, and how many stand free near jobs that are held back from them.
    pub fn watch_markets(&mut self) {
        if self.prices.markets.is_empty() {
            return;
        }
        let mut looks: BTreeMap<Cell, Sample> = BTreeMap::new();
        let mut add = |cell: Cell, look: Sample| looks.entry(cell).or_default().add(&look);
        for group in self.census.groups() {
            let (online, busy) = (group.online, group.online - group.free);
            add(group.cell, Sample { online, busy, ..Sample::default() });
        }
        let mut beside = BTreeMap::new();
        for entry in self.waiting.values().filter(|entry| entry.rest == Rest::Held) {
            let free = entry.held_from.iter().filter_map(|id| Some((*id, self.supply(*id)?)));
            let free: Vec<_> = free.filter(|(_, supply)| supply.is_free).collect();
            if !free.is_empty() {
                add(entry.demand.pickup.cell(), Sample { held_jobs: 1, ..Sample::default() });
            }
            beside.extend(free.into_iter().map(|(id, supply)| (id, supply.point)));
        }
        beside.into_values().for_each(|point| add(point.cell(), Sample { beside: 1, ..Sample::default() }));
        self.prices.watch(looks.into_iter());
    }

    pub fn mechanics(&self) -> impl Iterator<Item = (MechanicId, &Supply)> {
        let all = self.free.iter().chain(self.engaged.iter());
        all.map(|(id, mechanic)| (id, &mechanic.online.supply))
    }

    pub fn demands(&self) -> impl Iterator<Item = &Demand> {
        self.waiting.values().map(|entry| entry.demand.as_ref())
    }

    /// Returns the number of jobs that the next pass will look at.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Looks at every ready job. Jobs that no mechanic fits become unmatched.
    pub fn look(&mut self, eta: &dyn Eta, policy: &MatchingPolicy, now: DateTime<Utc>) -> PassResult {
        let mut look = PassResult::default();
        for id in self.ready.clone() {
            let Some(entry) = self.waiting.get_mut(&id) else { continue };
            entry.looked_at = now;
            let demand = entry.demand.clone();
            let near = self.free.nearest_with(demand.pickup, matching::reach_m(&demand));
            let near = near.map(|(id, mechanic, distance)| (id, &mechanic.online, distance));
            let estimate = |_, supply: &Supply| Some(eta.estimate(supply.point, demand.pickup, now));
            let worth = Worth::of(&demand, policy, &self.prices, now);
            let found = matching::candidates(&demand, near, estimate, policy, worth.as_ref(), now);
            let Some(job) = self.waiting(id, found, policy, now) else { continue };
            match (job.candidates.is_empty(), job.held.is_empty()) {
                (false, _) => {
                    look.open.push(job);
                    continue;
                }
                (true, true) => self.mark_unmatched(id),
                (true, false) => self.mark_held(id, &job.held),
            }
            look.unmatched.push(job);
        }
        look
    }

    /// Returns the job with those candidates of an ETA table that still fit, or `None` if none does.
    pub fn look_by_table(
        &self,
        table: &JobEstimates,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> Option<WaitingJob> {
        let demand = &self.waiting.get(&table.job_id)?.demand;
        let known = table.estimates.keys().filter_map(|id| Some((*id, self.online(*id)?)));
        let mut near: Vec<_> = known
            .map(|(id, mechanic)| (id, mechanic, demand.pickup.distance_m(mechanic.supply.point)))
            .collect();
        near.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
        let estimate = |id, _: &Supply| table.estimates.get(&id).copied();
        let worth = Worth::of(demand, policy, &self.prices, now);
        let found = matching::candidates(demand, near.into_iter(), estimate, policy, worth.as_ref(), now);
        if found.candidates.is_empty() {
            return None;
        }
        self.waiting(table.job_id, found, policy, now)
    }

    fn waiting(
        &self,
        job_id: JobId,
        found: Found,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> Option<WaitingJob> {
        let entry = self.waiting.get(&job_id)?;
        let (demand, revision, round_since) = (entry.demand.clone(), entry.revision, entry.round_since);
        let priority_s = matching::priority(&demand, policy, now);
        let Found { ring_m, candidates, held } = found;
        Some(WaitingJob { job_id, demand, revision, round_since, priority_s, ring_m, candidates, held })
    }

    /// Returns whether the mechanic may still be offered the job.
    pub fn still_fits(&self, job: &WaitingJob, id: MechanicId, now: DateTime<Utc>) -> bool {
        self.supply(id).is_some_and(|supply| {
            let distance_m = supply.point.distance_m(job.demand.pickup);
            matching::fitness(&job.demand, id, supply, distance_m, now).is_ok()
        })
    }

    /// Returns the mechanics that pending jobs could use.
    pub fn used_by_pending(&self) -> impl Iterator<Item = MechanicId> + '_ {
        self.pending.values().flatten().copied()
    }

    pub fn supply(&self, id: MechanicId) -> Option<&Supply> {
        self.online(id).map(|mechanic| &mechanic.supply)
    }

    pub fn online(&self, id: MechanicId) -> Option<&Online> {
        self.free.get(id).or_else(|| self.engaged.get(id)).map(|mechanic| &mechanic.online)
    }

    /// Returns the mechanics within a circle, free or not, with their distances, nearest first.
    pub fn nearest_of_all(
        &self,
        demand: &Demand,
        radius_m: f64,
    ) -> impl Iterator<Item = (MechanicId, &Supply, f64)> {
        let mut free = self.free.nearest_with(demand.pickup, radius_m).peekable();
        let mut engaged = self.engaged.nearest_with(demand.pickup, radius_m).peekable();
        let all = std::iter::from_fn(move || match (free.peek(), engaged.peek()) {
            (Some((one, _, at)), Some((other, _, there))) if (at, one) > (there, other) => engaged.next(),
            (None, Some(_)) => engaged.next(),
            (Some(_), _) | (None, None) => free.next(),
        });
        all.map(|(id, mechanic, distance)| (id, &mechanic.online.supply, distance))
    }

    /// Returns roughly how many mechanics are within a circle, free or not: never fewer than there are.
    pub fn about(&self, demand: &Demand, radius_m: f64) -> usize {
        self.free.about(demand.pickup, radius_m) + self.engaged.about(demand.pickup, radius_m)
    }

    /// Returns who could serve a pickup now, for estimates. Every calculation places each mechanic in the middle of
    /// their cell, so a caller who asks from many places learns only the cell.
    pub fn availability(&self, query: &AvailabilityQuery, eta: &dyn Eta, now: DateTime<Utc>) -> Availability {
        let AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most } = *query;
        // The nearest cells so far, nearest first. Cells at the same distance come in a fixed order, whichever
        // mechanics are in them.
        let mut cells: Vec<(f64, Point)> = Vec::new();
        let in_order = |(a, in_a): &(f64, Point), (b, in_b): &(f64, Point)| {
            let by_place = || in_a.lat.total_cmp(&in_b.lat).then(in_a.lng.total_cmp(&in_b.lng));
            a.total_cmp(b).then_with(by_place)
        };
        // A cell's middle may be within the radius even if the mechanic is not.
        for (_, Member { online, .. }, mechanic_m) in
            self.free.nearest_with(pickup, within_m + Availability::TO_MIDDLE_M)
        {
            let last = most.checked_sub(1).and_then(|last| cells.get(last)).copied();
            // No mechanic farther away than this can be in a nearer cell.
            if most == 0 || last.is_some_and(|(last_m, _)| mechanic_m > last_m + Availability::TO_MIDDLE_M) {
                break;
            }
            let cell = online.supply.point.snapped(Availability::CELL_M);
            let found = (pickup.distance_m(cell), cell);
            let counts = found.0 <= within_m && last.is_none_or(|last| in_order(&found, &last).is_lt());
            if counts && online.supply.could_serve(vehicle_type, category_id, found.0, now) {
                let place = cells.partition_point(|other| in_order(other, &found).is_le());
                cells.insert(place, found);
                cells.truncate(most);
            }
        }
        let nearest = cells.first().map(|(_, cell)| eta.estimate(*cell, pickup, now));
        let shown = cells.iter().take(Availability::MAX_CELLS).map(|(_, cell)| *cell);
        Availability { count: cells.len(), nearest, cells: shown.collect() }
    }

    /// Returns the mechanics in a box, free or not, either each of them or their numbers.
    pub fn fleet(&self, FleetQuery { bounds, most, squares }: &FleetQuery) -> Fleet {
        let all = self.free.inside(*bounds).chain(self.engaged.inside(*bounds));
        let mut online = all.filter_map(|(id, point)| {
            let Supply { is_free, fresh_until, .. } = *self.supply(id)?;
            Some(OnlineMechanic { id, point, is_free, fresh_until })
        });
        let first: Vec<OnlineMechanic> = online.by_ref().take(most.saturating_add(1)).collect();
        if first.len() <= *most {
            return Fleet::Each(first);
        }
        let mut counts: HashMap<(i64, i64), (u32, u32)> = HashMap::default();
        for mechanic in first.into_iter().chain(online) {
            let (free, busy) = counts.entry(squares.of(mechanic.point)).or_default();
            *if mechanic.is_free { free } else { busy } += 1;
        }
        let square = |(place, (free, busy))| FleetSquare { place, free, busy };
        Fleet::Counted(counts.into_iter().map(square).collect())
    }

    /// Returns the online mechanics nearest to a pickup, free or not, nearest first, ties by id.
    pub fn candidates(&self, query: &CandidatesQuery, now: DateTime<Utc>) -> Vec<NearbyMechanic> {
        let CandidatesQuery { demand, within_m, k } = query;
        let near = self.nearest_of_all(demand, *within_m).take(*k);
        let shown = near.map(|(id, supply, distance_m)| {
            let misfits = matching::misfits(demand, id, supply, distance_m, now).collect();
            NearbyMechanic { id, misfits }
        });
        shown.collect()
    }

    /// Returns the free or the engaged mechanics within a circle, nearest first.
    pub fn near(
        &self,
        is_free: bool,
        point: Point,
        radius_m: f64,
    ) -> impl Iterator<Item = (MechanicId, &Online)> {
        let grid = if is_free { &self.free } else { &self.engaged };
        grid.nearest_with(point, radius_m).map(|(id, mechanic, _)| (id, &mechanic.online))
    }

    /// Returns the unmatched and held jobs within a circle, the nearest of each first.
    pub fn resting(&self, point: Point, radius_m: f64) -> impl Iterator<Item = &Demand> {
        let unmatched = self.unmatched.nearest(point, radius_m);
        let resting = unmatched.chain(self.held.nearest(point, radius_m));
        resting.filter_map(|(id, _)| self.waiting.get(&id)).map(|entry| entry.demand.as_ref())
    }

    /// Returns what the jobs of the next pass want.
    pub fn ready_demands(&self) -> impl Iterator<Item = &Demand> {
        self.ready.iter().filter_map(|id| self.waiting.get(id)).map(|entry| entry.demand.as_ref())
    }

    /// Returns what the job wants, if it is waiting.
    pub fn demand(&self, id: JobId) -> Option<&Demand> {
        self.waiting.get(&id).map(|entry| entry.demand.as_ref())
    }

    /// Returns whether the job waits and no mechanic is being proposed to it.
    pub fn is_searching(&self, id: JobId) -> bool {
        self.waiting.get(&id).is_some_and(|entry| entry.rest != Rest::None) || self.ready.contains(&id)
    }

    /// Returns the free mechanics who could serve a pickup now, nearest first, with their distances in metres.
    pub fn nearest(&self, query: &NearestQuery, now: DateTime<Utc>) -> Vec<(MechanicId, f64)> {
        let NearestQuery { pickup, vehicle_type, category_id, within_m, k } = *query;
        let fit = self.free.nearest_with(pickup, within_m).filter(|(_, mechanic, distance)| {
            mechanic.online.supply.could_serve(vehicle_type, category_id, *distance, now)
        });
        fit.take(k).map(|(id, _, distance)| (id, distance)).collect()
    }

    /// Returns the numbers of waiting jobs, of online mechanics, and of free ones among these.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.waiting.len(), self.free.len() + self.engaged.len(), self.free.len())
    }
}
