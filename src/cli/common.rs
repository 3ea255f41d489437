//! The arguments that every command of a server takes.

use std::{
    fmt,
    io::{self, Write},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use clap::Args;

use crate::service::settings::{Settings, Sources};

/// The variables with the settings and the data folder of an installed server, for every command that needs them
/// (`deploy/debian/roadcallctl`).
pub(super) const CONFIG_VARIABLE: &str = "ROADCALL_CONFIG";
pub(super) const DATA_DIR_VARIABLE: &str = "ROADCALL_DATA_DIR";

pub(super) type Failure = Box<dyn std::error::Error>;

/// Reads an address to listen on: an address and a port, or only a port, which is one of this machine's own address.
pub(super) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080, or a port".to_owned())
}

/// Writes to stdout, for `print!` and `println!` of the command line.
pub(super) fn put(text: fmt::Arguments<'_>) {
    match io::stdout().lock().write_fmt(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => eprintln!("roadcall: stdout: {error}"),
        // The reader has seen enough.
        Ok(()) | Err(_) => {}
    }
}

#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    /// Folder for the embedded database and generated secrets, created if missing [default: ./data]
    #[arg(long, env = DATA_DIR_VARIABLE, hide_env_values = true)]
    pub data_dir: Option<PathBuf>,
    /// Settings file; config/default.toml lists all settings
    #[arg(long, value_name = "FILE", env = CONFIG_VARIABLE, hide_env_values = true)]
    pub config: Option<PathBuf>,
}

impl CommonArgs {
    /// Returns the settings, with the arguments of the command line on top.
    pub(super) fn settings(&self, listen: Option<SocketAddr>) -> Result<Settings, Failure> {
        let mut settings = self.unchecked(&Sources::read(self.config.as_deref())?)?;
        if let Some(address) = listen {
            settings.server.listen = address;
        }
        settings.check()?;
        Ok(settings)
    }

    /// Returns the settings unchecked, for a command that reports their faults.
    pub(super) fn unchecked(&self, sources: &Sources) -> Result<Settings, Failure> {
        let mut settings = Settings::of(sources)?;
        if let Some(folder) = &self.data_dir {
            settings.server.data_dir = folder.clone();
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_belongs_to_this_machines_own_address() {
        for (text, address) in [
            ("8080", "127.0.0.1:8080"),
            ("0", "127.0.0.1:0"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(listen_address(text).map(|found| found.to_string()).as_deref(), Ok(address));
        }
        for text in ["", "localhost", "127.0.0.1", ":8080", "70000"] {
            let refusal = listen_address(text).expect_err(text);
            assert!(refusal.contains("such as 127.0.0.1:8080"), "{text}: {refusal}");
        }
    }
}
