//! Backups that the real program `ssh-keygen` signs.

use std::{fs, path::PathBuf};

use roadcall::platform::{db::testing::fresh_database, settings::DbSettings};
use tokio::process::Command;

use super::{Folder, backed_up, empty_database, ended, forged, roadcall};

/// A public key that signs nothing here.
const OTHERS: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE0TZnO0aLFsKkYs576N8wnMn20VU/0EI+4mnoF70UV7";

/// A pair of keys.
struct Keys {
    folder: Folder,
    signer: String,
}

impl Keys {
    async fn new(passphrase: &str) -> Self {
        let folder = Folder::new();
        fs::create_dir(&folder.0).unwrap();
        let mut keygen = Command::new("ssh-keygen");
        keygen
            .args(["-q", "-t", "ed25519", "-C", "backups", "-N", passphrase, "-f"])
            .arg(folder.0.join("key"));
        assert!(keygen.output().await.expect("the package openssh-client has it").status.success());
        let signer = fs::read_to_string(folder.0.join("key.pub")).unwrap().trim().to_owned();
        Self { folder, signer }
    }

    /// Returns a command that makes a backup signed with this key.
    fn making(&self, to: &Folder, data: &Folder, settings: &DbSettings) -> Command {
        let mut command = roadcall(&["backup", "--to", to.text()], Some(&data.0), Some(settings));
        command.env("ROADCALL__BACKUP__SIGNING_KEY", self.folder.0.join("key"));
        command
    }

    async fn signed(&self, to: &Folder, data: &Folder, settings: &DbSettings) -> PathBuf {
        PathBuf::from(ended(self.making(to, data, settings)).await.well().trim())
    }
}

#[tokio::test]
async fn a_restore_takes_only_backups_signed_by_a_named_key() {
    let database = fresh_database().await;
    let (keys, other, settings) = (Keys::new("").await, Keys::new("").await, database.settings());
    let (to, plain, data) = (Folder::new(), Folder::new(), Folder::new());
    let signed = keys.signed(&to, &data, &settings).await;
    let unsigned = backed_up(&plain, &[], &data.0, Some(&settings)).await;
    assert!(!unsigned.join("manifest.sig").exists());
    let (signed_path, unsigned_path) = (signed.to_str().unwrap(), unsigned.to_str().unwrap());

    let cases = [
        (unsigned_path, &keys.signer, Some("has no signature")),
        (signed_path, &other.signer, Some("is not signed by any of the keys")),
        (signed_path, &keys.signer, None),
    ];
    for (backup, signer, refusal) in cases {
        let check = ended(roadcall(&["backup", "check", backup, "--signer", signer], None, None)).await;
        let into = Folder::new();
        let empty = match refusal {
            None => Some(empty_database(&database).await),
            Some(_) => None,
        };
        let mut command = roadcall(&["restore", backup], Some(&into.0), empty.as_ref());
        command.env("ROADCALL__BACKUP__SIGNERS", format!("{OTHERS},{signer}"));
        let restored = ended(command).await;
        match refusal {
            None => {
                assert!(check.well().contains("is signed by a key that you named"));
                restored.well();
            }
            Some(refusal) => {
                let (checked, restored) = (check.refused(), restored.refused());
                assert!(checked.contains(refusal) && restored.contains(refusal), "{checked}{restored}");
                assert!(!into.0.exists());
            }
        }
    }

    // If no signer is named, every backup is believed.
    ended(roadcall(&["backup", "check", signed_path], None, None)).await.well();
    ended(roadcall(&["backup", "check", unsigned_path], None, None)).await.well();

    // The command line replaces the settings.
    let mut command = roadcall(&["restore", signed_path, "--signer", &other.signer], Some(&data.0), None);
    command.env("ROADCALL__BACKUP__SIGNERS", &keys.signer);
    assert!(ended(command).await.refused().contains("is not signed by any of the keys"));

    // The digests match the changed files, and the signature does not.
    forged::plant(&signed, "uploads/files/ab/x", b"another");
    let said = ended(roadcall(&["backup", "check", signed_path, "--signer", &keys.signer], None, None)).await;
    assert!(said.refused().contains("is not signed by any of the keys"));
    ended(roadcall(&["backup", "check", signed_path], None, None)).await.well();
}

#[tokio::test]
async fn a_key_that_cannot_sign_makes_no_backup() {
    let database = fresh_database().await;
    let (locked, keys) = (Keys::new("secret").await, Keys::new("").await);
    let (to, data, settings) = (Folder::new(), Folder::new(), database.settings());
    let mut missing = keys.making(&to, &data, &settings);
    missing.env("ROADCALL__BACKUP__SIGNING_KEY", "/nowhere/key");
    let mut without = keys.making(&to, &data, &settings);
    without.env("PATH", "/nowhere");
    let cases = [
        (locked.making(&to, &data, &settings), "incorrect passphrase"),
        (missing, "No such file"),
        (without, "apt-get install openssh-client"),
    ];
    for (command, expected) in cases {
        let said = ended(command).await.refused();
        assert!(said.contains(expected) && !to.0.exists(), "{said}");
    }

    let mut doctor = roadcall(&["doctor"], Some(&data.0), Some(&settings));
    doctor.env("ROADCALL__BACKUP__SIGNING_KEY", locked.folder.0.join("key"));
    let said = ended(doctor).await;
    assert!(said.stdout.contains("FAULT    backups        backup.signing_key: "), "{}", said.stdout);

    let nobody = ["restore", to.text(), "--signer", "age1x"];
    let said = ended(roadcall(&nobody, Some(&data.0), None)).await.refused();
    assert!(said.contains("backup.signers must be public keys of SSH"), "{said}");
}
