//! A journal in memory that refuses what the schema of the service refuses, and fails when it is told to.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use crate::{
    dispatcher::explain::Explanation,
    engine::Snapshot,
    ids::{CommandId, JobId, MechanicId, OfferId},
    job::state::{Event, Job, LiveOffer, Stage},
    mechanic::state::{Engagement, Fix, Mechanic, Profile, TrailPoint},
    ports::{Change, CommitError, Guard, Journal, LoadError, OfferCard, OfferStatus},
};

/// Explanations kept per job; further ones are dropped.
const MAX_EXPLANATIONS: usize = 64;

/// How one commit fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Surely not committed.
    Failed,
    /// Committed, but the answer was lost.
    UnknownCommitted,
    /// Not committed, and nobody knows.
    UnknownNotCommitted,
    /// Committed only after this long, although the answer "unknown" comes at once.
    UnknownCommittedLate(Duration),
    /// As if another had changed the row.
    Conflict,
    /// The commit panics, and the actor that waits for it with it.
    Panic,
}

/// An offer as it stands in its table.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    pub job_id: JobId,
    pub attempt: u32,
    pub offer: LiveOffer,
    pub status: OfferStatus,
}

/// A committed event.
#[derive(Debug, Clone, PartialEq)]
pub struct Committed {
    pub version: i64,
    /// `None` for what not every participant may see.
    pub seq: Option<i64>,
    pub command_id: CommandId,
    pub event: Event,
    pub at: DateTime<Utc>,
}

/// A mechanic's row.
#[derive(Debug, Clone)]
struct MechanicRow {
    profile: Profile,
    available: bool,
    since: DateTime<Utc>,
    last: Option<Fix>,
}

#[derive(Debug, Default)]
struct Tables {
    jobs: BTreeMap<JobId, Job>,
    events: BTreeMap<JobId, Vec<Committed>>,
    offers: BTreeMap<OfferId, OfferRow>,
    mechanics: BTreeMap<MechanicId, MechanicRow>,
    trail: Vec<TrailPoint>,
    explanations: BTreeMap<JobId, Vec<Explanation>>,
    faults: VecDeque<Fault>,
    is_away: bool,
    is_trail_full: bool,
    latency: Duration,
    uses: Uses,
}

/// How often the journal was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uses {
    /// Commits tried, whatever became of them.
    pub commits: u64,
    pub loads: u64,
}

/// A [`Journal`] in memory. A process's hold on it can be cut while the tables live on: see [`Self::after_crash`].
#[derive(Debug, Default)]
pub struct MemoryJournal {
    tables: Arc<Mutex<Tables>>,
    is_cut: AtomicBool,
}

impl MemoryJournal {
    /// What the next process finds; the one that crashed reaches it no more.
    pub fn after_crash(&self) -> Self {
        self.is_cut.store(true, Ordering::Release);
        Self { tables: self.tables.clone(), is_cut: AtomicBool::new(false) }
    }

    /// The next commits fail like this, one after the other.
    pub fn fail_next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.locked().faults.extend(faults);
    }

    /// No planned failure is left.
    pub fn clear_faults(&self) {
        self.locked().faults.clear();
    }

    /// Nothing is committed nor loaded until [`Self::come_back`].
    pub fn go_away(&self) {
        self.locked().is_away = true;
    }

    pub fn come_back(&self) {
        self.locked().is_away = false;
    }

    /// Whether the recorder of trails refuses points.
    pub fn set_trail_full(&self, is_full: bool) {
        self.locked().is_trail_full = is_full;
    }

    /// How long a commit and a load take.
    pub fn set_latency(&self, latency: Duration) {
        self.locked().latency = latency;
    }

    pub fn add_mechanic(&self, id: MechanicId, profile: Profile, since: DateTime<Utc>) {
        self.locked().mechanics.insert(id, MechanicRow { profile, available: false, since, last: None });
    }

    /// Changes a profile behind the engine's back.
    pub fn change_profile(&self, id: MechanicId, change: impl FnOnce(&mut Profile)) {
        if let Some(row) = self.locked().mechanics.get_mut(&id) {
            change(&mut row.profile);
        }
    }

    /// Changes a job's row behind the engine's back, as a payment would.
    pub fn change_job(&self, id: JobId, change: impl FnOnce(&mut Job)) {
        if let Some(job) = self.locked().jobs.get_mut(&id) {
            change(job);
        }
    }

    pub fn uses(&self) -> Uses {
        self.locked().uses
    }

    pub fn job(&self, id: JobId) -> Option<Job> {
        self.locked().jobs.get(&id).cloned()
    }

    pub fn jobs(&self) -> Vec<Job> {
        self.locked().jobs.values().cloned().collect()
    }

    pub fn events(&self, id: JobId) -> Vec<Committed> {
        self.locked().events.get(&id).cloned().unwrap_or_default()
    }

    /// All offers ever made, the oldest first.
    pub fn offers(&self) -> Vec<OfferRow> {
        self.locked().offers.values().cloned().collect()
    }

    pub fn offer(&self, id: OfferId) -> Option<OfferRow> {
        self.locked().offers.get(&id).cloned()
    }

    pub fn pending_offer(&self, mechanic: MechanicId) -> Option<OfferRow> {
        let tables = self.locked();
        tables.pending().find(|row| row.offer.mechanic_id == mechanic).cloned()
    }

    pub fn pending_offers_of_job(&self, job: JobId) -> Vec<OfferRow> {
        let tables = self.locked();
        tables.pending().filter(|row| row.job_id == job).cloned().collect()
    }

    /// Why the job was, or was not, offered to whom, the oldest decision first.
    pub fn explanations(&self, job: JobId) -> Vec<Explanation> {
        self.locked().explanations.get(&job).cloned().unwrap_or_default()
    }

    pub fn trail(&self) -> Vec<TrailPoint> {
        self.locked().trail.clone()
    }

    /// The mechanic as a reload would see it.
    pub fn mechanic(&self, id: MechanicId) -> Option<Mechanic> {
        self.locked().mechanic(id)
    }

    pub fn mechanic_ids(&self) -> Vec<MechanicId> {
        self.locked().mechanics.keys().copied().collect()
    }

    /// What a process that starts now takes up again.
    pub fn snapshot(&self) -> Snapshot {
        let tables = self.locked();
        let jobs = tables.jobs.values().filter(|job| !job.is_settled()).cloned().collect();
        let mechanics = tables.mechanics.keys().filter_map(|id| tables.mechanic(*id));
        let engaged = mechanics.filter(|m| m.available || m.engagement != Engagement::Free);
        Snapshot { jobs, mechanics: engaged.collect() }
    }

    fn locked(&self) -> MutexGuard<'_, Tables> {
        locked(&self.tables)
    }

    async fn answer_in_time(&self) {
        let latency = self.locked().latency;
        if !latency.is_zero() {
            tokio::time::sleep(latency).await;
        }
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
        Ok(read(&self.locked()))
    }

    async fn commit_change(&self, change: Change) -> Result<(), CommitError> {
        self.answer_in_time().await;
        let fault = {
            let mut tables = self.locked();
            tables.uses.commits += 1;
            tables.faults.pop_front()
        };
        if self.is_away() {
            return Err(CommitError::Failed("the journal is away".to_owned()));
        }
        let lost = || Err(CommitError::Unknown("the answer was lost".to_owned()));
        match fault {
            None => self.locked().commit(&change),
            Some(Fault::Failed) => Err(CommitError::Failed("planned".to_owned())),
            Some(Fault::Conflict) => Err(CommitError::Conflict),
            Some(Fault::UnknownNotCommitted) => lost(),
            Some(Fault::UnknownCommitted) => self.locked().commit(&change).and_then(|()| lost()),
            Some(Fault::UnknownCommittedLate(after)) => {
                let tables = self.tables.clone();
                actix_rt::spawn(async move {
                    tokio::time::sleep(after).await;
                    // Refused or not: nobody waits for the answer.
                    drop(locked(&tables).commit(&change));
                });
                lost()
            }
            Some(Fault::Panic) => panic!("a planned panic"),
        }
    }
}

fn locked(tables: &Mutex<Tables>) -> MutexGuard<'_, Tables> {
    tables.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal for MemoryJournal {
    fn commit(&self, change: Change) -> BoxFuture<'_, Result<(), CommitError>> {
        Box::pin(self.commit_change(change))
    }

    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>> {
        Box::pin(self.load(move |tables| tables.jobs.get(&id).cloned()))
    }

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
            let mut tables = self.locked();
            match tables.mechanics.get_mut(&id) {
                Some(row) if row.profile.is_verified || !available => {
                    if available && !row.available {
                        row.since = at;
                    }
                    row.available = available;
                    Ok(())
                }
                Some(_) | None => Err(CommitError::Refused(Guard::NotVerified)),
            }
        })
    }

    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>> {
        Box::pin(async move {
            let is_away = self.is_away();
            let mut tables = self.locked();
            if is_away || tables.is_trail_full {
                return Err(LoadError("the trail is not kept".to_owned()));
            }
            for point in points {
                let key = |p: &TrailPoint| (p.job_id, p.mechanic_id, p.ping.seq, p.ping.recorded_at);
                if !tables.trail.iter().any(|kept| key(kept) == key(&point)) {
                    tables.trail.push(point);
                }
            }
            Ok(())
        })
    }

    fn record_position(&self, id: MechanicId, fix: Fix) {
        if self.is_cut.load(Ordering::Acquire) {
            return;
        }
        if let Some(row) = self.locked().mechanics.get_mut(&id) {
            row.last = Some(fix);
        }
    }

    fn record_explanation(&self, explanation: Explanation) {
        let mut tables = self.locked();
        let kept = tables.explanations.entry(explanation.job_id).or_default();
        if kept.len() < MAX_EXPLANATIONS {
            kept.push(explanation);
        }
    }
}

impl Tables {
    fn pending(&self) -> impl Iterator<Item = &OfferRow> {
        self.offers.values().filter(|row| row.status == OfferStatus::Pending)
    }

    fn mechanic(&self, id: MechanicId) -> Option<Mechanic> {
        let row = self.mechanics.get(&id)?;
        let mut mechanic = Mechanic::new(id, row.profile.clone(), row.available, row.since);
        mechanic.last = row.last;
        let active = self.jobs.values().find(|job| is_active_for(job, id));
        let offer = self.pending().find(|offer| offer.offer.mechanic_id == id);
        mechanic.engagement = match (active, offer) {
            (Some(job), _) => Engagement::Busy {
                job_id: job.id,
                pickup: job.spec.pickup,
                is_arrived: matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_)),
            },
            (None, Some(offer)) => {
                let job = self.jobs.get(&offer.job_id)?;
                Engagement::Offered(Box::new(card(job, offer, row.profile.user_id)))
            }
            (None, None) => Engagement::Free,
        };
        Some(mechanic)
    }

    /// One transaction: everything is checked before anything is written.
    fn commit(&mut self, change: &Change) -> Result<(), CommitError> {
        let id = change.next.id;
        if self.events.get(&id).is_some_and(|log| log.iter().any(|c| c.command_id == change.command_id)) {
            return Err(CommitError::AlreadyCommitted);
        }
        self.check(change)?;
        self.write_offers(change);
        let seq = change.event.is_public().then_some(change.next.seq);
        let (version, event, at) = (change.next.version, change.event.clone(), change.at);
        let committed = Committed { version, seq, command_id: change.command_id, event, at };
        self.events.entry(id).or_default().push(committed);
        self.jobs.insert(id, change.next.clone());
        Ok(())
    }

    fn check(&self, change: &Change) -> Result<(), CommitError> {
        let next = &change.next;
        if let Event::Created { .. } = change.event {
            if self.jobs.contains_key(&next.id) {
                return Err(CommitError::AlreadyCommitted);
            }
        } else {
            self.check_offers(change)?;
            if self.jobs.get(&next.id).map(|row| row.version) != Some(change.expected_version) {
                return Err(CommitError::Conflict);
            }
        }
        let mut others = self.jobs.values().filter(|job| job.id != next.id);
        let mechanic = next.assignment().filter(|_| next.status().is_active()).map(|a| a.mechanic_id);
        if mechanic.is_some_and(|mechanic| others.clone().any(|job| is_active_for(job, mechanic))) {
            return Err(CommitError::Refused(Guard::OneActiveJobPerMechanic));
        }
        let is_same_vehicle = |job: &Job| job.spec.vehicle_id == next.spec.vehicle_id;
        if next.status().is_open() && others.any(|job| job.status().is_open() && is_same_vehicle(job)) {
            return Err(CommitError::Refused(Guard::OneOpenJobPerVehicle));
        }
        Ok(())
    }

    fn check_offers(&self, change: &Change) -> Result<(), CommitError> {
        match &change.event {
            Event::OffersMade { offers } => {
                let is_taken = |offer: &LiveOffer| {
                    let of_mechanic = |row: &OfferRow| row.offer.mechanic_id == offer.mechanic_id;
                    self.pending().any(of_mechanic)
                        || offers.iter().filter(|o| o.mechanic_id == offer.mechanic_id).count() > 1
                };
                match offers.iter().any(is_taken) {
                    true => Err(CommitError::Refused(Guard::OnePendingOfferPerMechanic)),
                    false => Ok(()),
                }
            }
            Event::Accepted { assignment, answered_at, .. } => {
                let grace = change.next.spec.search.offer_grace;
                let is_open = |id: OfferId| {
                    self.pending()
                        .any(|row| row.offer.id == id && row.offer.expires_at >= *answered_at - grace)
                };
                if assignment.offer_id.is_some_and(|id| !is_open(id)) {
                    return Err(CommitError::Refused(Guard::OfferGone));
                }
                self.check_pending(&change.event)
            }
            _ => self.check_pending(&change.event),
        }
    }

    /// Fewer than memory knew of: memory is stale.
    fn check_pending(&self, event: &Event) -> Result<(), CommitError> {
        let (ended, _) = event.ended_offers();
        let all_pending = ended.iter().all(|id| self.pending().any(|row| row.offer.id == *id));
        if all_pending { Ok(()) } else { Err(CommitError::Conflict) }
    }

    fn write_offers(&mut self, change: &Change) {
        if let Event::OffersMade { offers } = &change.event {
            for offer in offers {
                let (job_id, attempt) = (change.next.id, change.next.attempt);
                let row = OfferRow { job_id, attempt, offer: offer.clone(), status: OfferStatus::Pending };
                self.offers.insert(offer.id, row);
            }
        }
        if let Event::Accepted { assignment, .. } = &change.event
            && let Some(row) = assignment.offer_id.and_then(|id| self.offers.get_mut(&id))
        {
            row.status = OfferStatus::Accepted;
        }
        let (ended, status) = change.event.ended_offers();
        for id in ended {
            if let Some(row) = self.offers.get_mut(&id) {
                row.status = status;
            }
        }
    }
}

fn is_active_for(job: &Job, mechanic: MechanicId) -> bool {
    job.status().is_active() && job.assignment().is_some_and(|a| a.mechanic_id == mechanic)
}

fn card(job: &Job, row: &OfferRow, mechanic_user: crate::ids::UserId) -> OfferCard {
    let offer = &row.offer;
    OfferCard {
        id: offer.id,
        job_id: job.id,
        mechanic_id: offer.mechanic_id,
        mechanic_user,
        status: row.status,
        round: offer.round,
        distance_m: offer.distance_m,
        eta_s: offer.eta_s,
        estimated_price_paise: job.spec.estimated_price_paise(),
        category: job.spec.category_id.0,
        vehicle_type: job.spec.vehicle_type,
        pickup: job.spec.pickup.snapped(100.0),
        urgency: job.spec.urgency,
        created_at: offer.created_at,
        expires_at: offer.expires_at,
    }
}
