//! Finds the functions that write to the database.

use std::{
    collections::{HashMap, HashSet},
    ops::RangeInclusive,
};

use syn::spanned::Spanned;

use super::source_file::SourceFile;
use crate::{layers::module, queries::statements, support::source, tables};

/// The number of times that `pub use` may pass a name on.
const MAX_EXPORTS: usize = 8;

/// The functions of `queries` modules whose SQL writes.
pub struct Writers {
    /// Their paths below `crate`.
    pub functions: HashSet<Vec<String>>,
    /// Names under which areas export items that are declared elsewhere.
    pub exported: HashMap<Vec<String>, Vec<String>>,
}

impl Writers {
    pub fn of(files: &[SourceFile]) -> Self {
        let mut exported = HashMap::new();
        for file in files {
            let names = file.exported.iter();
            exported.extend(
                names.map(|(name, path)| {
                    ([&file.module[..], std::slice::from_ref(name)].concat(), path.clone())
                }),
            );
        }
        let writing: HashMap<String, Vec<usize>> =
            statements().into_iter().fold(HashMap::new(), |mut writing, statement| {
                if statement.sql.is_some_and(|sql| tables::is_write(&sql)) {
                    writing.entry(statement.file).or_default().push(statement.line);
                }
                writing
            });
        let texts = source::files();
        let functions = texts.iter().filter_map(|file| Some((file, writing.get(&file.place)?)));
        let functions = functions.flat_map(|(file, lines)| {
            let module = module(&file.place);
            writing_functions(&file.text, lines)
                .into_iter()
                .map(move |name| [&module[..], &[name]].concat())
                .collect::<Vec<_>>()
        });
        Self { functions: functions.collect(), exported }
    }

    pub fn has(&self, from: &[String], path: &[String]) -> bool {
        let declared = |mut path: Vec<String>| {
            // Names are passed on from folder to folder. A name that leads back to itself has no declaration.
            for _ in 0..MAX_EXPORTS {
                match self.exported.get(&path) {
                    Some(further) => path.clone_from(further),
                    None => break,
                }
            }
            path
        };
        self.functions.contains(&declared(path.to_vec()))
            || self.functions.contains(&declared([from, path].concat()))
    }
}

/// Returns the functions of a file that have one of these lines, and those that call them.
pub fn writing_functions(source: &str, lines: &[usize]) -> HashSet<String> {
    let parsed = syn::parse_file(source).unwrap();
    let functions = parsed.items.iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let functions: Vec<(String, RangeInclusive<usize>)> = functions
        .map(|function| {
            let span = function.span();
            (function.sig.ident.to_string(), span.start().line..=span.end().line)
        })
        .collect();
    let has_line = |range: &RangeInclusive<usize>| lines.iter().any(|line| range.contains(line));
    let mut writing: HashSet<String> =
        functions.iter().filter(|(_, range)| has_line(range)).map(|(name, _)| name.clone()).collect();
    let text: Vec<&str> = source.lines().collect();
    loop {
        let calls = |range: &RangeInclusive<usize>| {
            let body = text[*range.start()..*range.end()].join("\n");
            writing.iter().any(|name| {
                body.match_indices(&format!("{name}(")).any(|(at, _)| {
                    !body[..at]
                        .ends_with(|letter: char| letter.is_ascii_alphanumeric() || "_.:".contains(letter))
                })
            })
        };
        let more = functions.iter().filter(|(name, range)| !writing.contains(name) && calls(range));
        let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return writing;
        }
        writing.extend(more);
    }
}
