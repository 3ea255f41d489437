//! What commands that use the service's settings share.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

use crate::platform::settings::Settings;

pub(super) type Failure = Box<dyn std::error::Error>;

#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    /// Folder for the embedded database and generated secrets, created if missing [default: ./data]
    #[arg(long)]
    pub(super) data_dir: Option<PathBuf>,
    /// Settings file; config/default.toml lists all settings
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

impl CommonArgs {
    /// The settings with what the command line says on top.
    pub(super) fn settings(&self, listen: Option<SocketAddr>) -> Result<Settings, Failure> {
        let mut settings = Settings::load(self.config.as_deref())?;
        if let Some(folder) = &self.data_dir {
            settings.server.data_dir = folder.clone();
        }
        if let Some(address) = listen {
            settings.server.listen = address;
        }
        settings.check()?;
        Ok(settings)
    }
}
