//! Moves the results of a restore into its data folder, and recognises them if the restore was killed meanwhile.
//!
//! Before the first part is moved, the stage notes the folders and files of all parts. The next restore removes those from the
//! data folder, and nothing else: anything that somebody has put there since is a different folder or file, whatever its name.

use std::{
    fs,
    io::{ErrorKind, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{
    accounts::auth,
    lifecycle::backup::{dto::RestoredPart, error::BackupError, files},
    platform::db::{Database, MADE_FOR, STAGE, open_no_link},
};

/// The entries that a data folder may not have beforehand, in the order in which a restore puts them there. The database comes
/// last: without it a server would make an empty one.
const OURS: [&str; 4] = ["uploads", auth::SECRET_FILE, "postgres", POINTER];

/// The file that names the folder of a database outside the data folder.
const POINTER: &str = "postgres.location";

/// The note in the stage.
const NOTE: &str = "placing.json";

/// The name of a stage once everything is in place.
const PLACED: &str = ".restoring.placed";

/// No note is larger than this.
const NOTE_BYTES: u64 = 64 * 1024;

impl RestoredPart {
    /// Returns the part with this name in a folder; `None` if no file has the name.
    fn in_folder(folder: &Path, name: &str) -> Result<Option<Self>, BackupError> {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) => {
                let (inode, made_at) = (found.ino(), found.created().ok());
                Ok(Some(Self { name: name.to_owned(), inode, made_at }))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(BackupError::file("can't read", &path)(error)),
        }
    }

    /// Returns whether this part is among the noted ones. Without a time of creation the answer is no, since inode numbers are
    /// reused.
    fn is_among(&self, noted: &[Self]) -> bool {
        self.made_at.is_some() && noted.contains(self)
    }
}

/// Refuses a data folder with anything in the way of a restore. Removes only the parts that an interrupted restore has put there.
pub fn make_room(data_dir: &Path) -> Result<(), BackupError> {
    let stage = data_dir.join(STAGE);
    let noted = noted(&stage)?;
    let (mut found, mut put) = (Vec::new(), Vec::new());
    for name in OURS {
        match RestoredPart::in_folder(data_dir, name)? {
            Some(part) if part.is_among(&noted) => put.push(name),
            Some(_) if is_there(&data_dir.join(name)) => found.push(name.to_owned()),
            Some(_) | None => {}
        }
    }
    let placed = data_dir.join(PLACED);
    if is_there(&placed) && !is_placed_stage(&placed)? {
        found.push(PLACED.to_owned());
    }
    if !found.is_empty() {
        return Err(BackupError::Occupied {
            place: format!("the data folder {}", data_dir.display()),
            found,
            advice: "move it away, or name another one with --data-dir",
        });
    }
    if !noted.is_empty() {
        tell_of_outside(&stage, &stage);
        tell_of_outside(data_dir, &stage);
    }
    discard(&placed)?;
    put.into_iter().try_for_each(|name| remove(&data_dir.join(name)))
}

/// Warns about an interrupted restore's database outside the data folder if nothing records which stage it belongs to.
fn tell_of_outside(folder: &Path, stage: &Path) {
    if let Some(left) = left_outside(folder, stage) {
        tracing::warn!(
            postgres.folder = %left.display(),
            "an interrupted restore has left a database that nothing uses"
        );
    }
}

/// Returns the folder outside that this folder points to; `None` if that database records that it was made for the stage, since it
/// is then cleared with the stage.
fn left_outside(folder: &Path, stage: &Path) -> Option<PathBuf> {
    let mut text = String::new();
    let pointer = open_no_link(&folder.join(POINTER)).ok()?;
    pointer.take(NOTE_BYTES).read_to_string(&mut text).ok()?;
    let outside = PathBuf::from(text.trim());
    let mut made_for = Vec::new();
    let read = open_no_link(&outside.join(MADE_FOR))
        .and_then(|note| note.take(NOTE_BYTES).read_to_end(&mut made_for));
    let is_cleared = read.is_ok() && made_for == stage.as_os_str().as_encoded_bytes();
    (!is_cleared).then_some(outside)
}

/// Returns whether a folder is a stage whose parts are all in place: it has its note, which [`discard`] removes last.
fn is_placed_stage(folder: &Path) -> Result<bool, BackupError> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
    Ok(is_folder && whole_note(folder)?.is_some())
}

/// Removes a stage whose parts are all in place, its note last: until then the next restore recognises it.
fn discard(placed: &Path) -> Result<(), BackupError> {
    let entries = match fs::read_dir(placed) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(BackupError::file("can't read", placed))?,
    };
    for entry in entries {
        let entry = entry.map_err(BackupError::file("can't read", placed))?;
        if entry.file_name() != NOTE {
            remove(&entry.path())?;
        }
    }
    remove(placed)
}

/// Returns whether there is a file or a folder that is not empty.
fn is_there(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Moves everything that a restore has made from its stage to the data folder. The stage is gone once everything is there.
pub fn put_in_place(stage: &Path, data_dir: &Path) -> Result<(), BackupError> {
    let parts = note(stage)?;
    Database::keep_outside(stage)?;
    for part in parts {
        let (from, to) = (stage.join(&part.name), data_dir.join(&part.name));
        // If an empty folder is in the way, it is removed.
        fs::remove_dir(&to).ok();
        fs::rename(&from, &to).map_err(BackupError::file("can't rename", &from))?;
    }
    files::sync_folders(&data_dir.join("uploads")).ok();
    let synced = files::sync_parent(&data_dir.join("postgres"));
    synced.map_err(BackupError::file("can't sync", data_dir))?;
    // The stage is removed by one rename: if only a part of it were gone, it could no longer tell what it has put in place.
    let placed = data_dir.join(PLACED);
    fs::rename(stage, &placed).map_err(BackupError::file("can't rename", stage))?;
    files::sync_parent(&placed).map_err(BackupError::file("can't sync", data_dir))?;
    discard(&placed)
}

/// Notes the parts that are about to be moved; the note is on the disk when this returns.
fn note(stage: &Path) -> Result<Vec<RestoredPart>, BackupError> {
    let mut parts = Vec::new();
    for name in OURS {
        parts.extend(RestoredPart::in_folder(stage, name)?);
    }
    let path = stage.join(NOTE);
    let text =
        serde_json::to_vec(&parts).map_err(|error| BackupError::file("can't write", &path)(error.into()))?;
    files::write(&path, &text)?;
    files::sync_parent(&path).map_err(BackupError::file("can't sync", stage))?;
    Ok(parts)
}

/// Returns the parts that an interrupted restore was about to move. An incomplete note was written before anything was moved.
fn noted(stage: &Path) -> Result<Vec<RestoredPart>, BackupError> {
    Ok(whole_note(stage)?.unwrap_or_default())
}

/// Returns the parts that the note in a folder lists; `None` without a whole note.
fn whole_note(folder: &Path) -> Result<Option<Vec<RestoredPart>>, BackupError> {
    let path = folder.join(NOTE);
    match open_no_link(&path) {
        Ok(file) => Ok(serde_json::from_reader(file.take(NOTE_BYTES)).ok()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BackupError::file("can't read", &path)(error)),
    }
}

/// Removes a folder or a file, if it exists.
pub fn remove(path: &Path) -> Result<(), BackupError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(BackupError::file("can't remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    /// Makes a data folder for this test, with a complete stage.
    fn staged(test: &str) -> PathBuf {
        let data_dir = std::env::temp_dir().join(format!("roadcall-placing-{test}-{}", std::process::id()));
        fs::remove_dir_all(&data_dir).ok();
        let stage = data_dir.join(STAGE);
        for folder in ["uploads/files", "postgres/pgdata"] {
            fs::create_dir_all(stage.join(folder)).expect("a folder");
            fs::write(stage.join(folder).join("x"), "restored").expect("a file");
        }
        fs::write(stage.join(auth::SECRET_FILE), "restored").expect("a file");
        data_dir
    }

    #[test]
    fn wherever_a_restore_is_killed_the_next_one_finds_room() {
        for moved in 0..=3 {
            let data_dir = staged("killed");
            let stage = data_dir.join(STAGE);
            for part in note(&stage).expect("a note").iter().take(moved) {
                fs::rename(stage.join(&part.name), data_dir.join(&part.name)).expect("moved");
            }
            make_room(&data_dir).expect("room");
            let left = OURS.iter().filter(|name| data_dir.join(name).exists()).count();
            assert_eq!(left, 0, "after {moved} parts");
            fs::remove_dir_all(&data_dir).expect("removed");
        }
    }

    #[test]
    fn a_restore_removes_only_the_parts_of_an_interrupted_one() {
        let data_dir = staged("foreign");
        let stage = data_dir.join(STAGE);
        note(&stage).expect("a note");
        fs::rename(stage.join("uploads"), data_dir.join("uploads")).expect("moved");
        fs::write(data_dir.join(auth::SECRET_FILE), "precious").expect("a file");
        for name in [".restored", PLACED] {
            fs::create_dir(data_dir.join(name)).expect("a folder");
        }
        let refused = make_room(&data_dir).expect_err("occupied").to_string();
        assert!(refused.contains(auth::SECRET_FILE) && !refused.contains("uploads,"), "{refused}");
        assert_eq!(fs::read_to_string(data_dir.join(auth::SECRET_FILE)).expect("the file"), "precious");
        assert!(data_dir.join("uploads/files/x").exists() && data_dir.join(PLACED).exists());
        fs::remove_file(data_dir.join(auth::SECRET_FILE)).expect("removed");
        make_room(&data_dir).expect("room");
        assert!(!data_dir.join("uploads").exists() && !data_dir.join(PLACED).exists());
        assert!(data_dir.join(".restored").exists(), "no restore has made it");
        fs::remove_dir_all(&data_dir).expect("removed");
    }

    #[test]
    fn a_stage_that_was_placed_is_removed_by_its_note_and_anything_else_of_its_name_is_in_the_way() {
        let data_dir = staged("placed");
        let (stage, placed) = (data_dir.join(STAGE), data_dir.join(PLACED));
        fs::create_dir(&placed).expect("a folder");
        fs::write(placed.join("x"), "precious").expect("a file");
        let refused = make_room(&data_dir).expect_err("occupied").to_string();
        assert!(refused.contains(PLACED), "{refused}");
        assert!(placed.join("x").exists());
        fs::remove_dir_all(&placed).expect("removed");
        // As if the restore had been killed before it removed its stage.
        note(&stage).expect("a note");
        fs::rename(&stage, &placed).expect("placed");
        make_room(&data_dir).expect("room");
        assert!(!placed.exists());
        fs::remove_dir_all(&data_dir).expect("removed");
    }

    #[test]
    fn a_database_outside_is_left_unless_it_says_that_it_was_made_for_the_stage() {
        let data_dir = staged("outside");
        let (stage, outside) = (data_dir.join(STAGE), data_dir.join("outside"));
        assert_eq!(left_outside(&stage, &stage), None);
        fs::create_dir(&outside).expect("a folder");
        fs::write(outside.join(MADE_FOR), stage.as_os_str().as_encoded_bytes()).expect("a note");
        fs::write(stage.join(POINTER), format!("{}\n", outside.display())).expect("a pointer");
        assert_eq!(left_outside(&stage, &stage), None, "it is cleared");
        fs::write(outside.join(MADE_FOR), "/another/.restoring").expect("a note");
        assert_eq!(left_outside(&stage, &stage), Some(outside.clone()), "it is cleared with another stage");
        fs::remove_file(outside.join(MADE_FOR)).expect("removed");
        assert_eq!(left_outside(&stage, &stage), Some(outside));
        fs::remove_dir_all(&data_dir).expect("removed");
    }

    #[test]
    fn a_part_is_recognised_only_with_its_time_of_creation() {
        let part = |inode, made_at| RestoredPart { name: "uploads".to_owned(), inode, made_at };
        let (made_at, later) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_secs(1));
        assert!(part(7, Some(made_at)).is_among(&[part(6, Some(made_at)), part(7, Some(made_at))]));
        assert!(!part(7, Some(later)).is_among(&[part(7, Some(made_at))]));
        assert!(!part(7, None).is_among(&[part(7, None)]));
    }

    #[test]
    fn a_finished_restore_is_in_the_way_like_any_other_data() {
        let data_dir = staged("ended");
        put_in_place(&data_dir.join(STAGE), &data_dir).expect("in place");
        assert!(!data_dir.join(STAGE).exists() && !data_dir.join(PLACED).exists());
        let refused = make_room(&data_dir).expect_err("occupied").to_string();
        assert!(refused.contains("uploads, token_secret, postgres"), "{refused}");
        assert!(data_dir.join("postgres/pgdata/x").exists());
        fs::remove_dir_all(&data_dir).expect("removed");
    }
}
