//! Backups that the real program `age` encrypts.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use roadcall::platform::db::testing::{fresh_database, patient_settings};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::process::Command;
use walkdir::WalkDir;

use super::{
    Folder, backed_up, empty_database, ended, failing, give_secret, manifest, roadcall, until_backed_up,
    whole::job_with_photo,
};
use crate::{
    embedded::DataDir,
    support::{Client, TestApp, spawn_app, spawn_app_with, until_so, uploads, within},
};

/// An SSH key that encrypts nothing but the backups of these tests.
const SSH_RECIPIENT: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE0TZnO0aLFsKkYs576N8wnMn20VU/0EI+4mnoF70UV7";
const SSH_IDENTITY: &str = "-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACBNE2ZztGixbCpGLOe+jfMJzJ9tFVP9BCPuJp6Be9FFewAAAJDqFmgr6hZo
KwAAAAtzc2gtZWQyNTUxOQAAACBNE2ZztGixbCpGLOe+jfMJzJ9tFVP9BCPuJp6Be9FFew
AAAEBCZ6pi9+rqKQyZOTGH1XYDlKn8gWSDH1/wWlGKFZYDHU0TZnO0aLFsKkYs576N8wnM
n20VU/0EI+4mnoF70UV7AAAAB3Jvb3RAdm0BAgMEBQY=
-----END OPENSSH PRIVATE KEY-----
";

/// The beginning of every file that age has written.
const HEADER: &[u8] = b"age-encryption.org/v1\n";

/// A pair of keys.
struct Keys {
    folder: Folder,
    recipient: String,
}

impl Keys {
    async fn new() -> Self {
        let folder = Folder::new();
        fs::create_dir(&folder.0).unwrap();
        let mut keygen = Command::new("age-keygen");
        let made = keygen.arg("-o").arg(folder.0.join("key.txt")).output().await;
        assert!(made.expect("script/bootstrap age installs it").status.success());
        let text = fs::read_to_string(folder.0.join("key.txt")).unwrap();
        let recipient = text.lines().find_map(|line| line.strip_prefix("# public key: "));
        Self { recipient: recipient.unwrap().to_owned(), folder }
    }

    /// Returns the path of the private key.
    fn identity(&self) -> String {
        self.file("key.txt")
    }

    fn file(&self, name: &str) -> String {
        self.folder.0.join(name).display().to_string()
    }

    /// Writes a file into the folder, and returns its path.
    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.folder.0.join(name), text).unwrap();
        self.file(name)
    }
}

/// Puts a script in place of age.
fn with_age(command: &mut Command, folder: &Folder, script: &str) {
    fs::create_dir(&folder.0).unwrap();
    let path = folder.0.join("age");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = OsString::from(&folder.0);
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    command.env("PATH", path);
}

/// Runs as on a machine without age.
fn without_age(mut command: Command) -> Command {
    command.env("PATH", "/nowhere");
    command
}

/// Returns every file of a backup, with its contents.
fn contents(backup: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = WalkDir::new(backup).into_iter().map(|entry| entry.unwrap().into_path());
    entries.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Changes a byte in the middle of a file. Leaves the manifest as it is, or makes it match the change.
fn spoil(backup: &Path, name: &str, is_hidden: bool) {
    let path = backup.join(name);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    if !is_hidden {
        return;
    }
    let sha256 =
        |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut listed = manifest(backup);
    listed["files"][name]["sha256"] = json!(sha256(&bytes));
    let text = serde_json::to_vec(&listed).unwrap();
    fs::write(backup.join("manifest.sha256"), format!("{}  manifest.json\n", sha256(&text))).unwrap();
    fs::write(backup.join("manifest.json"), text).unwrap();
}

/// Returns the job as the customer sees it, and the bytes of its photo.
async fn shown(app: &TestApp, customer: &Client, job: &str, photo: &uploads::Announced) -> (Value, Vec<u8>) {
    let customer = customer.at(app.address);
    let shown = customer.get(&format!("/jobs/{job}")).await.expect(200);
    let link = photo.link_path(&customer).await;
    let bytes = reqwest::get(format!("http://{}{link}", app.address)).await.unwrap().bytes().await.unwrap();
    (json!([shown["id"], shown["status"], shown["photo_urls"], shown["vehicle"]]), bytes.to_vec())
}

#[actix_web::test]
async fn an_encrypted_backup_reveals_nothing_and_each_of_its_keys_restores_it() {
    let mut app = spawn_app().await;
    let stranded = app.breakdown_at((28.6, 77.2)).await;
    let (job, photo) = job_with_photo(&stranded).await;
    // A search would go on, and change the job.
    stranded.cancel(&job).await;
    let customer = stranded.client;
    let before = shown(&app, &customer, &job, &photo).await;

    let (keys, to, plain) = (Keys::new().await, Folder::new(), Folder::new());
    let settings = app.database.settings();
    let recipients = ["--age-recipient", &keys.recipient, "--age-recipient", SSH_RECIPIENT];
    let backup = backed_up(&to, &recipients, &app.data_dir, Some(&settings)).await;
    let listed = manifest(&backup);
    assert_eq!(listed["age_recipients"], json!([keys.recipient, SSH_RECIPIENT]));
    assert_eq!((&listed["format"], &listed["uploads"]["here"]), (&json!(2), &json!(1)));
    assert_eq!(listed["has_token_secret"], true);

    let open = backed_up(&plain, &[], &app.data_dir, Some(&settings)).await;
    assert!(manifest(&open).get("age_recipients").is_none());
    let secret = fs::read(open.join("token_secret")).unwrap();
    let readable: [&[u8]; 5] = [&secret, &before.1, b"PGDMP", customer.phone.as_bytes(), job.as_bytes()];
    for text in &readable[..3] {
        assert!(
            contents(&open).iter().any(|(_, bytes)| contains(bytes, text)),
            "the search itself is broken"
        );
    }
    let files = contents(&backup);
    assert_eq!(files.len(), 5, "the manifest, its digest, the dump, a photo and the secret: {files:?}");
    for (path, bytes) in &files {
        assert!(!readable.iter().any(|text| contains(bytes, text)), "{}", path.display());
        let is_described = path.file_name().unwrap().to_str().unwrap().starts_with("manifest.");
        assert!(bytes.starts_with(HEADER) != is_described, "{}", path.display());
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
    }

    let backup = backup.to_str().unwrap();
    let said = ended(roadcall(&["backup", "check", backup], None, None)).await.well();
    assert!(said.contains("is whole: 3 files") && said.contains("is encrypted for age1"), "{said}");
    let identity = keys.identity();
    let check = ["backup", "check", backup, "--age-identity", &identity];
    let said = ended(roadcall(&check, None, None)).await.well();
    assert!(said.contains("is whole") && said.contains("Every file was decrypted"), "{said}");

    let folder = DataDir::new();
    let restore = ["restore", backup, "--release-payouts", "--age-identity", &identity];
    let said = ended(roadcall(&restore, Some(&folder.0), None)).await.well();
    assert!(said.contains("rows of job_states") && !said.contains("DIFFERENT"), "{said}");
    assert_eq!(fs::read(folder.0.join("token_secret")).unwrap(), secret);
    app.restart_with(|settings| {
        settings.database = patient_settings();
        settings.server.data_dir = folder.0.clone();
    })
    .await;
    assert_eq!(shown(&app, &customer, &job, &photo).await, before);

    let (database, data) = (empty_database(&app.database).await, Folder::new());
    let identity = keys.write("id_ed25519", SSH_IDENTITY);
    let restore = ["restore", backup, "--release-payouts", "--age-identity", &identity];
    ended(roadcall(&restore, Some(&data.0), Some(&database))).await.well();
    app.restart_with(|settings| {
        settings.database = database;
        settings.server.data_dir = data.0.clone();
    })
    .await;
    assert_eq!(shown(&app, &customer, &job, &photo).await, before);
    app.stop().await;
}

#[tokio::test]
async fn an_encrypted_backup_is_not_restored_without_its_key() {
    let database = fresh_database().await;
    let (keys, other, to, data) = (Keys::new().await, Keys::new().await, Folder::new(), Folder::new());
    let recipients = ["--age-recipient", &keys.recipient];
    let backup = backed_up(&to, &recipients, &data.0, Some(&database.settings())).await;
    let backup = backup.to_str().unwrap();
    let needed =
        format!("is encrypted for {}: name the file of a private key with --age-identity", keys.recipient);
    let locked = other.write("locked.age", "age-encryption.org/v1\n-> scrypt x 18\n");
    let cases = [
        (None, needed.as_str()),
        (Some(other.identity()), "no identity matched any of the recipients"),
        (Some(other.write("notes.txt", "not a key")), "can't be decrypted with the key in"),
        (Some(other.write("large.txt", &"x".repeat(65_537))), "is larger than 64 KiB"),
        (Some(locked), "is protected by a passphrase"),
        (Some(other.file("nowhere.txt")), "can't open"),
    ];
    for (identity, expected) in cases {
        let identity = identity.iter().flat_map(|identity| ["--age-identity", identity]);
        let restore: Vec<&str> = ["restore", backup].into_iter().chain(identity.clone()).collect();
        let into = Folder::new();
        let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
        assert!(said.contains(expected), "{said}");
        assert!(!into.0.exists(), "{expected}");
        let check: Vec<&str> = ["backup", "check", backup].into_iter().chain(identity).collect();
        if check.len() > 3 {
            let said = ended(roadcall(&check, None, None)).await.refused();
            assert!(said.contains(expected), "{said}");
        }
    }
}

#[tokio::test]
async fn a_spoiled_byte_is_found_by_the_digests_or_by_decryption() {
    let database = fresh_database().await;
    let (keys, data, settings) = (Keys::new().await, Folder::new(), database.settings());
    let identity = keys.identity();
    // This is in the smaller file, by which a restore first sees that the key decrypts the backup.
    give_secret(&database).await;
    for (is_hidden, expected) in
        [(false, "database.dump.age is not what it was"), (true, "failed to decrypt")]
    {
        let (to, into) = (Folder::new(), Folder::new());
        let recipients = ["--age-recipient", &keys.recipient];
        let backup = backed_up(&to, &recipients, &data.0, Some(&settings)).await;
        spoil(&backup, "database.dump.age", is_hidden);
        let backup = backup.to_str().unwrap();
        let check = ended(roadcall(&["backup", "check", backup], None, None)).await;
        if is_hidden {
            check.well();
        } else {
            assert!(check.refused().contains(expected));
        }
        let check = ["backup", "check", backup, "--age-identity", &identity];
        let said = ended(roadcall(&check, None, None)).await.refused();
        assert!(said.contains(expected), "{said}");
        let restore = ["restore", backup, "--age-identity", &identity];
        let said = ended(roadcall(&restore, Some(&into.0), None)).await.refused();
        assert!(said.contains(expected), "{said}");
        let left = if into.0.exists() { into.names() } else { Vec::new() };
        assert!(!left.iter().any(|name| name != "roadcall.lock"), "{left:?}");
    }
}

#[tokio::test]
async fn a_missing_age_is_reported_with_its_package() {
    let database = fresh_database().await;
    let (keys, to, data) = (Keys::new().await, Folder::new(), Folder::new());
    let settings = database.settings();
    let (recipient, identity) = (["--age-recipient", &keys.recipient], keys.identity());
    let backup = backed_up(&to, &recipient, &data.0, Some(&settings)).await;
    let (whole, missing) = (backup.to_str().unwrap(), "apt-get install age");

    let never = Folder::new();
    let make = [&["backup", "--to", never.text()], &recipient[..]].concat();
    let said = ended(without_age(roadcall(&make, Some(&data.0), Some(&settings)))).await.refused();
    assert!(said.contains(missing) && !never.0.exists(), "{said}");

    let into = Folder::new();
    let restore = ["restore", whole, "--age-identity", &identity];
    let said = ended(without_age(roadcall(&restore, Some(&into.0), None))).await.refused();
    assert!(said.contains(missing) && !into.0.exists(), "{said}");

    // A check needs no age.
    ended(without_age(roadcall(&["backup", "check", whole], None, None))).await.well();

    for (arguments, is_there, expected) in [
        (["config", "check"].as_slice(), false, "warning: backup.age_recipients: backups are encrypted"),
        (&["doctor"], false, "FAULT    backups        backup.age_recipients: backups are encrypted"),
        (&["config", "check"], true, "starts with these settings."),
        (&["doctor"], true, "ok       backups        encrypted for 1 key by /"),
    ] {
        let mut command = roadcall(arguments, Some(&data.0), Some(&settings));
        command.env("ROADCALL__BACKUP__AGE_RECIPIENTS", &keys.recipient);
        let said = ended(if is_there { command } else { without_age(command) }).await;
        assert!(said.stdout.contains(expected), "{}{}", said.stdout, said.stderr);
        assert!(!is_there || !said.stdout.contains("warning: backup"), "{}", said.stdout);
    }
}

#[tokio::test]
async fn only_public_keys_are_taken_and_a_private_key_is_not_repeated() {
    let database = fresh_database().await;
    let (keys, to, data) = (Keys::new().await, Folder::new(), Folder::new());
    let private = fs::read_to_string(keys.identity()).unwrap();
    let private = private.lines().last().unwrap();
    for (key, expected) in [("age1foo", "must be public keys"), (private, "has a private key")] {
        let arguments = ["backup", "--to", to.text(), "--age-recipient", key];
        let said = ended(roadcall(&arguments, Some(&data.0), Some(&database.settings()))).await.refused();
        assert!(said.contains("backup.age_recipients") && said.contains(expected), "{said}");
        assert!(!said.contains(private) && !to.0.exists(), "{said}");
    }
}

#[tokio::test]
async fn a_failing_age_or_dump_leaves_no_backup() {
    let database = fresh_database().await;
    let (keys, settings) = (Keys::new().await, database.settings());
    let of_age = [
        ("cat >/dev/null; kill -9 $$", "signal: 9"),
        (
            "echo 'age: error: the disk is full' >&2; echo 'age: report this' >&2; exit 1",
            "age failed: the disk is full",
        ),
    ];
    for (script, expected) in of_age {
        let (to, data, path) = (Folder::new(), Folder::new(), Folder::new());
        let arguments = ["backup", "--to", to.text(), "--age-recipient", &keys.recipient];
        let mut command = roadcall(&arguments, Some(&data.0), Some(&settings));
        with_age(&mut command, &path, script);
        let said = ended(command).await.refused();
        assert!(said.contains(expected) && !said.contains("report this"), "{said}");
        assert_eq!(to.names(), [".lock"], "{script}");
    }
    // The dump fails, but age sees a whole file.
    let (to, data, programs) = (Folder::new(), Folder::new(), Folder::new());
    let arguments = ["backup", "--to", to.text(), "--age-recipient", &keys.recipient];
    let mut command = roadcall(&arguments, Some(&data.0), Some(&settings));
    failing::with_pg_dump(&mut command, &programs, failing::major(), "echo PGDMP; kill -9 $$");
    let said = ended(command).await.refused();
    assert!(said.contains("pg_dump failed: it ended with signal: 9"), "{said}");
    assert_eq!(to.names(), [".lock"]);
}

#[tokio::test]
async fn a_stopped_encrypted_backup_leaves_nothing() {
    let database = fresh_database().await;
    let (keys, to, data, path) = (Keys::new().await, Folder::new(), Folder::new(), Folder::new());
    let arguments = ["backup", "--to", to.text(), "--age-recipient", &keys.recipient];
    let mut command = roadcall(&arguments, Some(&data.0), Some(&database.settings()));
    with_age(&mut command, &path, "echo half; exec sleep 600");
    let child = command.spawn().unwrap();
    let is_begun = |name: &String| {
        fs::metadata(to.0.join(name).join("database.dump.age")).is_ok_and(|file| file.len() > 0)
    };
    until_so("age has begun", async || to.0.is_dir() && to.names().iter().any(is_begun)).await;
    kill(Pid::from_raw(child.id().unwrap().try_into().unwrap()), Signal::SIGTERM).unwrap();
    let output = within("it ends", child.wait_with_output()).await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(to.names(), [".lock"]);
}

#[actix_web::test]
async fn a_server_encrypts_the_backups_that_it_makes_by_itself() {
    let (keys, to) = (Keys::new().await, Folder::new());
    let (folder, recipient) = (to.0.clone(), keys.recipient.clone());
    let mut app = spawn_app_with(|settings| {
        settings.backup.every_hours = 1;
        settings.backup.folder = folder;
        settings.backup.age_recipients = vec![recipient];
    })
    .await;
    let backup = until_backed_up(&to, |_| true).await;
    assert_eq!(manifest(&backup)["age_recipients"], json!([keys.recipient]));
    let check = ["backup", "check", backup.to_str().unwrap(), "--age-identity", &keys.identity()];
    let said = ended(roadcall(&check, None, None)).await.well();
    assert!(said.contains("Every file was decrypted"), "{said}");
    app.stop().await;
}
