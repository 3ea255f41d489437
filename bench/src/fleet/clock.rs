//! The time of day that a server reads, which can be set for each of them.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use tokio::process::Command;

use super::run;
use crate::Failure;

/// The source of a library that servers load.
const SOURCE: &str = include_str!("clock.c");

/// The time of day that one server reads. A cheap clone.
#[derive(Debug, Clone)]
pub(super) struct ServerClock {
    library: PathBuf,
    file: PathBuf,
}

impl ServerClock {
    /// Compiles the library. Needs Linux and a C compiler, which Rust needs as well.
    pub(super) async fn library(folder: &Path) -> Result<PathBuf, Failure> {
        if !cfg!(target_os = "linux") {
            return Err("clocks of servers can be set on Linux only".into());
        }
        let library = folder.join("libclock.so");
        let mut compile = Command::new("cc");
        compile.args(["-x", "c", "-shared", "-fPIC", "-O2", "-o"]).arg(&library).args(["-", "-ldl"]);
        run(compile, SOURCE).await?;
        Ok(library)
    }

    /// Returns a clock that shows the machine's time until it is set.
    pub(super) fn new(library: &Path, file: PathBuf) -> Result<Self, Failure> {
        fs::write(&file, 0_i64.to_ne_bytes())?;
        Ok(Self { library: library.to_owned(), file })
    }

    /// Sets the clock ahead of the machine's by so many milliseconds.
    pub(super) fn set(&self, ahead_ms: i64) -> Result<(), Failure> {
        // The file is mapped, so it must not become shorter, even for a moment.
        let mut file = OpenOptions::new().write(true).open(&self.file)?;
        Ok(file.write_all(&ahead_ms.to_ne_bytes())?)
    }

    /// Makes a program read this clock.
    pub(super) fn wind(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library).env("ROADCALL_BENCH_CLOCK", &self.file);
    }
}
