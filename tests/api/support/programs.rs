//! Programs that we did not write.

use std::{
    env, fs,
    net::{Ipv4Addr, TcpStream},
    path::PathBuf,
    process::{self, Child, Command},
    sync::atomic::{AtomicU32, Ordering},
};

use super::until_fits;

/// Programs in a folder of their own. They end with the test, and with them the folder.
#[derive(Debug)]
pub struct Programs {
    pub folder: PathBuf,
    children: Vec<Child>,
}

impl Programs {
    /// Makes an empty folder, whose name has this part.
    pub fn in_folder(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("roadcall-{name}-{}-{number}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self { folder, children: Vec::new() }
    }

    /// Runs a program to its end.
    pub fn run(&self, command: &mut Command) {
        let output = command.current_dir(&self.folder).output();
        let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        assert!(output.status.success(), "{command:?}: {output:?}");
    }

    /// Starts a program; `how` says how it is installed.
    pub fn start(&mut self, command: &mut Command, how: &str) -> &mut Child {
        let child = command.current_dir(&self.folder).spawn();
        self.children.push(child.unwrap_or_else(|error| panic!("{command:?}: {error}; {how}")));
        self.children.last_mut().expect("it was just started")
    }

    /// Kills the programs, the last started first.
    pub fn kill(&mut self) {
        while let Some(mut child) = self.children.pop() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.kill();
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Waits until something listens on the port.
pub async fn until_open(what: &str, port: u16) {
    let is_open = async || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
    until_fits(what, is_open, |is_open| *is_open).await;
}
