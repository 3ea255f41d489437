//! How the servers of a cluster reach each other: NATS core. A message may be lost, so nothing that must not be lost depends on a
//! message.
//!
//! Every subject begins with the name of the database, so that servers of another database hear nothing. Every message names its
//! version and its sender.

mod envelope;
mod mute;
mod outbox;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::{Client, ConnectOptions, Event, RequestErrorKind, ServerAddr, Subscriber};
use chrono::{DateTime, Utc};
use futures_util::StreamExt;
use parking_lot::Mutex;
use roadcall_base::clock::Clock;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    sync::{Notify, watch},
    time::timeout,
};
use uuid::Uuid;

pub use self::outbox::Lane;
use self::{envelope::Envelope, outbox::Outbox};
use crate::settings::ClusterSettings;

/// The interval of pings. A connection on which nothing arrives for three times as long is given up.
const PING_EVERY: Duration = Duration::from_secs(1);
/// How long one attempt to connect may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);
/// How long NATS itself may take to answer.
const ROUND_TRIP_LIMIT: Duration = Duration::from_millis(500);
/// Messages that wait in the client itself, after the outbox's queues; there, an answer waits behind all others.
const CLIENT_CAPACITY: usize = 256;
/// The longest pause between two attempts to connect.
const LONGEST_PAUSE_MS: u64 = 500;

/// The reason why the bus could not be set up. A NATS that does not answer is not an error, since it may come later.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    #[error("cluster.nats_url: {0}")]
    Url(std::io::Error),
    #[error("the connection to NATS could not be set up: {0}")]
    Connect(#[from] async_nats::ConnectError),
    #[error("NATS refused a subscription: {0}")]
    Subscribe(#[from] async_nats::SubscribeError),
    #[error("no thread for the bus: {0}")]
    Thread(std::io::Error),
}

/// The reason why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unheard {
    /// Nobody listens, so the request surely reached nobody.
    Nobody,
    /// The request may have reached somebody.
    Lost,
}

/// The reason why a message could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// A server of a newer release sent it.
    Newer,
    Malformed,
}

/// This server's end of the bus, which is cheap to clone.
#[derive(derive_more::Debug, Clone)]
#[debug("Bus {{ state: {:?}, .. }}", self.0.state)]
pub struct Bus(Arc<Inner>);

struct Inner {
    client: Client,
    prefix: String,
    server: Uuid,
    clock: Clock,
    outbox: Outbox,
    state: Arc<State>,
    runtime: BusRuntime,
}

/// The state of the connection.
#[derive(Debug, Default)]
struct State {
    is_connected: AtomicBool,
    /// When the last connection began.
    connected_at: Mutex<Option<Instant>>,
    /// Signals that a connection has begun.
    connected: Notify,
    /// Whether the reason for the missing connection was logged.
    is_explained: AtomicBool,
    /// Whether NATS has ever answered a look. If it does not permit the question, or is too old to answer it, its
    /// silence means nothing.
    has_answered: AtomicBool,
    /// Messages that were not sent, or not taken in time.
    lost: AtomicU64,
}

/// The thread of the connection. Tasks that still run on it end when this is dropped.
struct BusRuntime(Option<Runtime>);

impl Drop for BusRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A thread of another runtime may not wait for this one.
            runtime.shutdown_background();
        }
    }
}

/// A message as it arrived.
#[derive(Debug)]
pub struct Received(async_nats::Message);

/// A message that was read.
#[derive(Debug)]
pub struct Opened<T> {
    /// The server that sent it.
    pub from: Uuid,
    /// The message's age by the clocks of both servers, which follow the database's; zero if the sender's clock is ahead.
    pub age: Duration,
    pub body: T,
}

/// The incoming messages of one subject.
#[derive(Debug)]
pub struct BusSubscription(Subscriber);

impl Bus {
    /// Connects in the background, and again whenever the connection breaks.
    pub async fn start(
        settings: &ClusterSettings,
        database: &str,
        server: Uuid,
        clock: &Clock,
    ) -> Result<Self, BusError> {
        let addresses: Vec<ServerAddr> =
            settings.nats_urls().map(str::parse).collect::<Result<_, _>>().map_err(BusError::Url)?;
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("bus").enable_all().build();
        let runtime = BusRuntime(Some(runtime.map_err(BusError::Thread)?));
        let handle = runtime.0.as_ref().map_or_else(Handle::current, |runtime| runtime.handle().clone());
        let state = Arc::new(State::default());
        let seen = state.clone();
        let options = ConnectOptions::new()
            .name(format!("roadcall {server}"))
            .no_echo()
            .retry_on_initial_connect()
            .ping_interval(PING_EVERY)
            .connection_timeout(CONNECT_LIMIT)
            .request_timeout(None)
            .client_capacity(CLIENT_CAPACITY)
            .reconnect_delay_callback(pause)
            .event_callback(move |event| {
                let state = seen.clone();
                async move { state.note(&event) }
            });
        // The client does not read the account from the address.
        let options = match settings.nats_account() {
            Some((user, Some(password))) => options.user_and_password(user, password),
            Some((token, None)) => options.token(token),
            None => options,
        };
        let connecting = handle.spawn(async move { options.connect(addresses).await });
        let client = connecting.await.map_err(|gone| BusError::Thread(std::io::Error::other(gone)))??;
        let outbox = Outbox::start(client.clone(), &handle);
        let prefix = format!("roadcall.{database}.");
        handle.spawn(mute::give_up_mute_connections(client.clone(), state.clone(), nobody(&prefix, server)));
        let clock = clock.of_messages();
        Ok(Self(Arc::new(Inner { client, prefix, server, clock, outbox, state, runtime })))
    }

    /// Returns this server's id.
    pub fn server(&self) -> Uuid {
        self.0.server
    }

    pub fn is_connected(&self) -> bool {
        self.0.state.is_connected.load(Ordering::Acquire)
    }

    /// Returns whether NATS answers now. Without this, a lost connection may be noticed only seconds later.
    pub async fn reaches_nats(&self) -> bool {
        let Inner { client, state, prefix, server, .. } = &*self.0;
        self.is_connected()
            && mute::is_answered(client, state, nobody(prefix, *server), ROUND_TRIP_LIMIT).await
            && self.is_connected()
    }

    /// Returns how many messages this server did not send, or did not take in time, since its start.
    pub fn lost(&self) -> u64 {
        self.0.state.lost.load(Ordering::Relaxed)
    }

    /// Sends a message to every other server that listens, without waiting. Without a connection, or behind 8,192 others, the
    /// message is lost.
    pub fn publish(&self, subject: &str, body: &impl Serialize) {
        self.publish_on(Lane::News, subject, body);
    }

    /// Sends a message as [`Bus::publish`] does, in the queue of its kind.
    pub fn publish_on(&self, lane: Lane, subject: &str, body: &impl Serialize) {
        let Some(payload) = self.sealed(body) else { return };
        if !self.is_connected() || !self.0.outbox.send(lane, self.subject(subject), payload) {
            self.0.state.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends a message, and waits for the first answer.
    pub async fn request<A: DeserializeOwned>(
        &self,
        subject: &str,
        body: &impl Serialize,
        within: Duration,
    ) -> Result<A, Unheard> {
        self.request_again(subject, body, within, Duration::ZERO).await
    }

    /// Sends a message as [`Bus::request`] does, dated back by `asked_ago` to when its request was first made.
    pub async fn request_again<A: DeserializeOwned>(
        &self,
        subject: &str,
        body: &impl Serialize,
        within: Duration,
        asked_ago: Duration,
    ) -> Result<A, Unheard> {
        // Otherwise the message would leave when the connection is back, long after its caller has given up.
        if !self.is_connected() {
            return Err(Unheard::Nobody);
        }
        let payload = self.sealed_at(self.0.clock.shared_now() - asked_ago, body).ok_or(Unheard::Nobody)?;
        let request = async_nats::Request::new().payload(payload.into()).timeout(Some(within));
        // The limit includes the sending, since a client whose queue is full waits without a limit.
        let answered = timeout(within, self.0.client.send_request(self.subject(subject), request)).await;
        match answered.map_err(|_| Unheard::Lost)? {
            Ok(message) => Received(message).read().map_err(|_| Unheard::Lost),
            Err(error) => Err(match error.kind() {
                RequestErrorKind::NoResponders
                | RequestErrorKind::InvalidSubject
                | RequestErrorKind::MaxPayloadExceeded => Unheard::Nobody,
                RequestErrorKind::TimedOut | RequestErrorKind::Other => Unheard::Lost,
            }),
        }
    }

    /// Returns how long ago a message was sent, by the clocks of both servers; zero if it can't be read.
    pub fn age(&self, received: &Received) -> Duration {
        envelope::age(&received.0.payload, self.0.clock.shared_now())
    }

    /// Reads a message, with its sender and its age.
    pub fn open<T: DeserializeOwned>(&self, received: &Received) -> Result<Opened<T>, Unreadable> {
        let Envelope { from, sent_at, body, .. } = Envelope::open(&received.0.payload)?;
        let age = (self.0.clock.shared_now() - sent_at).to_std().unwrap_or_default();
        Ok(Opened { from, age, body })
    }

    /// Answers a message whose sender waits.
    pub fn answer(&self, received: &Received, body: &impl Serialize) {
        self.answer_on(Lane::Answers, received, body);
    }

    /// Sends an answer as [`Bus::answer`] does, in another queue.
    pub fn answer_on(&self, lane: Lane, received: &Received, body: &impl Serialize) {
        let (Some(reply), Some(payload)) = (&received.0.reply, self.sealed(body)) else { return };
        if !self.0.outbox.send(lane, reply.to_string(), payload) {
            self.0.state.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Subscribes to what other servers send on the subject. The subscription survives a lost connection.
    pub async fn subscribe(&self, subject: &str) -> Result<BusSubscription, BusError> {
        Ok(BusSubscription(self.0.client.subscribe(self.subject(subject)).await?))
    }

    /// Runs work on the bus's own thread.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0.runtime.0 {
            runtime.spawn(work);
        }
    }

    fn subject(&self, subject: &str) -> String {
        format!("{}{subject}", self.0.prefix)
    }

    fn sealed(&self, body: &impl Serialize) -> Option<Vec<u8>> {
        self.sealed_at(self.0.clock.shared_now(), body)
    }

    fn sealed_at(&self, at: DateTime<Utc>, body: &impl Serialize) -> Option<Vec<u8>> {
        match envelope::seal(self.0.server, at, body) {
            Ok(payload) => Some(payload),
            // Messages are structs of strings and numbers, which can always be serialised.
            Err(error) => {
                tracing::error!(%error, "a message to other servers could not be serialised");
                None
            }
        }
    }
}

/// Returns a subject on which nobody listens, as NATS itself answers.
fn nobody(prefix: &str, server: Uuid) -> String {
    format!("{prefix}nobody.{server}")
}

impl State {
    /// Returns when the present connection began; `None` without a connection.
    fn connected_at(&self) -> Option<Instant> {
        let connected_at = *self.connected_at.lock();
        connected_at.filter(|_| self.is_connected.load(Ordering::Acquire))
    }

    fn note(&self, event: &Event) {
        match event {
            Event::Connected => {
                *self.connected_at.lock() = Some(Instant::now());
                self.is_connected.store(true, Ordering::Release);
                self.connected.notify_one();
                self.is_explained.store(false, Ordering::Relaxed);
                tracing::info!("connected to NATS");
            }
            Event::Disconnected | Event::Closed => {
                if self.is_connected.swap(false, Ordering::AcqRel) {
                    tracing::warn!("the connection to NATS is lost; trying again");
                }
            }
            Event::SlowConsumer(_) => {
                if self.lost.fetch_add(1, Ordering::Relaxed) == 0 {
                    tracing::warn!("messages of other servers came faster than they could be taken");
                }
            }
            // These come with each attempt to connect, and the first says enough.
            Event::ServerError(_) | Event::ClientError(_) => {
                if !self.is_connected.load(Ordering::Acquire)
                    && !self.is_explained.swap(true, Ordering::Relaxed)
                {
                    tracing::warn!(%event, "NATS can't be reached; trying again");
                }
            }
            Event::LameDuckMode | Event::Draining => tracing::info!(%event, "NATS"),
        }
    }
}

impl Received {
    /// Reads the body.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Unreadable> {
        Ok(Envelope::open(&self.0.payload)?.body)
    }

    /// Reads the body, and the id that the sender gives as its own.
    pub fn read_from<T: DeserializeOwned>(&self) -> Result<(Uuid, T), Unreadable> {
        let Envelope { from, body, .. } = Envelope::open(&self.0.payload)?;
        Ok((from, body))
    }

    /// Reads the body, and the trace that the message belongs to.
    pub fn read_traced<T: DeserializeOwned>(&self) -> Result<(T, Option<String>), Unreadable> {
        let Envelope { body, trace, .. } = Envelope::open(&self.0.payload)?;
        Ok((body, trace))
    }
}

impl BusSubscription {
    /// Waits for the next message; returns `None` once the bus is gone.
    pub async fn next(&mut self) -> Option<Received> {
        self.0.next().await.map(Received)
    }

    /// Waits for the next message; returns `None` once `ended` is true.
    pub async fn next_until(&mut self, ended: &mut watch::Receiver<bool>) -> Option<Received> {
        tokio::select! {
            message = self.0.next() => message.map(Received),
            _ = ended.wait_for(|is_over| *is_over) => None,
        }
    }
}

/// Returns the pause before a try: at most half a second, since a server without the bus can't ask the engine.
fn pause(tries: usize) -> Duration {
    Duration::from_millis(LONGEST_PAUSE_MS.min(25 * tries.saturating_sub(1) as u64))
}
