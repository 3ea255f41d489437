//! Runs the programs that backups need, with their input and keys, and with hardly any of this process's environment.

use std::{
    env, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tokio::io::AsyncWriteExt;

use super::error::BackupError;

/// A program's input.
#[derive(Debug)]
pub enum Input<'a> {
    /// A file, or the end of a pipe.
    Stream(Stdio),
    Bytes(&'a [u8]),
}

/// Finds a program in the `PATH`. Relative folders do not count: they would let the current directory choose what root runs.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut programs =
        env::split_paths(&path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name));
    let is_program = |path: &PathBuf| {
        path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    programs.find(is_program)
}

/// Prepares a command that runs in `/`, so that it needs absolute paths.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").env_clear().env("LC_ALL", "C");
    command.envs(env::var_os("PATH").map(|path| ("PATH", path)));
    command
}

/// Runs the command as this process's user. The program ends when this future is dropped.
pub async fn run(mut command: Command, input: Input<'_>) -> Result<Output, BackupError> {
    let program = PathBuf::from(command.get_program());
    let (stdin, bytes) = match input {
        Input::Stream(stream) => (stream, None),
        Input::Bytes(bytes) => (Stdio::piped(), Some(bytes)),
    };
    command.stdin(stdin).stderr(Stdio::piped());
    let failed = |error: io::Error| BackupError::file("can't run", &program)(error);
    // The command is dropped in this statement, so that this process holds no end of another program's pipe.
    let child = tokio::process::Command::from(command).kill_on_drop(true).spawn();
    let mut child = child.map_err(failed)?;
    if let (Some(mut stdin), Some(bytes)) = (child.stdin.take(), bytes) {
        // If the program does not read its input, its error says why.
        stdin.write_all(bytes).await.ok();
    }
    child.wait_with_output().await.map_err(failed)
}
