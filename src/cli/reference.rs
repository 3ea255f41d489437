//! `roadcall reference`: the manual and what shells need to complete commands, made from the command line's own description.

use std::{fs, path::PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, common::Failure};

#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Folder to write to, created if missing
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
}

/// One page for each command, and a file for each shell.
pub(super) fn write(args: &ReferenceArgs) -> Result<(), Failure> {
    let (manual, completions) = (args.to.join("man"), args.to.join("completions"));
    for folder in [&manual, &completions] {
        fs::create_dir_all(folder)
            .map_err(|error| format!("--to: could not create {}: {error}", folder.display()))?;
    }
    clap_mangen::generate_to(Cli::command(), &manual)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut Cli::command(), "roadcall", &completions)?;
    }
    Ok(())
}
