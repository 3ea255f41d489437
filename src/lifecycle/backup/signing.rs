//! The program `ssh-keygen`, which signs the manifest of a backup and verifies who has signed it. The manifest has the digests of
//! everything else.

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

/// What these signatures are for: the same key may sign other things, which are no backups.
const NAMESPACE: &str = "roadcall-backup";

/// The name that trusted keys have in the list that the program reads.
const SIGNER: &str = "roadcall";

/// Lines of the program's complaint that are passed on.
const LINES_SHOWN: usize = 2;

/// What signs: the program, and the file of a private key.
#[derive(Debug)]
pub struct Signer {
    program: PathBuf,
    key: PathBuf,
}

impl Signer {
    /// `None` where the settings name no key.
    pub fn of(settings: &BackupSettings) -> Result<Option<Self>, BackupError> {
        if settings.signing_key.as_os_str().is_empty() {
            return Ok(None);
        }
        let key = &settings.signing_key;
        let key = path::absolute(key).map_err(BackupError::file("can't resolve", key))?;
        Ok(Some(Self { program: find()?, key }))
    }

    /// Signs this text, and returns the signature as it is kept.
    pub async fn sign(&self, text: &[u8]) -> Result<Vec<u8>, BackupError> {
        let mut command = programs::command(&self.program);
        // A key that needs another passphrase than this one is refused, and nobody is asked.
        command.args(["-Y", "sign", "-P", "", "-n", NAMESPACE, "-f"]).arg(&self.key).stdout(Stdio::piped());
        let ended = programs::run(command, Input::Bytes(text)).await?;
        if ended.status.success() {
            return Ok(ended.stdout);
        }
        Err(BackupError::NotSigned { key: self.key.clone(), said: complaint(&ended.stderr) })
    }
}

/// Tries whether backups can be signed as the settings ask for; `None` where they ask for nothing.
pub async fn try_signing(settings: &BackupSettings) -> Option<Result<(), BackupError>> {
    let signer = match Signer::of(settings) {
        Ok(signer) => signer?,
        Err(error) => return Some(Err(error)),
    };
    Some(signer.sign(b"").await.map(drop))
}

/// Refuses a manifest that none of these public keys has signed. `folder` is absolute. Nothing is asked where no key is named.
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
        // Removed with the value.
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

/// The keys as the program wants them: a name, the type and the key. A remark after that is left out.
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
    fn a_list_of_signers_has_a_line_for_each_key_and_nothing_but_the_keys() {
        let signers = ["ssh-ed25519 AAAA asha@laptop", "ssh-rsa BBBB cert-authority * ssh-rsa CCCC"];
        let list = list_of(&signers.map(str::to_owned));
        assert_eq!(list, "roadcall ssh-ed25519 AAAA\nroadcall ssh-rsa BBBB\n");
    }
}
