//! The owners of the sections of the settings. A section belongs to the area whose `settings.rs` defines it. Another area that
//! needs a value of it gets that value from the service, under a name of its own.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::layers::{module, sources};

/// The parts that put all areas together. They may know every section.
const COMPOSERS: [&str; 5] = ["service", "workers", "app", "cli", "fuzzing"];

/// The areas that use a provider have its section, too; admins change a part of the dispatcher's.
const SHARED: [(&str, &str); 8] = [
    ("CallSettings", "messaging"),
    ("DispatchSettings", "dispatch"),
    ("GatewaySettings", "money"),
    ("MailSettings", "mails"),
    ("PayoutSettings", "money"),
    ("PlaceSettings", "places"),
    ("PushSettings", "notifications"),
    ("UploadSettings", "accounts"),
];

/// The names in a file that may be about settings, without its tests.
#[derive(Default)]
struct Reader {
    structs: Vec<String>,
    /// The fields of contexts, with the types that they are made of.
    held: Vec<(String, BTreeSet<String>)>,
    /// The names of types that the file uses, with their lines.
    named: Vec<(String, usize)>,
    /// The fields that it reads.
    read: Vec<(String, usize)>,
}

impl Reader {
    fn of(source: &str) -> Self {
        let mut reader = Self::default();
        reader.visit_file(&syn::parse_file(source).unwrap());
        reader
    }

    fn add_use(&mut self, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => self.add_use(&path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree)),
            syn::UseTree::Name(leaf) => self.add_name(&leaf.ident),
            syn::UseTree::Rename(leaf) => self.add_name(&leaf.ident),
            syn::UseTree::Glob(_) => {}
        }
    }

    fn add_name(&mut self, name: &syn::Ident) {
        self.named.push((name.to_string(), name.span().start().line));
    }

    /// Adds the names among the tokens of a macro, which syn does not parse.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut follows_dot = false;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if follows_dot => {
                    self.read.push((name.to_string(), name.span().start().line));
                }
                TokenTree::Ident(name) => self.add_name(&name),
                TokenTree::Punct(mark) => {
                    follows_dot = mark.as_char() == '.';
                    continue;
                }
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Literal(_) => {}
            }
            follows_dot = false;
        }
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.structs.push(item.ident.to_string());
        if item.ident.to_string().ends_with("Context") {
            for field in &item.fields {
                let mut types = Self::default();
                types.visit_type(&field.ty);
                let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                self.held.push((name, types.named.into_iter().map(|(name, _)| name).collect()));
            }
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_use(&item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        path.segments.iter().for_each(|segment| self.add_name(&segment.ident));
        visit::visit_path(self, path);
    }

    fn visit_expr_field(&mut self, expression: &'a syn::ExprField) {
        if let syn::Member::Named(name) = &expression.member {
            self.read.push((name.to_string(), name.span().start().line));
        }
        visit::visit_expr_field(self, expression);
    }

    fn visit_field_pat(&mut self, pattern: &'a syn::FieldPat) {
        if let syn::Member::Named(name) = &pattern.member {
            self.read.push((name.to_string(), pattern.span().start().line));
        }
        visit::visit_field_pat(self, pattern);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        self.add_tokens(called.tokens.clone());
    }
}

/// The sections of all areas, and the fields of contexts that hold them, each with its area.
#[derive(Default)]
struct Sections {
    types: BTreeMap<String, String>,
    fields: BTreeMap<String, String>,
    /// Fields that hold a section without a name that says so.
    misnamed: Vec<String>,
}

impl Sections {
    fn of(files: &BTreeMap<String, Reader>) -> Self {
        let mut sections = Self::default();
        let of_areas = files.iter().filter(|(file, _)| {
            file.ends_with("/settings.rs") && !["platform", "service"].contains(&area(file).as_str())
        });
        for (file, reader) in of_areas {
            let named = reader.structs.iter().filter(|name| name.ends_with("Settings"));
            sections.types.extend(named.map(|name| (name.clone(), area(file))));
        }
        for (file, reader) in files {
            for (field, types) in &reader.held {
                if !types.iter().any(|name| sections.types.contains_key(name)) {
                    continue;
                }
                if !field.ends_with("_settings") {
                    sections.misnamed.push(format!("{file}: {field}"));
                }
                let other = sections.fields.insert(field.clone(), area(file));
                assert!(other.is_none_or(|other| other == area(file)), "{field} is in contexts of two areas");
            }
        }
        sections
    }

    /// Returns what a file reads of the settings of other areas.
    fn astray(&self, file: &str, reader: &Reader) -> Vec<String> {
        let own = area(file);
        if COMPOSERS.contains(&own.as_str()) {
            return Vec::new();
        }
        let is_foreign = |owner: Option<&String>| owner.is_some_and(|owner| *owner != own);
        let types = reader.named.iter().filter(|(name, _)| {
            is_foreign(self.types.get(name)) && !SHARED.contains(&(name.as_str(), own.as_str()))
        });
        let fields = reader.read.iter().filter(|(name, _)| is_foreign(self.fields.get(name)));
        types.chain(fields).map(|(name, line)| format!("{file}:{line}: {name}")).collect()
    }
}

/// Returns the layer of a file.
fn area(file: &str) -> String {
    module(file).into_iter().next().unwrap_or_default()
}

#[test]
fn an_area_reads_its_own_sections_of_the_settings_alone() {
    let files: BTreeMap<String, Reader> =
        sources().into_iter().map(|(file, source)| (file, Reader::of(&source))).collect();
    let sections = Sections::of(&files);
    assert!(sections.types.len() > 30 && sections.fields.len() > 10, "the search itself is broken");
    for (shared, by) in SHARED {
        assert!(sections.types.get(shared).is_some_and(|owner| owner != by), "{shared} is no provider's");
    }
    let astray: Vec<String> = files.iter().flat_map(|(file, reader)| sections.astray(file, reader)).collect();
    assert!(
        astray.is_empty(),
        "take a value of another area's settings as a parameter, or in the context, by a name of your own:\n{}",
        astray.join("\n")
    );
    assert!(
        sections.misnamed.is_empty(),
        "the name of a field with a section ends with _settings:\n{}",
        sections.misnamed.join("\n")
    );
}

#[test]
fn a_foreign_section_is_noticed_however_it_is_read() {
    let files = [
        ("jobs/settings.rs", "pub struct JobSettings { pub currency: String }"),
        ("jobs/context.rs", "pub struct JobsContext { pub job_settings: Arc<JobSettings>, pub db: Db }"),
        ("jobs/actions.rs", "fn f(context: &JobsContext) { context.job_settings.currency }"),
        ("money/a.rs", "use crate::jobs::{JobSettings as Other, JobsContext};"),
        ("money/b.rs", "fn f(settings: &crate::jobs::JobSettings) {}"),
        ("money/c.rs", "fn f(context: &JobsContext) { g(&context.jobs.job_settings) }"),
        ("money/d.rs", "fn f() { let JobsContext { job_settings, .. } = context; }"),
        ("money/e.rs", "fn f() { assert!(context.job_settings.start_code) }"),
        ("money/f.rs", "fn f() { context.db } mod tests { use crate::jobs::JobSettings; }"),
        ("service/wiring.rs", "use crate::jobs::JobSettings;"),
    ];
    let files: BTreeMap<String, Reader> =
        files.into_iter().map(|(file, source)| (file.to_owned(), Reader::of(source))).collect();
    let sections = Sections::of(&files);
    let astray: BTreeSet<String> =
        files.iter().flat_map(|(file, reader)| sections.astray(file, reader)).collect();
    let expected = [
        "money/a.rs:1: JobSettings",
        "money/b.rs:1: JobSettings",
        "money/c.rs:1: job_settings",
        "money/d.rs:1: job_settings",
        "money/e.rs:1: job_settings",
    ];
    assert_eq!(astray, expected.map(str::to_owned).into());
}
