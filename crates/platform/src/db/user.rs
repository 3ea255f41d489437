//! The user that Postgres runs as, since it refuses root, and folders that belong to that user alone.

use std::env;
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Gid, Uid, User, chown, geteuid};

use super::error::DbError;
use super::locate::Binaries;

/// Another user, as whom a root process starts Postgres.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunAs {
    pub(super) name: String,
    uid: Uid,
    gid: Gid,
}

impl From<User> for RunAs {
    fn from(user: User) -> Self {
        Self { name: user.name, uid: user.uid, gid: user.gid }
    }
}

/// Returns the user for an existing cluster, which is its owner. Only root can run it as another user.
pub(super) fn owner_of(pgdata: &Path) -> Result<Option<RunAs>, DbError> {
    let uid = Uid::from_raw(fs::metadata(pgdata).map_err(DbError::file("can't read", pgdata))?.uid());
    let me = geteuid();
    let user = User::from_uid(uid).ok().flatten();
    if uid == me && !me.is_root() {
        return Ok(None);
    }
    let owner = user.as_ref().map_or_else(|| uid.to_string(), |user| user.name.clone());
    let foreign = |advice: &str| DbError::ForeignCluster {
        cluster: pgdata.to_path_buf(),
        owner: owner.clone(),
        advice: advice.to_owned(),
    };
    match user {
        _ if uid.is_root() => {
            Err(foreign("PostgreSQL refuses to run as root: chown -R that folder to another user"))
        }
        _ if !me.is_root() => {
            Err(foreign("start roadcall as that user or as root, or choose another --data-dir"))
        }
        None => Err(foreign("there is no such user on this machine: chown -R that folder to one")),
        Some(user) => Ok(Some(user.into())),
    }
}

/// Returns the user for a new cluster: our own, or, for root, the first of two users who can run the program.
pub(super) fn service_user(binaries: &Binaries) -> Result<Option<RunAs>, DbError> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    ["postgres", "nobody"]
        .into_iter()
        .filter_map(|name| User::from_name(name).ok().flatten())
        .map(RunAs::from)
        .find(|user| !user.uid.is_root() && can_enter(Some(user), binaries, Path::new("/")))
        .map(Some)
        .ok_or_else(|| DbError::NoUser { binary: binaries.postgres() })
}

/// Returns whether that user can run Postgres from within the folder. This is tried, because file modes alone do not show it.
pub(super) fn can_enter(run_as: Option<&RunAs>, binaries: &Binaries, folder: &Path) -> bool {
    command_as(run_as, &binaries.postgres(), folder)
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Variables that a program may need: where to find other programs and libraries, and where to put temporary files.
const ENVIRONMENT: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR"];

/// Returns a command that runs as that user, in that folder, with hardly any of the caller's environment: variables hold secrets,
/// which others may read from a running process, and some (`PGDATA`, `PGOPTIONS`, a locale) would change what Postgres does.
pub(super) fn command_as(run_as: Option<&RunAs>, program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    let kept = ENVIRONMENT.into_iter().filter_map(|name| env::var_os(name).map(|value| (name, value)));
    command.env_clear().envs(kept).env("LC_ALL", "C");
    if let Some(user) = run_as {
        // With a uid set, the standard library also drops root's supplementary groups.
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command
}

/// Takes away the capabilities that a program would inherit beyond its user's rights.
const WITHOUT_CAPABILITIES: [&str; 4] = ["setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--"];

/// Returns a command like [`command_as`], but without the capabilities that this process may have in order to open the
/// files of the user who typed the command (`deploy/debian/roadcallctl`). Postgres obeys the files of its cluster, which
/// belong to the service's user.
pub(super) fn confined_command_as(run_as: Option<&RunAs>, program: &Path, folder: &Path) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    confined(run_as, program, folder, gives_capabilities(&status))
}

fn confined(run_as: Option<&RunAs>, program: &Path, folder: &Path, has_capabilities: bool) -> Command {
    if !has_capabilities {
        return command_as(run_as, program, folder);
    }
    let [setpriv, arguments @ ..] = WITHOUT_CAPABILITIES;
    let mut command = command_as(run_as, Path::new(setpriv), folder);
    command.args(arguments).arg(program);
    command
}

/// Returns whether a process with this `/proc/self/status` passes capabilities on to the programs that it starts.
fn gives_capabilities(status: &str) -> bool {
    let ambient = status.lines().find_map(|line| line.strip_prefix("CapAmb:"));
    ambient.is_some_and(|mask| mask.trim().bytes().any(|digit| digit != b'0'))
}

/// Makes a 0700 folder of that user, or checks the existing one: in a shared temporary folder, somebody else
/// could have made it first.
pub(super) fn make_private(folder: &Path, run_as: Option<&RunAs>) -> Result<(), DbError> {
    let owner = run_as.map_or_else(geteuid, |user| user.uid);
    let made = match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        Err(error) => return Err(DbError::file("can't create", folder)(error)),
    };
    let found = fs::symlink_metadata(folder).map_err(DbError::file("can't read", folder))?;
    let ours = found.is_dir() && found.mode() & 0o077 == 0;
    if ours && found.uid() == owner.as_raw() {
        return Ok(());
    }
    // A start that was killed between making the folder and giving it away left it ours.
    if ours && (made || found.uid() == geteuid().as_raw()) {
        return chown(folder, Some(owner), run_as.map(|user| user.gid))
            .map_err(io::Error::from)
            .map_err(DbError::file("can't give away", folder));
    }
    let owner = run_as.map_or_else(|| owner.to_string(), |user| user.name.clone());
    Err(DbError::NotPrivate { folder: folder.to_path_buf(), owner })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inheritable_capabilities_are_noticed() {
        let status = |ambient| {
            format!("Name:\troadcall\nCapBnd:\t000001ffffffffff\nCapAmb:\t{ambient}\nNoNewPrivs:\t0\n")
        };
        assert!(gives_capabilities(&status("0000000000000002")));
        assert!(!gives_capabilities(&status("0000000000000000")));
        assert!(!gives_capabilities("Name:\troadcall\n"), "a system that has none");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_confined_program_has_no_capabilities_and_its_own_arguments() {
        let mut shell = confined(None, Path::new("/bin/sh"), Path::new("/"), true);
        shell.args(["-c", "cat /proc/self/status; echo \"$0 $1\"", "--", "-x"]);
        let mut command = Command::new("setpriv");
        if geteuid().is_root() {
            command.args(["--reuid=65534", "--clear-groups"]);
            command.args(["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]);
        }
        let output = command.arg("--").arg(shell.get_program()).args(shell.get_args()).output();
        let output = output.expect("util-linux has setpriv");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("CapAmb:") && said.ends_with("-- -x\n"), "{said}");
        assert!(!gives_capabilities(&said), "{said}");
    }
}
