//! Repeats of requests that fail.

use std::time::Duration;

use tokio::time::sleep;

use crate::ClientError;

/// The number of times that a failing request is sent, and the pauses in between.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    pub tries: u32,
    /// Returns how long to wait after a failure, or `None` if it is final.
    pub wait: fn(&ClientError) -> Option<Duration>,
}

impl Patience {
    /// Every request is sent once.
    pub const NONE: Self = Self { tries: 1, wait: |_| None };

    /// Sends until there is a success, a final failure, or no try left.
    pub async fn repeat<T, F>(self, mut send: impl FnMut() -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        for _ in 1..self.tries {
            let answer = send().await;
            let Some(wait) = answer.as_ref().err().and_then(self.wait) else { return answer };
            sleep(wait).await;
        }
        send().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_failures_that_may_pass_are_repeated_and_not_for_ever() {
        let patience = Patience {
            tries: 3,
            wait: |error| matches!(error, ClientError::Silent { .. }).then_some(Duration::ZERO),
        };
        let (silent, odd) = (|| Err(ClientError::silent("GET /", "")), || Err(ClientError::odd("GET /", "")));
        for (answers, is_good, needed) in [
            (vec![Ok(())], true, 1),
            (vec![silent(), silent(), Ok(())], true, 3),
            (vec![silent(), odd(), Ok(())], false, 2),
            (vec![silent(), silent(), silent(), Ok(())], false, 3),
        ] {
            let (mut answers, mut sent) = (answers.into_iter(), 0);
            let outcome = patience.repeat(|| {
                sent += 1;
                std::future::ready(answers.next().expect("an answer"))
            });
            assert_eq!((outcome.await.is_ok(), sent), (is_good, needed));
        }
    }
}
