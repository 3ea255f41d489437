//! One client of a storm: how it connects, and how it comes back when it is refused.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use roadcall_client::{ClientError, Socket, frame};
use serde_json::{Value, json};
use tokio::{
    net::TcpSocket,
    time::{sleep, timeout},
};

use crate::plan::{Walker, ping};

/// The number of loopback addresses from which the sockets come, so that no address runs out of ports.
const SOURCES: usize = 16;
/// The number of tries of one socket; a client that was refused more often gives up.
const TRIES: u32 = 30;
/// How long one try may take until hello.
const TRY_LIMIT: Duration = Duration::from_secs(30);
/// With jitter, the pause after a failed try is random, at most this, doubled each time.
pub const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// The server to which the sockets connect.
#[derive(Debug, Clone)]
pub struct Server {
    pub url: String,
    pub address: SocketAddr,
}

/// How clients come back after a try that failed. After a refusal all wait as long as `Retry-After` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The pause is random, longer each time.
    Jitter,
    /// The pause is a second for everybody alike.
    InStep,
}

/// A client that connects, and its first frame.
#[derive(Debug)]
pub struct Client {
    pub number: usize,
    pub token: String,
    pub role: Role,
}

#[derive(Debug)]
pub enum Role {
    /// A mechanic, who sends a location.
    Mechanic { walker: Box<Walker>, seq: i64 },
    /// A watcher, who follows a job.
    Watcher { job: String, since_seq: i64 },
}

/// The observations of one client.
#[derive(Debug, Default)]
pub struct Seen {
    /// When hello was read.
    pub hello: Option<Instant>,
    /// When the answer to the first frame was read, and how long that took.
    pub settled: Option<(Instant, Duration)>,
    /// Refusals by status: how many, and how many of them without `Retry-After`.
    pub refused: BTreeMap<u16, (u32, u32)>,
    /// Tries for which there was no server.
    pub closed: u32,
    pub failed: u32,
    pub failure: Option<String>,
}

enum Tried {
    Open(Box<Socket>),
    /// The try was refused, with the time of `Retry-After`.
    Refused(u16, Option<Duration>),
    Closed,
    Failed(String),
}

impl Client {
    pub fn mechanic(number: usize, token: String, walker: Walker) -> Self {
        Self { number, token, role: Role::Mechanic { walker: Box::new(walker), seq: 0 } }
    }

    /// Tries until the socket is open and the first frame is answered.
    pub async fn connect(&mut self, server: &Server, pace: Pace) -> (Seen, Option<Socket>) {
        let (mut seen, mut longest) = (Seen::default(), FIRST_PAUSE);
        for tried in 1..=TRIES {
            let answer = timeout(TRY_LIMIT, self.open(server)).await;
            let pause = match answer.unwrap_or_else(|_| Tried::Failed("no hello in time".to_owned())) {
                Tried::Open(mut socket) => {
                    seen.hello = Some(Instant::now());
                    seen.settled = self.settle(&mut socket).await;
                    return (seen, Some(*socket));
                }
                Tried::Refused(status, after) => {
                    let (all, untimed) = seen.refused.entry(status).or_default();
                    *all += 1;
                    *untimed += u32::from(after.is_none());
                    after
                }
                Tried::Closed => {
                    seen.closed += 1;
                    None
                }
                Tried::Failed(why) => {
                    seen.failed += 1;
                    seen.failure = Some(why);
                    None
                }
            };
            sleep(pause.unwrap_or_else(|| pace.pause(longest, self.number, tried))).await;
            longest = (longest * 2).min(LONGEST_PAUSE);
        }
        (seen, None)
    }

    async fn open(&self, server: &Server) -> Tried {
        let source = IpAddr::from([127, 0, 0, 2 + (self.number % SOURCES) as u8]);
        let stream = async {
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::new(source, 0))?;
            let stream = socket.connect(server.address).await?;
            stream.set_nodelay(true)?;
            std::io::Result::Ok(stream)
        };
        let stream = match stream.await {
            Ok(stream) => stream,
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => return Tried::Closed,
            Err(error) => return Tried::Failed(error.to_string()),
        };
        let mut socket = match Socket::over(stream, &server.url, &self.token).await {
            Ok(socket) => socket,
            Err(ClientError::Refused { status, retry_after_s, .. }) => {
                return Tried::Refused(status, retry_after_s.map(Duration::from_secs));
            }
            Err(error) => return Tried::Failed(error.to_string()),
        };
        match socket.next().await {
            Ok(_hello) => Tried::Open(Box::new(socket)),
            Err(end) => Tried::Failed(end.to_string()),
        }
    }

    /// Sends the first frame; `None` if it was not answered well.
    async fn settle(&mut self, socket: &mut Socket) -> Option<(Instant, Duration)> {
        let (asked, (reference, frame)) = (Instant::now(), self.role.first_frame());
        let answered = timeout(TRY_LIMIT, acknowledged(socket, &reference, frame)).await;
        answered.is_ok_and(|is_good| is_good).then(|| (Instant::now(), asked.elapsed()))
    }
}

impl Role {
    /// Remembers the number from which a client resumes.
    pub fn read(&mut self, text: &str) {
        if let Role::Watcher { since_seq, .. } = self {
            let frame: Value = serde_json::from_str(text).unwrap_or_default();
            *since_seq = (*since_seq).max(frame["seq"].as_i64().unwrap_or_default());
        }
    }

    /// Returns the frame and its `ref`.
    fn first_frame(&mut self) -> (String, String) {
        match self {
            Role::Mechanic { walker, seq } => {
                *seq += 1;
                (format!("p{seq}"), ping(*seq, walker.drive(Duration::from_secs(2))))
            }
            Role::Watcher { job, since_seq } => {
                let data = json!({ "job_id": job, "since_seq": since_seq });
                ("s".to_owned(), frame("job.subscribe", "s", data))
            }
        }
    }
}

impl Pace {
    /// Returns the pause after this try of this client.
    pub fn pause(self, longest: Duration, client: usize, tried: u32) -> Duration {
        match self {
            Pace::Jitter => {
                let seed = ((client as u64) << 32) | u64::from(tried);
                longest.mul_f64(StdRng::seed_from_u64(seed).random_range(0.0..1.0))
            }
            Pace::InStep => FIRST_PAUSE,
        }
    }
}

/// Returns whether the frame was acknowledged, and a location taken.
async fn acknowledged(socket: &mut Socket, reference: &str, frame: String) -> bool {
    if socket.send(frame).await.is_err() {
        return false;
    }
    let answer = format!(r#""ref":"{reference}""#);
    while let Ok(text) = socket.next().await {
        if text.contains(&answer) {
            return text.contains(r#""type":"ack""#) && !text.contains(r#""accepted":0"#);
        }
    }
    false
}
