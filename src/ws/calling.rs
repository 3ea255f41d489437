//! Calls over a socket, as far as they are not commands like others: what it is told beside the log.

use super::{
    following::{AskedBy, Listener, Since},
    protocol::{ServerFrame, ServerType},
    session::{Ctx, Session},
};
use crate::messaging::calls::{Call, Told};

impl Session {
    /// It rings. Whoever hears that follows the job from then on: how it goes on, on whichever device, stands in the log.
    pub(super) fn show_ringing(&mut self, call: &Call, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallRinging, self.now(), call.clone());
        self.send(&frame.of_job(call.job_id), ctx);
        if !self.followed.is_assured(call.job_id) {
            self.subscribe(call.job_id, Since::Now, AskedBy::Server, ctx);
        }
    }

    /// What the other device of a call says.
    pub(super) fn show_signal(&self, told: &Told, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallSignal, told.at, &told.signal);
        self.send(&frame.of_job(told.job_id), ctx);
    }
}
