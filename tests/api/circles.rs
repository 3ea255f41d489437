//! Circles of imports within an area: files that import each other can only be understood together. `actors/tests/walls.rs`
//! keeps the same rule for the engine.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::layers::{CratePath, Imports, module, sources};

const MAX_FILES_IN_A_CIRCLE: usize = 3;

/// The names that each file uses of other files, by module.
type Arrows = BTreeMap<CratePath, BTreeMap<CratePath, BTreeSet<String>>>;

#[test]
fn files_form_no_large_circles_of_imports() {
    let sources = sources();
    let imports = sources.iter().filter(|(file, _)| !file.trim_end_matches(".rs").ends_with("tests"));
    let arrows = arrows(&imports.map(|(file, source)| read(file, source)).collect());
    assert!(arrows.values().map(BTreeMap::len).sum::<usize>() > 1000, "the search itself is broken");
    let mut large: Vec<BTreeSet<CratePath>> =
        circles(&arrows).into_iter().filter(|circle| circle.len() > MAX_FILES_IN_A_CIRCLE).collect();
    large.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    let large: Vec<String> = large.iter().map(|circle| drawn(circle, &arrows)).collect();
    assert!(
        large.is_empty(),
        "move what files share into one below them; these import each other in a circle:\n\n{}",
        large.join("\n")
    );
}

/// Reads the imports of a file, and its module.
fn read(file: &str, source: &str) -> (CratePath, Imports) {
    let mut module = module(file);
    if module == ["lib"] {
        module.clear();
    }
    let imports = Imports::of(&module, source);
    (module, imports)
}

/// Returns the imports between files. An item that a `mod.rs` re-exports belongs to the file that defines it. A module's
/// name alone is no import of it: the items used from the module are.
fn arrows(imports: &BTreeMap<CratePath, Imports>) -> Arrows {
    // Finds the file that defines the item at a path, and its name there.
    let origin = |path: &CratePath| {
        let mut path = path.clone();
        loop {
            let length = (0..=path.len()).rev().find(|length| imports.contains_key(&path[..*length]))?;
            let (module, rest) = path.split_at(length);
            let known = rest.first().and_then(|name| imports[module].names.get(name));
            match known.filter(|known| **known != path[..=length]) {
                Some(known) => path = [&known[..], &rest[1..]].concat(),
                None => return Some((module.to_vec(), rest.first().cloned())),
            }
        }
    };
    let arrows = imports.iter().map(|(module, found)| {
        let mut used: BTreeMap<CratePath, BTreeSet<String>> = BTreeMap::new();
        for path in found.found.iter().filter(|path| !imports.contains_key(*path)) {
            if let Some((from, name)) = origin(path).filter(|(from, _)| from != module) {
                used.entry(from).or_default().extend(name);
            }
        }
        (module.clone(), used)
    });
    arrows.collect()
}

/// Returns the groups of files in which each file leads to all others of its group.
fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<CratePath>> {
    let reached: BTreeMap<&CratePath, BTreeSet<&CratePath>> = arrows
        .keys()
        .map(|first| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
            while let Some(module) = open.pop() {
                open.extend(arrows[module].keys().filter(|used| seen.insert(*used)));
            }
            (first, seen)
        })
        .collect();
    let circle = |module: &CratePath| {
        let others = reached[module].iter().filter(|other| reached[**other].contains(module));
        others.map(|other| (*other).clone()).collect()
    };
    arrows.keys().map(circle).filter(|circle: &BTreeSet<CratePath>| !circle.is_empty()).collect()
}

/// Draws a circle with the arrows that form it, and the names of each.
fn drawn(circle: &BTreeSet<CratePath>, arrows: &Arrows) -> String {
    let mut text = format!("{} files\n", circle.len());
    for module in circle {
        let _ = writeln!(text, "  {}", module.join("::"));
        for (used, names) in arrows[module].iter().filter(|(used, _)| circle.contains(*used)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let _ = writeln!(text, "    -> {}: {}", used.join("::"), names.join(", "));
        }
    }
    text
}

#[test]
fn every_spelling_of_a_circle_is_found() {
    let sources = [
        ("a.rs", "use crate::{b::B, e::self};"),
        ("b.rs", "fn f() { crate::c::inner::f() }"),
        ("c/mod.rs", "mod inner; pub use inner::C; pub fn own() {}"),
        ("c/inner.rs", "use super::super::d; fn f() { d::D::new() }"),
        ("d.rs", "use crate::a as first; type A = first::A;"),
        ("e.rs", "use crate::c::C; fn f() { vec![crate::d::D] }"),
        ("f/mod.rs", "mod g; pub use self::g::G; fn f() { g::f() } const F: u8 = 1;"),
        ("f/g.rs", "fn g() { super::F }"),
        ("h/mod.rs", "mod i; mod j; pub use i::I; pub use j::J;"),
        ("h/i.rs", "use super::J; mod tests { use super::super::h; fn f() { h::F } }"),
        ("h/j.rs", "use super::super::{a::A, h};"),
    ];
    let imports = sources.map(|(file, source)| read(file, source)).into();
    let found = circles(&arrows(&imports));
    let circle = |files: &[&str]| files.iter().map(|file| module(file)).collect::<BTreeSet<_>>();
    assert_eq!(found, [circle(&["a", "b", "c/inner", "d"]), circle(&["f", "f/g"])].into());
}
