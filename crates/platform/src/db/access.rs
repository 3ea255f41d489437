//! Access to the embedded cluster: only its three roles, and only for processes of the users who run it.
//!
//! The kernel tells which user is behind a connection to a Unix socket (`peer`), so no password is stored anywhere. If a user
//! has no name, as in some containers, the socket's 0700 folder keeps others away.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::Path;

use nix::errno::Errno;
use nix::unistd::{User, geteuid};

use super::cluster::{ADMIN, OWNER, SERVICE};
use super::error::DbError;
use super::home::sync_folder_of;
use super::user::RunAs;

const ROLES: [&str; 3] = [OWNER, SERVICE, ADMIN];

const HEADER: &str = "# roadcall checks this file at every start, and replaces it if it is different.\n";

/// Writes the cluster's connection rules where they differ; a running Postgres applies them when it reloads its settings.
pub(super) fn restrict(pgdata: &Path, run_as: Option<&RunAs>) -> Result<(), DbError> {
    let users = users(run_as)?;
    for (file, text) in [("pg_hba.conf", hba(users.is_some())), ("pg_ident.conf", ident(users.as_deref()))] {
        let path = pgdata.join(file);
        keep(&path, &text).map_err(DbError::file("can't write", &path))?;
    }
    Ok(())
}

/// Makes `text` the file's content, and never only a part of it: without rules, Postgres lets nobody in.
fn keep(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    let unfinished = path.with_extension("new");
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    // Postgres reads the file as the folder's owner, and this process may be root.
    let folder = fs::metadata(path.parent().unwrap_or(path))?;
    fchown(&file, Some(folder.uid()), Some(folder.gid()))?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    sync_folder_of(path)
}

/// Returns who may act for the service: the user of this process, the user whom Postgres runs as, and root, who can act
/// as anyone. Returns `None` if this process's user has no name.
fn users(run_as: Option<&RunAs>) -> Result<Option<Vec<String>>, DbError> {
    let own = match User::from_uid(geteuid()) {
        Ok(user) => user.map(|user| user.name),
        // This machine has no list of users.
        Err(Errno::ENOENT | Errno::ESRCH) => None,
        // Any other error says nothing about the name, and must not open the door.
        Err(error) => return Err(DbError::UserUnknown(error.into())),
    };
    Ok(own.map(|own| {
        let mut users = vec![own, "root".to_owned()];
        users.extend(run_as.map(|user| user.name.clone()));
        users.sort_unstable();
        users.dedup();
        users
    }))
}

/// Allows connections only over the socket, as one of the roles; Postgres refuses whatever matches no line.
fn hba(have_names: bool) -> String {
    let how = if have_names { "peer map=roadcall" } else { "trust" };
    let lines = ROLES.map(|role| format!("local all {role} {how}\n"));
    format!("{HEADER}{}", lines.concat())
}

/// Maps the users of the machine to the roles.
fn ident(users: Option<&[String]>) -> String {
    let pairs = users
        .unwrap_or_default()
        .iter()
        .flat_map(|user| ROLES.map(|role| format!("roadcall \"{}\" {role}\n", user.replace('"', "\"\""))));
    format!("{HEADER}{}", pairs.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_only_if_it_differs() {
        let folder = std::env::temp_dir().join(format!("roadcall-rules-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let path = folder.join("pg_hba.conf");
        let inode = || fs::metadata(&path).expect("the file").ino();
        // A leftover of a killed start is no obstacle.
        fs::write(path.with_extension("new"), "half").expect("a leftover");
        keep(&path, "one").expect("made");
        let first = inode();
        keep(&path, "one").expect("kept");
        assert_eq!(inode(), first);
        keep(&path, "two").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "two");
        assert_eq!(fs::metadata(&path).expect("the file").mode() & 0o777, 0o600);
        assert!(!path.with_extension("new").exists());
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn only_the_three_roles_connect_and_only_over_the_socket() {
        let lines = hba(true);
        let rules: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            rules,
            [
                "local all roadcall peer map=roadcall",
                "local all roadcall_service peer map=roadcall",
                "local all roadcall_admin peer map=roadcall"
            ]
        );
        let users = ["asha".to_owned(), "root".to_owned()];
        assert_eq!(ident(Some(&users)).lines().count(), 7);
        assert!(ident(Some(&users)).contains("roadcall \"asha\" roadcall_service\n"));
    }
}
