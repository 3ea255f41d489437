//! One server of the cluster.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Stdio,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall_client::Api;
use tokio::{
    process::{Child, Command},
    time::timeout,
};

use super::{
    LIMIT,
    clock::ServerClock,
    links::{self, Links},
    run, until,
};
use crate::{ANSWER_LIMIT, Failure};

/// The settings of all servers: tokens outlive the longest run, a few people do as much as a city's, and nobody listens at the
/// address of the file store.
const SETTINGS: [(&str, &str); 16] = [
    ("ROADCALL__AUTH__ACCESS_TOKEN_TTL_S", "14400"),
    ("ROADCALL__AUTH__OTP_REQUESTS_PER_ADDRESS_PER_HOUR", "100000"),
    ("ROADCALL__LIMITS__ADMIN_LOGIN_PER_MINUTE", "1000"),
    ("ROADCALL__LIMITS__PER_ADDRESS_PER_MINUTE", "10000000"),
    ("ROADCALL__LIMITS__PER_USER_PER_MINUTE", "1000000"),
    ("ROADCALL__LIMITS__PER_CREDENTIAL_PER_MINUTE", "1000000"),
    ("ROADCALL__LIMITS__CREATE_JOB_PER_MINUTE", "1000000"),
    ("ROADCALL__SERVER__CONNECTIONS_PER_ADDRESS", "1000000"),
    ("ROADCALL__FEES__FREE_CANCELLATIONS", "1000"),
    ("ROADCALL__JOBS__MAX_WITHDRAWN_OFFERS", "1000000"),
    ("ROADCALL__UPLOADS__PROVIDER", "s3"),
    ("ROADCALL__UPLOADS__ENDPOINT", "http://127.0.0.1:9"),
    ("ROADCALL__UPLOADS__PATH_STYLE", "true"),
    ("ROADCALL__UPLOADS__BUCKET", "files"),
    ("ROADCALL__UPLOADS__ACCESS_KEY_ID", "none"),
    ("ROADCALL__UPLOADS__SECRET_ACCESS_KEY", "none"),
];

/// The environment with which it is started.
#[derive(Debug)]
pub(super) struct Environment {
    pub database: String,
    pub nats: String,
    pub folder: PathBuf,
    pub log: PathBuf,
    pub port: u16,
    /// The server's clock; `None` if it can't be set.
    pub clock: Option<ServerClock>,
}

#[derive(Debug)]
pub struct Node {
    pub number: u8,
    pub api: Api,
    address: SocketAddr,
    environment: Environment,
    namespace: Option<String>,
    child: Option<Child>,
    /// Forwards clients' data from the address of the clients' link to loopback, the only place where a server in development
    /// listens.
    _relay: Option<Child>,
}

impl Node {
    pub(super) fn new(number: u8, environment: Environment, links: &Links) -> Result<Self, Failure> {
        let address = SocketAddr::from((links.server(number), environment.port));
        let namespace = links.namespace(number);
        let relay = match &namespace {
            None => None,
            Some(namespace) => {
                let mut relay = links::command(Some(namespace), &std::env::current_exe()?);
                let to = SocketAddr::from((Ipv4Addr::LOCALHOST, environment.port)).to_string();
                relay.args(["relay", "--listen", &address.to_string(), "--to", &to]);
                Some(relay.kill_on_drop(true).spawn()?)
            }
        };
        let api = Api::new(&format!("http://{address}"), ANSWER_LIMIT)?;
        Ok(Self { number, api, address, environment, namespace, child: None, _relay: relay })
    }

    /// Returns the process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }

    pub fn start(&mut self, program: &Path) -> Result<(), Failure> {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, self.environment.port)).to_string();
        let mut command = self.command(program, &["serve", "--listen", &listen]);
        let log = File::options().append(true).create(true).open(&self.environment.log)?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).kill_on_drop(true);
        self.child = Some(command.spawn()?);
        Ok(())
    }

    pub(super) async fn create_admin(
        &self,
        program: &Path,
        email: &str,
        password: &str,
    ) -> Result<(), Failure> {
        let command = self.command(program, &["admin", "create", "--role", "admin", "--email", email]);
        run(command, &format!("{password}\n")).await.map(drop)
    }

    pub async fn until_ready(&self) -> Result<(), Failure> {
        let what = format!("server {} is not ready; see {}", self.number, self.environment.log.display());
        until(&what, async || self.is_ready().await).await.map(drop)
    }

    pub async fn is_ready(&self) -> bool {
        self.api.get("/health/ready", "").await.is_ok()
    }

    pub fn kill(&mut self) -> Result<(), Failure> {
        self.signal(Signal::SIGKILL)
    }

    pub fn terminate(&mut self) -> Result<(), Failure> {
        self.signal(Signal::SIGTERM)
    }

    pub fn freeze(&mut self, is_frozen: bool) -> Result<(), Failure> {
        self.signal(if is_frozen { Signal::SIGSTOP } else { Signal::SIGCONT })
    }

    /// Sets the time of day that the server reads ahead of the machine's.
    pub fn set_clock(&self, ahead_ms: i64) -> Result<(), Failure> {
        let clock =
            self.environment.clock.as_ref().ok_or("clocks can't be set here: that takes Linux and cc")?;
        clock.set(ahead_ms)
    }

    pub async fn until_ended(&mut self) -> Result<(), Failure> {
        if let Some(mut child) = self.child.take() {
            timeout(LIMIT, child.wait())
                .await
                .map_err(|_| format!("server {} did not stop", self.number))??;
        }
        Ok(())
    }

    fn signal(&self, signal: Signal) -> Result<(), Failure> {
        let pid = self.pid().ok_or_else(|| format!("server {} has ended", self.number))?;
        Ok(kill(Pid::from_raw(i32::try_from(pid)?), signal)?)
    }

    /// Builds a command. `arguments` come before those that every command takes.
    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let Environment { database, nats, folder, .. } = &self.environment;
        let mut command = links::command(self.namespace.as_deref(), program);
        command.args(arguments).arg("--data-dir").arg(folder);
        command.env("DATABASE_URL", database).env("ROADCALL__CLUSTER__NATS_URL", nats).envs(SETTINGS);
        // A server in development answers to no other name.
        command.env("ROADCALL__SERVER__PUBLIC_URL", format!("http://{}", self.address));
        if let Some(clock) = &self.environment.clock {
            clock.wind(&mut command);
        }
        command
    }
}
