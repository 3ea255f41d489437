//! What the engine tells people, as it reaches the run.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use roadcall_actors::{
    ids::{JobId, MechanicId, OfferId, UserId},
    ports::{DispatchProgress, Nudge, OfferCard, OfferStatus, Outbound, Sighting},
};
use tokio::sync::Notify;

/// A word that somebody acts on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Word {
    /// To the job's customer: the log grew.
    Changed(JobId),
    Offered {
        mechanic: MechanicId,
        offer: OfferId,
        job: JobId,
        distance_m: u32,
    },
    OfferOver {
        mechanic: MechanicId,
        offer: OfferId,
    },
    Rate {
        mechanic: UserId,
        interval_s: u32,
    },
    Assigned {
        mechanic: UserId,
        job: JobId,
        is_on_it: bool,
    },
}

/// An [`Outbound`] that wakes the run. It is emptied at every wake, so it holds the words of one moment.
#[derive(Debug, Default)]
pub struct Ears {
    words: Mutex<VecDeque<Word>>,
    news: Notify,
}

impl Ears {
    pub fn hear(&self) -> Option<Word> {
        self.locked().pop_front()
    }

    /// Ends when there is a word to hear, or was one.
    pub async fn listen(&self) {
        self.news.notified().await;
    }

    fn tell(&self, word: Word) {
        self.locked().push_back(word);
        self.news.notify_one();
    }

    fn locked(&self) -> MutexGuard<'_, VecDeque<Word>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbound for Ears {
    fn job_changed(&self, job: JobId, _: i64) {
        self.tell(Word::Changed(job));
    }

    fn offer_changed(&self, card: &OfferCard) {
        let OfferCard { id: offer, job_id: job, mechanic_id: mechanic, distance_m, .. } = *card;
        self.tell(match card.status {
            OfferStatus::Pending => Word::Offered { mechanic, offer, job, distance_m },
            _ => Word::OfferOver { mechanic, offer },
        });
    }

    fn dispatch_progress(&self, _: &DispatchProgress) {}

    fn located(&self, _: &Sighting) {}

    fn location_rate(&self, mechanic: UserId, interval_s: u32) {
        self.tell(Word::Rate { mechanic, interval_s });
    }

    /// People in this city do what they do, asked about it or not.
    fn nudge(&self, _: &Nudge) {}

    /// Customers look at their phones.
    fn is_watched(&self, _: JobId) -> bool {
        true
    }

    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool) {
        self.tell(Word::Assigned { mechanic, job, is_on_it });
    }
}
