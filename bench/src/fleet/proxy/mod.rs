//! A proxy between a server and NATS or Postgres. It loses, delays or slows down what passes, while both connections stay open.

#[cfg(test)]
mod tests;

use std::{io, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split},
    net::{TcpListener, TcpStream},
    sync::{
        Mutex, OwnedSemaphorePermit, Semaphore,
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        watch,
    },
    task::JoinSet,
    time::{Sleep, sleep},
};

use super::LOOK;
use crate::Failure;

/// The memory for what is on its way in one direction of a connection. Nothing more is read while it is full.
const ON_THE_WAY: usize = 1024 * 1024;
/// The memory that a chunk takes in addition to its bytes.
const OVERHEAD: usize = 256;
/// The maximum number of bytes that are read at once.
const CHUNK: usize = 16 * 1024;
/// A narrow link takes as many bytes at once as it carries in this part of a second.
const CHUNKS_PER_S: u32 = 10;

/// An impairment of a link that is not cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impairment {
    /// The other end receives nothing from the server.
    Mute,
    /// The server receives nothing.
    Deaf,
    /// Everything takes this much longer, in each direction.
    Late(Duration),
    /// The link carries this much each second, in each direction.
    Narrow { bytes: u32 },
}

impl Impairment {
    /// Returns what happens to the bytes that the server sends, and to those that are sent to it.
    fn passages(self) -> [Passage; 2] {
        match self {
            Self::Mute => [Passage::Lost, Passage::Free],
            Self::Deaf => [Passage::Free, Passage::Lost],
            Self::Late(by) => [Passage::Late(by); 2],
            Self::Narrow { bytes } => [Passage::Narrow { bytes }; 2],
        }
    }
}

/// The treatment of the bytes that go in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Passage {
    #[default]
    Free,
    /// Everything is taken, and nothing arrives: neither bytes nor the news that the sender has gone.
    Lost,
    Late(Duration),
    /// All connections together carry this much each second.
    Narrow {
        bytes: u32,
    },
}

impl Passage {
    fn max_at_once(self) -> usize {
        match self {
            Self::Narrow { bytes } => (bytes / CHUNKS_PER_S).clamp(1, CHUNK as u32) as usize,
            Self::Free | Self::Lost | Self::Late(_) => CHUNK,
        }
    }
}

/// One direction of all connections of a link.
#[derive(Debug, Default)]
struct Way {
    passage: watch::Sender<Passage>,
    /// Held by the connection whose bytes a narrow link carries at the moment.
    turn: Mutex<()>,
}

impl Way {
    async fn until_it_carries(&self) {
        let mut passages = self.passage.subscribe();
        passages.wait_for(|passage| *passage != Passage::Lost).await.ok();
    }

    /// Waits for as long as a narrow link takes to carry this many bytes.
    async fn carry(&self, passage: Passage, count: usize) {
        if let Passage::Narrow { bytes } = passage {
            let _turn = self.turn.lock().await;
            sleep(Duration::from_secs_f64(count as f64 / f64::from(bytes.max(1)))).await;
        }
    }
}

/// The link, from the server outward and inward to it.
#[derive(Debug, Default)]
struct Ways {
    outward: Way,
    inward: Way,
}

impl Ways {
    fn set(&self, [outward, inward]: [Passage; 2]) {
        self.outward.passage.send_replace(outward);
        self.inward.passage.send_replace(inward);
    }

    async fn until_both_carry(&self) {
        self.outward.until_it_carries().await;
        self.inward.until_it_carries().await;
    }
}

/// The proxy of one link. It ends with all its connections when it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    ways: Arc<Ways>,
    _accepting: JoinSet<()>,
}

impl Proxy {
    /// Listens on `at`, and forwards to `to`.
    pub(super) async fn start(at: SocketAddr, to: SocketAddr) -> Result<Self, Failure> {
        let listener = TcpListener::bind(at).await?;
        let (address, ways) = (listener.local_addr()?, Arc::<Ways>::default());
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, to, ways.clone()));
        Ok(Self { address, ways, _accepting: accepting })
    }

    /// Returns the address on which it listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Impairs the link from now on. What is on its way already arrives.
    pub(super) fn impair(&self, impairment: Impairment) {
        self.ways.set(impairment.passages());
    }

    /// Ends the impairment. Connections that have lost anything end as well, since nothing can follow in them.
    pub(super) fn repair(&self) {
        self.ways.set([Passage::Free; 2]);
    }
}

async fn accept(listener: TcpListener, to: SocketAddr, ways: Arc<Ways>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((server, _)) => {
                    connections.spawn(forward(server, to, ways.clone()));
                }
                // The server has gone already, or too many files are open.
                Err(_) => sleep(LOOK).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn forward(server: TcpStream, to: SocketAddr, ways: Arc<Ways>) {
    // A connection begins with messages in both directions.
    ways.until_both_carry().await;
    let Ok(other) = TcpStream::connect(to).await else { return };
    server.set_nodelay(true).ok();
    other.set_nodelay(true).ok();
    connect(server, other, &ways).await;
}

/// Connects a server with the other end until both have closed, or one of them is gone.
async fn connect(server: impl AsyncRead + AsyncWrite, other: impl AsyncRead + AsyncWrite, ways: &Ways) {
    let (mut from_server, mut to_server) = split(server);
    let (mut from_other, mut to_other) = split(other);
    let outward = pass(&mut from_server, &mut to_other, &ways.outward);
    let inward = pass(&mut from_other, &mut to_server, &ways.inward);
    if tokio::try_join!(outward, inward).is_err() {
        // The end that is still there can't learn earlier that the connection has ended.
        ways.until_both_carry().await;
    }
}

/// Bytes on their way; none of them if the sender has closed.
struct Chunk {
    bytes: Vec<u8>,
    /// Ends when they may arrive.
    delay: Option<Pin<Box<Sleep>>>,
    _room: OwnedSemaphorePermit,
}

/// Forwards in one direction until the sender has closed, and then closes.
async fn pass(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    way: &Way,
) -> io::Result<()> {
    let (sender, on_the_way) = mpsc::unbounded_channel();
    tokio::try_join!(take(from, sender, way), give(to, on_the_way)).map(|((), ())| ())
}

/// Takes the bytes of the sender.
async fn take(
    from: &mut (impl AsyncRead + Unpin),
    on_the_way: UnboundedSender<Chunk>,
    way: &Way,
) -> io::Result<()> {
    let mut passages = way.passage.subscribe();
    let room = Arc::new(Semaphore::new(ON_THE_WAY));
    let mut bytes = vec![0; CHUNK];
    let mut has_lost = false;
    loop {
        let passage = *passages.borrow_and_update();
        if has_lost && passage != Passage::Lost {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let read = tokio::select! {
            // A change applies to everything that is read after it.
            biased;
            _ = passages.changed() => continue,
            read = from.read(&mut bytes[..passage.max_at_once()]) => read,
        };
        if passage == Passage::Lost {
            has_lost = true;
            if !matches!(read, Ok(1..)) {
                way.until_it_carries().await;
            }
            continue;
        }
        let count = read?;
        let permits = u32::try_from(count + OVERHEAD).map_err(io::Error::other)?;
        let room = room.clone().acquire_many_owned(permits).await.map_err(io::Error::other)?;
        way.carry(passage, count).await;
        let delay = match passage {
            Passage::Late(by) => Some(Box::pin(sleep(by))),
            Passage::Free | Passage::Lost | Passage::Narrow { .. } => None,
        };
        let chunk = Chunk { bytes: bytes[..count].to_vec(), delay, _room: room };
        if on_the_way.send(chunk).is_err() || count == 0 {
            return Ok(());
        }
    }
}

/// Gives the bytes to the receiver in their order.
async fn give(
    to: &mut (impl AsyncWrite + Unpin),
    mut on_the_way: UnboundedReceiver<Chunk>,
) -> io::Result<()> {
    while let Some(chunk) = on_the_way.recv().await {
        if let Some(delay) = chunk.delay {
            delay.await;
        }
        to.write_all(&chunk.bytes).await?;
    }
    to.shutdown().await
}
