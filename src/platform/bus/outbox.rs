//! Messages on their way to NATS.

use async_nats::Client;
use tokio::{runtime::Handle, sync::mpsc};

/// How many wait; one more is lost.
const MOST: usize = 8_192;

struct Message {
    subject: String,
    payload: Vec<u8>,
}

/// Takes messages without waiting, in their order.
pub(super) struct Outbox(mpsc::Sender<Message>);

impl Outbox {
    pub(super) fn start(client: Client, runtime: &Handle) -> Self {
        let (sender, messages) = mpsc::channel(MOST);
        runtime.spawn(send_all(client, messages));
        Self(sender)
    }

    /// Whether there was room.
    pub(super) fn send(&self, subject: String, payload: Vec<u8>) -> bool {
        self.0.try_send(Message { subject, payload }).is_ok()
    }
}

async fn send_all(client: Client, mut messages: mpsc::Receiver<Message>) {
    while let Some(Message { subject, payload }) = messages.recv().await {
        if let Err(error) = client.publish(subject, payload.into()).await {
            tracing::warn!(%error, "a message to other servers was not sent");
        }
    }
}
