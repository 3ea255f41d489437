//! The direction of imports: everything in `src/` and in the library crates uses only what is below it.
//!
//! [`LAYERS`] is the whole order. An area is a folder or a file of `src/`, a library crate, or a part of a layer that groups
//! several; within an area files may use each other, in circles of a few (`circles.rs`).

use std::{collections::BTreeMap, fs};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::support::source::{LIBRARIES, files, in_layers, root};

/// All layers from the bottom to the top, and the areas of each in the same order. ARCHITECTURE.md shows this list as a
/// picture.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "platform",
        &[
            "backoff",
            "network",
            "https",
            "keys",
            "settings",
            "log_filter",
            "telemetry",
            "traces",
            "overload",
            "bus",
            "db",
            "error",
            "audit",
            "core",
            "tasks",
            "worker",
            "pulse",
            "idempotency",
        ],
    ),
    ("http", &[]),
    ("pages", &[]),
    ("providers", &[]),
    ("sandbox", &[]),
    ("mails", &[]),
    ("accounts", &["auth", "uploads", "users", "emails", "notices", "invites", "organisations"]),
    ("places", &[]),
    ("wire", &[]),
    ("notifications", &[]),
    ("grievances", &[]),
    ("catalogue", &["vehicles", "dispatch_settings", "job_stops", "categories", "workshops"]),
    ("fleet", &["eta", "mechanics"]),
    ("accounting", &["ledger", "dues"]),
    ("thresholds", &[]),
    ("jobs", &[]),
    ("offers", &[]),
    ("dispatch", &[]),
    ("money", &["settings", "wallet", "payments", "disputes", "no_shows", "tow_reviews"]),
    ("messaging", &["guests", "calls", "chat"]),
    ("tracking", &[]),
    ("sharing", &["ratings", "shares"]),
    ("partners", &["settings", "context", "club_offer", "contracts", "feeds", "bills", "cases", "incoming"]),
    ("lifecycle", &[]),
    ("ws", &[]),
    ("cluster", &[]),
    ("bridge", &[]),
    ("demo", &[]),
    ("admin", &[]),
    ("openapi", &[]),
    ("edge", &[]),
    ("routes", &[]),
    ("service", &[]),
    ("workers", &[]),
    ("app", &[]),
    ("cli", &[]),
    ("fuzzing", &[]),
];

/// The place of an area: the position of its layer, and its own within it.
type Place = (usize, usize);

/// Returns whether a library crate only groups layers, and is not a layer.
fn groups_layers(library: &str) -> bool {
    let is_library = LIBRARIES.iter().any(|(name, _)| *name == library);
    is_library && LAYERS.iter().all(|(name, _)| *name != library)
}

/// Returns the position of a path below `crate`, such as `money::wallet::upi`. The own `mod.rs` of a layer, or of a crate with
/// several, only groups, and has none.
fn place(path: &[String]) -> Result<Option<Place>, String> {
    let Some(first) = path.first() else { return Ok(None) };
    if path.len() == 1 && groups_layers(first) {
        return Ok(None);
    }
    let layer = LAYERS.iter().position(|(name, _)| name == first);
    let layer = layer.ok_or_else(|| format!("{first} is in no layer"))?;
    let areas = LAYERS[layer].1;
    if areas.is_empty() {
        return Ok(Some((layer, 0)));
    }
    let Some(second) = path.get(1) else { return Ok(None) };
    let area = areas.iter().position(|name| name == second);
    area.map(|area| Some((layer, area))).ok_or_else(|| format!("{first}::{second} is in no layer"))
}

/// Returns the area that a path below `crate`, or below the layers, belongs to: `money::wallet` or `jobs`. Returns an empty
/// text for paths outside all areas.
pub(crate) fn area(path: &[String]) -> String {
    place(path).ok().flatten().map(name).unwrap_or_default()
}

/// Returns whether `other` is above `area`; both as `area()` names them.
pub(crate) fn is_above(other: &str, area: &str) -> bool {
    let place = |name: &str| place(&name.split("::").map(str::to_owned).collect::<Vec<_>>()).ok().flatten();
    place(other) > place(area)
}

/// Returns the module of a file below the layers: `jobs/log/mod.rs` is `jobs::log`.
pub(crate) fn module(file: &str) -> Vec<String> {
    file.trim_end_matches(".rs").split('/').map(str::to_owned).filter(|part| part != "mod").collect()
}

fn name((layer, area): Place) -> String {
    let (layer, areas) = LAYERS[layer];
    areas.get(area).map_or_else(|| layer.to_owned(), |area| format!("{layer}::{area}"))
}

/// A module or an item below `crate`: `["jobs", "log", "Change"]`.
pub(crate) type CratePath = Vec<String>;

/// Every path that a file names: in `use`, in code, in attributes and in macros. Relative paths are made absolute, below
/// `crate`.
#[derive(Default)]
pub(crate) struct Imports {
    pub found: Vec<CratePath>,
    /// The file's own names, of its imports and of the modules that it declares, with their paths.
    pub names: BTreeMap<String, CratePath>,
}

/// Collects paths as they are written.
#[derive(Default)]
struct Reader {
    /// The number of modules within the file that the reader is in.
    inner: usize,
    declared: Vec<String>,
    uses: Vec<Use>,
    paths: Vec<Written>,
}

struct Use {
    path: Written,
    /// The name by which the file knows the path; `None` for all names of a module.
    name: Option<String>,
}

/// A path, and how deep within the file it is written.
struct Written {
    inner: usize,
    parts: Vec<String>,
}

impl Imports {
    pub(crate) fn of(module: &[String], source: &str) -> Self {
        let parsed =
            syn::parse_file(source).unwrap_or_else(|error| panic!("{module:?} is not Rust: {error}"));
        let mut reader = Reader::default();
        reader.visit_file(&parsed);
        let mut imports = Self::default();
        for name in reader.declared {
            imports.names.insert(name.clone(), [module, &[name]].concat());
        }
        // A `use` may begin with a name that another one imports.
        let mut open = reader.uses;
        loop {
            let before = open.len();
            open.retain(|item| match imports.absolute(module, &item.path) {
                Some(path) => {
                    imports.names.extend(item.name.clone().map(|name| (name, path.clone())));
                    imports.found.push(path);
                    false
                }
                None => true,
            });
            if open.len() == before {
                break;
            }
        }
        let in_code: Vec<CratePath> =
            reader.paths.iter().filter_map(|path| imports.absolute(module, path)).collect();
        imports.found.extend(in_code);
        imports
    }

    /// Returns `None` for a path that is not below `crate`, and for a name without a path.
    fn absolute(&self, module: &[String], written: &Written) -> Option<CratePath> {
        self.below_crate(module, written).map(in_layers)
    }

    fn below_crate(&self, module: &[String], Written { inner, parts }: &Written) -> Option<CratePath> {
        let supers = parts.iter().take_while(|part| *part == "super").count();
        match parts.first()?.as_str() {
            "crate" => Some(parts[1..].to_vec()),
            "self" if *inner == 0 => Some([module, &parts[1..]].concat()),
            "super" if supers == *inner => Some([module, &parts[supers..]].concat()),
            "super" if supers > *inner => {
                let kept = module.len().saturating_sub(supers - inner);
                Some([&module[..kept], &parts[supers..]].concat())
            }
            first if parts.len() > 1 => self.names.get(first).map(|path| [&path[..], &parts[1..]].concat()),
            _ => None,
        }
    }
}

impl Reader {
    fn add(&mut self, parts: Vec<String>) {
        self.paths.push(Written { inner: self.inner, parts });
    }

    fn add_tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| match name == "self" && !before.is_empty() {
            true => before.to_vec(),
            false => [before, &[name.to_string()]].concat(),
        };
        let (parts, name) = match tree {
            syn::UseTree::Path(path) => return self.add_tree(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_tree(before, tree));
            }
            syn::UseTree::Name(leaf) => (with(&leaf.ident), with(&leaf.ident).pop()),
            syn::UseTree::Rename(leaf) => (with(&leaf.ident), Some(leaf.rename.to_string())),
            syn::UseTree::Glob(_) => (before.to_vec(), None),
        };
        self.uses.push(Use { path: Written { inner: self.inner, parts }, name });
    }

    /// Adds paths among the tokens of a macro, which syn does not parse.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.add(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.add(std::mem::take(&mut path));
                    self.add_tokens(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.add(std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.add(path);
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident == "tests" {
            return;
        }
        if module.content.is_none() && self.inner == 0 {
            self.declared.push(module.ident.to_string());
        }
        self.inner += 1;
        visit::visit_item_mod(self, module);
        self.inner -= 1;
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(parts);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }

    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }
}

/// Returns the imports of `source` that go upwards.
fn upward(file: &str, source: &str) -> Vec<String> {
    let mut module = module(file);
    if module == ["lib"] || module == ["main"] {
        module.clear();
    }
    let own = match place(&module) {
        Ok(Some(own)) => own,
        Ok(None) => return Vec::new(),
        Err(why) => return vec![format!("{file}: {why}")],
    };
    let imports = Imports::of(&module, source).found;
    let astray = imports.iter().filter_map(|path| match place(path) {
        Ok(Some(other)) if other > own => Some(format!("{file}: {} uses {}", name(own), path.join("::"))),
        Ok(_) => None,
        Err(why) => Some(format!("{file}: {why}")),
    });
    let mut astray: Vec<String> = astray.collect();
    astray.sort();
    astray.dedup();
    astray
}

/// Returns the code of every file by its path below the layers, except unit tests in files of their own, which may use layers
/// above.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let files = files().into_iter().map(|file| (file.place, file.text));
    files.filter(|(place, _)| !place.ends_with("tests.rs") && !place.contains("/tests/")).collect()
}

#[test]
fn every_area_uses_only_areas_below_it() {
    let files = sources();
    let astray: Vec<String> = files.iter().flat_map(|(file, source)| upward(file, source)).collect();
    assert!(
        astray.is_empty(),
        "everything depends on what is below it, never the other way:\n{}",
        astray.join("\n")
    );
    for (layer, areas) in LAYERS {
        for area in areas.iter().map(|area| format!("{layer}/{area}")).chain([(*layer).to_owned()]) {
            let exists = files
                .keys()
                .any(|file| *file == format!("{area}.rs") || file.starts_with(&format!("{area}/")));
            assert!(exists, "{area} is a layer without a file");
        }
    }
}

/// Protects the borders of the library crates: Cargo holds them, and would accept a dependency on the engine in each of them.
#[test]
fn a_library_crate_depends_only_on_those_below_it() {
    let mut below = vec!["base"];
    for (library, _) in LIBRARIES {
        if library == "groundwork" {
            // Its layers are the first ones with the engine's values.
            below.push("actors");
        }
        let manifest = fs::read_to_string(root().join(format!("crates/{library}/Cargo.toml"))).unwrap();
        let of_ours =
            manifest.lines().filter_map(|line| line.strip_prefix("roadcall-")?.split(['.', ' ']).next());
        let used: Vec<&str> = of_ours.collect();
        assert!(!used.is_empty(), "the search itself is broken");
        assert!(used.iter().all(|name| below.contains(name)), "{library} depends on one of {used:?}");
        below.push(library);
    }
}

#[test]
fn the_architecture_shows_the_same_layers() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let picture = text.split("```layers").nth(1).and_then(|rest| rest.split("```").next());
    let lines = picture.expect("ARCHITECTURE.md has a block of layers").lines().map(str::trim);
    let shown: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let line = |(layer, areas): &(&str, &[&str])| [&[*layer], *areas].concat().join(" ");
    let expected: Vec<String> = LAYERS.iter().rev().map(line).collect();
    assert_eq!(shown, expected, "the picture shows the top layer first");
}

#[test]
fn every_spelling_of_an_upward_import_is_noticed() {
    let astray = |source: &str| upward("catalogue/vehicles/handlers.rs", source);
    let upwards = [
        "use crate::jobs::JobRow;",
        "use crate::{http::Body, money::{payments::Payment, wallet}};",
        "fn f() { crate::jobs::find(); }",
        "fn f() { let a: Vec<crate::offers::Offer> = vec![]; }",
        "fn f() { assert!(crate::jobs::is_open()); }",
        "#[derive(Debug)] #[schema(value_type = crate::jobs::Job)] struct A;",
        "use super::super::categories::find;",
        "use super::super::super::jobs;",
        "mod inner { use super::super::super::categories; }",
    ];
    for source in upwards {
        assert_eq!(astray(source).len(), 1 + usize::from(source.contains("wallet")), "{source}");
    }
    let downwards = [
        "use crate::{accounts::auth::Caller, http::Body}; use super::queries;",
        "mod inner { use super::super::dto::A; }",
        "fn f() { find(crate::platform::db::Db) }",
        "mod tests { use crate::jobs::JobRow; }",
        "// use crate::jobs::JobRow;",
    ];
    for source in downwards {
        assert_eq!(astray(source), Vec::<String>::new(), "{source}");
    }
    assert_eq!(upward("nowhere/mod.rs", "").len(), 1, "a folder that nobody has put into a layer");
}
