//! Messages on their way to NATS.

use async_nats::Client;
use tokio::{runtime::Handle, sync::mpsc};

/// The maximum number of messages that wait in each queue; any more are lost.
const MAX_WAITING: usize = 8_192;

/// A kind of message, with a queue of its own: answers do not wait behind a flood of positions, and a full queue loses
/// only messages of its kind. Each queue keeps its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Answers that somebody waits for.
    Answers,
    /// Answers to positions, of which there are thousands.
    Receipts,
    /// The engine's announcements to all servers.
    Announcements,
    /// Everything else.
    News,
}

impl Lane {
    const ALL: [Self; 4] = [Self::Answers, Self::Receipts, Self::Announcements, Self::News];
}

struct Message {
    subject: String,
    payload: Vec<u8>,
}

type Queue = mpsc::Receiver<Message>;

/// Takes messages without waiting.
pub(super) struct Outbox([mpsc::Sender<Message>; Lane::ALL.len()]);

impl Outbox {
    /// Starts sending. The client takes a message from each queue in turn.
    pub(super) fn start(client: Client, runtime: &Handle) -> Self {
        let (outbox, queues) = Self::new();
        for queue in queues {
            runtime.spawn(send_all(client.clone(), queue));
        }
        outbox
    }

    fn new() -> (Self, Vec<Queue>) {
        let mut queues = Vec::with_capacity(Lane::ALL.len());
        let senders = Lane::ALL.map(|_| {
            let (sender, queue) = mpsc::channel(MAX_WAITING);
            queues.push(queue);
            sender
        });
        (Self(senders), queues)
    }

    /// Queues a message. Returns `false` if the queue is full.
    pub(super) fn send(&self, lane: Lane, subject: String, payload: Vec<u8>) -> bool {
        let [answers, receipts, announcements, news] = &self.0;
        let queue = match lane {
            Lane::Answers => answers,
            Lane::Receipts => receipts,
            Lane::Announcements => announcements,
            Lane::News => news,
        };
        queue.try_send(Message { subject, payload }).is_ok()
    }
}

async fn send_all(client: Client, mut messages: Queue) {
    while let Some(Message { subject, payload }) = messages.recv().await {
        if let Err(error) = client.publish(subject, payload.into()).await {
            tracing::warn!(%error, "a message to other servers was not sent");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_loses_only_its_own_messages() {
        let (outbox, mut queues) = Outbox::new();
        let send = |lane, subject: &str| outbox.send(lane, subject.to_owned(), Vec::new());
        for number in 0..MAX_WAITING {
            assert!(send(Lane::Receipts, "receipt"), "{number}");
        }
        assert!(!send(Lane::Receipts, "one more"));
        for lane in [Lane::Answers, Lane::Announcements, Lane::News] {
            assert!(send(lane, "first") && send(lane, "second"), "{lane:?}");
        }
        let mut first = |at: usize| queues[at].try_recv().map(|message| message.subject).ok();
        assert_eq!([0, 0, 0].map(&mut first), [Some("first".to_owned()), Some("second".to_owned()), None]);
        assert_eq!(first(1), Some("receipt".to_owned()));
    }
}
