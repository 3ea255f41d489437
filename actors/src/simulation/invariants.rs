//! The invariants that must always hold.

use std::collections::BTreeSet;

use super::{MemoryJournal, row_invariants};
use crate::{
    engine::Engine,
    ids::JobId,
    job::state::{Job, Stage},
    mechanic::state::Engagement,
};

/// Checks what is committed: a mechanic has at most one active job and one live offer, a vehicle one open job, a
/// job at most one mechanic, no accepted offer is lost, and the log is dense. Looks at every row.
///
/// # Panics
/// Panics if an invariant does not hold. The message names it.
pub fn of_journal(journal: &MemoryJournal) {
    journal.read(|tables| {
        row_invariants::of_counts(tables);
        tables.jobs.values().for_each(|job| row_invariants::of_job(tables, job));
    });
}

/// Checks like [`of_journal`], but only the jobs that changed since the last call and their people: nothing else
/// can have broken an invariant.
///
/// # Panics
/// Panics if an invariant does not hold. The message names it.
pub fn of_changes(journal: &MemoryJournal) {
    let changed = journal.take_changed();
    changed.into_iter().for_each(|id| of_job_and_people(journal, id));
}

/// Checks like [`of_journal`] one job, its vehicle, and the mechanics who are offered it or on it.
///
/// # Panics
/// Panics if an invariant does not hold. The message names it.
pub fn of_job_and_people(journal: &MemoryJournal, id: JobId) {
    journal.read(|tables| row_invariants::of_people(tables, id));
}

/// Checks, when nothing is under way, that every open job and every engaged mechanic has an actor, and that each
/// actor knows what is committed.
///
/// # Panics
/// Panics if they differ. The message says how.
pub async fn memory_equals_journal(engine: &Engine, journal: &MemoryJournal) {
    if let Err(difference) = difference(engine, journal).await {
        panic!("{difference}");
    }
}

/// Returns the message with which [`memory_equals_journal`] would panic.
///
/// # Errors
/// Returns the first difference.
pub async fn difference(engine: &Engine, journal: &MemoryJournal) -> Result<(), String> {
    let running: BTreeSet<JobId> = engine.running_jobs().into_iter().collect();
    for job in journal.unsettled_jobs() {
        if !running.contains(&job.id) {
            return Err(format!("open job {} has no actor, {:?}", job.id, job.stage));
        }
        let memory = engine.job(job.id).await;
        // The actor's answer may have waited for a commit that was under way: a deadline or a watch acts by itself.
        let job = journal.job(job.id).unwrap_or(job);
        match memory {
            Ok(memory) if memory == job => {}
            memory => return Err(format!("memory and journal differ: {memory:?} and {job:?}")),
        }
    }
    for id in journal.mechanic_ids() {
        let Some(row) = journal.mechanic(id) else { continue };
        let Some(memory) = engine.mechanic(id).await else { continue };
        let is_same = match (&memory.engagement, &row.engagement) {
            (Engagement::Offered(a), Engagement::Offered(b)) => a.id == b.id,
            (Engagement::Free | Engagement::Reserved { .. }, Engagement::Free) => true,
            (memory, row) => memory == row,
        };
        if !is_same || memory.available != row.available {
            return Err(format!("{id} is {memory:?} in memory and {row:?} in the journal"));
        }
    }
    Ok(())
}

/// Returns whether a job still has to find a mechanic. Such a job does not stay that way forever.
pub fn is_searching(job: &Job) -> bool {
    matches!(job.stage, Stage::Pending | Stage::Dispatching(_))
}
