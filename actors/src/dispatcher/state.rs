//! The dispatcher's picture: who waits, who is online. Pure.
//!
//! A waiting job is *awake* (to be looked at in the next pass), *stuck* (nobody fits; a mechanic that does wakes it),
//! *held* (a decision about it is being made elsewhere) or none of these: it is proposed to mechanics, until it
//! speaks again. So a pass looks at few jobs however many wait, and at free mechanics alone.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    index::Grid,
    matching::{self, Candidate, Waiting},
    view::{Availability, Nearest, Survey, View, Want},
};
use crate::{
    ids::{JobId, MechanicId},
    ports::{Estimate, Eta},
    settings::MatchingPolicy,
};

/// A stuck job is looked at again after this, even if nothing woke it.
pub const LOOK_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(10);

/// Waiting jobs and online mechanics.
#[derive(Debug, Default)]
pub struct Picture {
    waiting: BTreeMap<JobId, Entry>,
    awake: BTreeSet<JobId>,
    stuck: Grid<JobId>,
    /// With the mechanics that each could use.
    held: BTreeMap<JobId, Vec<MechanicId>>,
    mechanics: HashMap<MechanicId, View>,
    /// Those that matching asks, and those it can only tell of.
    free: Grid<MechanicId>,
    engaged: Grid<MechanicId>,
    words: u64,
}

#[derive(Debug)]
struct Entry {
    want: Arc<Want>,
    word: u64,
    word_at: DateTime<Utc>,
    looked_at: DateTime<Utc>,
    is_stuck: bool,
}

/// What a pass found.
#[derive(Debug, Default)]
pub struct Look {
    /// Jobs with candidates.
    pub open: Vec<Waiting>,
    /// Jobs that nobody fits.
    pub stuck: Vec<Waiting>,
}

/// Estimates of an ETA table for one job.
#[derive(Debug, Clone)]
pub struct Estimated {
    pub job_id: JobId,
    pub estimates: BTreeMap<MechanicId, Estimate>,
}

impl Picture {
    /// A job's word, at `now`. It ends whatever proposal was under way.
    pub fn demand(&mut self, job_id: JobId, want: Option<Want>, now: DateTime<Utc>) {
        self.stuck.remove(job_id);
        let Some(want) = want else {
            self.awake.remove(&job_id);
            self.waiting.remove(&job_id);
            return;
        };
        let before = self.waiting.get(&job_id);
        let is_same_round =
            before.is_some_and(|entry| (entry.want.attempt, entry.want.round) == (want.attempt, want.round));
        // Saying it again neither ends what is being decided nor prolongs how long others are gathered.
        let word = before.filter(|entry| *entry.want == want).map(|entry| entry.word);
        let word = word.unwrap_or_else(|| {
            self.words += 1;
            self.words
        });
        let word_at = before.filter(|_| is_same_round).map_or(now, |entry| entry.word_at);
        self.waiting
            .insert(job_id, Entry { want: Arc::new(want), word, word_at, looked_at: now, is_stuck: false });
        self.wake(job_id);
    }

    /// A mechanic's word. Whether it wakes a stuck job.
    pub fn supply(&mut self, id: MechanicId, view: Option<View>, now: DateTime<Utc>) -> bool {
        let Some(view) = view else {
            self.free.remove(id);
            self.engaged.remove(id);
            self.mechanics.remove(&id);
            return false;
        };
        self.place(id, &view);
        let woken: Vec<JobId> = if view.is_free { self.woken_by(id, &view, now) } else { Vec::new() };
        self.mechanics.insert(id, view);
        woken.iter().for_each(|job| self.wake(*job));
        !woken.is_empty()
    }

    fn place(&mut self, id: MechanicId, view: &View) {
        let (into, from) = match view.is_free {
            true => (&mut self.free, &mut self.engaged),
            false => (&mut self.engaged, &mut self.free),
        };
        from.remove(id);
        into.put(id, view.point);
    }

    /// Stuck jobs that the mechanic fits. Nothing else can help them but a word of their own: while time passes
    /// candidates only become fewer.
    fn woken_by(&self, id: MechanicId, view: &View, now: DateTime<Utc>) -> Vec<JobId> {
        let near = self.stuck.within(view.point, view.radius_m).into_iter();
        let fit = near.filter(|(job, distance)| {
            self.waiting.get(job).is_some_and(|entry| {
                let want = entry.want.as_ref();
                *distance <= matching::reach_m(want)
                    && matching::fitness(want, id, view, *distance, now).is_ok()
            })
        });
        fit.map(|(job, _)| job).collect()
    }

    /// Marks a mechanic as taken until its own word says otherwise.
    pub fn take(&mut self, id: MechanicId) {
        if let Some(mut view) = self.mechanics.remove(&id) {
            view.is_free = false;
            self.place(id, &view);
            self.mechanics.insert(id, view);
        }
    }

    /// Marks a job as proposed for until it speaks again.
    pub fn propose(&mut self, id: JobId) {
        self.wake(id);
        self.awake.remove(&id);
    }

    /// Nobody is left for a job: it rests until somebody fits.
    pub fn rest(&mut self, id: JobId) {
        if let (true, Some(entry)) = (self.awake.remove(&id), self.waiting.get_mut(&id)) {
            entry.is_stuck = true;
            self.stuck.put(id, entry.want.pickup);
        }
    }

    /// To be looked at in the next pass: e.g. a proposal came to nothing, and the job may not know.
    pub fn wake(&mut self, id: JobId) {
        if let (Some(entry), false) = (self.waiting.get_mut(&id), self.held.contains_key(&id)) {
            entry.is_stuck = false;
            self.stuck.remove(id);
            self.awake.insert(id);
        }
    }

    /// Wakes those that were not looked at for long: nothing hangs on a single word.
    pub fn wake_forgotten(&mut self, now: DateTime<Utc>) {
        let is_old = |entry: &Entry| entry.is_stuck && now - entry.looked_at >= LOOK_AGAIN_AFTER;
        let old = self.waiting.iter().filter(|(_, entry)| is_old(entry));
        let old: Vec<JobId> = old.map(|(id, _)| *id).collect();
        old.into_iter().for_each(|id| self.wake(id));
    }

    /// A decision about a job is being made elsewhere: no other is begun until it is released.
    pub fn hold(&mut self, job: &Waiting) {
        self.awake.remove(&job.job_id);
        let usable = job.candidates.iter().map(|candidate| candidate.mechanic_id);
        self.held.insert(job.job_id, usable.collect());
    }

    /// The decision elsewhere came back. Whether the job's word is still the one that it was begun for.
    pub fn release(&mut self, id: JobId, word: u64) -> bool {
        self.held.remove(&id);
        self.wake(id);
        self.waiting.get(&id).is_some_and(|entry| entry.word == word)
    }

    pub fn is_waiting(&self, id: JobId) -> bool {
        self.waiting.contains_key(&id)
    }

    /// Jobs to be looked at.
    pub fn awake(&self) -> usize {
        self.awake.len()
    }

    /// Looks at every job that is awake. Those that nobody fits are stuck from here on.
    pub fn look(&mut self, eta: &dyn Eta, policy: &MatchingPolicy, now: DateTime<Utc>) -> Look {
        let mut look = Look::default();
        for id in self.awake.clone() {
            let Some(entry) = self.waiting.get_mut(&id) else { continue };
            entry.looked_at = now;
            let want = entry.want.clone();
            let near = self.free.nearest(want.pickup, matching::reach_m(&want));
            let near = near.filter_map(|(id, distance)| Some((id, self.mechanics.get(&id)?, distance)));
            let estimate = |_, view: &View| Some(eta.estimate(view.point, want.pickup, now));
            let (ring_m, candidates) = matching::candidates(&want, near, estimate, policy, now);
            let is_stuck = candidates.is_empty();
            let Some(job) = self.waiting(id, ring_m, candidates, policy, now) else { continue };
            if is_stuck {
                self.rest(id);
                look.stuck.push(job);
            } else {
                look.open.push(job);
            }
        }
        look
    }

    /// The job with the candidates that an ETA table knows, as far as they still fit. `None` where none does.
    pub fn look_by_table(
        &self,
        table: &Estimated,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> Option<Waiting> {
        let want = &self.waiting.get(&table.job_id)?.want;
        let known = table.estimates.keys().filter_map(|id| Some((*id, self.mechanics.get(id)?)));
        let mut near: Vec<_> =
            known.map(|(id, view)| (id, view, want.pickup.distance_m(view.point))).collect();
        near.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
        let estimate = |id, _: &View| table.estimates.get(&id).copied();
        let (ring_m, candidates) = matching::candidates(want, near.into_iter(), estimate, policy, now);
        if candidates.is_empty() {
            return None;
        }
        self.waiting(table.job_id, ring_m, candidates, policy, now)
    }

    fn waiting(
        &self,
        job_id: JobId,
        ring_m: f64,
        candidates: Vec<Candidate>,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> Option<Waiting> {
        let entry = self.waiting.get(&job_id)?;
        let (want, word, word_at) = (entry.want.clone(), entry.word, entry.word_at);
        let priority_s = matching::priority(&want, policy, now);
        Some(Waiting { job_id, want, word, word_at, priority_s, ring_m, candidates })
    }

    /// Whether the mechanic may still be offered the job.
    pub fn still_fits(&self, job: &Waiting, id: MechanicId, now: DateTime<Utc>) -> bool {
        self.mechanics.get(&id).is_some_and(|view| {
            let distance_m = view.point.distance_m(job.want.pickup);
            matching::fitness(&job.want, id, view, distance_m, now).is_ok()
        })
    }

    /// The mechanics that held jobs could use.
    pub fn used_by_held(&self) -> impl Iterator<Item = MechanicId> + '_ {
        self.held.values().flatten().copied()
    }

    pub fn view(&self, id: MechanicId) -> Option<&View> {
        self.mechanics.get(&id)
    }

    /// Everybody within a circle, free or not, with distances; in no order.
    pub fn within(&self, want: &Want, radius_m: f64) -> impl Iterator<Item = (MechanicId, &View, f64)> {
        let free = self.free.within(want.pickup, radius_m).into_iter();
        let all = free.chain(self.engaged.within(want.pickup, radius_m));
        all.filter_map(|(id, distance)| Some((id, self.mechanics.get(&id)?, distance)))
    }

    /// Who could serve a pickup now, for estimates. Each counts as standing in the middle of its cell, in every regard:
    /// whoever asks from many places learns the cell, and no more.
    pub fn survey(&self, survey: &Survey, eta: &dyn Eta, now: DateTime<Utc>) -> Availability {
        let Survey { pickup, vehicle_type, category_id, within_m } = *survey;
        // A cell's middle may be within though the mechanic is not.
        let near = self.free.within(pickup, within_m + Availability::CELL_M).into_iter();
        let fit = near.filter_map(|(id, _)| {
            let view = self.mechanics.get(&id)?;
            let cell = view.point.snapped(Availability::CELL_M);
            let distance_m = pickup.distance_m(cell);
            let fits = distance_m <= within_m && view.could_serve(vehicle_type, category_id, distance_m, now);
            fits.then_some((distance_m, cell))
        });
        let mut cells: Vec<_> = fit.collect();
        // Of two cells as far away always the same one comes first, whoever stands in them.
        cells.sort_by(|(a, in_a), (b, in_b)| {
            let by_place = || in_a.lat.total_cmp(&in_b.lat).then(in_a.lng.total_cmp(&in_b.lng));
            a.total_cmp(b).then_with(by_place)
        });
        let nearest = cells.first().map(|(_, cell)| eta.estimate(*cell, pickup, now));
        let shown = cells.iter().take(Availability::MAX_CELLS).map(|(_, cell)| *cell);
        Availability { count: cells.len(), nearest, cells: shown.collect() }
    }

    /// The free mechanics that could serve a pickup now, nearest first, with their distances in metres.
    pub fn nearest(&self, nearest: &Nearest, now: DateTime<Utc>) -> Vec<(MechanicId, f64)> {
        let Nearest { pickup, vehicle_type, category_id, within_m, k } = *nearest;
        let fit = self.free.nearest(pickup, within_m).filter(|(id, distance)| {
            let view = self.mechanics.get(id);
            view.is_some_and(|view| view.could_serve(vehicle_type, category_id, *distance, now))
        });
        fit.take(k).collect()
    }

    /// Jobs that wait, mechanics that are online, and those of them that are free.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.waiting.len(), self.mechanics.len(), self.free.len())
    }
}
