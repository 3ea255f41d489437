use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use crate::ProviderError;

/// The number of pictures that are in memory at once, each twice, while their metadata is removed; further ones wait.
const PICTURES_AT_ONCE: usize = 4;
/// How long a picture waits for its turn before the client has to try again.
pub const PICTURE_TURN: Duration = Duration::from_secs(10);

/// Bounds the number of pictures in memory.
#[derive(Debug, Clone)]
pub(super) struct Pictures(Arc<Semaphore>);

impl Default for Pictures {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PICTURES_AT_ONCE)))
    }
}

impl Pictures {
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, ProviderError> {
        let busy = |_| ProviderError::Unavailable("too many pictures at once".to_owned());
        timeout(PICTURE_TURN, self.0.acquire()).await.map_err(busy)?.map_err(|_| stopped())
    }
}

pub(super) fn stopped() -> ProviderError {
    ProviderError::Unavailable("the service is stopping".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_picture_waits_for_its_turn_only_for_a_limited_time() {
        tokio::time::pause();
        let pictures = Pictures::default();
        let mut held = Vec::new();
        for _ in 0..PICTURES_AT_ONCE {
            held.push(pictures.turn().await.expect("room"));
        }
        assert!(matches!(pictures.turn().await, Err(ProviderError::Unavailable(_))));
        held.pop();
        assert!(pictures.turn().await.is_ok());
    }
}
