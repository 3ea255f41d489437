//! The invariants that must always hold for the rows of a journal.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use super::tables::{Committed, OfferRow, Tables};
use crate::{
    concern::Concern,
    ids::{JobId, LineItemId, MechanicId, VehicleId},
    job::state::{Event, ItemChange, Job, LineItem},
    ports::OfferStatus,
};

/// Returns the invariant that does not hold for a job and its people, if any.
pub(super) fn broken(tables: &Tables, id: JobId) -> Option<String> {
    let checked = catch_unwind(AssertUnwindSafe(|| of_people(tables, id)));
    checked.err().map(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(_) => "an invariant is broken".to_owned(),
    })
}

pub(super) fn of_people(tables: &Tables, id: JobId) {
    let Some(job) = tables.jobs.get(&id) else { return };
    of_job(tables, job);
    let offered = job.live_offers().iter().map(|offer| offer.mechanic_id);
    for mechanic in offered.chain(job.assignment().map(|assignment| assignment.mechanic_id)) {
        one_active(mechanic, tables.active_of_mechanic.of(mechanic).count());
        one_live(mechanic, tables.pending_of_mechanic.of(mechanic).count());
    }
    one_open(job.spec.vehicle_id, tables.open_of_vehicle.of(job.spec.vehicle_id).count());
    for offer in tables.pending_of_job.of(id) {
        is_known(&tables.offers[&offer], job);
    }
}

/// Checks the guards' invariants by counting rows instead of using the indexes of the guards.
pub(super) fn of_counts(tables: &Tables) {
    let mut active: BTreeMap<MechanicId, usize> = BTreeMap::new();
    let mut open: BTreeMap<VehicleId, usize> = BTreeMap::new();
    for job in tables.jobs.values() {
        if job.status().is_active() {
            let assignment = job.assignment().expect("an active job has its mechanic");
            *active.entry(assignment.mechanic_id).or_default() += 1;
        }
        if job.status().is_open() {
            *open.entry(job.spec.vehicle_id).or_default() += 1;
        }
    }
    let mut live: BTreeMap<MechanicId, usize> = BTreeMap::new();
    for row in tables.offers.values().filter(|row| row.status == OfferStatus::Pending) {
        *live.entry(row.offer.mechanic_id).or_default() += 1;
        is_known(row, tables.jobs.get(&row.job_id).expect("an offer belongs to a job"));
    }
    active.into_iter().for_each(|(mechanic, count)| one_active(mechanic, count));
    live.into_iter().for_each(|(mechanic, count)| one_live(mechanic, count));
    open.into_iter().for_each(|(vehicle, count)| one_open(vehicle, count));
}

fn one_active(mechanic: MechanicId, count: usize) {
    assert!(count <= 1, "{mechanic} has {count} active jobs");
}

fn one_live(mechanic: MechanicId, count: usize) {
    assert!(count <= 1, "{mechanic} has {count} live offers");
}

fn one_open(vehicle: VehicleId, count: usize) {
    assert!(count <= 1, "the vehicle {vehicle} has {count} open jobs");
}

fn is_known(row: &OfferRow, job: &Job) {
    let is_known = job.live_offers().contains(&row.offer);
    assert!(is_known, "the pending offer {} is unknown to its job, {:?}", row.offer.id, job.stage);
}

pub(super) fn of_job(tables: &Tables, job: &Job) {
    let events = tables.logs.get(&job.id).map_or(&[][..], |log| &log.events);
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event.version, index as i64 + 1, "versions of job {} have a hole", job.id);
    }
    let mut seq = 0;
    for public in events.iter().filter_map(|event| event.seq) {
        seq += 1;
        assert_eq!(public, seq, "the log of job {} has a hole or a repeat", job.id);
    }
    assert_eq!(job.seq, seq, "job {} counts another seq than its log", job.id);
    for offer in job.live_offers() {
        let row = tables.offers.get(&offer.id).expect("a live offer has its row");
        assert_eq!(row.status, OfferStatus::Pending, "job {} believes in an ended offer", job.id);
        assert!(!job.excluded.contains(&offer.mechanic_id), "job {} offers to one left out", job.id);
    }
    customer_informed_before_loss(job, events);
    items_are_the_holders(job, events);
    // The mechanic who accepted is on the job until an event ends that.
    let last = events.iter().rev().find_map(|committed| match &committed.event {
        Event::Accepted { assignment, .. } => Some(Some(assignment.mechanic_id)),
        Event::Released { .. } => Some(None),
        _ => None,
    });
    let holder = job.assignment().map(|assignment| assignment.mechanic_id);
    assert_eq!(holder, last.flatten(), "job {} lost its mechanic", job.id);
    if let Some(offer_id) = job.assignment().and_then(|assignment| assignment.offer_id) {
        let row = tables.offers.get(&offer_id).expect("an accepted offer has its row");
        assert_eq!(row.status, OfferStatus::Accepted, "the offer that won job {} is not accepted", job.id);
    }
}

/// Checks that a job's items are those that the log ascribes to the mechanic on the job, that all of them are
/// decided once the work is done, and that the price is what was approved.
fn items_are_the_holders(job: &Job, events: &[Committed]) {
    let mut items: BTreeMap<LineItemId, &LineItem> = BTreeMap::new();
    for committed in events {
        match &committed.event {
            Event::Released { .. } => items.clear(),
            Event::ItemChanged { how: ItemChange::Withdrawn, item } => drop(items.remove(&item.id)),
            Event::ItemChanged { item, .. } => drop(items.insert(item.id, item)),
            _ => {}
        }
    }
    let kept: BTreeMap<LineItemId, &LineItem> = job.items.iter().map(|item| (item.id, item)).collect();
    assert_eq!(kept, items, "job {} has other items than its log", job.id);
    assert!(job.price_paise() >= 0, "job {} costs less than nothing", job.id);
    if let Some(completion) = job.completion() {
        assert_eq!(job.undecided(), 0, "job {} was completed with an undecided item", job.id);
        assert_eq!(completion.final_price_paise, job.price_paise(), "of job {}", job.id);
    }
}

/// Checks that a mechanic lost their job to the watch only after the concern had been reported to the customer and
/// lasted, and that the customer was informed of nothing twice.
fn customer_informed_before_loss(job: &Job, events: &[Committed]) {
    let mut reported = None;
    for committed in events {
        match &committed.event {
            Event::Delayed(delay) => {
                assert_ne!(reported, Some(delay.concern), "the customer of job {} is notified twice", job.id);
                reported = Some(delay.concern);
            }
            Event::Recovered { concern } => {
                assert_eq!(
                    reported.take(),
                    Some(*concern),
                    "what was over in job {} was not reported",
                    job.id
                );
            }
            Event::Released { reason_code, .. } if reason_code.starts_with("watchdog_") => {
                let reason = reported.take().map(Concern::reassign_reason);
                assert_eq!(reason, Some(reason_code.as_str()), "job {} was taken away untold", job.id);
            }
            Event::Released { .. } | Event::Arrived { .. } | Event::Cancelled { .. } => reported = None,
            _ => {}
        }
    }
    let current = job.assignment().and_then(|assignment| assignment.delay).map(|delay| delay.concern);
    assert_eq!(current, reported, "job {} remembers another delay than its log", job.id);
}
