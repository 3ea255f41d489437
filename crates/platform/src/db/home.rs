//! The place of the embedded cluster and the user that it runs as. Both are decided once, before anything
//! starts.
//!
//! ```text
//! <data>/roadcall.lock        the server's lock
//! <data>/postgres.log         Postgres's log; postgres.log.1 is the previous run's
//! <data>/postgres/pgdata      the cluster, owned by the user that Postgres runs as
//! <data>/postgres/socket      the only way in: a Unix socket in a 0700 folder
//! <data>/postgres.location    only when the cluster had to be elsewhere: the path of its folder
//! <elsewhere>/made-for        the data folder that it was made for
//! ```
//!
//! Postgres refuses root, so for root it runs as `postgres`, or else as `nobody`. That user may be unable to
//! enter the data folder (root's `./data` below `/root`): then the cluster is made in `/var/lib/roadcall-N`,
//! and the data folder names it. Everything here blocks, and must run off the async threads.

use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

use sha2::{Digest, Sha256};

use super::error::DbError;
use super::locate::{Binaries, Places, find};
use super::user::{RunAs, can_enter, confined_command_as, make_private, owner_of, service_user};

/// The number in the socket's file name. It is not a TCP port: nothing listens on the network.
pub(super) const PORT: u16 = 5432;

/// The maximum length of a socket's path without the final zero: 107 bytes on Linux, 103 on macOS.
const SOCKET_PATH_MAX: usize = if cfg!(target_os = "macos") { 103 } else { 107 };

/// Where root's clusters go if the user that Postgres runs as can't enter the data folder.
const OUTSIDE: &str = if cfg!(target_os = "macos") { "/usr/local/var" } else { "/var/lib" };

/// How many such clusters one machine may have; beyond it, the operator has to choose a better data folder.
const OUTSIDE_MAX: u32 = 100;

const POINTER: &str = "postgres.location";

/// The file in a folder outside that names the data folder it was made for, so that nothing in the data folder has to be trusted.
pub const MADE_FOR: &str = "made-for";

/// The cluster's place, its user, and its programs.
#[derive(Debug, Clone)]
pub(super) struct Home {
    data_dir: PathBuf,
    folder: PathBuf,
    pub(super) binaries: Binaries,
    pub(super) run_as: Option<RunAs>,
    pub(super) socket_dir: PathBuf,
    /// Whether the place still has to be written down: see [`Home::remember`].
    unremembered: bool,
}

impl Home {
    /// Finds or makes the home of the data folder's cluster. `data_dir` is absolute and exists.
    pub(super) fn settle(data_dir: &Path, places: &Places) -> Result<Self, DbError> {
        let mut home = match existing(data_dir)? {
            Some(folder) => Self::of_existing(data_dir, folder, places)?,
            None => Self::new(data_dir, places)?,
        };
        home.socket_dir = home.choose_socket_dir()?;
        Ok(home)
    }

    /// Returns the folder of the cluster itself, `PGDATA`.
    pub(super) fn pgdata(&self) -> PathBuf {
        self.folder.join("pgdata")
    }

    /// Returns the folder in which `initdb` works, so that an interrupted run is never taken for a cluster.
    pub(super) fn pgdata_being_made(&self) -> PathBuf {
        self.folder.join("pgdata.new")
    }

    /// Returns the path of the server's log.
    pub(super) fn log(&self) -> PathBuf {
        log_in(&self.data_dir)
    }

    /// Returns the folder that holds the cluster.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the cluster is outside of the data folder.
    pub(super) fn is_outside(&self) -> bool {
        !self.folder.starts_with(&self.data_dir)
    }

    /// Writes down where a cluster outside the data folder is; called when `initdb` has succeeded.
    pub(super) fn remember(&mut self) -> Result<(), DbError> {
        if !self.unremembered {
            return Ok(());
        }
        let path = self.data_dir.join(POINTER);
        let text = self.folder.display().to_string();
        write_durably(&path, &text).map_err(DbError::file("can't write", &path))?;
        self.unremembered = false;
        Ok(())
    }

    /// Removes a folder outside the data folder if making the cluster failed.
    pub(super) fn abandon(&self) {
        if self.unremembered && fs::remove_dir_all(&self.folder).is_err() {
            tracing::warn!(postgres.folder = %self.folder.display(), "an unused folder could not be removed");
        }
    }

    /// Returns a command that runs as the cluster's user, in its folder: see [`confined_command_as`].
    pub(super) fn command(&self, program: &Path) -> Command {
        confined_command_as(self.run_as.as_ref(), program, &self.folder)
    }

    fn of_existing(data_dir: &Path, folder: PathBuf, places: &Places) -> Result<Self, DbError> {
        let pgdata = folder.join("pgdata");
        let version = pgdata.join("PG_VERSION");
        let text = fs::read_to_string(&version).map_err(DbError::file("can't read", &version))?;
        let binaries = find(places, text.trim().parse().ok())?;
        let run_as = owner_of(&pgdata)?;
        if let Some(user) = run_as.as_ref().filter(|user| !can_enter(Some(user), &binaries, &folder)) {
            return Err(DbError::Unenterable { folder, user: user.name.clone() });
        }
        Ok(Self::at(data_dir, folder, binaries, run_as, false))
    }

    fn new(data_dir: &Path, places: &Places) -> Result<Self, DbError> {
        let binaries = find(places, None)?;
        let run_as = service_user(&binaries)?;
        let inside = data_dir.join("postgres");
        make_private(&inside, run_as.as_ref())?;
        if can_enter(run_as.as_ref(), &binaries, &inside) {
            return Ok(Self::at(data_dir, inside, binaries, run_as, false));
        }
        // The folder was made only for this check, and is kept if it is not empty.
        fs::remove_dir(&inside).ok();
        let outside = make_outside(data_dir, run_as.as_ref())?;
        Ok(Self::at(data_dir, outside, binaries, run_as, true))
    }

    fn at(
        data_dir: &Path,
        folder: PathBuf,
        binaries: Binaries,
        run_as: Option<RunAs>,
        unremembered: bool,
    ) -> Self {
        let socket_dir = folder.join("socket");
        Self { data_dir: data_dir.to_path_buf(), folder, binaries, run_as, socket_dir, unremembered }
    }

    /// Returns the socket's folder: that of a postmaster that may still run, or the cluster's own, or a short
    /// one in the temporary folder, because a socket's address has room for only about a hundred bytes.
    fn choose_socket_dir(&self) -> Result<PathBuf, DbError> {
        if let Some(running) = PidFile::read(&self.pgdata()).and_then(|file| file.socket_dir)
            && socket_in(&running).exists()
        {
            return Ok(running);
        }
        let own = self.folder.join("socket");
        if fits(&own) {
            make_private(&own, self.run_as.as_ref())?;
            return Ok(own);
        }
        self.short_socket_dir()
    }

    /// Makes a short folder for the socket. Root's temporary folder may be closed to the cluster's user; `/tmp` is open to all.
    fn short_socket_dir(&self) -> Result<PathBuf, DbError> {
        let name = format!("roadcall-{}", short_hash(&self.folder));
        let own = env::temp_dir().join(&name);
        if fits(&own) {
            make_private(&own, self.run_as.as_ref())?;
            if can_enter(self.run_as.as_ref(), &self.binaries, &own) {
                return Ok(own);
            }
            fs::remove_dir(&own).ok();
        }
        let everyones = Path::new("/tmp").join(&name);
        make_private(&everyones, self.run_as.as_ref())?;
        Ok(everyones)
    }
}

/// The contents of `postmaster.pid`, which a postmaster writes into its cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PidFile {
    pub(super) pid: i32,
    pub(super) socket_dir: Option<PathBuf>,
}

impl PidFile {
    pub(super) fn read(pgdata: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(pgdata.join("postmaster.pid")).ok()?)
    }

    /// Reads the process from line 1 and the first socket folder from line 5, which is written a moment after line 1.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok().filter(|pid| *pid > 1)?;
        let socket_dir = lines.nth(3).map(str::trim).filter(|dir| !dir.is_empty()).map(PathBuf::from);
        Some(Self { pid, socket_dir })
    }
}

/// Returns the path of the log of the server on this data folder.
pub(super) fn log_in(data_dir: &Path) -> PathBuf {
    data_dir.join("postgres.log")
}

/// Returns the path of the socket that Postgres makes in the folder.
pub(super) fn socket_in(dir: &Path) -> PathBuf {
    dir.join(format!(".s.PGSQL.{PORT}"))
}

/// Returns the folder of the cluster that this data folder has, if there is one.
pub(super) fn existing(data_dir: &Path) -> Result<Option<PathBuf>, DbError> {
    let pointer = data_dir.join(POINTER);
    match fs::read_to_string(&pointer) {
        Ok(text) => {
            let cluster = PathBuf::from(text.trim());
            if cluster.join("pgdata/PG_VERSION").is_file() {
                return Ok(Some(cluster));
            }
            return Err(DbError::ClusterMissing { data_dir: data_dir.to_path_buf(), cluster, pointer });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(DbError::file("can't read", &pointer)(error)),
    }
    let inside = data_dir.join("postgres");
    match fs::metadata(inside.join("pgdata")) {
        Ok(_) => Ok(Some(inside)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(DbError::file("can't read", &inside)(error)),
    }
}

/// Makes `/var/lib/roadcall-1`, or the next number that is free; making a folder is atomic.
fn make_outside(data_dir: &Path, run_as: Option<&RunAs>) -> Result<PathBuf, DbError> {
    let parent = Path::new(OUTSIDE);
    fs::create_dir_all(parent).map_err(DbError::file("can't create", parent))?;
    let mut last = parent.to_path_buf();
    for number in 1..=OUTSIDE_MAX {
        last = parent.join(format!("roadcall-{number}"));
        match DirBuilder::new().mode(0o700).create(&last) {
            Ok(()) => {
                let note = last.join(MADE_FOR);
                let noted = fs::write(&note, data_dir.as_os_str().as_encoded_bytes());
                noted.map_err(DbError::file("can't write", &note))?;
                make_private(&last, run_as)?;
                return Ok(last);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(DbError::file("can't create", &last)(error)),
        }
    }
    let full =
        io::Error::other("every number is taken; choose a --data-dir that other users can pass through");
    Err(DbError::file("can't create", &last)(full))
}

/// Returns the folders outside that were made for this data folder and hold no cluster that it keeps.
pub(super) fn made_for(data_dir: &Path) -> Vec<PathBuf> {
    made_below(Path::new(OUTSIDE), data_dir)
}

fn made_below(parent: &Path, data_dir: &Path) -> Vec<PathBuf> {
    let folders = (1..=OUTSIDE_MAX).map(|number| parent.join(format!("roadcall-{number}")));
    let data_dir = data_dir.as_os_str().as_encoded_bytes();
    folders.filter(|folder| fs::read(folder.join(MADE_FOR)).is_ok_and(|noted| noted == data_dir)).collect()
}

/// Makes the folders outside no longer removable for this data folder, because its cluster gets another one.
pub(super) fn keep_outside(data_dir: &Path) -> Result<(), DbError> {
    for folder in made_for(data_dir) {
        let note = folder.join(MADE_FOR);
        fs::remove_file(&note).map_err(DbError::file("can't remove", &note))?;
        sync_folder_of(&note).map_err(DbError::file("can't sync", &folder))?;
    }
    Ok(())
}

/// Returns whether a cluster in this folder may have its socket there: see [`Home::choose_socket_dir`].
pub(super) fn may_have_socket(folder: &Path, socket_dir: &Path) -> bool {
    let short = format!("roadcall-{}", short_hash(folder));
    [folder.join("socket"), env::temp_dir().join(&short), Path::new("/tmp").join(&short)]
        .iter()
        .any(|place| place == socket_dir)
}

fn fits(socket_dir: &Path) -> bool {
    socket_in(socket_dir).as_os_str().len() <= SOCKET_PATH_MAX
}

fn short_hash(path: &Path) -> String {
    hex::encode(&Sha256::digest(path.as_os_str().as_encoded_bytes())[..6])
}

/// Writes the file whole or not at all; it is on the disk when this returns.
fn write_durably(path: &Path, text: &str) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file = fs::File::create(&unfinished)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    sync_folder_of(path)
}

/// Makes a rename in a folder survive a power cut.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |parent| fs::File::open(parent)?.sync_all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_and_the_socket_folder_are_read_from_a_postmasters_file() {
        let whole = "4711\n/d/pgdata\n1700000000\n5432\n/d/socket\n\n  1 2\nready   \n";
        let file = PidFile::parse(whole).expect("a whole file");
        assert_eq!((file.pid, file.socket_dir), (4711, Some(PathBuf::from("/d/socket"))));
        let begun = PidFile::parse("4711\n/d/pgdata\n").expect("a file that is being written");
        assert_eq!((begun.pid, begun.socket_dir), (4711, None));
        for nonsense in ["", "abc\n", "-4711\n", "0\n", "1\n"] {
            assert_eq!(PidFile::parse(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn a_folder_outside_belongs_to_the_data_folder_named_in_its_note() {
        let parent = env::temp_dir().join(format!("roadcall-outside-{}", std::process::id()));
        let note = |name: &str, text: &str| {
            fs::create_dir_all(parent.join(name)).expect("a folder");
            fs::write(parent.join(name).join(MADE_FOR), text).expect("a note");
        };
        note("roadcall-1", "/d/.restoring");
        note("roadcall-2", "/e/.restoring");
        note("roadcall-03", "/d/.restoring");
        note("others", "/d/.restoring");
        fs::create_dir_all(parent.join("roadcall-4")).expect("a folder without a note");
        assert_eq!(made_below(&parent, Path::new("/d/.restoring")), [parent.join("roadcall-1")]);
        assert!(made_below(&parent, Path::new("/d")).is_empty());
        fs::remove_dir_all(&parent).expect("removed");
    }

    #[test]
    fn a_socket_path_fits_up_to_the_limit_and_no_further() {
        let room = SOCKET_PATH_MAX - "/.s.PGSQL.5432".len();
        assert!(fits(Path::new(&"d".repeat(room))));
        assert!(!fits(Path::new(&"d".repeat(room + 1))));
    }
}
