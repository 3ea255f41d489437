//! Backups that fail, are damaged, or find something in their way.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall::platform::db::{locate, testing::fresh_database};
use sha2::{Digest, Sha256};
use tokio::process::Command;

use super::{Folder, backed_up, empty_database, ended, manifest, roadcall};
use crate::support::{until_so, within};

/// Names of backups that are older than the others.
const OLDER: [&str; 2] = ["2026-01-01T030000.000Z", "2026-01-02T030000.000Z"];

/// Returns the version of the tests' Postgres.
pub(super) fn major() -> u32 {
    locate::find(&locate::Places::of_this_machine(), None).unwrap().major
}

/// Puts a script in place of that version's `pg_dump`.
pub(super) fn with_pg_dump(command: &mut Command, folder: &Folder, major: u32, script: &str) {
    fs::create_dir(&folder.0).unwrap();
    for name in ["pg_dump", "pg_restore"] {
        let path = folder.0.join(name);
        let version = format!("[ \"$1\" = --version ] && echo '{name} (PostgreSQL) {major}.0' && exit");
        fs::write(&path, format!("#!/bin/sh\n{version}\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut path = OsString::from(&folder.0);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.env("PATH", path);
}

/// A script that first puts half a dump into its folder.
const HALF: &str = "for argument; do case $argument in --file=*) folder=${argument#--file=};; esac; done
mkdir $folder && echo half > $folder/toc.dat";

#[tokio::test]
async fn a_dump_that_fails_or_is_killed_leaves_no_backup() {
    let database = fresh_database().await;
    let settings = database.settings();
    let cases = [
        (
            "echo 'pg_dump: error: the disk is full' >&2; echo 'DETAIL: +919800000001' >&2; exit 1",
            "the disk is full",
        ),
        ("kill -9 $$", "signal: 9"),
    ];
    for (script, expected) in cases {
        let (to, data, programs) = (Folder::new(), Folder::new(), Folder::new());
        let mut command = roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(&settings));
        with_pg_dump(&mut command, &programs, major(), &format!("{HALF}\n{script}"));
        let said = ended(command).await.refused();
        assert!(said.contains(expected) && !said.contains("9800000001"), "{said}");
        assert_eq!(to.names(), [".lock"], "{script}");
    }
}

#[tokio::test]
async fn a_stopped_backup_leaves_nothing() {
    let database = fresh_database().await;
    let (to, data, programs) = (Folder::new(), Folder::new(), Folder::new());
    let mut command = roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(&database.settings()));
    with_pg_dump(&mut command, &programs, major(), &format!("{HALF}\nexec sleep 600"));
    let child = command.spawn().unwrap();
    let is_begun = |name: &String| to.0.join(name).join("database/toc.dat").exists();
    until_so("the dump has begun", async || to.0.is_dir() && to.names().iter().any(is_begun)).await;
    let second = ended(roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(&database.settings())));
    assert!(second.await.refused().contains("is being made"));
    kill(Pid::from_raw(child.id().unwrap().try_into().unwrap()), Signal::SIGTERM).unwrap();
    let output = within("it ends", child.wait_with_output()).await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(to.names(), [".lock"]);
}

#[tokio::test]
async fn an_older_pg_dump_on_the_path_is_not_used() {
    let database = fresh_database().await;
    let (to, data, programs) = (Folder::new(), Folder::new(), Folder::new());
    let mut command = roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(&database.settings()));
    with_pg_dump(&mut command, &programs, major() - 1, "exit 1");
    let said = ended(command).await.well();
    assert!(Path::new(said.trim()).join("database/toc.dat").is_file());
}

/// Something that can happen to a backup, and the message about it.
type Damage = (fn(&Path), &'static str);

fn dumped_table(backup: &Path) -> PathBuf {
    let mut files: Vec<PathBuf> =
        fs::read_dir(backup.join("database")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "gz")).unwrap()
}

fn spoil(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

const DAMAGES: [Damage; 5] = [
    (|backup| spoil(&dumped_table(backup)), "is not what it was"),
    (|backup| fs::remove_file(dumped_table(backup)).unwrap(), "is missing"),
    (|backup| fs::write(dumped_table(backup), "").unwrap(), "has 0 bytes instead of"),
    (|backup| spoil(&backup.join("manifest.json")), "manifest.json is not what it was"),
    (|backup| fs::remove_file(backup.join("manifest.json")).unwrap(), "is not a whole backup"),
];

#[tokio::test]
async fn a_damaged_backup_is_reported_and_not_restored() {
    let database = fresh_database().await;
    let (data, settings) = (Folder::new(), database.settings());
    for (damage, expected) in DAMAGES {
        let (to, into) = (Folder::new(), Folder::new());
        let backup = backed_up(&to, &[], &data.0, Some(&settings)).await;
        let check = || roadcall(&["backup", "check", backup.to_str().unwrap()], None, None);
        assert!(ended(check()).await.well().contains("is whole"));
        damage(&backup);
        let said = ended(check()).await.refused();
        assert!(said.contains(expected), "{said}");
        let restore = roadcall(&["restore", backup.to_str().unwrap()], Some(&into.0), None);
        let said = ended(restore).await.refused();
        assert!(said.contains(expected), "{said}");
        assert!(!into.0.exists(), "{expected}");
    }
}

#[tokio::test]
async fn a_backup_is_only_restored_into_an_empty_place() {
    let database = fresh_database().await;
    let (to, data) = (Folder::new(), Folder::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let restore = ["restore", backup.to_str().unwrap()];

    let said = ended(roadcall(&restore, Some(&data.0), Some(&database.settings()))).await.refused();
    assert!(said.contains("the database has") && said.contains("_sqlx_migrations"), "{said}");
    assert!(!data.0.join(".restoring").exists());

    for taken in ["postgres/pgdata", "uploads/files", "token_secret"] {
        let into = Folder::new();
        let path = into.0.join(taken);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "of before").unwrap();
        let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
        let name = taken.split('/').next().unwrap();
        assert!(said.contains(&format!("has {name}:")) && said.contains("--data-dir"), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "of before");
    }
}

#[tokio::test]
async fn folders_may_be_relative_to_the_working_directory() {
    let database = fresh_database().await;
    let (here, settings) = (Folder::new(), database.settings());
    fs::create_dir(&here.0).unwrap();
    let data = Path::new("data");
    let mut command = roadcall(&["backup", "--to", "backups"], Some(data), Some(&settings));
    command.current_dir(&here.0);
    let made = ended(command).await.well();
    let name = Path::new(made.trim()).file_name().unwrap().to_str().unwrap();
    let (backup, into) = (format!("backups/{name}"), empty_database(&database).await);
    let mut command = roadcall(&["restore", &backup], Some(data), Some(&into));
    command.current_dir(&here.0);
    ended(command).await.well();
}

#[tokio::test]
async fn folders_without_a_backup_and_places_without_a_database_are_refused() {
    let (to, data) = (Folder::new(), Folder::new());
    let nothing = ended(roadcall(&["backup", "--to", to.text()], Some(&data.0), None)).await.refused();
    assert!(nothing.contains("there is no database in the data folder") && !data.0.exists(), "{nothing}");
    fs::create_dir(&to.0).unwrap();
    let said = ended(roadcall(&["restore", to.text()], Some(&data.0), None)).await.refused();
    assert!(said.contains("manifest.json is missing"), "{said}");

    let database = fresh_database().await;
    let unused = empty_database(&database).await;
    let said = ended(roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(&unused))).await.refused();
    assert!(said.contains("nothing to back up"), "{said}");
    let arguments = ["backup", "--to", to.text(), "--keep", "0"];
    let said = ended(roadcall(&arguments, Some(&data.0), Some(&database.settings()))).await.refused();
    assert!(said.contains("--keep must be at least 1"), "{said}");
}

#[tokio::test]
async fn a_backup_in_a_later_format_needs_a_later_release() {
    let database = fresh_database().await;
    let (to, data) = (Folder::new(), Folder::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let later = r#"{"format": 3}"#;
    fs::write(backup.join("manifest.json"), later).unwrap();
    let digest: String = Sha256::digest(later).iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(backup.join("manifest.sha256"), format!("{digest}  manifest.json\n")).unwrap();
    let said = ended(roadcall(&["restore", backup.to_str().unwrap()], Some(&data.0), None)).await.refused();
    assert!(said.contains("the format 3"), "{said}");
}

#[tokio::test]
async fn the_oldest_backups_are_deleted_once_the_new_one_is_whole() {
    let database = fresh_database().await;
    let (to, data, settings) = (Folder::new(), Folder::new(), database.settings());
    let first = backed_up(&to, &[], &data.0, Some(&settings)).await;
    for name in OLDER {
        fs::create_dir(to.0.join(name)).unwrap();
        fs::copy(first.join("manifest.json"), to.0.join(name).join("manifest.json")).unwrap();
    }
    // These are a leftover, an incomplete backup, and a folder that is not ours.
    for name in [".2026-01-03T030000.000Z.unfinished", "2025-01-01T030000.000Z", "photos of the office"] {
        fs::create_dir_all(to.0.join(name).join("database")).unwrap();
    }
    let second = backed_up(&to, &["--keep", "3"], &data.0, Some(&settings)).await;
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let kept = [OLDER[1].to_owned(), name(&first), name(&second)];
    let others = [".lock", "2025-01-01T030000.000Z", "photos of the office"].map(str::to_owned);
    let mut expected = [kept.to_vec(), others.to_vec()].concat();
    expected.sort();
    assert_eq!(to.names(), expected);

    // Only this user may read any of it.
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&second), 0o700);
    for path in
        manifest(&second)["files"].as_object().unwrap().keys().map(String::as_str).chain(["manifest.json"])
    {
        assert_eq!(mode(&second.join(path)), 0o600, "{path}");
    }
}
