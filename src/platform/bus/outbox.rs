//! Messages on their way to NATS.

use async_nats::Client;
use tokio::{runtime::Handle, sync::mpsc};

/// How many messages wait in each queue; one more is lost.
const MOST: usize = 8_192;

/// A kind of messages, with a queue of its own: answers do not wait behind a flood of positions, and a full queue loses
/// only messages of its kind. The order within each is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Answers to requests that somebody waits for.
    Answers,
    /// Answers to positions, which come by the thousand.
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
    /// Starts sending. The client takes a message of each queue in turn.
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
            let (sender, queue) = mpsc::channel(MOST);
            queues.push(queue);
            sender
        });
        (Self(senders), queues)
    }

    /// Whether there was room.
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
        for number in 0..MOST {
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
