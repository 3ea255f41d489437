//! `roadcall backup` and `roadcall restore`.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use roadcall_actors::{clock::Clock, random::Random};

use super::{
    common::{CommonArgs, Failure},
    progress::Shown,
};
use crate::{
    lifecycle::backup::{self, BackupError, Compared, NewBackup, ProofKind, Restored, Restoring},
    platform::{db::Database, telemetry},
    service::settings::Settings,
};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct BackupArgs {
    #[command(subcommand)]
    command: Option<BackupCommand>,
    /// The folder of all backups, created if missing; each backup is a folder named by its time
    #[arg(long, value_name = "FOLDER", required = true)]
    to: Option<PathBuf>,
    /// How many backups to keep there, including the new one; the oldest are removed once it is complete [default: all]
    #[arg(long, value_name = "NUMBER")]
    keep: Option<usize>,
    /// Encrypt the backup for this public key of age (age1…) or SSH; may be given several times. Replaces those of
    /// backup.age_recipients
    #[arg(long, value_name = "KEY")]
    age_recipient: Vec<String>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Read a backup and find missing or damaged files. Exits with an error if there are any; otherwise notes the time in the
    /// folder of backups, for the console's page Status.
    Check {
        /// The folder of the backup
        folder: PathBuf,
        /// Also decrypt every file of an encrypted backup, with the private key in this file, and keep nothing of them
        #[arg(long, value_name = "FILE")]
        age_identity: Option<PathBuf>,
        /// Demand that this public key of SSH (ssh-ed25519 …) has signed the backup; if given several times, one of the keys must
        /// have
        #[arg(long, value_name = "KEY")]
        signer: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// The folder of the backup
    #[arg(required_unless_present_any = ["hold_payouts", "release_payouts"])]
    folder: Option<PathBuf>,
    /// Make payouts wait, as after a restore: for a database that other tools have restored. Start the servers afterwards
    #[arg(long, conflicts_with_all = ["folder", "release_payouts"])]
    hold_payouts: bool,
    /// Let payouts go on that wait after a restore until you have compared them with those of the provider. Together with a
    /// folder: don't let them wait, because nothing has happened since the backup
    #[arg(long)]
    release_payouts: bool,
    /// The file of the private key, for an encrypted backup
    #[arg(long, value_name = "FILE", requires = "folder")]
    age_identity: Option<PathBuf>,
    /// Demand that this public key of SSH (ssh-ed25519 …) has signed the backup; if given several times, one of the keys must
    /// have. Replaces those of backup.signers
    #[arg(long, value_name = "KEY", requires = "folder")]
    signer: Vec<String>,
    #[command(flatten)]
    common: CommonArgs,
}

pub(super) async fn backup(args: BackupArgs) -> Result<(), Failure> {
    if let Some(BackupCommand::Check { folder, age_identity, signer }) = &args.command {
        return check(folder, age_identity.as_deref(), signer).await;
    }
    let mut settings = args.common.settings(None)?;
    if !args.age_recipient.is_empty() {
        settings.backup.age_recipients = args.age_recipient;
        settings.check()?;
    }
    telemetry::init(&settings.log)?;
    let to = args.to.unwrap_or_default();
    let new = NewBackup { to: &to, keep: args.keep };
    let (core, secrets) = (settings.core(), settings.named_secrets());
    let now = Clock::system().now();
    let made = backup::make_beside(&core, &settings.backup, &secrets, new, now).await?;
    let rows: i64 = made.manifest.rows.values().sum();
    let (tables, files) = (made.manifest.rows.len(), made.manifest.uploads.here);
    println!("{}", made.folder.display());
    eprintln!("{rows} rows of {tables} tables, {files} files");
    if made.manifest.is_encrypted() {
        eprintln!("encrypted for {}", made.manifest.age_recipients.join(", "));
    }
    if !settings.backup.signing_key.as_os_str().is_empty() {
        eprintln!("signed with {}", settings.backup.signing_key.display());
    }
    if made.manifest.uploads.with_the_store > 0 {
        eprintln!("{} files are with their store, and not in it", made.manifest.uploads.with_the_store);
    }
    if !made.manifest.has_token_secret {
        eprintln!("auth.token_secret is not in it: keep it with your settings");
    }
    for id in &made.lost {
        eprintln!("warning: the data folder has lost the file of upload {id}");
    }
    for folder in &made.removed {
        eprintln!("removed {}", folder.display());
    }
    Ok(())
}

async fn check(folder: &Path, identity: Option<&Path>, signers: &[String]) -> Result<(), Failure> {
    let manifest = backup::check(folder, identity, signers).await?;
    backup::note(folder, ProofKind::Checked, Clock::system().now()).await;
    println!("{} is whole: {} files, made at {}", folder.display(), manifest.files.len(), manifest.made_at);
    if !signers.is_empty() {
        println!("It is signed by a key that you named.");
    }
    if manifest.is_encrypted() {
        let recipients = manifest.age_recipients.join(", ");
        match identity {
            None => {
                println!("It is encrypted for {recipients}; --age-identity tries whether a key decrypts it.")
            }
            Some(key) => {
                println!("Every file was decrypted with {}; it is encrypted for {recipients}.", key.display())
            }
        }
    } else if identity.is_some() {
        println!("It is not encrypted.");
    }
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs) -> Result<(), Failure> {
    let mut settings = args.common.settings(None)?;
    if !args.signer.is_empty() {
        settings.backup.signers = args.signer;
        settings.check()?;
    }
    telemetry::init(&settings.log)?;
    let (now, random) = (Clock::system().now(), Random::system());
    let Some(folder) = &args.folder else {
        println!("{}", payouts(&settings, args.hold_payouts, &random, now).await?);
        return Ok(());
    };
    let identity = args.age_identity.as_deref();
    let shown = Shown::on_stderr();
    let progress = shown.progress();
    let restoring =
        Restoring { folder, identity, releases_payouts: args.release_payouts, progress: &progress };
    let restored = backup::restore(&settings.core(), &settings.backup, restoring, now, &random).await;
    drop(shown);
    let restored = restored?;
    print_compared(&restored);
    if !restored.manifest.has_token_secret && settings.auth.token_secret.0.is_empty() {
        println!(
            "\nThe backup has no token secret: set the auth.token_secret of that time, or everybody signs in again."
        );
    }
    if !restored.manifest.uploads.absent.is_empty() {
        println!("\n{} files were missing when the backup was made.", restored.manifest.uploads.absent.len());
    }
    if !restored.is_same() {
        return Err("what was restored is not what the backup says: see the lines with DIFFERENT".into());
    }
    backup::note(folder, ProofKind::Restored, now).await;
    println!("\nThe backup of {} is restored.", restored.manifest.made_at);
    if !args.release_payouts {
        println!(
            "Payouts wait. Compare the provider's since then with withdrawals here (docs/OPERATIONS.md), then: \
             roadcall restore --release-payouts"
        );
    }
    Ok(())
}

/// Makes payouts wait, or lets them go on, whether servers are running or not; returns what was done.
async fn payouts(
    settings: &Settings,
    holds: bool,
    random: &Random,
    now: DateTime<Utc>,
) -> Result<&'static str, Failure> {
    let data_dir = &settings.server.data_dir;
    if !Database::is_there(&settings.database, data_dir)? {
        return Err(BackupError::NoDatabase(data_dir.clone()).into());
    }
    let database = Database::open_beside(&settings.database, data_dir).await?;
    let done = if holds {
        backup::hold_payouts(database.db(), random, now).await.map(|()| "payouts wait")
    } else {
        let released = backup::release_payouts(database.db(), random, now).await;
        released.map(|released| if released { "payouts go on" } else { "payouts did not wait" })
    };
    database.close().await?;
    Ok(done?)
}

fn print_compared(restored: &Restored) {
    let width = restored.compared.iter().map(|line| line.what.len()).max().unwrap_or_default();
    println!("{:width$}  {:>16}  {:>16}", "", "backup", "here");
    for line in &restored.compared {
        let Compared { what, backup, here } = line;
        let note = if line.is_same() { "" } else { "  DIFFERENT" };
        println!("{what:width$}  {backup:>16}  {here:>16}{note}");
    }
}
