//! The server's process, for runs that end it and start it again.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::Failure;

const LOOK: Duration = Duration::from_millis(5);
/// How long the port may take to close, and to answer again.
const LIMIT: Duration = Duration::from_secs(60);

/// The program and its arguments.
#[derive(Debug)]
pub struct Program<'a> {
    pub roadcall: &'a Path,
    pub data_dir: &'a Path,
    pub log: &'a Path,
    pub listen: SocketAddr,
}

/// A server that this process started.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub pid: u32,
    /// The file in which bench/run finds the process to stop if this process does not.
    pid_file: PathBuf,
}

impl Program<'_> {
    pub async fn start(&self) -> Result<Server, Failure> {
        let output = File::options().append(true).create(true).open(self.log)?;
        let mut command = Command::new(self.roadcall);
        command.args(["serve", "--listen", &self.listen.to_string(), "--data-dir"]).arg(self.data_dir);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = command.spawn()?;
        let pid = child.id().ok_or("the server has ended")?;
        let pid_file = self.data_dir.join("server.pid");
        fs::write(&pid_file, pid.to_string())?;
        Ok(Server { child, pid, pid_file })
    }
}

impl Server {
    /// Stops the server, as a service manager does.
    pub async fn stop(mut self) -> Result<(), Failure> {
        signal(self.pid, Signal::SIGTERM)?;
        timeout(LIMIT, self.child.wait()).await.map_err(|_| "the server did not stop")??;
        fs::remove_file(&self.pid_file)?;
        Ok(())
    }
}

/// Ends a server without notice. Returns when its port is closed.
pub async fn kill_now(pid: u32, listen: SocketAddr) -> Result<(), Failure> {
    signal(pid, Signal::SIGKILL)?;
    until_port(listen, false).await.map(drop)
}

/// Returns when the port takes connections.
pub async fn until_answering(listen: SocketAddr) -> Result<Instant, Failure> {
    until_port(listen, true).await
}

async fn until_port(listen: SocketAddr, is_open: bool) -> Result<Instant, Failure> {
    let end = Instant::now() + LIMIT;
    while Instant::now() < end {
        if TcpStream::connect(listen).await.is_ok() == is_open {
            return Ok(Instant::now());
        }
        sleep(LOOK).await;
    }
    Err(format!("after {LIMIT:?} the port was still {}", if is_open { "closed" } else { "open" }).into())
}

fn signal(pid: u32, signal: Signal) -> Result<(), Failure> {
    Ok(kill(Pid::from_raw(i32::try_from(pid)?), signal)?)
}
