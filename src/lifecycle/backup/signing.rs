//! The program `ssh-keygen`, which signs the manifest of a backup and verifies its signature. The manifest contains the digests
//! of everything else.

use std::{
    env,
    path::{self, Path, PathBuf},
    process::Stdio,
};

use roadcall_actors::random::Random;
use uuid::Uuid;

use super::{
    error::{BackupError, blocking},
    files::{self, Unfinished},
    programs::{self, Input},
    settings::BackupSettings,
};

/// The signature, beside the manifest.
pub const SIGNATURE_FILE: &str = "manifest.sig";

const PROGRAM: &str = "ssh-keygen";

/// The purpose of these signatures: the same key may sign other things, which are not backups.
const NAMESPACE: &str = "roadcall-backup";

/// The name of trusted keys in the list that the program reads.
const SIGNER: &str = "roadcall";

/// The number of lines that are passed on of the program's complaint.
const LINES_SHOWN: usize = 2;

/// The program and the file of a private key, which together sign.
#[derive(Debug)]
pub struct Signer {
    program: PathBuf,
    key: PathBuf,
}

impl Signer {
    /// Returns `None` if the settings name no key.
    pub fn of(settings: &BackupSettings) -> Result<Option<Self>, BackupError> {
        if settings.signing_key.as_os_str().is_empty() {
            return Ok(None);
        }
        let key = &settings.signing_key;
        let key = path::absolute(key).map_err(BackupError::file("can't resolve", key))?;
        Ok(Some(Self { program: find()?, key }))
    }

    /// Signs this text, and returns the signature's text.
    pub async fn sign(&self, text: &[u8]) -> Result<Vec<u8>, BackupError> {
        let mut command = programs::command(&self.program);
        // A key with a passphrase is refused, and nobody is asked for it.
        command.args(["-Y", "sign", "-P", "", "-n", NAMESPACE, "-f"]).arg(&self.key).stdout(Stdio::piped());
        let ended = programs::run(command, Input::Bytes(text)).await?;
        if ended.status.success() {
            return Ok(ended.stdout);
        }
        Err(BackupError::NotSigned { key: self.key.clone(), said: complaint(&ended.stderr) })
    }
}

/// Tries whether backups can be signed as the settings ask; `None` if they don't ask for it.
pub async fn try_signing(settings: &BackupSettings) -> Option<Result<(), BackupError>> {
    let signer = match Signer::of(settings) {
        Ok(signer) => signer?,
        Err(error) => return Some(Err(error)),
    };
    Some(signer.sign(b"").await.map(drop))
}

/// Refuses a manifest that none of these public keys has signed. `folder` is absolute. If no key is given, nothing is verified.
pub async fn verify(folder: &Path, manifest: &[u8], signers: &[String]) -> Result<(), BackupError> {
    if signers.is_empty() {
        return Ok(());
    }
    let (program, signature) = (find()?, folder.join(SIGNATURE_FILE));
    if !signature.is_file() {
        return Err(BackupError::Unsigned { folder: folder.to_path_buf() });
    }
    let list = list_of(signers);
    let trusted = blocking(move || {
        let name = format!("roadcall-signers-{}", Uuid::from_bytes(Random::system().bytes::<16>()));
        // The folder is removed with the value.
        let trusted = Unfinished::make(env::temp_dir().join(name))?;
        files::write(&trusted.folder().join("signers"), list.as_bytes())?;
        Ok(trusted)
    })
    .await?;
    let trusted_file = path::absolute(trusted.folder().join("signers"));
    let trusted_file = trusted_file.map_err(BackupError::file("can't resolve", trusted.folder()))?;
    let mut command = programs::command(&program);
    command.args(["-Y", "verify", "-n", NAMESPACE, "-I", SIGNER, "-f"]).arg(trusted_file);
    command.arg("-s").arg(&signature).stdout(Stdio::null());
    let ended = programs::run(command, Input::Bytes(manifest)).await?;
    if ended.status.success() {
        return Ok(());
    }
    Err(BackupError::ForeignSignature { folder: folder.to_path_buf(), said: complaint(&ended.stderr) })
}

fn find() -> Result<PathBuf, BackupError> {
    programs::find(PROGRAM).ok_or(BackupError::NoSshKeygen)
}

/// Lists the keys in the program's format: a name, the type and the key. A comment after the key is left out.
fn list_of(signers: &[String]) -> String {
    let line = |key: &String| {
        let key: Vec<&str> = key.split_whitespace().take(2).collect();
        format!("{SIGNER} {}\n", key.join(" "))
    };
    signers.iter().map(line).collect()
}

fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let said =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("Signing data"));
    said.take(LINES_SHOWN).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_signers_has_a_line_with_nothing_but_the_key_for_each() {
        let signers = ["ssh-ed25519 AAAA asha@laptop", "ssh-rsa BBBB cert-authority * ssh-rsa CCCC"];
        let list = list_of(&signers.map(str::to_owned));
        assert_eq!(list, "roadcall ssh-ed25519 AAAA\nroadcall ssh-rsa BBBB\n");
    }
}
