//! The frames about calls that are not in the log.

use super::{
    listener::Listener,
    protocol::{ServerFrame, ServerType},
    session::{Ctx, SocketSession},
    subscriptions::{AskedBy, Since},
};
use crate::messaging::calls::{Call, SentSignal};

impl SocketSession {
    /// Shows that a call rings. From here on the socket follows the job, whose log shows what happens to the call.
    pub(super) fn show_ringing(&mut self, call: &Call, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallRinging, self.now(), call.clone());
        self.send(&frame.of_job(call.job_id), ctx);
        if !self.subscriptions.is_assured(call.job_id) {
            self.subscribe(call.job_id, Since::Now, AskedBy::Server, ctx);
        }
    }

    /// Passes on a signal of the other device of a call.
    pub(super) fn show_signal(&self, sent: &SentSignal, ctx: &mut Ctx) {
        let frame = ServerFrame::new(ServerType::CallSignal, sent.at, &sent.signal);
        self.send(&frame.of_job(sent.job_id), ctx);
    }
}
