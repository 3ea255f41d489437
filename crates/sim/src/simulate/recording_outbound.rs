//! The engine's messages to people, recorded for the run to handle.

use std::collections::{BTreeMap, VecDeque};

use parking_lot::Mutex;
use roadcall_actors::{
    geo::Point,
    ids::{JobId, MechanicId, OfferId, UserId},
    ports::{Announcement, OfferCard, OfferStatus, Outbound},
};
use tokio::sync::Notify;

/// A message that a person acts on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Message {
    /// The log of the job grew, which its customer sees.
    JobChanged(JobId),
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
    LocationRate {
        mechanic: UserId,
        interval_s: u32,
    },
    WaitAdvised {
        mechanic: UserId,
        to: Point,
    },
    Assigned {
        mechanic: UserId,
        job: JobId,
        is_on_it: bool,
    },
}

/// An [`Outbound`] that wakes the run, which then takes all messages out.
#[derive(Debug, Default)]
pub struct RecordingOutbound {
    messages: Mutex<VecDeque<Message>>,
    /// The chance to be in time that each job's customer was shown first, in thousandths.
    promised: Mutex<BTreeMap<JobId, u32>>,
    arrived: Notify,
}

impl RecordingOutbound {
    pub fn next(&self) -> Option<Message> {
        self.messages.lock().pop_front()
    }

    /// Waits until a message was recorded since the last wait.
    pub async fn wait(&self) {
        self.arrived.notified().await;
    }

    /// Returns the first promise to a job's customer.
    pub fn promised(&self, job: JobId) -> Option<u32> {
        self.promised.lock().get(&job).copied()
    }

    fn record(&self, message: Message) {
        self.messages.lock().push_back(message);
        self.arrived.notify_one();
    }
}

impl Outbound for RecordingOutbound {
    fn announce(&self, announcement: Announcement) {
        match announcement {
            Announcement::JobChanged { job, .. } => self.record(Message::JobChanged(job)),
            Announcement::Offer(card) => {
                let OfferCard { id: offer, job_id: job, mechanic_id: mechanic, distance_m, .. } = *card;
                self.record(match card.status {
                    OfferStatus::Pending => Message::Offered { mechanic, offer, job, distance_m },
                    _ => Message::OfferOver { mechanic, offer },
                });
            }
            Announcement::Outlook { job, outlook } => {
                let mut promised = self.promised.lock();
                promised.entry(job).or_insert(outlook.chance_permille);
            }
            Announcement::WaitAdvised { mechanic, advice } => {
                self.record(Message::WaitAdvised { mechanic, to: advice.centre });
            }
            Announcement::Rate { mechanic, interval_s } => {
                self.record(Message::LocationRate { mechanic, interval_s });
            }
            Announcement::Assigned { mechanic, job, is_on_it } => {
                self.record(Message::Assigned { mechanic, job, is_on_it });
            }
            // Simulated people act in the same way whether they are asked about it or not.
            Announcement::Nudge(_) | Announcement::Progress(_) | Announcement::Located(_) => {}
        }
    }
}
