//! Waiting for what nothing signals: what workers, other servers and other processes do.

use std::time::Duration;

use serde_json::Value;

use super::{Client, within};

/// Looks until there is a result, and returns it. The pauses stay within the limit of a person's requests.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    within(what, async {
        loop {
            match look().await {
                Some(seen) => return seen,
                None => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    })
    .await
}

/// Looks until it is so.
pub async fn until_so(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    until(what, async || is_so().await.then_some(())).await;
}

impl Client {
    /// Asks until the answer is as wanted, and returns it.
    pub async fn get_until(&self, path: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        until(path, async || Some(self.get(path).await.expect(200)).filter(&is_wanted)).await
    }
}
