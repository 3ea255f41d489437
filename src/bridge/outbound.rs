//! What the engine sends to sockets.

use roadcall_actors::{
    ids::{JobId, UserId},
    ports::{Advice, DispatchProgress, Nudge, OfferCard, Outbound, Outlook, Sighting},
};

use crate::ws::Hub;

/// Passes everything on to the hub, which never waits.
impl Outbound for Hub {
    fn job_changed(&self, job: JobId, seq: i64) {
        self.job_changed(job, seq);
    }

    fn offer_changed(&self, card: &OfferCard) {
        self.offer_changed(card);
    }

    fn dispatch_progress(&self, progress: &DispatchProgress) {
        self.dispatch_progress(progress);
    }

    fn outlook_changed(&self, job: JobId, outlook: &Outlook) {
        self.outlook_changed(job, outlook);
    }

    fn wait_advised(&self, mechanic: UserId, advice: &Advice) {
        self.wait_advised(mechanic, advice);
    }

    fn located(&self, sighting: &Sighting) {
        self.located(sighting);
    }

    fn location_rate(&self, mechanic: UserId, interval_s: u32) {
        self.location_rate(mechanic, interval_s);
    }

    fn nudge(&self, nudge: &Nudge) {
        self.nudge(nudge);
    }

    fn is_watched(&self, job: JobId) -> bool {
        self.is_watched(job)
    }

    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool) {
        self.assigned(mechanic, job, is_on_it);
    }
}
