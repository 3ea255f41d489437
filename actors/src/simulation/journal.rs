//! A journal in memory that refuses what the service's schema refuses, and fails as planned.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::{
    faults::{Faults, Latency},
    row_invariants,
    tables::{MechanicRow, Tables},
};
use crate::{
    dispatcher::explain::Explanation,
    engine::Snapshot,
    experience::{Lesson, Lessons},
    ids::{CommandId, JobId, MechanicId, OfferId},
    job::state::{Event, Job, Status},
    mechanic::state::{Engagement, Fix, History, Mechanic, Parked, ParkingEnd, Profile, TrailPoint},
    ports::{
        CommitError, ExplanationLog, Guard, JobChange, JobJournal, LoadError, LoggedAs, MechanicJournal,
    },
    random::Random,
};

pub use super::{
    faults::{Fault, RATED_COMMITS},
    tables::{Committed, OfferRow, Tally},
};

/// The rows, the behaviour of the journal, and the number of its uses.
#[derive(Debug, Default)]
struct State {
    tables: Tables,
    faults: Faults,
    latency: Latency,
    is_away: bool,
    is_trail_full: bool,
    uses: Uses,
    is_watched: bool,
    broken: Option<String>,
    /// Lessons from before the world began.
    history: Vec<Lesson>,
}

impl State {
    fn commit(&mut self, change: JobChange) -> Result<(), CommitError> {
        let id = change.next.id;
        self.tables.commit(change)?;
        if self.is_watched && self.broken.is_none() {
            self.broken = row_invariants::broken(&self.tables, id);
        }
        Ok(())
    }
}

/// The number of uses of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uses {
    /// The commits tried, whatever their outcome.
    pub commits: u64,
    pub loads: u64,
}

/// A [`Journal`] in memory. A process can lose its access while the tables live on: see [`Self::after_crash`].
#[derive(Debug, Default)]
pub struct MemoryJournal {
    state: Arc<Mutex<State>>,
    is_cut: AtomicBool,
    /// Whether the process is frozen: it gets no answer, and its messages wait.
    is_frozen: watch::Sender<bool>,
}

impl MemoryJournal {
    /// Returns the journal for the next process; the process that crashed can no longer reach it.
    pub fn after_crash(&self) -> Self {
        self.is_cut.store(true, Ordering::Release);
        Self {
            state: self.state.clone(),
            is_cut: AtomicBool::new(false),
            is_frozen: watch::Sender::new(false),
        }
    }

    /// Freezes the process that uses this journal, or lets it go on.
    pub fn freeze(&self, is_frozen: bool) {
        self.is_frozen.send_replace(is_frozen);
    }

    /// Makes the next commits fail with these faults, one after another.
    pub fn fail_next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.locked().faults.plan(faults);
    }

    /// Makes commits that have no planned failure fail by chance, each fault this many times in [`RATED_COMMITS`].
    pub fn fail_at_rate(&self, random: Random, rates: impl IntoIterator<Item = (Fault, u32)>) {
        self.locked().faults.rate(random, rates.into_iter().collect());
    }

    /// Removes all faults, planned and random.
    pub fn clear_faults(&self) {
        self.locked().faults = Faults::default();
    }

    /// Commits and loads nothing until [`Self::come_back`].
    pub fn go_away(&self) {
        self.locked().is_away = true;
    }

    pub fn come_back(&self) {
        self.locked().is_away = false;
    }

    /// Sets whether the recorder of trails refuses points.
    pub fn set_trail_full(&self, is_full: bool) {
        self.locked().is_trail_full = is_full;
    }

    /// Sets how long a commit and a load take.
    pub fn set_latency(&self, latency: Duration) {
        self.locked().latency = Latency::Always(latency);
    }

    /// Makes commits and loads take any time below `bound`, in whole milliseconds.
    pub fn set_latency_below(&self, random: Random, bound: Duration) {
        self.locked().latency = Latency::Below(random, bound);
    }

    /// Keeps only the last `most` jobs that settled, with their events and offers; for long simulations. A
    /// forgotten job is no longer found, so keep more than any caller may still ask for. The tally stays.
    pub fn keep_settled(&self, most: usize) {
        self.locked().tables.keep_settled(most);
    }

    pub fn add_mechanic(&self, id: MechanicId, profile: Profile, since: DateTime<Utc>) {
        let (last, history) = (None, History::default());
        let row = MechanicRow { profile, available: false, since, last, parked: None, history };
        self.locked().tables.mechanics.insert(id, row);
    }

    /// Changes a profile behind the engine's back.
    pub fn change_profile(&self, id: MechanicId, change: impl FnOnce(&mut Profile)) {
        if let Some(row) = self.locked().tables.mechanics.get_mut(&id) {
            change(&mut row.profile);
        }
    }

    /// Changes a job's row behind the engine's back, as a payment would.
    pub fn change_job(&self, id: JobId, change: impl FnOnce(&mut Job)) {
        let mut state = self.locked();
        if let Some(mut job) = state.tables.jobs.get(&id).cloned() {
            change(&mut job);
            state.tables.put_job(job);
        }
    }

    pub fn uses(&self) -> Uses {
        self.locked().uses
    }

    /// Returns the numbers of events and offers, including those of forgotten jobs.
    pub fn tally(&self) -> Tally {
        self.locked().tables.tally.clone()
    }

    pub fn job(&self, id: JobId) -> Option<Job> {
        self.locked().tables.jobs.get(&id).cloned()
    }

    pub fn status(&self, id: JobId) -> Option<Status> {
        self.locked().tables.jobs.get(&id).map(Job::status)
    }

    pub fn jobs(&self) -> Vec<Job> {
        self.locked().tables.jobs.values().cloned().collect()
    }

    /// Returns the jobs to which something may still happen.
    pub fn unsettled_jobs(&self) -> Vec<Job> {
        let state = self.locked();
        let tables = &state.tables;
        tables.unsettled.iter().filter_map(|id| tables.jobs.get(id)).cloned().collect()
    }

    /// Returns the ids of these jobs.
    pub fn unsettled_ids(&self) -> Vec<JobId> {
        self.read(|tables| tables.unsettled.iter().copied().collect())
    }

    pub fn events(&self, id: JobId) -> Vec<Committed> {
        self.locked().tables.logs.get(&id).map(|log| log.events.clone()).unwrap_or_default()
    }

    /// Returns all offers ever made, the oldest first.
    pub fn offers(&self) -> Vec<OfferRow> {
        self.locked().tables.offers.values().cloned().collect()
    }

    pub fn offer(&self, id: OfferId) -> Option<OfferRow> {
        self.locked().tables.offers.get(&id).cloned()
    }

    pub fn pending_offer(&self, mechanic: MechanicId) -> Option<OfferRow> {
        let state = self.locked();
        let id = state.tables.pending_of_mechanic.of(mechanic).next()?;
        state.tables.offers.get(&id).cloned()
    }

    pub fn pending_offers_of_job(&self, job: JobId) -> Vec<OfferRow> {
        let state = self.locked();
        let ids = state.tables.pending_of_job.of(job);
        ids.filter_map(|id| state.tables.offers.get(&id)).cloned().collect()
    }

    /// Returns why the job was, or was not, offered to each mechanic, the oldest decision first.
    pub fn explanations(&self, job: JobId) -> Vec<Explanation> {
        self.locked().tables.explanations.get(&job).cloned().unwrap_or_default()
    }

    /// Returns the last points that were recorded, the oldest first.
    pub fn trail(&self) -> Vec<TrailPoint> {
        self.locked().tables.trail.points()
    }

    /// Returns the mechanic as a reload would see them.
    pub fn mechanic(&self, id: MechanicId) -> Option<Mechanic> {
        self.locked().tables.mechanic(id)
    }

    pub fn mechanic_ids(&self) -> Vec<MechanicId> {
        self.locked().tables.mechanics.keys().copied().collect()
    }

    /// Returns what a process that starts now loads.
    pub fn snapshot(&self) -> Snapshot {
        let jobs = self.unsettled_jobs();
        let state = self.locked();
        let mechanics = state.tables.mechanics.keys().filter_map(|id| state.tables.mechanic(*id));
        let engaged = mechanics.filter(|m| m.available || m.engagement != Engagement::Free);
        let since = state.tables.begun_at();
        let lessons = state.history.iter().cloned().chain(state.tables.lessons()).collect();
        let past = Lessons { since, lessons, ..Lessons::default() };
        Snapshot { jobs, mechanics: engaged.collect(), more_follow: false, past }
    }

    /// Adds lessons that processes starting from now on load, before the lessons of the world's own jobs.
    pub fn remember(&self, history: Vec<Lesson>) {
        self.locked().history = history;
    }

    /// Checks every commit from now on: see [`Self::broken`].
    pub fn watch(&self) {
        self.locked().is_watched = true;
    }

    /// Returns the first invariant that did not hold right after a commit since [`Self::watch`].
    pub fn broken(&self) -> Option<String> {
        self.locked().broken.clone()
    }

    /// Reads the rows in place.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Tables) -> T) -> T {
        read(&self.locked().tables)
    }

    /// Returns the jobs that changed since the last call.
    pub(super) fn take_changed(&self) -> Vec<JobId> {
        std::mem::take(&mut self.locked().tables.changed).into_iter().collect()
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    async fn answer_in_time(&self) {
        let latency = self.locked().latency.next();
        if !latency.is_zero() {
            tokio::time::sleep(latency).await;
        }
        // The sender lives as long as this journal.
        self.is_frozen.subscribe().wait_for(|is_frozen| !is_frozen).await.ok();
    }

    fn is_away(&self) -> bool {
        self.is_cut.load(Ordering::Acquire) || self.locked().is_away
    }

    async fn load<T>(&self, read: impl FnOnce(&Tables) -> T) -> Result<T, LoadError> {
        self.answer_in_time().await;
        self.locked().uses.loads += 1;
        if self.is_away() {
            return Err(LoadError("the journal is away".to_owned()));
        }
        Ok(self.read(read))
    }

    async fn commit_change(&self, change: JobChange) -> Result<(), CommitError> {
        self.answer_in_time().await;
        let fault = {
            let mut state = self.locked();
            state.uses.commits += 1;
            state.faults.next()
        };
        if self.is_away() {
            return Err(CommitError::Failed("the journal is away".to_owned()));
        }
        let commit = |change| self.locked().commit(change);
        let lost = || Err(CommitError::Unknown("the answer was lost".to_owned()));
        match fault {
            None => commit(change),
            Some(Fault::Failed) => Err(CommitError::Failed("planned".to_owned())),
            Some(Fault::Conflict) => Err(CommitError::Conflict),
            Some(Fault::UnknownNotCommitted) => lost(),
            Some(Fault::UnknownCommitted) => commit(change).and_then(|()| lost()),
            Some(Fault::UnknownCommittedLate(after)) => {
                let state = self.state.clone();
                actix_rt::spawn(async move {
                    tokio::time::sleep(after).await;
                    // The result does not matter, because nobody waits for the answer.
                    drop(locked(&state).commit(change));
                });
                lost()
            }
            Some(Fault::Panic) => panic!("a planned panic"),
            Some(Fault::PanicCommitted) => {
                drop(commit(change));
                panic!("a planned panic")
            }
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobJournal for MemoryJournal {
    fn commit(&self, change: JobChange) -> BoxFuture<'_, Result<(), CommitError>> {
        Box::pin(self.commit_change(change))
    }

    fn find_command(
        &self,
        job: JobId,
        command: CommandId,
    ) -> BoxFuture<'_, Result<Option<LoggedAs>, LoadError>> {
        Box::pin(self.load(move |tables| {
            let mut events = tables.logs.get(&job)?.events.iter();
            let found = events.find(|committed| committed.command_id == command)?;
            Some(match found.event {
                Event::WrongCodeEntered { .. } => LoggedAs::WrongStartCode,
                _ => LoggedAs::Done,
            })
        }))
    }

    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>> {
        Box::pin(self.load(move |tables| tables.jobs.get(&id).cloned()))
    }
}

impl MechanicJournal for MemoryJournal {
    fn load_mechanic(&self, id: MechanicId) -> BoxFuture<'_, Result<Option<Mechanic>, LoadError>> {
        Box::pin(self.load(move |tables| tables.mechanic(id)))
    }

    fn save_availability(
        &self,
        id: MechanicId,
        available: bool,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.answer_in_time().await;
            if self.is_away() {
                return Err(CommitError::Failed("the journal is away".to_owned()));
            }
            let mut state = self.locked();
            match state.tables.mechanics.get_mut(&id) {
                Some(row) if row.profile.is_verified || !available => {
                    if available && !row.available {
                        row.since = at;
                    }
                    row.available = available;
                    row.parked = row.parked.filter(|_| available);
                    Ok(())
                }
                Some(_) | None => Err(CommitError::Refused(Guard::NotVerified)),
            }
        })
    }

    fn save_parking(
        &self,
        id: MechanicId,
        parked: Parked,
        _: Option<String>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.save_availability(id, true, parked.since).await?;
            self.locked().tables.mechanics.entry(id).and_modify(|row| row.parked = Some(parked));
            Ok(())
        })
    }

    fn end_parking(
        &self,
        id: MechanicId,
        since: DateTime<Utc>,
        _: ParkingEnd,
        _: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.answer_in_time().await;
            if self.is_away() {
                return Err(CommitError::Failed("the journal is away".to_owned()));
            }
            if let Some(row) = self.locked().tables.mechanics.get_mut(&id) {
                row.parked = row.parked.filter(|parked| parked.since != since);
            }
            Ok(())
        })
    }

    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>> {
        Box::pin(async move {
            let is_away = self.is_away();
            let mut state = self.locked();
            if is_away || state.is_trail_full {
                return Err(LoadError("the trail is not kept".to_owned()));
            }
            points.into_iter().for_each(|point| state.tables.trail.keep(point));
            Ok(())
        })
    }

    fn record_position(&self, id: MechanicId, fix: Fix) {
        if self.is_cut.load(Ordering::Acquire) {
            return;
        }
        if let Some(row) = self.locked().tables.mechanics.get_mut(&id) {
            row.last = Some(fix);
        }
    }
}

impl ExplanationLog for MemoryJournal {
    fn record_explanation(&self, explanation: Explanation) {
        self.locked().tables.explain(explanation);
    }
}
