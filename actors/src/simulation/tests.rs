//! Compares the indexed guards with an oracle that scans every row, over random changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use uuid::Uuid;

use super::{
    Fault, MemoryJournal, Recorder,
    faults::Faults,
    journal::{Committed, OfferRow},
    tables::Tables,
    world::{CENTRE, morning, profile, search, settings, spec, user_of},
};
use crate::{
    ids::{CommandId, JobId, MechanicId, OfferId, VehicleId},
    job::{
        fee::{AcceptedFee, MechanicProgress},
        state::{Actor, Cancellation, Command, Event, Job, JobDetails, LiveOffer, Proposal, Rules, Stage},
    },
    mechanic::state::{Engagement, Ping, TrailPoint},
    ports::{
        Announcement, CommitError, Guard, JobChange, JobJournal, MechanicJournal, OfferStatus, Outbound,
    },
    random::Random,
    settings::{SearchPolicy, Settings},
};

/// The guards without indexes.
#[derive(Debug, Default)]
struct Scans {
    jobs: BTreeMap<JobId, Job>,
    events: BTreeMap<JobId, Vec<Committed>>,
    offers: BTreeMap<OfferId, OfferRow>,
}

impl Scans {
    fn pending(&self) -> impl Iterator<Item = &OfferRow> {
        self.offers.values().filter(|row| row.status == OfferStatus::Pending)
    }

    fn engagement(&self, id: MechanicId) -> (Option<JobId>, Option<OfferId>) {
        let active = self.jobs.values().find(|job| is_active_for(job, id)).map(|job| job.id);
        let offer = self.pending().find(|row| row.offer.mechanic_id == id).map(|row| row.offer.id);
        (active, offer.filter(|_| active.is_none()))
    }

    fn commit(&mut self, change: &JobChange) -> Result<(), CommitError> {
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

    fn check_offers(&self, change: &JobChange) -> Result<(), CommitError> {
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

    fn check_pending(&self, event: &Event) -> Result<(), CommitError> {
        let (ended, _) = event.ended_offers();
        let all_pending = ended.iter().all(|id| self.pending().any(|row| row.offer.id == *id));
        if all_pending { Ok(()) } else { Err(CommitError::Conflict) }
    }

    fn write_offers(&mut self, change: &JobChange) {
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

const MECHANICS: u32 = 4;

/// Random changes to few jobs of few people, based on memories that are often stale.
struct Dice {
    random: Random,
    settings: Settings,
    now: DateTime<Utc>,
    made: u32,
    /// Every state that a job was ever in.
    memories: Vec<Job>,
    commands: Vec<(JobId, CommandId)>,
}

impl Dice {
    fn new(seed: u64) -> Self {
        let (memories, commands) = (Vec::new(), Vec::new());
        Self {
            random: Random::seeded(seed),
            settings: settings(),
            now: morning(),
            made: 0,
            memories,
            commands,
        }
    }

    fn mechanic(&self) -> MechanicId {
        mechanic(self.random.below(MECHANICS))
    }

    fn any<'a, T>(&self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.random.below(among.len() as u32) as usize)
    }

    fn change(&mut self, rows: &BTreeMap<JobId, Job>) -> Option<JobChange> {
        self.now += TimeDelta::seconds(i64::from(self.random.below(6)));
        if self.random.below(12) == 0 || rows.is_empty() {
            return Some(self.creation());
        }
        // Half of the memories are fresh, and few of the others are old: otherwise nearly all changes would be
        // refused.
        let fresh: Vec<Job> = rows.values().rev().take(6).cloned().collect();
        let recent = self.memories.iter().rev();
        let offering = recent.clone().filter(|job| !job.live_offers().is_empty()).take(6).cloned().collect();
        let known = match self.random.below(4) {
            0 | 1 => fresh,
            2 => offering,
            _ => recent.take(12).cloned().collect(),
        };
        let job = self.any(&known)?.clone();
        let rules = Rules { jobs: &self.settings.jobs, fees: &self.settings.fees };
        let event = job.decide(&self.command(&job), rules, self.now).ok()?;
        let next = job.apply(&event, self.now);
        let command_id = match self.random.below(20) {
            0 => self.any(&self.commands).map_or(CommandId(Uuid::nil()), |(_, command)| *command),
            _ => CommandId(self.random.id(self.now)),
        };
        Some(JobChange { command_id, before: Some(job), event, next, ..self.creation() })
    }

    fn creation(&mut self) -> JobChange {
        self.made += u32::from(self.random.below(10) > 0);
        let vehicle = VehicleId(Uuid::from_u128(u128::from(self.random.below(9))));
        let policy = SearchPolicy { round_widths: vec![2, 3], ..search() };
        let spec = crate::job::state::JobSpec { search: Arc::new(policy), ..spec(vehicle, CENTRE, self.now) };
        let id = JobId(Uuid::from_u128(u128::from(self.made) + 1_000));
        JobChange {
            command_id: CommandId(self.random.id(self.now)),
            by: Actor::System,
            at: self.now,
            before: None,
            event: Event::Created { details: Box::new(JobDetails::default()) },
            next: Job::new(id, spec, BTreeSet::new()),
            idempotency: None,
        }
    }

    fn command(&self, job: &Job) -> Command {
        let offer = self.any(job.live_offers()).map(|offer| (offer.id, offer.mechanic_id));
        let (offer_id, mechanic_id) = offer.unwrap_or((OfferId(Uuid::nil()), self.mechanic()));
        let owner = job.assignment().map_or(mechanic_id, |assignment| assignment.mechanic_id);
        match self.random.below(14) {
            0..=2 => Command::Offer {
                attempt: job.attempt,
                round: match &job.stage {
                    Stage::Dispatching(search) => search.round,
                    _ => 1,
                },
                proposals: (0..1 + self.random.below(2)).map(|_| self.proposal()).collect(),
            },
            3..=5 => Command::Accept {
                offer_id,
                mechanic_id,
                // Memory may allow what the guard refuses, and vice versa.
                answered_at: self.now - TimeDelta::seconds(i64::from(self.random.below(5))),
                start_code: "1".into(),
            },
            6 => Command::Decline { offer_id, mechanic_id, reason: None },
            7 => {
                let (mechanic_id, start_code) = (self.mechanic(), "1".into());
                Command::Assign { mechanic_id, eta_s: 60, start_code, overridden: None }
            }
            8 => Command::Release { mechanic_id: owner, reason_code: "breakdown".into() },
            9 => Command::EnRoute { mechanic_id: owner },
            10 => Command::Cancel {
                by_admin: true,
                reason_code: "changed_mind".into(),
                reason: None,
                accepted_fee: AcceptedFee::Any,
                progress: MechanicProgress::default(),
                free_cancellations: None,
            },
            11 => Command::Revoke { offer_id, mechanic_id },
            _ => Command::Tick,
        }
    }

    fn proposal(&self) -> Proposal {
        let offer_id = OfferId(self.random.id(self.now));
        let (mechanic_id, eta_source) = (self.mechanic(), crate::eta::EtaSource::StraightLine);
        let (eta_s, eta_base_s, cost_s, is_parked) = (1, 1, 1, false);
        Proposal { offer_id, mechanic_id, distance_m: 1, eta_s, eta_base_s, eta_source, cost_s, is_parked }
    }
}

fn mechanic(n: u32) -> MechanicId {
    MechanicId(Uuid::from_u128(u128::from(n) + 1))
}

fn journal() -> MemoryJournal {
    let journal = MemoryJournal::default();
    (0..MECHANICS).for_each(|n| journal.add_mechanic(mechanic(n), profile(user_of(mechanic(n))), morning()));
    journal
}

fn committed(journal: &MemoryJournal, change: JobChange) -> Result<(), CommitError> {
    journal.commit(change).now_or_never().expect("without latency nothing waits")
}

fn compare(journal: &MemoryJournal, scans: &Scans) {
    assert_eq!(journal.jobs(), scans.jobs.values().cloned().collect::<Vec<_>>());
    assert_eq!(journal.offers(), scans.offers.values().cloned().collect::<Vec<_>>());
    for n in 0..MECHANICS {
        let loaded = journal.mechanic(mechanic(n)).unwrap().engagement;
        let engagement = match &loaded {
            Engagement::Busy { job_id, .. } => (Some(*job_id), None),
            Engagement::Offered(card) => (None, Some(card.id)),
            _ => (None, None),
        };
        assert_eq!(engagement, scans.engagement(mechanic(n)));
        let pending = scans.pending().find(|row| row.offer.mechanic_id == mechanic(n)).cloned();
        assert_eq!(journal.pending_offer(mechanic(n)), pending);
    }
    let open: BTreeSet<JobId> =
        scans.jobs.values().filter(|job| !job.is_settled()).map(|job| job.id).collect();
    journal.read(|tables| {
        assert_eq!(tables.unsettled, open);
        let active = scans.jobs.values().filter(|job| job.status().is_active());
        assert_eq!(tables.active_of_mechanic.pairs().count(), active.count());
        let open = scans.jobs.values().filter(|job| job.status().is_open());
        assert_eq!(tables.open_of_vehicle.pairs().count(), open.count());
        assert_eq!(tables.pending_of_job.pairs().count(), scans.pending().count());
        assert_eq!(tables.pending_of_mechanic.pairs().count(), scans.pending().count());
    });
}

fn called_off(job: &Job) -> Stage {
    let (assignment, reason_code) = (job.assignment().cloned(), "changed_mind".to_owned());
    Stage::Cancelled(Cancellation { assignment, fee_paise: 0, reason_code, reason: None, at: morning() })
}

#[test]
fn indexed_guards_answer_like_scans_of_every_row() {
    let mut answers: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..100 {
        let (journal, mut scans, mut dice) = (journal(), Scans::default(), Dice::new(seed));
        for _ in 0..250 {
            let Some(change) = dice.change(&scans.jobs) else { continue };
            let (id, command) = (change.next.id, change.command_id);
            let (by_index, by_scan) = (committed(&journal, change.clone()), scans.commit(&change));
            assert_eq!(by_index, by_scan, "of {:?}", change.event);
            if by_scan.is_ok() {
                dice.memories.push(change.next);
                dice.commands.push((id, command));
                assert_eq!(journal.events(id), scans.events[&id]);
                super::invariants::of_changes(&journal);
            }
            *answers.entry(format!("{by_scan:?}")).or_default() += 1;
            if dice.random.below(40) == 0 {
                let row = scans.jobs.get_mut(&id).filter(|job| job.live_offers().is_empty());
                row.into_iter().for_each(|job| {
                    let called_off = called_off(job);
                    job.stage = called_off.clone();
                    journal.change_job(id, |row| row.stage = called_off);
                });
            }
            compare(&journal, &scans);
        }
    }
    // Every answer must have been compared, and often.
    let kinds = ["Ok", "AlreadyCommitted", "Conflict", "OfferGone", "OneActive", "OneOpen", "OnePending"];
    for kind in kinds {
        let count: u32 = answers.iter().filter(|(answer, _)| answer.contains(kind)).map(|(_, n)| n).sum();
        assert!(count >= 10, "{kind} was answered {count} times: {answers:?}");
    }
}

#[test]
fn only_the_last_settled_jobs_are_kept_and_the_tally_stays() {
    let (journal, mut dice) = (journal(), Dice::new(1));
    let all = self::journal();
    let mut rows = BTreeMap::new();
    journal.keep_settled(3);
    for _ in 0..3_000 {
        let Some(change) = dice.change(&rows) else { continue };
        let Ok(()) = committed(&all, change.clone()) else { continue };
        assert_eq!(committed(&journal, change.clone()), Ok(()));
        dice.memories.push(change.next.clone());
        rows.insert(change.next.id, change.next);
        rows.retain(|_, job| !job.is_settled());
    }
    let (kept, made) = (journal.jobs(), all.jobs());
    let settled: Vec<&Job> = kept.iter().filter(|job| job.is_settled()).collect();
    assert!(made.len() > 50, "{} jobs prove little", made.len());
    assert_eq!(settled.len(), 3);
    assert_eq!(journal.unsettled_jobs(), all.unsettled_jobs());
    assert_eq!(journal.tally(), all.tally());
    assert!(journal.offers().iter().all(|row| kept.iter().any(|job| job.id == row.job_id)));
    let gone = made.iter().find(|job| journal.job(job.id).is_none()).expect("most are forgotten");
    assert!(journal.events(gone.id).is_empty());
    let of_log = all.offers().iter().filter(|row| row.status != OfferStatus::Pending).count() as u64;
    assert_eq!(all.tally().offers_ended.values().sum::<u64>(), of_log);
    super::invariants::of_journal(&journal);
    super::invariants::of_journal(&all);
}

#[test]
fn a_point_of_a_trail_is_kept_once_and_the_oldest_is_forgotten() {
    let mut tables = Tables::default();
    let point = |seq: i64| TrailPoint {
        job_id: JobId(Uuid::nil()),
        mechanic_id: mechanic(0),
        ping: Ping {
            seq,
            point: CENTRE,
            accuracy_m: None,
            speed_mps: None,
            heading: None,
            recorded_at: morning(),
            is_mock: false,
        },
        recorded_at: morning(),
        received_at: morning(),
        is_implausible: false,
    };
    for seq in [1, 2, 1, 2].into_iter().chain(3..=100_001) {
        tables.trail.keep(point(seq));
    }
    let points = tables.trail.points();
    assert_eq!((points.len(), points[0].ping.seq, points[99_999].ping.seq), (100_000, 2, 100_001));
    tables.trail.keep(point(1));
    assert_eq!(tables.trail.points()[99_999].ping.seq, 1, "what was forgotten is news again");
}

#[test]
fn planned_faults_come_first_and_rated_ones_by_their_chances() {
    let mut faults = Faults::default();
    faults.rate(Random::seeded(5), vec![(Fault::Conflict, 1_000), (Fault::Failed, 3_000)]);
    faults.plan([Fault::UnknownCommitted]);
    assert_eq!(faults.next(), Some(Fault::UnknownCommitted));
    let drawn: Vec<_> = (0..10_000).map(|_| faults.next()).collect();
    let count = |fault| drawn.iter().filter(|drawn| **drawn == fault).count();
    let (conflicts, failures, rest) = (count(Some(Fault::Conflict)), count(Some(Fault::Failed)), count(None));
    assert!(
        (850..1_150).contains(&conflicts) && (2_750..3_250).contains(&failures),
        "{conflicts} {failures}"
    );
    assert_eq!(conflicts + failures + rest, 10_000);
}

#[test]
fn a_recorder_with_a_limit_of_zero_remembers_nothing() {
    let recorder = Recorder::default();
    recorder.keep(2);
    let grown = |seq| Announcement::JobChanged { job: JobId(Uuid::nil()), seq };
    (1..=3).for_each(|seq| recorder.announce(grown(seq)));
    assert_eq!(recorder.all().len(), 2);
    recorder.keep(0);
    recorder.announce(grown(4));
    assert!(recorder.all().is_empty());
}

#[actix::test]
async fn latencies_below_a_bound_are_drawn_for_each_answer() {
    tokio::time::pause();
    let (journal, clock) = (journal(), crate::clock::Clock::virtual_from(morning()));
    journal.set_latency_below(Random::seeded(3), Duration::from_millis(20));
    let mut took = BTreeSet::new();
    for _ in 0..50 {
        let before = clock.now();
        drop(journal.load_mechanic(mechanic(0)).await);
        took.insert((clock.now() - before).num_milliseconds());
    }
    assert!(took.len() > 5 && took.iter().all(|ms| *ms <= 21), "{took:?}");
}
