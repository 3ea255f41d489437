//! `roadcall admin`: creates or invites admins before anybody else can.

use std::io::{self, BufRead, IsTerminal, Read};

use clap::{Args, Subcommand, ValueEnum};
use roadcall_actors::{clock::Clock, random::Random};

use super::common::{CommonArgs, Failure};
use crate::{
    accounts::{auth::Role, invites},
    lifecycle::admins,
    platform::{db::Database, telemetry},
    service::settings::Settings,
};

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Create an admin, or set a new password and role for an existing one. Asks for the password, or reads it as one line from a
    /// pipe. Works whether or not the server is running.
    Create(CreateAdminArgs),
    /// Invite a super-admin, such as the first one, and print the link, which works once and is not shown again. They choose a
    /// password with it, or sign in at the identity provider. Works whether or not the server is running; the link opens once it
    /// is.
    Invite(InviteArgs),
}

#[derive(Debug, Args)]
pub(super) struct CreateAdminArgs {
    /// The admin's email; it counts as verified
    #[arg(long)]
    email: String,
    #[arg(long, value_enum)]
    role: AdminRole,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
pub(super) struct InviteArgs {
    /// The email of the invited person: nobody else can accept
    #[arg(long)]
    email: String,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum AdminRole {
    Admin,
    SuperAdmin,
}

impl From<AdminRole> for Role {
    fn from(role: AdminRole) -> Self {
        match role {
            AdminRole::Admin => Role::Admin,
            AdminRole::SuperAdmin => Role::SuperAdmin,
        }
    }
}

pub(super) async fn run(command: AdminCommand) -> Result<(), Failure> {
    match command {
        AdminCommand::Create(args) => create(args).await,
        AdminCommand::Invite(args) => invite(args).await,
    }
}

async fn create(args: CreateAdminArgs) -> Result<(), Failure> {
    let settings = args.common.settings(None)?;
    telemetry::init(&settings.log)?;
    let password = read_password()?;
    let database = opened(&settings).await?;
    let (clock, random) = (Clock::system(), Random::system());
    let role = args.role.into();
    let made = admins::create_admin(database.db(), &args.email, &password, role, &clock, &random).await;
    database.close().await?;
    made?;
    println!("{} can now sign in as {role}", args.email);
    Ok(())
}

async fn invite(args: InviteArgs) -> Result<(), Failure> {
    let settings = args.common.settings(None)?;
    telemetry::init(&settings.log)?;
    let settings = settings.listening_at(settings.server.listen);
    let database = opened(&settings).await?;
    let (clock, random) = (Clock::system(), Random::system());
    let (secrets, public_url) = (settings.named_secrets(), &settings.server.public_url);
    let signed_by = (&settings.admin, &secrets);
    let made =
        invites::invite_super_admin(signed_by, public_url, database.db(), &args.email, &clock, &random).await;
    database.close().await?;
    let made = made?;
    let zone = &settings.operator.time_zone;
    let until = zone.local(made.expires_at).format("%Y-%m-%d %H:%M");
    println!(
        "{} becomes a super-admin by this link, once, until {until} ({}):\n\n  {}\n\nIt is not shown again. If it is lost, invite \
        again, which ends this one. The server has to run.",
        made.email,
        zone.name(),
        made.link,
    );
    Ok(())
}

/// Opens the database of the server, whether it runs or not, and migrates it.
async fn opened(settings: &Settings) -> Result<Database, Failure> {
    let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
    database.migrate().await?;
    Ok(database)
}

/// Reads a password: one line from a pipe, or typed twice at a prompt that does not show it.
fn read_password() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        let password = rpassword::prompt_password("password: ")?;
        let again = rpassword::prompt_password("again: ")?;
        return if password == again { Ok(password) } else { Err("the passwords differ".into()) };
    }
    let mut line = String::new();
    // A password is refused far below this length; an endless line must not fill memory.
    io::stdin().lock().take(4096).read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
