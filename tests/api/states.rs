//! Compares the state that a process remembers (docs/STATE.md) with the source.

use std::{collections::BTreeSet, fs};

use syn::{
    Attribute, Item, ItemEnum, ItemMod, ItemStatic, ItemStruct, PathSegment, TypeReference,
    visit::{self, Visit},
};
use walkdir::WalkDir;

use crate::support::source::{folders, root};

/// Types through which shared data changes, or is waited for.
const SHARED: &[&str] = &[
    "AtomicBool",
    "AtomicI32",
    "AtomicI64",
    "AtomicU32",
    "AtomicU64",
    "AtomicUsize",
    "Cache",
    "LazyLock",
    "Mutex",
    "Notify",
    "OnceCell",
    "OnceLock",
    "RefCell",
    "RwLock",
    "Semaphore",
];

/// The possible owners of a state.
const WHOSE: &[&str] = &["leader", "server", "connection", "program"];

/// The states of one file.
#[derive(Default)]
struct States {
    names: BTreeSet<String>,
    is_shared: bool,
}

impl<'a> Visit<'a> for States {
    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        if !module.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_struct(&mut self, made: &'a ItemStruct) {
        self.is_shared = false;
        visit::visit_fields(self, &made.fields);
        if self.is_shared && !made.attrs.iter().any(is_for_tests) {
            self.names.insert(made.ident.to_string());
        }
    }

    fn visit_item_enum(&mut self, made: &'a ItemEnum) {
        self.is_shared = false;
        visit::visit_item_enum(self, made);
        if self.is_shared && !made.attrs.iter().any(is_for_tests) {
            self.names.insert(made.ident.to_string());
        }
    }

    fn visit_item_static(&mut self, made: &'a ItemStatic) {
        self.names.insert(made.ident.to_string());
    }

    /// Ignores references: they belong to somebody else.
    fn visit_type_reference(&mut self, _: &'a TypeReference) {}

    fn visit_path_segment(&mut self, segment: &'a PathSegment) {
        // Only the standard library's `Cell` has a type parameter; a cell of the map has none.
        let is_cell = segment.ident == "Cell" && !segment.arguments.is_none();
        self.is_shared |= is_cell || SHARED.iter().any(|shared| segment.ident == shared);
        visit::visit_path_segment(self, segment);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        // A queue, and a value that others wait for, belong to the sender.
        let [.., of, end] = &path.segments.iter().collect::<Vec<_>>()[..] else {
            return visit::visit_path(self, path);
        };
        let is_sender = end.ident == "Sender" || end.ident == "UnboundedSender";
        self.is_shared |= is_sender && (of.ident == "mpsc" || of.ident == "watch");
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        // For example `thread_local! { static … }` and `task_local! { static … }`.
        let is_local =
            called.path.segments.last().is_some_and(|last| last.ident.to_string().ends_with("_local"));
        if is_local {
            let tokens = called.tokens.to_string();
            let names = tokens.split("static ").skip(1).filter_map(|rest| rest.split([' ', ':']).next());
            self.names.extend(names.map(str::to_owned));
        }
    }
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
}

/// Returns the file and the name of each state in the source.
fn in_source() -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for folder in folders() {
        for entry in WalkDir::new(root().join(folder)).into_iter().map(Result::unwrap) {
            let file = entry.path().strip_prefix(root()).unwrap().display().to_string();
            // The simulator is for tests, and for the command that compares policies.
            let is_for_tests =
                ["tests.rs", "/testing.rs"].iter().any(|end| file.ends_with(end)) || file.contains("/tests/");
            if !file.ends_with(".rs") || is_for_tests || file.contains("/simulation/") {
                continue;
            }
            let parsed = syn::parse_file(&fs::read_to_string(entry.path()).unwrap()).unwrap();
            found.extend(of(&parsed.items).into_iter().map(|name| (file.clone(), name)));
        }
    }
    found
}

fn of(items: &[Item]) -> BTreeSet<String> {
    let mut states = States::default();
    items.iter().for_each(|item| states.visit_item(item));
    states.names
}

#[test]
fn every_state_of_a_process_is_listed_with_its_limit_and_owner() {
    let document = fs::read_to_string(root().join("docs/STATE.md")).unwrap();
    let mut listed = BTreeSet::new();
    for row in document.lines().filter(|line| line.starts_with("| `")) {
        let columns: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [file, names, what, limit, whose] = columns[..] else { panic!("five columns: {row}") };
        assert!(!what.is_empty() && !limit.is_empty() && WHOSE.contains(&whose), "{row}");
        for name in names.split(", ") {
            listed.insert((file.trim_matches('`').to_owned(), name.trim_matches('`').to_owned()));
        }
    }
    let found = in_source();
    let missing: Vec<_> = found.difference(&listed).collect();
    assert!(missing.is_empty(), "add to docs/STATE.md, with their limits: {missing:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "docs/STATE.md lists what is not there: {gone:#?}");
}

#[test]
fn every_kind_of_state_is_found() {
    let source = "
        struct Plain { a: u32, cell: Cell, of: Option<String> }
        struct Held(Arc<std::sync::Mutex<u32>>);
        struct Queue { to: mpsc::Sender<u8> }
        struct Told { stop: watch::Receiver<bool> }
        struct Local { at: Rc<Cell<u8>> }
        struct Borrowed<'a>(&'a AtomicU64);
        fn f() { static ONCE: OnceLock<u8> = OnceLock::new(); }
        thread_local! { static HERE: u8 = 1; }
        #[cfg(test)] mod tests { struct OfTests(Mutex<u8>); }";
    let names = of(&syn::parse_file(source).unwrap().items);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(names, ["HERE", "Held", "Local", "ONCE", "Queue"]);
}
