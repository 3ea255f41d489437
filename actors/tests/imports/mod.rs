//! Finds the paths of a crate that its files name, and what each file imports from others. The crate is the one whose tests
//! include this file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The path of a module or an item below the crate's root: `["job", "actor", "JobActor"]`.
pub(crate) type CratePath = Vec<String>;
/// The modules that each module imports from.
pub(crate) type Imports = BTreeMap<CratePath, BTreeSet<CratePath>>;

pub(crate) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Returns the code of a file, without comments.
pub(crate) fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the sources in a folder and those within it.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
    files
}

/// Returns whether a file is a test. Tests may use what is above the module that they test.
pub(crate) fn is_test(path: &Path) -> bool {
    let relative = path.strip_prefix(source()).expect("a file of the crate").with_extension("");
    relative.iter().any(|name| name.to_string_lossy().ends_with("tests"))
}

/// Returns `["job", "actor"]` for `job/actor.rs`, `["job"]` for `job/mod.rs`, nothing for `lib.rs`.
pub(crate) fn module_of(path: &Path) -> CratePath {
    let relative = path.strip_prefix(source()).expect("a file of the crate").with_extension("");
    let names = relative.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod" && name != "lib").collect()
}

/// Returns every path of the crate that the code of `module` names: from `crate`, `super` or `self`, or from a
/// module that it declares or imports. A path that ends in `*` leads to the module before that.
pub(crate) fn paths(code: &str, module: &[String]) -> BTreeSet<CratePath> {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (uses, rest) = without_uses(code);
    let mut paths = BTreeSet::new();
    for start in ["crate::", "super::", "self::"] {
        uses.iter().filter(|tree| tree.starts_with(start)).for_each(|tree| expand(tree, module, &mut paths));
        occurrences(&rest, start).for_each(|at| expand(at, module, &mut paths));
    }
    let imported: Vec<CratePath> = paths.iter().filter(|path| begins_lower(path.last())).cloned().collect();
    let declared = occurrences(&rest, "mod ").map(|at| [module, &[name(&at["mod ".len()..])]].concat());
    for path in declared.chain(imported).collect::<Vec<_>>() {
        let Some(last) = path.last() else { continue };
        let start = format!("{last}::");
        let at =
            uses.iter().copied().filter(|tree| tree.starts_with(&start)).chain(occurrences(&rest, &start));
        at.for_each(|at| expand(&at[start.len()..], &path, &mut paths));
    }
    paths
}

/// Returns what `use` items name, and the other code.
fn without_uses(code: &str) -> (Vec<&str>, String) {
    let (mut uses, mut rest, mut left) = (Vec::new(), String::new(), code);
    let is_item = |before: &str| {
        let line = before.rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || line.starts_with("pub")
    };
    while let Some(at) = left.match_indices("use ").map(|(at, _)| at).find(|at| is_item(&left[..*at])) {
        let (before, item) = left.split_at(at);
        let (tree, after) = item.split_once(';').unwrap_or((item, ""));
        uses.push(tree["use ".len()..].trim());
        rest.push_str(before);
        left = after;
    }
    rest.push_str(left);
    (uses, rest)
}

/// Returns the code from each `start` on that is not part of a longer name or path.
fn occurrences<'a>(code: &'a str, start: &str) -> impl Iterator<Item = &'a str> {
    let is_continued = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let found = code.match_indices(start).filter(move |(index, _)| !is_continued(&code[..*index]));
    found.map(|(index, _)| &code[index..])
}

fn begins_lower(name: Option<&String>) -> bool {
    name.is_some_and(|name| name.starts_with(|c: char| c.is_lowercase()))
}

fn name(code: &str) -> String {
    code.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Adds the paths that `code` begins with, as seen from the module `from`.
fn expand(code: &str, from: &[String], paths: &mut BTreeSet<CratePath>) {
    let code = code.trim_start();
    if code.is_empty() {
        // This is after the last comma of a group.
        return;
    }
    if let Some(rest) = code.strip_prefix("crate::") {
        return expand(rest, &[], paths);
    }
    if let Some(rest) = code.strip_prefix("super::") {
        return expand(rest, &from[..from.len().saturating_sub(1)], paths);
    }
    if let Some(rest) = code.strip_prefix("self::") {
        return expand(rest, from, paths);
    }
    if let Some(group) = code.strip_prefix('{') {
        let (mut depth, mut item) = (0, 0);
        for (index, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => return expand(&group[item..index], from, paths),
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&group[item..index], from, paths);
                    item = index + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let name = name(code);
    let path = match name.as_str() {
        "" | "self" => from.to_vec(),
        _ => [from, std::slice::from_ref(&name)].concat(),
    };
    match code[name.len()..].strip_prefix("::") {
        Some(rest) => expand(rest, &path, paths),
        None => drop(paths.insert(path)),
    }
}

/// Returns what each file of the crate imports from others, without tests.
pub(crate) fn of_crate() -> Imports {
    let files: Vec<PathBuf> = rust_files(&source()).into_iter().filter(|path| !is_test(path)).collect();
    let sources: BTreeMap<CratePath, String> =
        files.iter().map(|path| (module_of(path), code(path))).collect();
    let folders: BTreeSet<CratePath> =
        files.iter().filter(|path| path.ends_with("mod.rs")).map(|path| module_of(path)).collect();
    imports(&sources, &folders)
}

/// Returns the modules that each module imports from. The re-exports of a `mod.rs` or `lib.rs` are imported from
/// where they are defined. A module that `lib.rs` re-exports from another crate does not count.
pub(crate) fn imports(sources: &BTreeMap<CratePath, String>, folders: &BTreeSet<CratePath>) -> Imports {
    let named: BTreeMap<&CratePath, BTreeSet<CratePath>> =
        sources.iter().map(|(module, code)| (module, paths(code, module))).collect();
    let origin = |path: &CratePath| {
        let mut path = path.clone();
        loop {
            let length = (0..=path.len()).rev().find(|length| sources.contains_key(&path[..*length]))?;
            let module = path[..length].to_vec();
            let is_folder = module.is_empty() || folders.contains(&module);
            let item = path.get(length).filter(|_| is_folder);
            let is_origin =
                |other: &&CratePath| other.last() == item && path.get(..=length) != Some(&other[..]);
            match item.and_then(|_| named[&module].iter().find(is_origin)) {
                Some(other) => path = other.clone(),
                None if module.is_empty() && begins_lower(item) => return None,
                None => return Some(module),
            }
        }
    };
    let modules = named.iter().map(|(module, paths)| {
        let used = paths.iter().filter_map(origin).filter(|used| used != *module);
        ((*module).clone(), used.collect())
    });
    modules.collect()
}

/// Returns the groups of modules in which each module leads to all others of its group.
pub(crate) fn circles(imports: &Imports) -> BTreeSet<BTreeSet<CratePath>> {
    let reached: BTreeMap<&CratePath, BTreeSet<&CratePath>> = imports
        .keys()
        .map(|first| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
            while let Some(module) = open.pop() {
                open.extend(imports[module].iter().filter(|used| seen.insert(*used)));
            }
            (first, seen)
        })
        .collect();
    let circle = |module: &CratePath| {
        let others = reached[module].iter().filter(|other| reached[**other].contains(module));
        others.map(|other| (*other).clone()).collect()
    };
    imports.keys().map(circle).filter(|circle: &BTreeSet<CratePath>| !circle.is_empty()).collect()
}
