//! `roadcall reference`: the manual and what shells need to complete commands, made from the command line's own description.

use std::{fs, path::PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use super::common::Failure;

#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Folder to write to, created if missing
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
}

/// One page for each command, and a file for each shell.
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
    Ok(())
}
