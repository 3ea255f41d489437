//! One server per data folder: the process that holds the lock on `<data>/roadcall.lock` is the server.
//!
//! The kernel releases the lock with its process, however that ends, so a stale lock can never refuse a
//! start; the file's content (the holder's process id) is only for messages.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

use super::error::DbError;

const FILE_NAME: &str = "roadcall.lock";

/// The folder within a data folder in which a restore makes everything before it puts it in place.
pub const STAGE: &str = ".restoring";

/// Opens no symbolic link, for files in data folders and folders of backups: a person who may write there must not choose what
/// somebody with more rights opens, as commands of `roadcallctl` do.
pub const NO_LINK: i32 = OFlag::O_NOFOLLOW.bits();

/// Opens a file in such a folder to read it.
pub fn open_no_link(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(NO_LINK).open(path)
}

/// The right to use a data folder, which is released when dropped.
#[derive(Debug)]
pub struct DataLock {
    folder: PathBuf,
    _file: LockedFile,
}

/// A file whose lock ends with this value. Closing the file would not suffice: a process that another thread
/// is starting at that moment has inherited the file, and the lock with it, until it executes its own program.
#[derive(Debug)]
pub(super) struct LockedFile(File);

impl Drop for LockedFile {
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        self.0.unlock().ok();
    }
}

impl DataLock {
    /// Makes the folder if it is missing, and takes its lock. Blocks only on the disk: if the lock is held,
    /// this fails at once with [`DbError::AlreadyServed`].
    pub fn take(folder: &Path) -> Result<Self, DbError> {
        make_data_folder(folder)?;
        let folder = folder.canonicalize().map_err(DbError::file("can't resolve the data folder", folder))?;
        let file = lock_file(&folder)?;
        Ok(Self { folder, _file: file })
    }

    /// Returns the absolute path of the data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Refuses a data folder with an unfinished restore: a server on it would start with no data, or with half of it.
pub(super) fn refuse_unfinished_restore(folder: &Path) -> Result<(), DbError> {
    let stage = folder.join(STAGE);
    match fs::symlink_metadata(&stage) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(DbError::file("can't read", &stage)(error)),
        Ok(_) => Err(DbError::UnfinishedRestore { data_dir: folder.to_path_buf(), stage }),
    }
}

/// Takes the lock file inside an existing folder, which the refusal names.
pub(super) fn lock_file(folder: &Path) -> Result<LockedFile, DbError> {
    let path = folder.join(FILE_NAME);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(NO_LINK)
        .open(&path)
        .map_err(DbError::file("can't open the lock", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(DbError::AlreadyServed { data_dir: folder.to_path_buf(), holder: holder(&mut file) });
        }
        Err(TryLockError::Error(source)) => {
            return Err(DbError::File { doing: "can't lock", path, source });
        }
    }
    write_holder(&mut file).map_err(DbError::file("can't write", &path))?;
    Ok(LockedFile(file))
}

fn write_holder(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Makes the folder with the mode 0700, or 0711 for root, because Postgres then runs as another user, who
/// must pass through the folder to its own. An existing folder keeps its mode.
pub(super) fn make_data_folder(folder: &Path) -> Result<(), DbError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mode = if nix::unistd::geteuid().is_root() { 0o711 } else { 0o700 };
    let failed = "can't create the data folder";
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(DbError::file(failed, parent))?;
    }
    match DirBuilder::new().mode(mode).create(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        result => result.map_err(DbError::file(failed, folder)),
    }
}

#[cfg(test)]
mod tests {
    use std::env::temp_dir;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_in_place_of_the_lock_is_refused_and_its_target_is_left_alone() {
        let folder = temp_dir().join(format!("roadcall-linked-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let precious = folder.join("precious");
        fs::write(&precious, "kept").expect("a file");
        for target in [&precious, &folder.join("nothing yet")] {
            symlink(target, folder.join(FILE_NAME)).expect("a link");
            let refused = DataLock::take(&folder).expect_err("a link").to_string();
            assert!(refused.contains(FILE_NAME), "{refused}");
            assert!(open_no_link(&folder.join(FILE_NAME)).is_err());
            fs::remove_file(folder.join(FILE_NAME)).expect("removed");
        }
        assert_eq!(fs::read_to_string(&precious).expect("the file"), "kept");
        assert!(!folder.join("nothing yet").exists());
        DataLock::take(&folder).expect("a lock");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
