//! Restores that were killed, and the starts that follow.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall::platform::db::{ClusterOptions, DataLock, Embedded, locate, testing::fresh_database};
use serde_json::{Value, json};

use super::{Folder, backed_up, empty_database, ended, give_secret, roadcall};
use crate::{
    embedded::DataDir,
    support::{until, until_so, within},
};

/// Waits until a process is gone, or is a zombie that nobody waits for, as in a container without an init.
async fn until_ended(pid: i32) {
    let is_zombie = |stat: String| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'));
    let stat = format!("/proc/{pid}/stat");
    until_so("the process ends", async || fs::read_to_string(&stat).map_or(true, is_zombie)).await;
}

/// Waits for a file and returns the number in its first line.
async fn number_in(path: PathBuf) -> i32 {
    until("the number is written", async || {
        let text = fs::read_to_string(&path).unwrap_or_default();
        text.split_once('\n').map(|(line, _)| line.trim().parse().unwrap())
    })
    .await
}

/// Statements that are slow in an embedded database only.
const SLOW: [&str; 2] = [
    "create function slow() returns boolean language plpgsql as $$ begin
        if current_database() = 'roadcall' then
            perform pg_sleep(600);
        end if;
        return true;
    end $$",
    "create materialized view slowly as select slow()",
];

/// Waits until another process has made a file.
async fn until_made(path: PathBuf) {
    until_so("the file is made", async || path.exists()).await;
}

/// Returns the folder of the cluster in a stage. It may have been made outside of it.
fn cluster_in(stage: &Path) -> PathBuf {
    let outside = fs::read_to_string(stage.join("postgres.location"));
    outside.map_or_else(|_| stage.join("postgres"), |text| PathBuf::from(text.trim()))
}

#[tokio::test]
async fn a_data_folder_with_an_interrupted_restore_starts_nothing() {
    let (database, folder) = (fresh_database().await, DataDir::new());
    let stage = folder.0.join(".restoring");
    fs::create_dir_all(&stage).unwrap();
    let settings = database.settings();
    for server in [None, Some(&settings)] {
        let commands = [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["admin", "invite", "--email", "asha@example.com"],
            &["ledger", "check"],
        ];
        for arguments in commands {
            let said = ended(roadcall(arguments, Some(&folder.0), server)).await.refused();
            let is_told = ["was interrupted", "roadcall restore FOLDER", stage.to_str().unwrap()];
            assert!(is_told.iter().all(|part| said.contains(part)), "{arguments:?}: {said}");
        }
        let said = ended(roadcall(&["doctor"], Some(&folder.0), server)).await;
        assert!(said.stdout.contains("FAULT    database       a restore into"), "{}", said.stdout);
    }
    assert!(stage.exists() && !folder.0.join("postgres").exists());
}

#[tokio::test]
async fn a_killed_restore_leaves_no_postgres_and_the_next_one_clears_up() {
    let database = fresh_database().await;
    let (to, data, into) = (Folder::new(), Folder::new(), DataDir::new());
    // It is restored once the database is there.
    give_secret(&database).await;
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    for statement in SLOW {
        sqlx::query(statement).execute(&database.db).await.unwrap();
    }
    let slow = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let mut child = roadcall(&["restore", slow.to_str().unwrap()], Some(&into.0), None).spawn().unwrap();
    let stage = into.0.join(".restoring");
    until_made(stage.join("token_secret")).await;
    let postmaster = number_in(cluster_in(&stage).join("pgdata/postmaster.pid")).await;
    kill(Pid::from_raw(child.id().unwrap().try_into().unwrap()), Signal::SIGKILL).unwrap();
    within("it is killed", child.wait()).await.unwrap();
    until_ended(postmaster).await;

    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let said = ended(roadcall(&serve, Some(&into.0), None)).await.refused();
    assert!(said.contains("was interrupted"), "{said}");
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&into.0), None)).await.well();
    assert!(said.contains("is restored") && !stage.exists(), "{said}");
    assert!(!cluster_in(&into.0).join("pgdata/postmaster.pid").exists());
}

#[tokio::test]
async fn the_next_restore_stops_a_postgres_that_was_left_running() {
    let database = fresh_database().await;
    let (to, data, into) = (Folder::new(), Folder::new(), DataDir::new());
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let options = ClusterOptions { max_connections: 20, durable: true, is_tethered: false };
    let lock = DataLock::take(&into.0.join(".restoring")).unwrap();
    let left = Embedded::start(lock, options, locate::Places::of_this_machine()).await.unwrap();
    let postmaster = left.pid();
    left.detach().await.unwrap();
    let restore = ["restore", backup.to_str().unwrap()];
    let said = ended(roadcall(&restore, Some(&into.0), None)).await.well();
    assert!(said.contains("is restored"), "{said}");
    until_ended(postmaster).await;
}

/// Returns what a restore notes of a part before it moves it.
fn noted(folder: &Path, name: &str) -> Option<Value> {
    let found = fs::symlink_metadata(folder.join(name)).ok()?;
    Some(json!({"name": name, "inode": found.ino(), "made_at": found.created().ok()}))
}

#[tokio::test]
async fn a_restore_that_was_killed_while_it_moved_its_parts_can_be_run_again() {
    let database = fresh_database().await;
    let (to, data, into) = (Folder::new(), Folder::new(), DataDir::new());
    give_secret(&database).await;
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let restore = ["restore", backup.to_str().unwrap()];
    ended(roadcall(&restore, Some(&into.0), None)).await.well();
    // This is the state if it had been killed with the secret in place and the database not yet.
    let stage = into.0.join(".restoring");
    fs::create_dir(&stage).unwrap();
    let names = ["token_secret", "postgres", "postgres.location"];
    let notes: Vec<Value> = names.iter().filter_map(|name| noted(&into.0, name)).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    fs::write(stage.join("placing.json"), json!(notes).to_string()).unwrap();
    for name in ["postgres", "postgres.location"] {
        fs::rename(into.0.join(name), stage.join(name)).ok();
    }
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let said = ended(roadcall(&serve, Some(&into.0), None)).await.refused();
    assert!(said.contains("was interrupted"), "{said}");

    // A restore does not remove a folder that somebody else has put there.
    fs::create_dir_all(into.0.join("uploads/files")).unwrap();
    let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
    assert!(said.contains("has uploads:") && into.0.join("token_secret").exists(), "{said}");
    fs::remove_dir_all(into.0.join("uploads")).unwrap();

    let said = ended(roadcall(&restore, Some(&into.0), None)).await.well();
    assert!(said.contains("is restored") && !stage.exists(), "{said}");
    assert!(into.0.join("token_secret").exists());
}

#[tokio::test]
async fn a_full_database_without_its_files_after_a_killed_restore_starts_no_server() {
    let database = fresh_database().await;
    let (to, data, into) = (Folder::new(), Folder::new(), DataDir::new());
    give_secret(&database).await;
    let backup = backed_up(&to, &[], &data.0, Some(&database.settings())).await;
    let elsewhere = empty_database(&database).await;
    let restore = ["restore", backup.to_str().unwrap()];
    ended(roadcall(&restore, Some(&into.0), Some(&elsewhere))).await.well();
    // This is the state if it had been killed with everything in place but the stage.
    let stage = into.0.join(".restoring");
    fs::create_dir(&stage).unwrap();
    let notes: Vec<Value> = noted(&into.0, "token_secret").into_iter().collect();
    assert_eq!(notes.len(), 1);
    fs::write(stage.join("placing.json"), json!(notes).to_string()).unwrap();
    // A second attempt changes nothing.
    for _ in 0..2 {
        let said = ended(roadcall(&restore, Some(&into.0), Some(&elsewhere))).await.refused();
        assert!(said.contains("the database has") && stage.exists(), "{said}");
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let said = ended(roadcall(&serve, Some(&into.0), Some(&elsewhere))).await.refused();
        assert!(said.contains("was interrupted"), "{said}");
    }
}
