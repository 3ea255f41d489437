//! The rows of a [`super::MemoryJournal`], and the guards of its commits. An index for each guard keeps a commit at
//! O(log n), however many rows there are.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use chrono::{DateTime, Utc};

use crate::{
    dispatcher::explain::Explanation,
    experience::Lesson,
    ids::{CommandId, JobId, MechanicId, OfferId, VehicleId},
    job::state::{Event, Job, LiveOffer, Stage},
    mechanic::state::{Engagement, Fix, History, Mechanic, Parked, Profile, TrailPoint},
    ports::{CommitError, Guard, JobChange, OFFERED_PICKUP_GRID_M, OfferCard, OfferStatus},
};

/// The number of explanations kept per job; further ones are dropped.
const MAX_EXPLANATIONS: usize = 64;
/// The number of points of trails kept; the oldest is forgotten.
const MAX_TRAIL: usize = 100_000;

/// An offer as a row of its table.
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
    /// `None` if not every participant may see it.
    pub seq: Option<i64>,
    pub command_id: CommandId,
    pub event: Event,
    pub at: DateTime<Utc>,
}

/// The numbers of what was committed, which outlive the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// The number of events by kind.
    pub events: BTreeMap<&'static str, u64>,
    pub offers_made: u64,
    /// The number of offers by the status in which they ended.
    pub offers_ended: BTreeMap<&'static str, u64>,
}

/// A job's events, and the commands that led to them.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) events: Vec<Committed>,
    commands: HashSet<CommandId>,
}

/// A mechanic's row.
#[derive(Debug, Clone)]
pub(super) struct MechanicRow {
    pub(super) profile: Profile,
    pub(super) available: bool,
    pub(super) since: DateTime<Utc>,
    pub(super) last: Option<Fix>,
    pub(super) parked: Option<Parked>,
    /// How the mechanic's last offers ended.
    pub(super) history: History,
}

/// The values of each key, in order.
#[derive(Debug)]
pub(super) struct Index<K, V>(BTreeMap<K, BTreeSet<V>>);

#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) jobs: BTreeMap<JobId, Job>,
    pub(super) logs: BTreeMap<JobId, Log>,
    pub(super) offers: BTreeMap<OfferId, OfferRow>,
    pub(super) mechanics: BTreeMap<MechanicId, MechanicRow>,
    pub(super) trail: Trail,
    pub(super) explanations: BTreeMap<JobId, Vec<Explanation>>,
    pub(super) tally: Tally,
    /// Jobs to which something may still happen.
    pub(super) unsettled: BTreeSet<JobId>,
    pub(super) pending_of_mechanic: Index<MechanicId, OfferId>,
    pub(super) pending_of_job: Index<JobId, OfferId>,
    pub(super) active_of_mechanic: Index<MechanicId, JobId>,
    pub(super) open_of_vehicle: Index<VehicleId, JobId>,
    /// Jobs that changed since the last query.
    pub(super) changed: BTreeSet<JobId>,
    /// Settled jobs in the order in which they settled.
    settled: VecDeque<JobId>,
    max_settled: Option<usize>,
}

impl Tables {
    /// Returns when the first job was created.
    pub(super) fn begun_at(&self) -> Option<DateTime<Utc>> {
        self.jobs.values().map(|job| job.spec.created_at).min()
    }

    /// Returns what can be learned from the jobs, the oldest call first.
    pub(super) fn lessons(&self) -> Vec<Lesson> {
        let begun = self.jobs.values().filter(|job| job.attempt > 0);
        begun.flat_map(|job| [Some(job.call()), job.work()]).flatten().collect()
    }

    pub(super) fn mechanic(&self, id: MechanicId) -> Option<Mechanic> {
        let row = self.mechanics.get(&id)?;
        let mut mechanic = Mechanic::new(id, row.profile.clone(), row.available, row.since);
        mechanic.last = row.last;
        mechanic.parked =
            row.parked.map(|parked| Parked { unanswered: self.unanswered(id, parked), ..parked });
        mechanic.history = row.history.clone();
        let active = self.active_of_mechanic.of(id).next().and_then(|job| self.jobs.get(&job));
        let offer = self.pending_of_mechanic.of(id).next().and_then(|offer| self.offers.get(&offer));
        mechanic.engagement = match (active, offer) {
            (Some(job), _) => Engagement::Busy {
                job_id: job.id,
                pickup: job.spec.pickup,
                is_arrived: matches!(job.stage, Stage::Arrived(_) | Stage::InProgress(_)),
                delivers_to: job.delivers_to(),
                duty: job.duty(),
            },
            (None, Some(offer)) => {
                let job = self.jobs.get(&offer.job_id)?;
                Engagement::Offered(Box::new(card(job, offer, row.profile.user_id)))
            }
            (None, None) => Engagement::Free,
        };
        Some(mechanic)
    }

    /// Counts the offers that the mechanic let expire since they wait there, or since their last answer.
    fn unanswered(&self, id: MechanicId, parked: Parked) -> u32 {
        let since = |row: &&OfferRow| row.offer.mechanic_id == id && row.offer.created_at >= parked.since;
        let mut settled: Vec<_> = self.offers.values().filter(since).collect();
        settled.sort_by_key(|row| row.offer.created_at);
        settled.iter().fold(0, |count, row| match row.status {
            OfferStatus::Expired => count + 1,
            OfferStatus::Accepted | OfferStatus::Declined => 0,
            OfferStatus::Pending | OfferStatus::Revoked => count,
        })
    }

    /// Commits in one transaction: everything is checked before anything is written.
    pub(super) fn commit(&mut self, change: JobChange) -> Result<(), CommitError> {
        let id = change.next.id;
        if self.logs.get(&id).is_some_and(|log| log.commands.contains(&change.command_id)) {
            return Err(CommitError::AlreadyCommitted);
        }
        self.check(&change)?;
        self.write_offers(&change);
        *self.tally.events.entry(change.event.kind()).or_default() += 1;
        let JobChange { command_id, event, at, next, .. } = change;
        let seq = event.is_public().then_some(next.seq);
        let log = self.logs.entry(id).or_default();
        log.commands.insert(command_id);
        log.events.push(Committed { version: next.version, seq, command_id, event, at });
        self.put_job(next);
        self.forget_settled();
        Ok(())
    }

    /// Writes a job's row, whatever it says.
    pub(super) fn put_job(&mut self, job: Job) {
        let (id, is_settled) = (job.id, job.is_settled());
        let mechanic = active_mechanic(&job);
        let vehicle = job.status().is_open().then_some(job.spec.vehicle_id);
        if let Some(old) = self.jobs.insert(id, job) {
            active_mechanic(&old).into_iter().for_each(|mechanic| self.active_of_mechanic.take(mechanic, id));
            self.open_of_vehicle.take(old.spec.vehicle_id, id);
        }
        mechanic.into_iter().for_each(|mechanic| self.active_of_mechanic.put(mechanic, id));
        vehicle.into_iter().for_each(|vehicle| self.open_of_vehicle.put(vehicle, id));
        if !is_settled {
            self.unsettled.insert(id);
        } else if self.unsettled.remove(&id) {
            self.settled.push_back(id);
        }
        self.changed.insert(id);
    }

    pub(super) fn keep_settled(&mut self, most: usize) {
        self.max_settled = Some(most);
        self.forget_settled();
    }

    pub(super) fn explain(&mut self, explanation: Explanation) {
        // The explanation may come after its job was forgotten.
        if self.max_settled.is_some() && !self.jobs.contains_key(&explanation.job_id) {
            return;
        }
        let kept = self.explanations.entry(explanation.job_id).or_default();
        if kept.len() < MAX_EXPLANATIONS {
            kept.push(explanation);
        }
    }

    fn forget_settled(&mut self) {
        let Some(most) = self.max_settled else { return };
        while self.settled.len() > most {
            let Some(id) = self.settled.pop_front() else { return };
            // A change behind the engine's back may have woken the job.
            if !self.unsettled.contains(&id) {
                self.forget(id);
            }
        }
    }

    fn forget(&mut self, id: JobId) {
        self.jobs.remove(&id);
        self.explanations.remove(&id);
        self.changed.remove(&id);
        for committed in self.logs.remove(&id).unwrap_or_default().events {
            if let Event::OffersMade { offers } = committed.event {
                for offer in offers {
                    self.offers.remove(&offer.id);
                }
            }
        }
    }

    fn check(&self, change: &JobChange) -> Result<(), CommitError> {
        let next = &change.next;
        if let Event::Created { .. } = change.event {
            if self.jobs.contains_key(&next.id) {
                return Err(CommitError::AlreadyCommitted);
            }
        } else {
            self.check_offers(change)?;
            if self.jobs.get(&next.id).map(|row| row.version) != Some(change.expected_version()) {
                return Err(CommitError::Conflict);
            }
        }
        let is_another = |job: JobId| job != next.id;
        if active_mechanic(next).is_some_and(|id| self.active_of_mechanic.of(id).any(is_another)) {
            return Err(CommitError::Refused(Guard::OneActiveJobPerMechanic));
        }
        if next.status().is_open() && self.open_of_vehicle.of(next.spec.vehicle_id).any(is_another) {
            return Err(CommitError::Refused(Guard::OneOpenJobPerVehicle));
        }
        Ok(())
    }

    fn check_offers(&self, change: &JobChange) -> Result<(), CommitError> {
        match &change.event {
            Event::OffersMade { offers } => {
                let is_taken = |offer: &LiveOffer| {
                    self.pending_of_mechanic.of(offer.mechanic_id).next().is_some()
                        || offers.iter().filter(|o| o.mechanic_id == offer.mechanic_id).count() > 1
                };
                match offers.iter().any(is_taken) {
                    true => Err(CommitError::Refused(Guard::OnePendingOfferPerMechanic)),
                    false => Ok(()),
                }
            }
            Event::Accepted { assignment, answered_at, .. } => {
                let answered_by = *answered_at - change.next.spec.search.offer_grace;
                let is_open =
                    |id: OfferId| self.pending(id).is_some_and(|row| row.offer.expires_at >= answered_by);
                if assignment.offer_id.is_some_and(|id| !is_open(id)) {
                    return Err(CommitError::Refused(Guard::OfferGone));
                }
                self.check_pending(&change.event)
            }
            _ => self.check_pending(&change.event),
        }
    }

    /// Refuses to end an offer that is no longer pending: memory is stale.
    fn check_pending(&self, event: &Event) -> Result<(), CommitError> {
        let (ended, _) = event.ended_offers();
        let all_pending = ended.iter().all(|id| self.pending(*id).is_some());
        if all_pending { Ok(()) } else { Err(CommitError::Conflict) }
    }

    fn pending(&self, id: OfferId) -> Option<&OfferRow> {
        self.offers.get(&id).filter(|row| row.status == OfferStatus::Pending)
    }

    fn write_offers(&mut self, change: &JobChange) {
        if let Event::OffersMade { offers } = &change.event {
            self.tally.offers_made += offers.len() as u64;
            for offer in offers {
                let (job_id, attempt) = (change.next.id, change.next.attempt);
                self.pending_of_mechanic.put(offer.mechanic_id, offer.id);
                self.pending_of_job.put(job_id, offer.id);
                let row = OfferRow { job_id, attempt, offer: offer.clone(), status: OfferStatus::Pending };
                self.offers.insert(offer.id, row);
            }
        }
        if let Event::Accepted { assignment, .. } = &change.event {
            assignment.offer_id.into_iter().for_each(|id| self.end_offer(id, OfferStatus::Accepted));
        }
        let (ended, status) = change.event.ended_offers();
        ended.into_iter().for_each(|id| self.end_offer(id, status));
    }

    fn end_offer(&mut self, id: OfferId, status: OfferStatus) {
        let Some(row) = self.offers.get_mut(&id) else { return };
        row.status = status;
        self.pending_of_mechanic.take(row.offer.mechanic_id, id);
        self.pending_of_job.take(row.job_id, id);
        *self.tally.offers_ended.entry(status.as_str()).or_default() += 1;
        if let Some(mechanic) = self.mechanics.get_mut(&row.offer.mechanic_id) {
            mechanic.history.record_outcome(status);
        }
    }
}

fn active_mechanic(job: &Job) -> Option<MechanicId> {
    job.assignment().filter(|_| job.status().is_active()).map(|assignment| assignment.mechanic_id)
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
        eta_source: offer.eta_source,
        estimated_price_paise: job.spec.estimated_price_paise(),
        category: job.spec.category_id.0,
        vehicle_type: job.spec.vehicle_type,
        pickup: job.spec.pickup.snapped(OFFERED_PICKUP_GRID_M),
        destination: job.spec.destination.as_ref().map(|destination| destination.offered()),
        urgency: job.spec.urgency,
        summary: job.spec.summary.clone(),
        created_at: offer.created_at,
        expires_at: offer.expires_at,
    }
}

impl<K: Ord, V: Ord + Copy> Index<K, V> {
    pub(super) fn of(&self, key: K) -> impl Iterator<Item = V> + use<'_, K, V> {
        self.0.get(&key).into_iter().flatten().copied()
    }

    fn put(&mut self, key: K, value: V) {
        self.0.entry(key).or_default().insert(value);
    }

    fn take(&mut self, key: K, value: V) {
        if let Some(values) = self.0.get_mut(&key) {
            values.remove(&value);
            if values.is_empty() {
                self.0.remove(&key);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&K, V)> {
        self.0.iter().flat_map(|(key, values)| values.iter().map(move |value| (key, *value)))
    }
}

impl<K, V> Default for Index<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// Points of trails, each kept once.
#[derive(Debug, Default)]
pub(super) struct Trail {
    points: VecDeque<TrailPoint>,
    kept: HashSet<(JobId, MechanicId, i64, DateTime<Utc>)>,
}

impl Trail {
    pub(super) fn points(&self) -> Vec<TrailPoint> {
        self.points.iter().copied().collect()
    }

    pub(super) fn keep(&mut self, point: TrailPoint) {
        let key = |p: &TrailPoint| (p.job_id, p.mechanic_id, p.ping.seq, p.ping.recorded_at);
        if !self.kept.insert(key(&point)) {
            return;
        }
        if self.points.len() == MAX_TRAIL
            && let Some(oldest) = self.points.pop_front()
        {
            self.kept.remove(&key(&oldest));
        }
        self.points.push_back(point);
    }
}
