//! Notices a connection that no longer carries anything to NATS.
//!
//! The client itself pings NATS, but each incoming message postpones its next ping. So it never finds out that a
//! link is mute while others keep sending to it.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use async_nats::{Client, Request, RequestErrorKind};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{PING_EVERY, State};

/// How long NATS may take to answer. If a link is only slow, the servers that wait for answers report it.
const MUTE_AFTER: Duration = Duration::from_secs(3);
/// How late a look may end. A process that stood still for longer can't judge the connection.
const LATE: Duration = Duration::from_secs(1);

/// Returns whether NATS answers in time that nobody listens on the subject.
pub(super) async fn is_answered(client: &Client, state: &State, nobody: String, within: Duration) -> bool {
    let request = Request::new().timeout(Some(within));
    // The limit includes the sending, since a client whose queue is full waits without a limit.
    let is_answered = match timeout(within, client.send_request(nobody, request)).await {
        Ok(Err(error)) => matches!(error.kind(), RequestErrorKind::NoResponders),
        Ok(Ok(_)) | Err(_) => false,
    };
    state.has_answered.fetch_or(is_answered, Ordering::Relaxed);
    is_answered
}

/// Keeps asking NATS, and connects anew when there is no answer. Ends with the runtime.
pub(super) async fn give_up_mute_connections(client: Client, state: Arc<State>, nobody: String) {
    let mut tick = interval(PING_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            // This also finds a new connection that never carries anything.
            () = state.connected.notified() => {}
        }
        let (Some(connection), asked_at) = (state.connected_at(), Instant::now()) else { continue };
        let is_answered = is_answered(&client, &state, nobody.clone(), MUTE_AFTER).await;
        let is_the_same = state.connected_at() == Some(connection);
        if is_mute(is_answered, asked_at.elapsed())
            && state.has_answered.load(Ordering::Relaxed)
            && is_the_same
        {
            tracing::warn!("NATS gets nothing from this server; connecting anew");
            // The flag is cleared first, since ending the connection may take as long as the link is mute.
            state.is_connected.store(false, Ordering::Release);
            // The client's queue may be full, so this asks until the client takes the request or has connected anew by itself.
            while timeout(MUTE_AFTER, client.force_reconnect()).await.is_err()
                && state.connected_at().is_none()
            {}
        }
    }
}

/// Returns whether a look that took this long shows that the connection is mute.
fn is_mute(is_answered: bool, took: Duration) -> bool {
    !is_answered && (MUTE_AFTER..MUTE_AFTER + LATE).contains(&took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_wait_without_an_answer_shows_that_a_connection_is_mute() {
        assert!(is_mute(false, MUTE_AFTER));
        assert!(!is_mute(true, MUTE_AFTER), "it is slow");
        // The client itself gave up the request, since the connection broke.
        assert!(!is_mute(false, Duration::from_millis(5)));
        // The process stood still.
        assert!(!is_mute(false, MUTE_AFTER + Duration::from_secs(20)));
    }
}
