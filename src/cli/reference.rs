//! `roadcall reference` writes the program's reference. The manual and the shells' completions come from the description of the
//! command line; the OpenAPI and AsyncAPI documents are the same as a development server's.

use std::{fs, path::PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::common::Failure;
use crate::{openapi::Document, routes, service::settings::Settings};

#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Folder to write to, created if missing
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
}

/// Writes a page of the manual for each command, a file for each shell, `openapi.json` and `asyncapi.json`.
pub(super) fn write(args: &ReferenceArgs, mut described: Command) -> Result<(), Failure> {
    let (manual, completions) = (args.to.join("man"), args.to.join("completions"));
    for folder in [&manual, &completions] {
        fs::create_dir_all(folder)
            .map_err(|error| format!("--to: could not create {}: {error}", folder.display()))?;
    }
    clap_mangen::generate_to(described.clone(), &manual)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut described, "roadcall", &completions)?;
    }
    let (document, settings) = (Document::generate(routes::all), Settings::defaults());
    fs::write(
        args.to.join("openapi.json"),
        document.served(&settings.core(), settings.has_embedded_provider()),
    )?;
    fs::write(args.to.join("asyncapi.json"), document.of_socket(&settings.server.public_url))?;
    Ok(())
}
