//! Finds PostgreSQL's programs on this machine, without downloading anything.
//!
//! The search goes through the `PATH`, `pg_config --bindir`, and then the places where packages put the
//! programs off the `PATH`, newest version first. A folder counts if it holds both `initdb` and `postgres`.
//! An existing cluster is only opened with the major version that made it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use super::error::DbError;

/// The oldest major version that the migrations support.
const OLDEST_MAJOR: u32 = 14;

/// Folders with one sub-folder per installed version: (parent, what precedes the version in the sub-folder's name). They belong
/// to Debian and Ubuntu, Homebrew on Apple and on Intel, Red Hat's packages, and Postgres.app.
const VERSIONED: [(&str, &str); 5] = [
    ("/usr/lib/postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
    ("/usr", "pgsql-"),
    ("/Applications/Postgres.app/Contents/Versions", ""),
];

/// One installation of PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    /// The folder of `initdb` and `postgres`.
    pub dir: PathBuf,
    /// The major version, for example 15.
    pub major: u32,
}

impl Binaries {
    /// Returns the path of the server's program.
    pub fn postgres(&self) -> PathBuf {
        self.dir.join("postgres")
    }

    /// Returns the path of the program that makes a cluster.
    pub fn initdb(&self) -> PathBuf {
        self.dir.join("initdb")
    }
}

/// `pg_dump` and `pg_restore` of one version. A machine may have them without a server's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// Their folder.
    pub dir: PathBuf,
    /// The major version, for example 15.
    pub major: u32,
}

/// The folders to search.
#[derive(Debug, Clone)]
pub struct Places {
    path: Vec<PathBuf>,
    fixed: Vec<PathBuf>,
}

impl Places {
    /// Returns the `PATH` of this process and every place known for this kind of machine.
    pub fn of_this_machine() -> Self {
        let path = env::var_os("PATH").unwrap_or_default();
        Self { path: split_path(&path), fixed: VERSIONED.iter().flat_map(|(p, n)| versions(p, n)).collect() }
    }

    /// Returns only the folders of a `PATH`-like list.
    pub fn only(path: &OsString) -> Self {
        Self { path: split_path(path), fixed: Vec::new() }
    }

    fn in_order(&self) -> Vec<PathBuf> {
        let mut all = self.path.clone();
        all.extend(self.path.iter().find_map(|dir| bindir_of(&dir.join("pg_config"))));
        all.extend(self.fixed.iter().cloned());
        all
    }
}

/// Returns the first suitable installation; `wanted` is the major version of an existing cluster.
pub fn find(places: &Places, wanted: Option<u32>) -> Result<Binaries, DbError> {
    let mut looked_in = Vec::new();
    let mut found = Vec::new();
    for dir in places.in_order() {
        looked_in.push(dir.display().to_string());
        let Some(binaries) = installation_in(&dir) else { continue };
        if wanted.map_or(binaries.major >= OLDEST_MAJOR, |major| binaries.major == major) {
            return Ok(binaries);
        }
        found.push(format!("{} (in {})", binaries.major, binaries.dir.display()));
    }
    if found.is_empty() {
        return Err(DbError::NoBinaries { looked_in });
    }
    found.dedup();
    Err(match wanted {
        Some(major) => DbError::WrongVersion {
            wanted: major.to_string(),
            because: " because it made the database in the data folder".to_owned(),
            found,
        },
        None => DbError::WrongVersion {
            wanted: format!("{OLDEST_MAJOR} or newer"),
            because: String::new(),
            found,
        },
    })
}

/// Returns every version of `pg_dump` and `pg_restore`, in the order of the search.
pub fn tools(places: &Places) -> Vec<Tools> {
    places.in_order().iter().filter_map(|dir| tools_in(dir)).collect()
}

/// Returns the tools of a folder. Debian's `/usr/bin/pg_dump` does not count: it is a link to another program, which chooses a
/// version by rules of its own.
fn tools_in(dir: &Path) -> Option<Tools> {
    let pg_dump = dir.join("pg_dump").canonicalize().ok()?;
    let dir = pg_dump.parent()?;
    if !pg_dump.ends_with("pg_dump") || !dir.join("pg_restore").is_file() {
        return None;
    }
    Some(Tools { dir: dir.to_path_buf(), major: major_of(&output_of(&pg_dump, "--version")?)? })
}

/// Returns the installation of a folder. `PATH` often holds symbolic links to single programs; the real folder has all of them.
fn installation_in(dir: &Path) -> Option<Binaries> {
    let postgres = dir.join("postgres").canonicalize().ok()?;
    let real = postgres.parent().unwrap_or(dir);
    let dir = [real, dir].into_iter().find(|dir| dir.join("initdb").is_file())?.to_path_buf();
    let version = output_of(&dir.join("postgres"), "--version")?;
    Some(Binaries { dir, major: major_of(&version)? })
}

fn bindir_of(pg_config: &Path) -> Option<PathBuf> {
    output_of(pg_config, "--bindir").map(|dir| PathBuf::from(dir.trim()))
}

fn output_of(program: &Path, argument: &str) -> Option<String> {
    if !program.is_file() {
        return None;
    }
    let output = Command::new(program).arg(argument).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads 15 from `postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)`, and 18 from `… 18beta1`.
fn major_of(version: &str) -> Option<u32> {
    let number = version.split("(PostgreSQL) ").nth(1)?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Splits a `PATH`, without relative folders, which would let the current directory choose what root runs.
fn split_path(path: &OsString) -> Vec<PathBuf> {
    env::split_paths(path).filter(|dir| dir.is_absolute()).collect()
}

/// Returns `<parent>/<name><version>/bin` for every version, newest first.
fn versions(parent: &str, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.strip_prefix(name)?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    found.into_iter().map(|(_, bin)| bin).collect()
}

#[cfg(test)]
mod tests {
    use super::major_of;

    #[test]
    fn the_major_version_is_read_from_the_output_of_postgres() {
        let table = [
            ("postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)\n", Some(15)),
            ("postgres (PostgreSQL) 18beta1\n", Some(18)),
            ("pg_dump (PostgreSQL) 17.6\n", Some(17)),
            ("postgres (PostgreSQL) 9.6.24\n", Some(9)),
            ("postgres (SomethingElse) 15\n", None),
            ("", None),
        ];
        for (printed, major) in table {
            assert_eq!(major_of(printed), major, "{printed:?}");
        }
    }
}
