//! A socket that comes back: it reconnects with backoff, renews its sign-in when that ended, and lets its owner
//! know when it is up, so that the owner subscribes again from the last `seq` it saw.

use std::time::Duration;

use roadcall_client::{Person, Socket as Connection, SocketEnd, frame};
use serde::Deserialize;
use serde_json::Value;
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{sleep, timeout},
};
use uuid::Uuid;

use crate::rng::Stream;

/// The number of frames that may wait for the owner; beyond it the socket is not read, and the service keeps the rest.
const INCOMING: usize = 64;
/// The number of frames that may wait to be sent; a further frame is dropped, since owners repeat important ones.
const OUTGOING: usize = 32;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// The service pings every 25 s; silence for this long means that it is gone.
const SILENCE: Duration = Duration::from_secs(60);
/// Waits between tries double from the first to the longest, with jitter.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// A frame of the service, in the fields that the demo reads.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Frame {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    pub job_id: Option<Uuid>,
    pub seq: Option<i64>,
    #[serde(default)]
    pub data: Value,
    pub error: Option<FrameError>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct FrameError {
    pub code: String,
    pub message: String,
}

/// The events that the owner of a socket gets.
#[derive(Debug)]
pub enum SocketEvent {
    /// The socket is connected: the owner subscribes (again) to what they follow.
    Up,
    Frame(Frame),
    /// The connection is gone; a new one is being tried.
    Down,
    /// The connection is gone for good, for this reason.
    Over(String),
}

/// The owner's end of the socket. Dropping it closes the socket.
#[derive(Debug)]
pub struct Socket {
    incoming: mpsc::Receiver<SocketEvent>,
    outgoing: Option<mpsc::Sender<String>>,
    task: JoinHandle<()>,
}

impl Socket {
    /// Connects as that person, in the background.
    pub fn open(person: Person, random: Stream) -> Self {
        let (events, incoming) = mpsc::channel(INCOMING);
        let (outgoing, to_send) = mpsc::channel(OUTGOING);
        let task = tokio::spawn(keep_open(person, random, events, to_send));
        Self { incoming, outgoing: Some(outgoing), task }
    }

    /// Returns the next event. The call is safe to drop midway.
    pub async fn next(&mut self) -> SocketEvent {
        self.incoming.recv().await.unwrap_or_else(|| SocketEvent::Over("the socket's task ended".into()))
    }

    /// Sends a frame, if possible: frames sent while the socket is down are lost.
    pub fn send(&self, kind: &str, reference: Option<&str>, data: Value) {
        if let Some(outgoing) = &self.outgoing {
            outgoing.try_send(frame(kind, reference.unwrap_or_default(), data)).ok();
        }
    }

    /// Closes the connection and waits for that, within a limit.
    pub async fn close(mut self) {
        self.outgoing = None;
        self.incoming.close();
        timeout(Duration::from_secs(2), &mut self.task).await.ok();
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The reason why a connection ended.
enum End {
    /// The owner has gone.
    Left,
    Lost,
    SignedOut,
    /// Another socket of this mechanic took over: connecting again would close that socket.
    Replaced,
    Draining(Duration),
}

async fn keep_open(
    person: Person,
    random: Stream,
    events: mpsc::Sender<SocketEvent>,
    mut to_send: mpsc::Receiver<String>,
) {
    let mut wait = FIRST_WAIT;
    loop {
        let (end, was_up) = match dial(&person).await {
            Ok(connection) => exchange_frames(connection, &events, &mut to_send).await,
            Err(end) => (end, false),
        };
        if was_up {
            wait = FIRST_WAIT;
        }
        let pause = match end {
            End::Left => return,
            End::Replaced => {
                events.send(SocketEvent::Over("another socket took over".into())).await.ok();
                return;
            }
            // If this fails, so does the next try to connect.
            End::SignedOut => person.renew().await.map_or(wait, |()| FIRST_WAIT),
            End::Draining(pause) => pause,
            End::Lost => wait,
        };
        if events.is_closed() || (was_up && events.send(SocketEvent::Down).await.is_err()) {
            return;
        }
        wait = (wait * 2).min(LONGEST_WAIT);
        sleep(pause.mul_f64(0.5 + random.draw().share())).await;
    }
}

async fn dial(person: &Person) -> Result<Connection, End> {
    match timeout(CONNECT_TIMEOUT, person.socket()).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) if error.status() == Some(401) => Err(End::SignedOut),
        Ok(Err(_)) | Err(_) => Err(End::Lost),
    }
}

/// Carries frames both ways until the connection or its owner ends; returns whether the service had sent `hello`.
async fn exchange_frames(
    mut connection: Connection,
    events: &mpsc::Sender<SocketEvent>,
    to_send: &mut mpsc::Receiver<String>,
) -> (End, bool) {
    // Frames for the previous connection are stale.
    while to_send.try_recv().is_ok() {}
    let (mut was_up, mut draining) = (false, None);
    loop {
        let text = tokio::select! {
            read = connection.next_unless_silent(SILENCE) => match read {
                Ok(text) => text,
                Err(SocketEnd::Closed(4001)) => return (End::Replaced, was_up),
                Err(SocketEnd::Closed(4401)) => return (End::SignedOut, was_up),
                Err(_) => return (draining.map_or(End::Lost, End::Draining), was_up),
            },
            frame = to_send.recv() => {
                let Some(text) = frame else {
                    timeout(SEND_TIMEOUT, connection.close()).await.ok();
                    return (End::Left, was_up);
                };
                match timeout(SEND_TIMEOUT, connection.send(text)).await {
                    Ok(Ok(())) => continue,
                    _ => return (End::Lost, was_up),
                }
            }
        };
        let Ok(frame) = serde_json::from_str::<Frame>(&text) else { continue };
        let event = match frame.kind.as_str() {
            "hello" => {
                was_up = true;
                SocketEvent::Up
            }
            "server.draining" => {
                let ms = frame.data["retry_after_ms"].as_u64().unwrap_or(1_000).min(60_000);
                draining = Some(Duration::from_millis(ms));
                continue;
            }
            _ => SocketEvent::Frame(frame),
        };
        if events.send(event).await.is_err() {
            return (End::Left, was_up);
        }
    }
}
