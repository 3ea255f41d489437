//! The names, calls and imports of one file.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{
    spanned::Spanned,
    visit::{self, Visit},
};

use super::writers::Writers;
use crate::{layers::module, support::source::in_layers};

/// Methods of a database connection that begin or end a transaction.
const TRANSACTION_METHODS: [&str; 3] = ["begin", "begin_snapshot", "commit"];

/// Types that only code with a transaction takes.
const TRANSACTION_TYPES: [&str; 2] = ["PgConnection", "Transaction"];

/// Types that read a request or shape an answer. `crate::accounts::auth` and `crate::http` declare all of them.
const OF_REQUESTS: [&str; 21] = [
    "Admin",
    "AnyId",
    "AnyMechanic",
    "Body",
    "Caller",
    "ClientAddress",
    "Customer",
    "IdempotencyKey",
    "List",
    "Mechanic",
    "Meter",
    "NoIdempotencyKey",
    "Owned",
    "OwnProfile",
    "OwnedBy",
    "Page",
    "PathIds",
    "PathText",
    "Query",
    "RawBody",
    "SuperAdmin",
];

/// A resolved path in the code: below `crate` if it is the service's own, otherwise as written.
#[derive(Debug, PartialEq)]
pub struct Named {
    path: Vec<String>,
    line: usize,
}

/// The names and calls of one file, without its tests.
pub struct SourceFile {
    /// The path below the layers.
    pub file: String,
    pub module: Vec<String>,
    /// The paths that the file's own names stand for.
    imported: HashMap<String, Vec<String>>,
    /// Names that others can import from this file, with the paths that they stand for.
    pub exported: Vec<(String, Vec<String>)>,
    named: Vec<Named>,
    /// Methods that are called without an argument, with their lines.
    methods: Vec<(String, usize)>,
    pub has_routes: bool,
}

impl SourceFile {
    pub fn read(file: &str, source: &str) -> Self {
        let parsed = syn::parse_file(source).unwrap_or_else(|error| panic!("{file} is not Rust: {error}"));
        let mut read = Self {
            file: file.to_owned(),
            module: module(file),
            imported: HashMap::new(),
            exported: Vec::new(),
            named: Vec::new(),
            methods: Vec::new(),
            has_routes: false,
        };
        read.visit_file(&parsed);
        read.add_tokens(source.parse().unwrap());
        read
    }

    fn resolve(&self, path: &[String]) -> Vec<String> {
        in_layers(self.below_crate(path))
    }

    fn below_crate(&self, path: &[String]) -> Vec<String> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [&self.module, &path[1..]].concat(),
            "super" => {
                let above = self.module.len().saturating_sub(supers);
                [&self.module[..above], &path[supers..]].concat()
            }
            first => match self.imported.get(first) {
                Some(imported) => [imported, &path[1..]].concat(),
                None => path.to_vec(),
            },
        }
    }

    fn add_use(&mut self, before: &[String], tree: &syn::UseTree, is_public: bool) {
        let (leaf, name) = match tree {
            syn::UseTree::Path(path) => {
                return self.add_use(&[before, &[path.ident.to_string()]].concat(), &path.tree, is_public);
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_use(before, tree, is_public));
            }
            syn::UseTree::Glob(_) => return,
            syn::UseTree::Name(leaf) => (&leaf.ident, &leaf.ident),
            syn::UseTree::Rename(leaf) => (&leaf.ident, &leaf.rename),
        };
        let mut path = before.to_vec();
        // The leaf is `self` in `use super::{self as above}`.
        if leaf != "self" {
            path.push(leaf.to_string());
        }
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name.to_string() };
        let is_module_of_its_own = !["crate", "super", "self"].contains(&path[0].as_str());
        let path = self.resolve(&path);
        let line = tree.span().start().line;
        if is_public {
            let whole = if is_module_of_its_own { [&self.module[..], &path].concat() } else { path.clone() };
            self.exported.push((name.clone(), whole));
        }
        self.named.push(Named { path: path.clone(), line });
        self.imported.insert(name, path);
    }

    /// Adds paths and method calls, in macros too.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let ident = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        };
        let is = |at: usize, letter: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == letter);
        let mut at = 0;
        while at < tokens.len() {
            let Some(first) = ident(at) else {
                if let TokenTree::Group(group) = &tokens[at] {
                    self.add_tokens(group.stream());
                }
                at += 1;
                continue;
            };
            if first == "use" {
                // `add_use` reads it.
                while !is(at, ';') && at < tokens.len() {
                    at += 1;
                }
                continue;
            }
            if first == "mod" && ident(at + 1).is_some_and(|name| name == "tests") {
                at += 3;
                continue;
            }
            let is_method = at > 0 && is(at - 1, '.');
            let line = first.span().start().line;
            let mut path = vec![first.to_string()];
            at += 1;
            while is(at, ':') && is(at + 1, ':') {
                let Some(part) = ident(at + 2) else { break };
                path.push(part.to_string());
                at += 3;
            }
            let is_called_plainly = matches!(tokens.get(at), Some(TokenTree::Group(arguments))
                if arguments.delimiter() == Delimiter::Parenthesis && arguments.stream().is_empty());
            if is_method && is_called_plainly {
                self.methods.push((path[0].clone(), line));
            } else if !is_method {
                self.has_routes |= path == ["utoipa", "path"];
                self.named.push(Named { path: self.resolve(&path), line });
            }
        }
    }

    /// Returns whether requests, frames or due work arrive in the file.
    pub fn is_entrance(&self) -> bool {
        let (folders, name) = self.file.rsplit_once('/').unwrap_or(("", &self.file));
        let is_handlers =
            ["handlers.rs", "admin.rs"].contains(&name) || folders.split('/').any(|part| part == "handlers");
        let is_arrival = name.contains("worker")
            || ["ws", "workers"].contains(&folders.split('/').next().unwrap_or_default());
        (is_handlers || is_arrival || self.has_routes) && name != "queries.rs" && !self.is_of_actions()
    }

    pub fn is_of_actions(&self) -> bool {
        self.module.iter().any(|part| part == "actions")
    }

    fn place(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.file)
    }

    /// Returns where a file that should have no transaction uses one.
    pub fn transactions(&self) -> Vec<String> {
        let begun = self.methods.iter().filter(|(name, _)| TRANSACTION_METHODS.contains(&name.as_str()));
        let begun = begun.map(|(name, line)| self.place(*line, &format!(".{name}()")));
        let taken = self
            .named
            .iter()
            .filter(|named| named.path.last().is_some_and(|last| TRANSACTION_TYPES.contains(&last.as_str())));
        begun.chain(taken.map(|named| self.place(named.line, &named.path.join("::")))).collect()
    }

    /// Returns the calls of writing functions of a `queries` module in a file that should not write.
    pub fn writes(&self, writers: &Writers) -> Vec<String> {
        let written = self.named.iter().filter(|named| writers.has(&self.module, &named.path));
        written.map(|named| self.place(named.line, &named.path.join("::"))).collect()
    }

    /// Returns the names that a use case should not know.
    pub fn requests(&self) -> Vec<String> {
        let known = self.named.iter().filter(|named| is_of_requests(&named.path));
        known.map(|named| self.place(named.line, &named.path.join("::"))).collect()
    }
}

impl<'a> Visit<'a> for SourceFile {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_use(&[], &item.tree, !matches!(item.vis, syn::Visibility::Inherited));
    }
}

fn is_of_requests(path: &[String]) -> bool {
    let starts =
        |with: &[&str]| path.iter().zip(with).filter(|(part, with)| part == with).count() == with.len();
    if path[0] == "actix_web" {
        return true;
    }
    let [.., parent, last] = path else { return false };
    // `Role::Customer` is a variant.
    let is_type = parent.starts_with(|letter: char| letter.is_ascii_lowercase());
    is_type && (starts(&["accounts", "auth"]) || starts(&["http"])) && OF_REQUESTS.contains(&last.as_str())
}
