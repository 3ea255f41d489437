//! The dispatcher's picture: who waits, who is online. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};

use super::{
    index::Grid,
    matching::{self, Candidate, Waiting},
    messages::{Availability, DispatcherCounts, Survey, View, Want},
};
use crate::{
    ids::{JobId, MechanicId},
    ports::Eta,
    settings::MatchingPolicy,
};

/// Candidates looked at per job and pass; the nearest. More could not change who is nearest.
const MAX_CANDIDATES: usize = 200;

/// Waiting jobs and online mechanics.
#[derive(Debug, Default)]
pub struct Picture {
    waiting: BTreeMap<JobId, Want>,
    /// Jobs whose proposal is under way: they are not matched until they speak again.
    proposed: BTreeSet<JobId>,
    mechanics: HashMap<MechanicId, View>,
    grid: Grid<MechanicId>,
}

impl Picture {
    /// A job's word. It ends whatever proposal was under way.
    pub fn demand(&mut self, job_id: JobId, want: Option<Want>) {
        self.proposed.remove(&job_id);
        match want {
            Some(want) => self.waiting.insert(job_id, want),
            None => self.waiting.remove(&job_id),
        };
    }

    /// A mechanic's word.
    pub fn supply(&mut self, id: MechanicId, view: Option<View>) {
        match view {
            Some(view) => {
                self.grid.put(id, view.point);
                self.mechanics.insert(id, view);
            }
            None => {
                self.grid.remove(id);
                self.mechanics.remove(&id);
            }
        }
    }

    /// Marks a mechanic as taken until its own word says otherwise.
    pub fn take(&mut self, id: MechanicId) {
        if let Some(view) = self.mechanics.get_mut(&id) {
            view.is_free = false;
        }
    }

    /// Marks a job as proposed for until it speaks again.
    pub fn propose(&mut self, id: JobId) {
        self.proposed.insert(id);
    }

    /// The proposal came to nothing, and the job may not know.
    pub fn withdraw(&mut self, id: JobId) {
        self.proposed.remove(&id);
    }

    pub fn want(&self, id: JobId) -> Option<&Want> {
        self.waiting.get(&id)
    }

    /// Whether any job waits for a match.
    pub fn is_anyone_waiting(&self) -> bool {
        self.waiting.len() > self.proposed.len()
    }

    /// Decides for every job that waits.
    pub fn decide(
        &self,
        eta: &dyn Eta,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> BTreeMap<JobId, Vec<Candidate>> {
        let open = self.waiting.iter().filter(|(id, _)| !self.proposed.contains(id));
        let waiting = open.map(|(id, want)| Waiting {
            job_id: *id,
            created_at: want.created_at,
            offers: want.offers,
            candidates: self.candidates(want, eta, policy, now),
        });
        matching::choose(waiting.collect())
    }

    fn candidates(
        &self,
        want: &Want,
        eta: &dyn Eta,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> Vec<Candidate> {
        // Ring by ring: most jobs find someone in the first, and a wide circle costs as its area.
        for ring in matching::rings(want) {
            let near = self.grid.within(want.pickup, *ring);
            let near =
                near.into_iter().filter_map(|(id, distance)| Some((id, self.mechanics.get(&id)?, distance)));
            let mut fit = matching::candidates(want, near, eta, policy, now);
            if !fit.is_empty() {
                fit.truncate(MAX_CANDIDATES);
                return fit;
            }
        }
        Vec::new()
    }

    /// Who could serve a pickup now, for estimates.
    pub fn survey(&self, survey: &Survey, eta: &dyn Eta, now: DateTime<Utc>) -> Availability {
        let near = self.grid.within(survey.pickup, survey.within_m).into_iter();
        let fit = near.filter_map(|(id, distance)| {
            let view = self.mechanics.get(&id)?;
            let holds = view.is_free
                && now <= view.fresh_until
                && distance <= view.radius_m
                && view.vehicle_types.contains(&survey.vehicle_type)
                && view.categories.contains(&survey.category_id);
            holds.then_some(view.point)
        });
        let points: Vec<_> = fit.collect();
        let nearest = points.first().map(|point| eta.estimate(*point, survey.pickup, now));
        let count = points.len();
        Availability { count, nearest, points: points.into_iter().take(Availability::MAX_POINTS).collect() }
    }

    pub fn counts(&self) -> DispatcherCounts {
        DispatcherCounts {
            waiting_jobs: self.waiting.len(),
            online_mechanics: self.mechanics.len(),
            free_mechanics: self.mechanics.values().filter(|view| view.is_free).count(),
        }
    }
}
