//! The program `age`, which encrypts and decrypts. Its arguments contain no secrets.

use std::{
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{
    dto::FileOf,
    error::{BackupError, blocking},
    files,
    programs::{self, Input},
};

/// The number of lines that are passed on of its complaint.
const LINES_SHOWN: usize = 5;

/// A larger file of a private key is refused.
const MAX_KEY_BYTES: u64 = 65_536;

/// The beginnings of a private key that a passphrase protects: age's, in its two forms, and those of SSH in the older format.
const PROTECTED: [&str; 4] = [
    "age-encryption.org/",
    "-----BEGIN AGE ENCRYPTED FILE-----",
    "-----BEGIN ENCRYPTED PRIVATE KEY-----",
    "Proc-Type: 4,ENCRYPTED",
];

/// The beginning of a key in OpenSSH's own format: the format's name, and the mark that no cipher protects the key.
const OPEN_SSH: (&str, &str) = ("-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU");

/// The program, found by the `PATH`.
#[derive(Debug)]
pub struct Age {
    program: PathBuf,
}

impl Age {
    pub fn find() -> Result<Self, BackupError> {
        programs::find("age").map(|program| Self { program }).ok_or(BackupError::NoAge)
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Encrypts its input into a new file, for this process's user alone. The file is on the disk when this returns.
    pub async fn encrypt(
        &self,
        recipients: &[String],
        input: Input<'_>,
        to: &Path,
    ) -> Result<FileOf, BackupError> {
        let path = to.to_path_buf();
        let file = blocking(move || files::create(&path)).await?;
        self.encrypt_into(recipients, input, file.into()).await?;
        let path = to.to_path_buf();
        blocking(move || files::kept(&path)).await
    }

    /// Checks that age accepts these public keys.
    pub async fn try_recipients(&self, recipients: &[String]) -> Result<(), BackupError> {
        self.encrypt_into(recipients, Input::Bytes(b""), Stdio::null()).await
    }

    async fn encrypt_into(
        &self,
        recipients: &[String],
        input: Input<'_>,
        output: Stdio,
    ) -> Result<(), BackupError> {
        let mut command = self.command();
        command.arg("--encrypt").stdout(output);
        command.args(recipients.iter().flat_map(|recipient| ["--recipient", recipient]));
        self.run(command, input).await
    }

    fn command(&self) -> Command {
        programs::command(&self.program)
    }

    async fn run(&self, command: Command, input: Input<'_>) -> Result<(), BackupError> {
        let ended = programs::run(command, input).await?;
        if ended.status.success() {
            return Ok(());
        }
        let said = complaint(&String::from_utf8_lossy(&ended.stderr));
        Err(BackupError::Age(if said.is_empty() { format!("it ended with {}", ended.status) } else { said }))
    }
}

/// The program and a private key, which together decrypt.
pub struct PrivateKey {
    age: Age,
    file: PathBuf,
    text: Vec<u8>,
    /// The public keys; one of them must belong to the private key.
    recipients: Vec<String>,
}

/// Written by hand, because the struct contains the key.
impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("file", &self.file).finish_non_exhaustive()
    }
}

impl PrivateKey {
    /// Reads the file once, so that it may be a pipe.
    pub async fn read(file: &Path, recipients: &[String]) -> Result<Self, BackupError> {
        let (age, file, recipients) = (Age::find()?, file.to_path_buf(), recipients.to_vec());
        blocking(move || {
            let mut text = Vec::new();
            let opened = File::open(&file).map_err(BackupError::file("can't open", &file))?;
            let read = opened.take(MAX_KEY_BYTES + 1).read_to_end(&mut text);
            read.map_err(BackupError::file("can't read", &file))?;
            if text.len() as u64 > MAX_KEY_BYTES {
                return Err(BackupError::NoKey { file, why: "is larger than 64 KiB" });
            }
            if is_protected(&String::from_utf8_lossy(&text)) {
                return Err(BackupError::ProtectedKey { key: file });
            }
            Ok(Self { age, file, text, recipients })
        })
        .await
    }

    /// Decrypts a file, given by its absolute path. The output may be used only once this has succeeded, since the end of a file
    /// is verified too.
    pub async fn decrypt(&self, from: &Path, output: Stdio) -> Result<(), BackupError> {
        let mut command = self.age.command();
        command.args(["--decrypt", "--identity", "-"]).arg(from).stdout(output);
        self.age.run(command, Input::Bytes(&self.text)).await.map_err(|error| match error {
            BackupError::Age(said) => BackupError::NotDecrypted {
                file: from.to_path_buf(),
                key: self.file.clone(),
                recipients: self.recipients.clone(),
                said,
            },
            other => other,
        })
    }
}

/// Returns whether age would ask for a passphrase, again for each file.
fn is_protected(key: &str) -> bool {
    let (open_ssh, open) = OPEN_SSH;
    let is_ssh_protected = key.contains(open_ssh) && !key.contains(open);
    is_ssh_protected || PROTECTED.iter().any(|sign| key.contains(sign))
}

/// Returns age's error messages, without its advice to report them.
fn complaint(stderr: &str) -> String {
    let said = stderr.lines().filter_map(|line| line.strip_prefix("age: error: "));
    said.take(LINES_SHOWN).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_a_passphrase_protects_is_recognised() {
        let ssh = |rest: &str| format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{rest}");
        let protected = [
            "age-encryption.org/v1\n-> scrypt x 18\n".to_owned(),
            "-----BEGIN AGE ENCRYPTED FILE-----\n".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n".to_owned(),
            ssh("b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABBcPoGJLO"),
        ];
        for key in protected {
            assert!(is_protected(&key), "{key}");
        }
        let open = [
            "# created: 2026-11-28\n# public key: age1x\nAGE-SECRET-KEY-1X\n".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n".to_owned(),
            ssh("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"),
        ];
        for key in open {
            assert!(!is_protected(&key), "{key}");
        }
    }

    #[test]
    fn a_complaint_consists_of_ages_error_messages() {
        let stderr = "age: error: no identity matched any of the recipients\n\
            age: report unexpected or unhelpful errors at https://filippo.io/age/report\n";
        assert_eq!(complaint(stderr), "no identity matched any of the recipients");
    }
}
