//! The sockets of one gateway: they show the jobs that customers watch, and the offers of mechanics.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use roadcall_actors::{
    broadcast::{Broadcast, BroadcastReceiver, Continuity},
    ids::{JobId, MechanicId, OfferId},
    ports::{Announcement, OfferStatus},
    simulation::MemoryJournal,
};

/// The watcher. Cheap to clone.
#[derive(Clone, Default)]
pub struct Watcher(Rc<Shown>);

#[derive(Default)]
struct Shown {
    receiver: BroadcastReceiver,
    /// The `seq` up to which each job's log is shown.
    seqs: RefCell<BTreeMap<JobId, i64>>,
    offers: RefCell<BTreeMap<MechanicId, OfferId>>,
    gaps: RefCell<u64>,
}

impl Watcher {
    /// Opens the app for a customer: the job is shown as it is.
    pub fn watch(&self, job: JobId, journal: &MemoryJournal) {
        let seq = journal.job(job).map_or(0, |job| job.seq);
        self.0.seqs.borrow_mut().insert(job, seq);
    }

    pub fn hear(&self, broadcast: Broadcast, journal: &MemoryJournal, mechanics: &[MechanicId]) {
        match self.0.receiver.receive(&broadcast) {
            Continuity::Stale => return,
            Continuity::AfterGap => self.read_anew(journal, mechanics),
            Continuity::InOrder => {}
        }
        for announcement in broadcast.announcements {
            match announcement {
                Announcement::JobChanged { job, seq } => {
                    if let Some(shown) = self.0.seqs.borrow_mut().get_mut(&job) {
                        *shown = seq.max(*shown);
                    }
                }
                Announcement::Offer(card) if card.status == OfferStatus::Pending => {
                    self.0.offers.borrow_mut().insert(card.mechanic_id, card.id);
                }
                Announcement::Offer(card) => {
                    let mut offers = self.0.offers.borrow_mut();
                    if offers.get(&card.mechanic_id) == Some(&card.id) {
                        offers.remove(&card.mechanic_id);
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads everything anew, because something was missed.
    fn read_anew(&self, journal: &MemoryJournal, mechanics: &[MechanicId]) {
        *self.0.gaps.borrow_mut() += 1;
        for (job, shown) in self.0.seqs.borrow_mut().iter_mut() {
            *shown = journal.job(*job).map_or(0, |job| job.seq).max(*shown);
        }
        let pending = mechanics.iter().filter_map(|id| Some((*id, journal.pending_offer(*id)?.offer.id)));
        *self.0.offers.borrow_mut() = pending.collect();
    }

    pub fn gaps(&self) -> u64 {
        *self.0.gaps.borrow()
    }

    /// Returns the first difference between what is shown and what is committed.
    pub fn difference(&self, journal: &MemoryJournal, mechanics: &[MechanicId]) -> Result<(), String> {
        for (id, shown) in self.0.seqs.borrow().iter() {
            let seq = journal.job(*id).map_or(0, |job| job.seq);
            if *shown != seq {
                return Err(format!("job {id} is at {seq}, and shown at {shown}"));
            }
        }
        for id in mechanics {
            let (shown, pending) = (self.0.offers.borrow().get(id).copied(), journal.pending_offer(*id));
            let pending = pending.map(|row| row.offer.id);
            if shown != pending {
                return Err(format!("mechanic {id} is shown {shown:?} instead of {pending:?}"));
            }
        }
        Ok(())
    }
}
