//! The wire between the service and Postgres, for tests that cut it, slow it down, or watch the traffic.

mod traffic;

use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use roadcall::platform::settings::{DbSettings, Secret};
use sqlx::postgres::PgConnectOptions;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
    time::sleep,
};

use super::within;
use traffic::Line;
pub use traffic::Traffic;

const OPEN: u8 = 0;
const CUT: u8 = 1;
const LOSE_COMMIT: u8 = 2;
const LOSE_ANSWER: u8 = 3;
const CUT_AFTER_COMMIT: u8 = 4;
const COUNTING: u8 = 5;

/// The state that the test sets and reads, and that every connection obeys.
#[derive(Debug, Clone, Default)]
struct Ends {
    mode: Arc<AtomicU8>,
    /// Limits the loss of commits, and the cuts after them, to transactions that have a statement with this text. A statement
    /// that changes jobs by itself is a transaction, too.
    of: Arc<Mutex<&'static str>>,
    /// The number of messages that still get through, if they are counted.
    left: Arc<AtomicU32>,
    delay_ms: Arc<AtomicU64>,
    traffic: watch::Sender<Traffic>,
}

/// A proxy in front of Postgres. It ends with its runtime.
#[derive(Debug)]
pub struct Wire {
    port: u16,
    ends: Ends,
    cuts: watch::Sender<u64>,
    database: String,
    user: String,
    password: Option<String>,
}

impl Wire {
    /// Listens on loopback and forwards to the server in `options`.
    pub async fn before(options: &PgConnectOptions, url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let (cuts, cut) = watch::channel(0);
        let ends = Ends::default();
        let parsed = url::Url::parse(url).expect("a URL");
        let wire = Self {
            port,
            ends: ends.clone(),
            cuts,
            database: options.get_database().expect("a database").to_owned(),
            user: options.get_username().to_owned(),
            password: parsed.password().map(str::to_owned),
        };
        actix_web::rt::spawn(accept(listener, options.clone(), ends, cut));
        wire
    }

    /// Returns the settings of a service that connects through this wire.
    pub fn settings(&self, like: DbSettings) -> DbSettings {
        let secret = self.password.as_ref().map(|password| format!(":{password}")).unwrap_or_default();
        let url = format!(
            "postgres://{}{secret}@127.0.0.1:{}/{}?sslmode=disable",
            self.user, self.port, self.database
        );
        DbSettings { url: Some(Secret(url)), ..like }
    }

    /// Ends every connection and refuses new ones.
    pub fn cut(&self) {
        self.ends.mode.store(CUT, Ordering::SeqCst);
        self.cuts.send_modify(|count| *count += 1);
    }

    pub fn mend(&self) {
        self.ends.mode.store(OPEN, Ordering::SeqCst);
    }

    /// Ends every connection after the next commit of a transaction with a statement that contains `of` has got its
    /// response. Workers commit at any time: a text that is in every statement, such as "", may match theirs.
    pub fn cut_after_next_commit(&self, of: &'static str) {
        self.arm(CUT_AFTER_COMMIT, of);
    }

    fn arm(&self, mode: u8, of: &'static str) {
        *self.ends.of.lock().expect("nobody panicked") = of;
        self.ends.mode.store(mode, Ordering::SeqCst);
    }

    /// Lets this many more messages reach Postgres, and then ends every connection.
    pub fn cut_after(&self, messages: u32) {
        self.ends.left.store(messages, Ordering::SeqCst);
        self.ends.mode.store(COUNTING, Ordering::SeqCst);
    }

    /// Drops the next such commit (see [`Wire::cut_after_next_commit`]) before it reaches Postgres, and ends its
    /// connection.
    pub fn lose_next_commit(&self, of: &'static str) {
        self.arm(LOSE_COMMIT, of);
    }

    /// Ends the connection of the next such commit after it has reached Postgres and before the response.
    pub fn lose_next_answer(&self, of: &'static str) {
        self.arm(LOSE_ANSWER, of);
    }

    /// Makes every message take this long from now on, in each direction.
    pub fn delay(&self, each_way: Duration) {
        let each_way = u64::try_from(each_way.as_millis()).expect("a short time");
        self.ends.delay_ms.store(each_way, Ordering::SeqCst);
    }

    /// Returns the traffic as it happens.
    pub fn watch(&self) -> watch::Receiver<Traffic> {
        self.ends.traffic.subscribe()
    }

    /// Returns the traffic so far.
    pub fn traffic(&self) -> Traffic {
        self.ends.traffic.borrow().clone()
    }

    /// Waits until no connection has anything to do.
    pub async fn at_rest(&self) {
        let mut traffic = self.watch();
        let rest = within("every connection is at rest", traffic.wait_for(|seen| seen.busy == 0));
        rest.await.expect("the wire is there");
    }
}

async fn accept(listener: TcpListener, options: PgConnectOptions, ends: Ends, cut: watch::Receiver<u64>) {
    while let Ok((client, _)) = listener.accept().await {
        if ends.mode.load(Ordering::SeqCst) == CUT {
            continue;
        }
        let (ends, mut cut) = (ends.clone(), cut.clone());
        // Earlier cuts do not apply to this connection.
        cut.mark_unchanged();
        match options.get_socket().cloned().or_else(|| {
            let host = options.get_host();
            host.starts_with('/').then(|| host.into())
        }) {
            Some(folder) => {
                let path = folder.join(format!(".s.PGSQL.{}", options.get_port()));
                let server = UnixStream::connect(path).await.expect("Postgres");
                actix_web::rt::spawn(forward(client, server, ends, cut));
            }
            None => {
                let address = (options.get_host().to_owned(), options.get_port());
                let server = TcpStream::connect(address).await.expect("Postgres");
                actix_web::rt::spawn(forward(client, server, ends, cut));
            }
        }
    }
}

/// Forwards in both directions until one ends, the wire is cut, or a commit is lost.
async fn forward(
    client: TcpStream,
    server: impl AsyncRead + AsyncWrite,
    Ends { mode, of, left, delay_ms, traffic }: Ends,
    mut cut: watch::Receiver<u64>,
) {
    let (line, loses_answer) = (RefCell::new(Line::new(traffic)), Cell::new(false));
    let is_meant = || line.borrow().has_sent(*of.lock().expect("nobody panicked"));
    let pass = async || match delay_ms.load(Ordering::SeqCst) {
        0 => {}
        each_way => sleep(Duration::from_millis(each_way)).await,
    };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let upward = async {
        let mut bytes = [0; 16 * 1024];
        loop {
            let count = from_client.read(&mut bytes).await.unwrap_or(0);
            if count == 0 || mode.load(Ordering::SeqCst) == CUT {
                return;
            }
            if mode.load(Ordering::SeqCst) == COUNTING {
                let one_less = |left: u32| left.checked_sub(1);
                if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_err() {
                    // Other connections end at their next message.
                    mode.store(CUT, Ordering::SeqCst);
                    return;
                }
            }
            let commits = line.borrow_mut().sent(&bytes[..count]);
            let is_meant = commits && is_meant();
            let lose = |what| {
                is_meant && mode.compare_exchange(what, OPEN, Ordering::SeqCst, Ordering::SeqCst).is_ok()
            };
            if lose(LOSE_COMMIT) {
                return;
            }
            loses_answer.set(lose(LOSE_ANSWER));
            pass().await;
            if to_server.write_all(&bytes[..count]).await.is_err() {
                return;
            }
            if loses_answer.get() {
                // This waits until Postgres has responded, so that the commit has certainly happened.
                std::future::pending::<()>().await;
            }
        }
    };
    // If a response is to be lost, the direction to Postgres stops, and the first response ends the connection.
    let downward = async {
        let mut bytes = [0; 16 * 1024];
        loop {
            let count = from_server.read(&mut bytes).await.unwrap_or(0);
            if count == 0 {
                return;
            }
            pass().await;
            let has_committed = line.borrow_mut().answered(&bytes[..count]);
            if has_committed && loses_answer.get() {
                return;
            }
            if has_committed && is_meant() {
                // This happens before the response is forwarded, so that nothing after it gets through.
                mode.compare_exchange(CUT_AFTER_COMMIT, CUT, Ordering::SeqCst, Ordering::SeqCst).ok();
            }
            if to_client.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = upward => {}
        () = downward => {}
        _ = cut.changed() => {}
    }
}
