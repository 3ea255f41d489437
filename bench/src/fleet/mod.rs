//! A cluster on this machine: Postgres, NATS and several servers, each of which can be stopped, frozen and cut off.

mod clock;
mod links;
mod node;
mod postgres;
mod proxy;
pub mod relay;

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
    time::sleep,
};

use self::{clock::ServerClock, node::Environment, postgres::Postgres, proxy::Proxy};
pub use self::{
    links::{Link, Links},
    node::Node,
    proxy::Impairment,
};
use crate::{Failure, people::Admins};

/// How long anything may take to start or to stop.
pub const LIMIT: Duration = Duration::from_secs(90);
/// The pause between two looks at something that does not tell when it changes.
pub const LOOK: Duration = Duration::from_millis(50);
/// The first port of loopback: Postgres's, then NATS's, then the servers'.
const FIRST_PORT: u16 = 19_400;
/// The first port of a copy: its Postgres's, then its server's.
const FIRST_PORT_OF_COPY: u16 = 19_440;

#[derive(Debug, Clone, Args)]
pub struct FleetArgs {
    /// The server's program
    #[arg(long)]
    pub roadcall: PathBuf,
    /// A folder for its data, which is emptied first
    #[arg(long)]
    pub fleet_dir: PathBuf,
    /// NATS' program
    #[arg(long, env = "ROADCALL_NATS_SERVER", default_value = "nats-server")]
    pub nats_server: PathBuf,
}

/// The proxies in the links of servers, by the server's number.
type Proxies = BTreeMap<(u8, Link), Proxy>;

/// A running cluster, which ends when this is dropped.
#[derive(Debug)]
pub struct Fleet {
    pub nodes: Vec<Node>,
    pub postgres: Postgres,
    pub admins: Admins,
    nats: Child,
    nats_server: PathBuf,
    folder: PathBuf,
    pub links: Links,
    /// Empty if no link is impaired.
    proxies: Proxies,
    /// Whether its servers run the other program.
    pub is_upgraded: bool,
}

impl Fleet {
    /// Starts this many servers, and waits until all of them are ready. Their links can be impaired if `are_proxied`.
    pub async fn start(
        args: &FleetArgs,
        count: u8,
        links: Links,
        are_proxied: bool,
    ) -> Result<Self, Failure> {
        if args.fleet_dir.exists() {
            std::fs::remove_dir_all(&args.fleet_dir)?;
        }
        std::fs::create_dir_all(&args.fleet_dir)?;
        let folder = args.fleet_dir.canonicalize()?;
        let hosts: Vec<Ipv4Addr> = (0..count).map(|n| links.host(n, Link::Postgres)).collect();
        let postgres = Postgres::start(folder.join("postgres"), FIRST_PORT, &hosts).await?;
        let password = format!("{:032x}", rand::random::<u128>());
        let nats = nats(&args.nats_server, &folder, &links, &password)?;
        let emails = (1..=4).map(|n| format!("fleet{n}@example.com")).collect();
        let admins = Admins { emails, password: password.clone() };
        // Few scenarios set clocks, and those say so if they can't.
        let library = ServerClock::library(&folder).await.ok();
        let proxies = proxies(&links, if are_proxied { count } else { 0 }).await?;
        let mut nodes = Vec::new();
        for number in 0..count {
            let clock = folder.join(format!("server-{number}.clock"));
            let clock = library.as_deref().map(|library| ServerClock::new(library, clock)).transpose()?;
            let other_end = |link: Link, port: u16| match proxies.get(&(number, link)) {
                Some(proxy) => proxy.address(),
                None => SocketAddr::from((links.host(number, link), port)),
            };
            let (database, nats) =
                (other_end(Link::Postgres, FIRST_PORT), other_end(Link::Nats, FIRST_PORT + 1));
            let environment = Environment {
                database: format!("postgres://roadcall@{database}/postgres"),
                nats: format!("nats://roadcall:{password}@{nats}"),
                folder: folder.join(format!("server-{number}")),
                log: folder.join(format!("server-{number}.log")),
                port: FIRST_PORT + 2 + u16::from(number),
                clock,
            };
            let mut node = Node::new(number, environment, &links)?;
            node.start(&args.roadcall)?;
            if number == 0 {
                // The first server migrates the database.
                node.until_ready().await?;
                for email in &admins.emails {
                    node.create_admin(&args.roadcall, email, &admins.password).await?;
                }
            }
            nodes.push(node);
        }
        for node in &nodes {
            node.until_ready().await?;
        }
        let nats_server = args.nats_server.clone();
        Ok(Self { nodes, postgres, admins, nats, nats_server, folder, links, proxies, is_upgraded: false })
    }

    /// Returns every server's client.
    pub fn apis(&self) -> Vec<Api> {
        self.nodes.iter().map(|node| node.api.clone()).collect()
    }

    /// Returns which server leads, by its own word; `None` if none says so.
    pub async fn leader(&self, admin: &str) -> Option<usize> {
        for (number, node) in self.nodes.iter().enumerate() {
            let said = node.api.get("/admin/cluster", admin).await;
            if said.is_ok_and(|cluster| cluster["nodes"][0]["is_leading"] == json!(true)) {
                return Some(number);
            }
        }
        None
    }

    pub async fn kill_nats(&mut self) -> Result<(), Failure> {
        self.nats.start_kill()?;
        self.nats.wait().await?;
        Ok(())
    }

    pub fn start_nats(&mut self) -> Result<(), Failure> {
        self.nats = nats(&self.nats_server, &self.folder, &self.links, &self.admins.password)?;
        Ok(())
    }

    /// Impairs a link of a server from now on.
    pub fn impair(&self, server: u8, link: Link, impairment: Impairment) -> Result<(), Failure> {
        self.proxy(server, link).map(|proxy| proxy.impair(impairment))
    }

    /// Ends the impairment of a link.
    pub fn repair(&self, server: u8, link: Link) -> Result<(), Failure> {
        self.proxy(server, link).map(Proxy::repair)
    }

    fn proxy(&self, server: u8, link: Link) -> Result<&Proxy, Failure> {
        self.proxies.get(&(server, link)).ok_or_else(|| "the links of the servers have no proxies".into())
    }

    /// Makes a copy of the database as it is now, which knows only leaders of older terms. Nothing runs on it.
    pub async fn older_database(&self) -> Result<Postgres, Failure> {
        let copy = self.postgres.copied(FIRST_PORT_OF_COPY).await?;
        copy.take_back_terms().await?;
        copy.stop("fast").await?;
        Ok(copy)
    }

    /// Starts a server on a copy of the database's files, with the cluster's NATS. Both end when they are dropped.
    pub async fn start_on_copy(&self, roadcall: &Path) -> Result<(Node, Postgres), Failure> {
        let postgres = self.postgres.copied(FIRST_PORT_OF_COPY).await?;
        let environment = Environment {
            database: format!("postgres://roadcall@127.0.0.1:{FIRST_PORT_OF_COPY}/postgres"),
            nats: format!("nats://roadcall:{}@127.0.0.1:{}", self.admins.password, FIRST_PORT + 1),
            folder: self.folder.join("server-on-copy"),
            log: self.folder.join("server-on-copy.log"),
            port: FIRST_PORT_OF_COPY + 1,
            clock: None,
        };
        let number = u8::try_from(self.nodes.len())?;
        let mut node = Node::new(number, environment, &Links::Loopback)?;
        node.start(roadcall)?;
        node.until_ready().await?;
        Ok((node, postgres))
    }

    /// Stops the servers first: they say goodbye to NATS and Postgres.
    pub async fn stop(mut self) -> Result<(), Failure> {
        for node in &mut self.nodes {
            node.terminate()?;
        }
        for node in &mut self.nodes {
            node.until_ended().await?;
        }
        self.postgres.stop("fast").await
    }
}

/// Starts a proxy before Postgres and another before NATS for each of this many servers.
async fn proxies(links: &Links, servers: u8) -> Result<Proxies, Failure> {
    let mut proxies = Proxies::new();
    for server in 0..servers {
        for (link, port) in [(Link::Postgres, FIRST_PORT), (Link::Nats, FIRST_PORT + 1)] {
            // The machine chooses a free port.
            let at = SocketAddr::from((links.host(server, link), 0));
            let to = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            proxies.insert((server, link), Proxy::start(at, to).await?);
        }
    }
    Ok(proxies)
}

fn nats(program: &Path, folder: &Path, links: &Links, password: &str) -> Result<Child, Failure> {
    let mut command = Command::new(program);
    let port = (FIRST_PORT + 1).to_string();
    command.args(["--addr", links.anywhere(), "--port", &port, "--log"]).arg(folder.join("nats.log"));
    command.args(["--user", "roadcall", "--pass", password]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    command.spawn().map_err(|error| format!("{}: {error}; ./script/bootstrap nats", program.display()).into())
}

/// Repeats a look until it says yes.
pub async fn until(what: &str, mut look: impl AsyncFnMut() -> bool) -> Result<Duration, Failure> {
    let began = Instant::now();
    while began.elapsed() < LIMIT {
        if look().await {
            return Ok(began.elapsed());
        }
        sleep(LOOK).await;
    }
    Err(format!("after {LIMIT:?}: {what}").into())
}

/// Runs a program to its end, and returns its output if it succeeded.
async fn run(mut command: Command, input: &str) -> Result<String, Failure> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).await?;
    }
    let output = child.wait_with_output().await?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
