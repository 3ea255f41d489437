//! Makes the list of the web apps' files for release builds, which contain them. A debug build reads them from `web/dist` when
//! they are requested, and its list is empty.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    // `sqlx::migrate!` embeds the folder; the compiler by itself notices only changes of files that it already read.
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=build.rs");
    let variable =
        |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(name.to_owned()));
    let mut files = Vec::new();
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_none() {
        println!("cargo:rerun-if-changed=web/dist");
        let folder = variable("CARGO_MANIFEST_DIR")?.join("web/dist");
        // Without the folder, Cargo would run this and compile the service again each time.
        fs::create_dir_all(&folder)?;
        collect(&folder, "", &mut files)?;
    }
    let mut list = fs::File::create(variable("OUT_DIR")?.join("built_in.rs"))?;
    writeln!(list, "static BUILT_IN: &[(&str, &[u8])] = &[")?;
    for (name, path) in files {
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    writeln!(list, "];")
}

/// The files of a folder with their names below `web/dist`, in order. Hidden ones belong to the build.
fn collect(folder: &Path, below: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| io::Error::other(format!("{name:?} is no text")))?;
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{below}{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
