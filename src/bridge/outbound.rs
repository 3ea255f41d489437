//! What the engine reports: to sockets, and to those who notify customers of long searches.

use roadcall_actors::{
    clock::Clock,
    ids::{JobId, UserId},
    ports::{Advice, DispatchProgress, Nudge, OfferCard, Outbound, Outlook, Sighting},
};

use crate::{jobs::LongSearches, ws::Hub};

/// Passes everything on, and never waits.
#[derive(Debug, Clone)]
pub struct Reports {
    pub hub: Hub,
    pub searches: LongSearches,
    pub clock: Clock,
}

impl Outbound for Reports {
    fn job_changed(&self, job: JobId, seq: i64) {
        self.hub.job_changed(job, seq);
    }

    fn offer_changed(&self, card: &OfferCard) {
        self.hub.offer_changed(card);
    }

    fn dispatch_progress(&self, progress: &DispatchProgress) {
        self.hub.dispatch_progress(progress);
    }

    fn outlook_changed(&self, job: JobId, outlook: &Outlook) {
        self.hub.outlook_changed(job, outlook);
        self.searches.note(job, outlook, self.clock.now());
    }

    fn wait_advised(&self, mechanic: UserId, advice: &Advice) {
        self.hub.wait_advised(mechanic, advice);
    }

    fn located(&self, sighting: &Sighting) {
        self.hub.located(sighting);
    }

    fn location_rate(&self, mechanic: UserId, interval_s: u32) {
        self.hub.location_rate(mechanic, interval_s);
    }

    fn nudge(&self, nudge: &Nudge) {
        self.hub.nudge(nudge);
    }

    fn is_watched(&self, job: JobId) -> bool {
        self.hub.is_watched(job)
    }

    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool) {
        self.hub.assigned(mechanic, job, is_on_it);
        if is_on_it {
            self.searches.forget(job);
        }
    }
}
