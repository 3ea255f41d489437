//! Work that continues after the client that asked for it is gone.

use roadcall_base::traces::{self, in_context};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// Requests and socket commands in progress, including those of clients that are gone. A stop waits for them.
#[derive(Debug, Clone, Default)]
pub struct Tasks(pub TaskTracker);

impl Tasks {
    /// Runs a client's work to its end, even if the client goes away and the future that waits for the work is dropped. The work
    /// stays in the current trace.
    pub fn run<T: 'static>(&self, work: impl Future<Output = T> + 'static) -> JoinHandle<T> {
        let work = in_context(work, traces::current());
        actix_web::rt::spawn(self.0.track_future(work.in_current_span()))
    }
}
