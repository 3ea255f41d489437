//! Who may connect to the embedded cluster: its two roles, by processes of the users who run it, and nobody else.
//!
//! The kernel vouches for the user behind a connection to a Unix socket (`peer`), so no password is kept anywhere. Where a user
//! has no name, as in some containers, the socket's 0700 folder is what keeps others away.

use std::fs;
use std::path::Path;

use nix::unistd::{User, geteuid};

use super::cluster::{OWNER, SERVICE};
use super::error::DbError;
use super::user::RunAs;

const HEADER: &str = "# roadcall writes this file at every start.\n";

/// Writes the cluster's rules about connections; a running Postgres learns of them when it reloads its settings.
pub(super) fn restrict(pgdata: &Path, run_as: Option<&RunAs>) -> Result<(), DbError> {
    let users = users(run_as);
    for (file, text) in [("pg_hba.conf", hba(users.is_some())), ("pg_ident.conf", ident(users.as_deref()))] {
        let path = pgdata.join(file);
        fs::write(&path, text).map_err(DbError::file("can't write", &path))?;
    }
    Ok(())
}

/// Who may act for the service: the user of this process, the one whom Postgres runs as, and root, who can be anybody.
/// `None` where this process's user has no name.
fn users(run_as: Option<&RunAs>) -> Option<Vec<String>> {
    let own = User::from_uid(geteuid()).ok().flatten()?.name;
    let mut users = vec![own, "root".to_owned()];
    users.extend(run_as.map(|user| user.name.clone()));
    users.sort_unstable();
    users.dedup();
    Some(users)
}

/// Over the socket alone, as one of the two roles; whatever matches no line is refused.
fn hba(have_names: bool) -> String {
    let how = if have_names { "peer map=roadcall" } else { "trust" };
    let lines = [OWNER, SERVICE].map(|role| format!("local all {role} {how}\n"));
    format!("{HEADER}{}", lines.concat())
}

/// Which users of the machine may be which role.
fn ident(users: Option<&[String]>) -> String {
    let pairs = users.unwrap_or_default().iter().flat_map(|user| {
        [OWNER, SERVICE].map(|role| format!("roadcall \"{}\" {role}\n", user.replace('"', "\"\"")))
    });
    format!("{HEADER}{}", pairs.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_roles_connect_and_only_over_the_socket() {
        let lines = hba(true);
        let rules: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            rules,
            ["local all roadcall peer map=roadcall", "local all roadcall_service peer map=roadcall"]
        );
        let users = ["asha".to_owned(), "root".to_owned()];
        assert_eq!(ident(Some(&users)).lines().count(), 5);
        assert!(ident(Some(&users)).contains("roadcall \"asha\" roadcall_service\n"));
    }
}
