//! Whether the service refuses work because there is more than it can do: a state with a beginning and an end, each of which is
//! logged with one line.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::telemetry;

/// An overload has ended when nothing has been refused for this long.
const QUIET: Duration = Duration::from_secs(10);

/// The state of overload, which all clones share.
#[derive(Debug, Clone, Default)]
pub struct Overload(Arc<Mutex<Option<Episode>>>);

#[derive(Debug)]
struct Episode {
    began: Instant,
    refused: u64,
    /// Whether anything was refused since the last look.
    was_refused: bool,
}

impl Overload {
    /// Counts a refusal by the kind of work and the reason. The first one begins an overload.
    pub fn refused(&self, kind: &'static str, reason: &'static str) {
        telemetry::count_refusal(kind, reason);
        let mut episode = self.0.lock();
        if let Some(episode) = &mut *episode {
            episode.refused += 1;
            episode.was_refused = true;
            return;
        }
        *episode = Some(Episode { began: Instant::now(), refused: 1, was_refused: true });
        tracing::warn!(
            overload.kind = kind,
            overload.reason = reason,
            "overloaded: some requests are refused with Retry-After"
        );
        tokio::spawn(self.clone().until_quiet());
    }

    /// Returns whether the service is overloaded.
    pub fn is_under_way(&self) -> bool {
        self.0.lock().is_some()
    }

    async fn until_quiet(self) {
        loop {
            tokio::time::sleep(QUIET).await;
            if self.end_if_quiet() {
                return;
            }
        }
    }

    /// Ends the overload if nothing was refused since the last look. Returns whether it has ended.
    fn end_if_quiet(&self) -> bool {
        let mut episode = self.0.lock();
        if episode.as_mut().is_some_and(|episode| std::mem::take(&mut episode.was_refused)) {
            return false;
        }
        if let Some(Episode { began, refused, .. }) = episode.take() {
            let lasted_s = began.elapsed().as_secs();
            tracing::info!(overload.lasted_s = lasted_s, overload.refused = refused, "no longer overloaded");
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_overload_lasts_until_refusals_stop() {
        let overload = Overload::default();
        assert!(!overload.is_under_way());
        overload.refused("list", "queue");
        for _ in 0..5 {
            tokio::time::sleep(QUIET / 2).await;
            overload.refused("list", "queue");
            assert!(overload.is_under_way());
        }
        tokio::time::sleep(QUIET * 3).await;
        assert!(!overload.is_under_way());
        overload.refused("list", "queue");
        assert!(overload.is_under_way(), "another one begins");
    }
}
