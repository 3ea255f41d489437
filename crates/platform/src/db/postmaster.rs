//! A running postmaster, and how it ends.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{self, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::error::DbError;

/// How long a fast shutdown may take, which writes a checkpoint, and then an immediate one.
const STOP_LIMIT: Duration = Duration::from_secs(30);
const QUIT_LIMIT: Duration = Duration::from_secs(5);
pub(super) const TRY_AGAIN: Duration = Duration::from_millis(250);

/// The program that runs a tether.
pub(super) const SHELL: &str = "/bin/sh";

/// Waits for the end of its input, which is always empty, and then stops the process that it is given.
const TETHER: &str = "read -r nothing; kill -INT \"$0\"";

/// A running postmaster.
#[derive(Debug)]
pub(super) struct Postmaster {
    pub(super) pid: Pid,
    /// The process to wait for, unless the postmaster was adopted.
    pub(super) started: Option<Started>,
}

/// A postmaster that this process has started.
#[derive(Debug)]
pub(super) struct Started {
    postgres: Child,
    /// A shell that ends with this value, without doing anything.
    _tether: Option<Child>,
}

impl Started {
    pub(super) fn new(postgres: Child) -> Self {
        Self { postgres, _tether: None }
    }

    pub(super) fn pid(&self) -> Option<Pid> {
        self.postgres.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw)
    }

    pub(super) fn has_ended(&mut self) -> std::io::Result<bool> {
        self.postgres.try_wait().map(|status| status.is_some())
    }

    /// Lets a shell, prepared to run as Postgres's user, stop Postgres when this process has been killed, which ends the shell's
    /// input. A process that ends otherwise kills the shell first.
    pub(super) fn tethered(self, mut shell: process::Command) -> Result<Self, DbError> {
        let Some(pid) = self.pid() else { return Ok(self) };
        shell.args(["-c", TETHER]).arg(pid.to_string());
        shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null());
        match Command::from(shell).kill_on_drop(true).spawn() {
            Ok(tether) => Ok(Self { _tether: Some(tether), ..self }),
            Err(error) => {
                // Without a tether, Postgres must not continue.
                kill(pid, Signal::SIGINT).ok();
                Err(DbError::file("can't run", Path::new(SHELL))(error))
            }
        }
    }
}

impl Postmaster {
    /// Takes a postmaster that an earlier process has started.
    pub(super) fn adopted(pid: Pid) -> Self {
        Self { pid, started: None }
    }

    /// Returns when the postmaster has ended.
    pub(super) async fn gone(&mut self) {
        if let Some(started) = &mut self.started {
            started.postgres.wait().await.ok();
            return;
        }
        // There is no signal when a process that is not our child ends.
        while is_alive(self.pid) {
            sleep(TRY_AGAIN).await;
        }
    }

    /// Stops Postgres by SIGINT, its fast shutdown, which ends its clients and writes everything to the disk. SIGTERM would wait
    /// for the clients. After the limit, sends SIGQUIT, from which the next start recovers.
    pub(super) async fn stop(mut self) -> Result<(), DbError> {
        for (signal, limit) in [(Signal::SIGINT, STOP_LIMIT), (Signal::SIGQUIT, QUIT_LIMIT)] {
            match kill(self.pid, signal) {
                Err(Errno::ESRCH) => return Ok(()),
                Err(error) => {
                    tracing::warn!(postgres.pid = self.pid.as_raw(), %error, "can't signal postgres")
                }
                Ok(()) => {}
            }
            if timeout(limit, self.gone()).await.is_ok() {
                return Ok(());
            }
        }
        let limit_s = (STOP_LIMIT + QUIT_LIMIT).as_secs();
        Err(DbError::NotStopped { pid: self.pid.as_raw(), limit_s })
    }
}

/// Returns whether a process that is not our child still runs. A process that has ended but that nobody has
/// waited for (in a container without an init) is not alive.
fn is_alive(pid: Pid) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    // The state follows the name in brackets, which may itself contain brackets.
    let ended = state.is_some_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')));
    !ended && kill(pid, None) != Err(Errno::ESRCH)
}
