//! Copies and digests of files. Every function blocks.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Component, Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{dto::FileOf, error::BackupError};
use crate::platform::db::open_no_link;

const CHUNK_BYTES: usize = 256 * 1024;

/// A folder that is removed when this value is dropped, unless it was finished.
#[derive(Debug)]
pub struct Unfinished {
    folder: PathBuf,
    is_finished: bool,
}

impl Unfinished {
    pub fn make(folder: PathBuf) -> Result<Self, BackupError> {
        make_folder(&folder).map_err(BackupError::file("can't create", &folder))?;
        Ok(Self { folder, is_finished: false })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gives the folder its name, once all its contents are on the disk.
    pub fn finish(mut self, name: &Path) -> Result<(), BackupError> {
        sync_folders(&self.folder).map_err(BackupError::file("can't sync", &self.folder))?;
        if name.exists() {
            return Err(BackupError::file("can't replace", name)(ErrorKind::AlreadyExists.into()));
        }
        fs::rename(&self.folder, name).map_err(BackupError::file("can't rename", &self.folder))?;
        self.is_finished = true;
        sync_parent(name).map_err(BackupError::file("can't sync", name))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            fs::remove_dir_all(&self.folder).ok();
        }
    }
}

/// Makes a folder, and those above it, for this process's user alone.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Creates a file for this process's user alone, and the folders above it.
pub fn create(path: &Path) -> Result<File, BackupError> {
    if let Some(folder) = path.parent() {
        make_folder(folder).map_err(BackupError::file("can't create", folder))?;
    }
    let mut options = OpenOptions::new();
    let created = options.write(true).create_new(true).mode(0o600).open(path);
    created.map_err(BackupError::file("can't create", path))
}

/// Returns the size and digest of a file that another program has written; the file is on the disk when this returns.
pub fn kept(path: &Path) -> Result<FileOf, BackupError> {
    let kept = || {
        open_no_link(path)?.sync_all()?;
        digest(path)
    };
    kept().map_err(BackupError::file("can't read", path))
}

/// Copies a file, for this process's user alone. The copy is on the disk when this returns; `None` if there is no such file.
pub fn copy(from: &Path, to: &Path) -> Result<Option<FileOf>, BackupError> {
    let source = match open_no_link(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(BackupError::file("can't open", from))?,
    };
    let mut target = create(to)?;
    let copied =
        digest_of(source, |bytes| target.write_all(bytes)).map_err(BackupError::file("can't copy", from))?;
    target.sync_all().map_err(BackupError::file("can't sync", to))?;
    Ok(Some(copied))
}

/// Writes a new file, for this process's user alone.
pub fn write(path: &Path, bytes: &[u8]) -> Result<FileOf, BackupError> {
    let mut file = create(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.map_err(BackupError::file("can't write", path))?;
    Ok(FileOf { size_bytes: bytes.len() as u64, sha256: sha256(bytes) })
}

/// Returns the size and digest of a file.
pub fn digest(path: &Path) -> io::Result<FileOf> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    digest_of(open_no_link(path)?, |_| Ok(()))
}

pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn digest_of(mut file: File, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<FileOf> {
    let (mut hash, mut size_bytes, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK_BYTES]);
    loop {
        let bytes = match file.read(&mut chunk)? {
            0 => return Ok(FileOf { size_bytes, sha256: hex::encode(hash.finalize()) }),
            read => &chunk[..read],
        };
        hash.update(bytes);
        size_bytes += bytes.len() as u64;
        each(bytes)?;
    }
}

/// Lists the files of a folder that another program has written, by their paths below `base`, and gives them to this user alone.
pub fn seal(base: &Path, folder: &Path) -> Result<BTreeMap<String, FileOf>, BackupError> {
    let mut found = BTreeMap::new();
    for path in files_in(folder)? {
        let closed = fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
        closed.map_err(BackupError::file("can't change", &path))?;
        found.insert(below(base, &path), kept(&path)?);
    }
    Ok(found)
}

fn below(base: &Path, path: &Path) -> String {
    path.strip_prefix(base).unwrap_or(path).display().to_string()
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(BackupError::file("can't read", folder))?;
    Ok(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
}

/// Returns the names of the entries of a folder; a folder that does not exist has none.
pub fn names_in(folder: &Path) -> Result<Vec<String>, BackupError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(BackupError::file("can't read", folder))?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    names.collect::<io::Result<Vec<_>>>().map_err(BackupError::file("can't read", folder))
}

/// Returns whether a path of a manifest stays within its backup.
pub fn is_within(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Syncs folders, so that new and renamed entries survive a power cut; the files themselves are synced already.
pub fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

pub fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_neither_copied_nor_compared() {
        let folder = std::env::temp_dir().join(format!("roadcall-copied-{}", std::process::id()));
        make_folder(&folder).expect("a folder");
        let (file, link) = (folder.join("file"), folder.join("link"));
        write(&file, b"secret").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(copy(&file, &folder.join("copied")).expect("copied").is_some());
        copy(&link, &folder.join("copied too")).expect_err("a link");
        digest(&link).expect_err("a link");
        assert!(!folder.join("copied too").exists());
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn only_paths_below_a_backup_are_read() {
        for path in ["manifest.json", "database/toc.dat", "uploads/files/ab/x"] {
            assert!(is_within(path), "{path}");
        }
        for path in ["", "/etc/passwd", "../x", "database/../../x", "./x"] {
            assert!(!is_within(path), "{path}");
        }
    }
}
