//! A NATS server for one test, and a faulty connection to it.

use std::{
    env, fs,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
    task::{JoinHandle, JoinSet},
    time::Instant,
};

use super::{free_ports, within};

/// The password, which is `s%40fe` in a URL.
const PASSWORD: &str = "s@fe";

/// A running NATS server. It ends with the test.
#[derive(Debug)]
pub struct Nats {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Nats {
    pub async fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("roadcall-nats-{}-{number}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let [port] = free_ports();
        let nats = Self { child: run(&folder, port), folder, port };
        nats.until_it_listens().await;
        nats
    }

    pub fn url(&self) -> String {
        self.url_by(self.address())
    }

    /// Returns the URL of the server by way of another address.
    pub fn url_by(&self, address: SocketAddr) -> String {
        format!("nats://roadcall:s%40fe@{address}")
    }

    /// Returns a client that is not one of the servers.
    pub async fn client(&self) -> async_nats::Client {
        let options =
            async_nats::ConnectOptions::with_user_and_password("roadcall".to_owned(), PASSWORD.to_owned());
        options.connect(format!("nats://{}", self.address())).await.expect("NATS")
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("a running process");
        self.child.wait().expect("a dead process");
    }

    /// Starts the server again at the same address, after [`Nats::kill`].
    pub async fn run_again(&mut self) {
        self.child = run(&self.folder, self.port);
        self.until_it_listens().await;
    }

    async fn until_it_listens(&self) {
        let ports = self.folder.join(format!("nats-server_{}.ports", self.child.id()));
        let listens = async {
            loop {
                let read = fs::read(&ports).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
                if read.is_some_and(|ports| ports["nats"][0].is_string()) {
                    return;
                }
                // Nothing signals what another process does.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        within("NATS listens", listens).await
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn run(folder: &std::path::Path, port: u16) -> Child {
    Command::new(env::var_os("ROADCALL_NATS_SERVER").unwrap_or_else(|| "nats-server".into()))
        .args(["--addr", "127.0.0.1", "--user", "roadcall", "--pass", PASSWORD])
        .args(["--port", &port.to_string(), "--ports_file_dir"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server: script/bootstrap installs it")
}

/// The treatment of the bytes that one end sends.
#[derive(Debug, Clone, Copy, Default)]
struct Pace {
    /// Whether everything is held back, without notice to either end.
    is_held: bool,
    delay: Duration,
}

/// The way of one server to NATS. It ends with its runtime.
#[derive(Debug)]
pub struct NatsWay {
    pub address: SocketAddr,
    outward: watch::Sender<Pace>,
    inward: watch::Sender<Pace>,
    passing: JoinHandle<()>,
}

impl NatsWay {
    pub async fn to(nats: &Nats) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let to = nats.address();
        let [outward, inward] = [(); 2].map(|()| watch::Sender::new(Pace::default()));
        let (out, back) = (outward.subscribe(), inward.subscribe());
        let passing = tokio::spawn(async move {
            // It ends with the way, and with it all its connections.
            let mut connections = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (out, back) = (out.clone(), back.clone());
                connections.spawn(async move {
                    let server = TcpStream::connect(to).await.expect("NATS");
                    let (from_client, to_client) = client.into_split();
                    let (from_server, to_server) = server.into_split();
                    tokio::select! {
                        () = pass(from_client, to_server, out) => {}
                        () = pass(from_server, to_client, back) => {}
                    }
                });
            }
        });
        Self { address, outward, inward, passing }
    }

    /// Ends all connections, and accepts no new ones.
    pub fn cut(&self) {
        self.passing.abort();
    }

    /// Holds back everything that the server sends, or that is sent to it, from now on.
    pub fn hold(&self, outward: bool, inward: bool) {
        self.outward.send_modify(|pace| pace.is_held = outward);
        self.inward.send_modify(|pace| pace.is_held = inward);
    }

    /// Makes everything take this long from now on, in each direction.
    pub fn delay(&self, each_way: Duration) {
        for pace in [&self.outward, &self.inward] {
            pace.send_modify(|pace| pace.delay = each_way);
        }
    }
}

/// Forwards bytes in their order, until either end is gone.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut pace: watch::Receiver<Pace>,
) {
    let (sender, mut on_the_way) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    let delay = pace.clone();
    let take = async {
        let mut bytes = vec![0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            let due = Instant::from_std(std::time::Instant::now()) + delay.borrow().delay;
            sender.send((due, bytes[..count].to_vec())).expect("the other half listens");
        }
    };
    let give = async {
        while let Some((due, bytes)) = on_the_way.recv().await {
            tokio::time::sleep_until(due).await;
            let is_open = pace.wait_for(|pace| !pace.is_held).await.is_ok();
            if !is_open || to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = take => {}
        () = give => {}
    }
}
