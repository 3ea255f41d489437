//! The source of the service and of the library crates below it, for the tests that read it. A rule holds in all of them
//! alike, so each crate is read as the layers of the service that it holds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

/// The library crates from the bottom up, each with the layers that are folders or files of its own: `crates/platform/src/db/mod.rs`, in
/// the crate `roadcall_platform`, is in the layer `platform`.
pub const LIBRARIES: [(&str, &[&str]); 6] = [
    ("platform", &[]),
    ("http", &["pages"]),
    ("providers", &["mails", "sandbox"]),
    ("accounts", &[]),
    ("places", &[]),
    (
        "groundwork",
        &["wire", "notifications", "grievances", "catalogue", "fleet", "accounting", "thresholds"],
    ),
];
/// The crates with the engine, which knows neither the service nor the libraries.
const ENGINE: [&str; 2] = ["actors/src", "crates/base/src"];

/// A file of the service or of a library crate.
pub struct RustFile {
    /// The path below the checkout: `crates/platform/src/db/mod.rs`.
    pub path: String,
    /// The path below the layers: `platform/db/mod.rs`.
    pub place: String,
    /// The text, in which the paths of each library crate begin like those of the service: both `crate::db` within the crate
    /// and `roadcall_platform::db` are `crate::platform::db`. No line moves.
    pub text: String,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Returns the folders with all code that a server runs.
pub fn folders() -> Vec<String> {
    let libraries = LIBRARIES.map(|(name, _)| folder_of(name));
    ["src".to_owned()].into_iter().chain(libraries).chain(ENGINE.map(str::to_owned)).collect()
}

fn folder_of(library: &str) -> String {
    format!("crates/{library}/src")
}

/// Returns every Rust file of the service and of the library crates.
pub fn files() -> Vec<RustFile> {
    let of_service = below("src").into_iter().map(|(path, place)| (path, place, None));
    let of_libraries = LIBRARIES.into_iter().flat_map(|(name, layers)| {
        let files = below(&folder_of(name)).into_iter();
        files.map(move |(path, inner)| (path, place_of(name, layers, &inner), Some(name)))
    });
    let files: Vec<RustFile> = of_service
        .chain(of_libraries)
        .map(|(path, place, library)| {
            let text = fs::read_to_string(root().join(&path)).unwrap();
            RustFile { path, place, text: in_service(&text, library) }
        })
        .collect();
    for place in ["offers/dto.rs", "platform/db/mod.rs"] {
        assert!(files.iter().any(|file| file.place == place), "the search itself is broken");
    }
    files
}

/// Returns the Rust files below a folder: the path of each, and its part within the folder.
fn below(folder: &str) -> Vec<(String, String)> {
    let top = root().join(folder);
    let entries = WalkDir::new(&top).sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let inner = files.map(|path| path.strip_prefix(&top).unwrap().display().to_string());
    inner.map(|inner| (format!("{folder}/{inner}"), inner)).collect()
}

fn place_of(library: &str, layers: &[&str], inner: &str) -> String {
    let is_layer = inner.split(['/', '.']).next().is_some_and(|first| layers.contains(&first));
    match inner {
        "lib.rs" => format!("{library}/mod.rs"),
        _ if is_layer => inner.to_owned(),
        _ => format!("{library}/{inner}"),
    }
}

/// Returns the text with the paths of library crates as paths of the service.
fn in_service(text: &str, library: Option<&str>) -> String {
    let own = library.map(|name| replaced(text, "crate::", &format!("crate::{name}::")));
    let text = own.unwrap_or_else(|| text.to_owned());
    LIBRARIES.iter().fold(text, |text, (name, _)| {
        replaced(&text, &format!("roadcall_{name}::"), &format!("crate::{name}::"))
    })
}

/// Replaces a beginning of paths, wherever it is not the end of a longer name.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let mut made = String::new();
    for (index, part) in text.split(from).enumerate() {
        if index > 0 {
            let is_continued = made.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            made.push_str(if is_continued { from } else { to });
        }
        made.push_str(part);
    }
    made
}

/// Returns a path below `crate` without the library that holds its layer: `http::pages` is `pages`.
pub fn in_layers(path: Vec<String>) -> Vec<String> {
    let is_layer = |(name, layers): &(&str, &[&str])| {
        path.first().is_some_and(|first| first == name)
            && path.get(1).is_some_and(|second| layers.contains(&second.as_str()))
    };
    if LIBRARIES.iter().any(is_layer) { path[1..].to_vec() } else { path }
}

#[test]
fn paths_of_a_library_are_read_as_paths_of_the_service() {
    let text =
        "use crate::{db::Db, error};\nuse roadcall_platform::core::Core;\nfn my_crate::f() { $crate::a!() }";
    let read = "use crate::platform::{db::Db, error};\nuse crate::platform::core::Core;\nfn my_crate::f() { $crate::platform::a!() }";
    assert_eq!(in_service(text, Some("platform")), read);
    assert_eq!(
        in_service("use crate::jobs; use roadcall_platform::db;", None),
        "use crate::jobs; use crate::platform::db;"
    );
    let places =
        [("lib.rs", "a/mod.rs"), ("b.rs", "a/b.rs"), ("c/mod.rs", "c/mod.rs"), ("d/c.rs", "a/d/c.rs")];
    for (inner, place) in places {
        assert_eq!(place_of("a", &["c"], inner), place);
    }
}
