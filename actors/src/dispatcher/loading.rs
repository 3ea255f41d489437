//! The wait for mechanics who are yet to be loaded after a start. Until all are, no job is priced or matched: it might go to somebody
//! who is farther away than they are.

use tokio::sync::watch;

/// Whether mechanics who are available are yet to be loaded, and report only then.
#[derive(Debug, Default)]
pub(crate) struct LoadingMechanics(watch::Sender<bool>);

impl LoadingMechanics {
    /// Notes whether mechanics are yet to be loaded.
    pub(crate) fn expect_more(&self, are_expected: bool) {
        self.0.send_replace(are_expected);
    }

    /// Returns whether mechanics are yet to be loaded.
    pub(super) fn is_incomplete(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until no mechanics are yet to be loaded.
    pub(crate) async fn completed(&self) {
        let mut incomplete = self.0.subscribe();
        incomplete.wait_for(|is_incomplete| !*is_incomplete).await.map(drop).ok();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_wait_ends_once_no_mechanics_are_yet_to_be_loaded() {
        let loading = LoadingMechanics::default();
        assert!(!loading.is_incomplete() && loading.completed().now_or_never().is_some());
        loading.expect_more(true);
        assert!(loading.is_incomplete() && loading.completed().now_or_never().is_none());
        loading.expect_more(false);
        assert!(!loading.is_incomplete() && loading.completed().now_or_never().is_some());
    }
}
