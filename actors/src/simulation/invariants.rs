//! What must always hold.

use std::collections::BTreeMap;

use super::MemoryJournal;
use crate::{
    engine::EngineHandle,
    ids::MechanicId,
    job::state::{Event, Job, Stage},
    mechanic::state::Engagement,
    ports::OfferStatus,
};

/// By what is committed: a mechanic has at most one active job and one live offer, a job at most one mechanic, no
/// accepted offer is lost, and the log is dense.
///
/// # Panics
/// With what does not hold.
pub fn of_journal(journal: &MemoryJournal) {
    let (jobs, offers) = (journal.jobs(), journal.offers());
    let mut active: BTreeMap<MechanicId, Vec<&Job>> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.status().is_active()) {
        let assignment = job.assignment().expect("an active job has its mechanic");
        active.entry(assignment.mechanic_id).or_default().push(job);
    }
    for (mechanic, jobs) in active {
        assert!(jobs.len() == 1, "{mechanic} has {} active jobs", jobs.len());
    }
    let mut live: BTreeMap<MechanicId, u32> = BTreeMap::new();
    for row in offers.iter().filter(|row| row.status == OfferStatus::Pending) {
        *live.entry(row.offer.mechanic_id).or_default() += 1;
        let job = jobs.iter().find(|job| job.id == row.job_id).expect("an offer belongs to a job");
        let is_known = job.live_offers().contains(&row.offer);
        assert!(is_known, "the pending offer {} is unknown to its job, {:?}", row.offer.id, job.stage);
    }
    for (mechanic, count) in live {
        assert!(count == 1, "{mechanic} has {count} live offers");
    }
    for job in &jobs {
        of_job(journal, job);
    }
}

fn of_job(journal: &MemoryJournal, job: &Job) {
    let events = journal.events(job.id);
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event.version, index as i64 + 1, "versions of job {} have a hole", job.id);
    }
    let seqs: Vec<i64> = events.iter().filter_map(|event| event.seq).collect();
    let dense: Vec<i64> = (1..=seqs.len() as i64).collect();
    assert_eq!(seqs, dense, "the log of job {} has a hole or a repeat", job.id);
    assert_eq!(job.seq, seqs.len() as i64, "job {} counts another seq than its log", job.id);
    for offer in job.live_offers() {
        let row = journal.offer(offer.id).expect("a live offer has its row");
        assert_eq!(row.status, OfferStatus::Pending, "job {} believes in an ended offer", job.id);
        assert!(!job.excluded.contains(&offer.mechanic_id), "job {} offers to one left out", job.id);
    }
    // Whoever accepted is on the job until an event says otherwise.
    let last = events.iter().rev().find_map(|committed| match &committed.event {
        Event::Accepted { assignment, .. } => Some(Some(assignment.mechanic_id)),
        Event::Released { .. } => Some(None),
        _ => None,
    });
    let holder = job.assignment().map(|assignment| assignment.mechanic_id);
    assert_eq!(holder, last.flatten(), "job {} lost its mechanic", job.id);
    if let Some(offer_id) = job.assignment().and_then(|assignment| assignment.offer_id) {
        let row = journal.offer(offer_id).expect("an accepted offer has its row");
        assert_eq!(row.status, OfferStatus::Accepted, "the offer that won job {} is not accepted", job.id);
    }
}

/// With nothing under way: every open job and every engaged mechanic has its actor, and each knows what is
/// committed.
///
/// # Panics
/// With what differs.
pub async fn memory_equals_journal(engine: &EngineHandle, journal: &MemoryJournal) {
    let running = engine.running_jobs();
    for job in journal.jobs() {
        if job.is_settled() {
            continue;
        }
        assert!(running.contains(&job.id), "open job {} has no actor, {:?}", job.id, job.stage);
        let memory = engine.job(job.id).await.expect("a job that exists can be looked at");
        assert_eq!(memory, job, "memory and journal differ");
    }
    for id in journal.mechanic_ids() {
        let row = journal.mechanic(id).expect("just listed");
        let Some(memory) = engine.mechanic(id).await else { continue };
        assert_eq!(memory.available, row.available, "availability of {id}");
        match (&memory.engagement, &row.engagement) {
            (Engagement::Offered(a), Engagement::Offered(b)) => assert_eq!(a.id, b.id, "the offer of {id}"),
            (Engagement::Busy { .. }, Engagement::Busy { .. }) => {
                assert_eq!(memory.engagement, row.engagement, "the job of {id}");
            }
            (Engagement::Free | Engagement::Held { .. }, Engagement::Free) => {}
            (memory, row) => panic!("{id} is {memory:?} in memory and {row:?} in the journal"),
        }
    }
}

/// Whether a job will end by itself or by its people, and is in nobody's hands for ever.
pub fn is_searching(job: &Job) -> bool {
    matches!(job.stage, Stage::Pending | Stage::Dispatching(_))
}
