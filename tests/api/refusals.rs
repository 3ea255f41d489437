//! Checks that the document shows refusals in the words of the service.

use std::{collections::BTreeSet, fs};

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use walkdir::WalkDir;

use crate::support::{
    document,
    source::{folders, root},
};

/// The minimum length of a text's fixed parts: with less, it could be any text.
const MIN_FIXED: usize = 12;
/// The code whose text the operator writes.
const BY_OPERATORS: &str = "NO_NEW_JOBS";
/// Codes that each operation uses for reasons of its own.
const OF_THE_OPERATION: [&str; 2] = ["CONFLICT", "INVALID_TRANSITION"];

/// Calls `visit` with the operation, the code and the message of each example of a refusal.
fn refusals(mut visit: impl FnMut(&str, &str, &str)) {
    let mut look = |operation: &str, response: &Value| {
        let content = &response["content"]["application/json"];
        let named =
            content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
        for example in named.chain(content.get("example")) {
            let error = &example["error"];
            if let (Some(code), Some(message)) = (error["code"].as_str(), error["message"].as_str()) {
                visit(operation, code, message);
            }
        }
    };
    for (_, _, operation) in document::operations() {
        for (_, response) in operation["responses"].as_object().unwrap() {
            look(operation["operationId"].as_str().unwrap(), response);
        }
    }
    let shared = document::document()["components"]["responses"].as_object().unwrap();
    shared.iter().for_each(|(name, response)| look(name, response));
}

#[test]
fn the_document_shows_refusals_in_the_words_of_the_service() {
    let templates = templates();
    assert!(templates.len() > 500, "only {} texts were found", templates.len());
    let mut foreign = BTreeSet::new();
    refusals(|operation, code, message| {
        // Some texts get their full stop when they are put together.
        let forms = [message, message.trim_end_matches('.')];
        let is_said = |form: &str| templates.iter().any(|template| is_made_of(form, template));
        if code != BY_OPERATORS && !forms.into_iter().any(is_said) {
            foreign.insert(format!("{operation} {code}: {message}"));
        }
    });
    assert!(foreign.is_empty(), "no text in the sources: {foreign:#?}");
}

#[test]
fn refusals_are_complete_sentences() {
    let mut fragments = BTreeSet::new();
    refusals(|operation, code, message| {
        let begins = message.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit());
        if !begins || !message.ends_with('.') {
            fragments.insert(format!("{operation} {code}: {message}"));
        }
    });
    assert!(fragments.is_empty(), "{fragments:#?}");
}

/// Finds new operations without documented refusals, which would show those of another one.
#[test]
fn conflicts_are_shown_in_the_operations_own_words() {
    let usual: BTreeSet<&str> = BTreeSet::from([
        "Something else changed this at the same time. Try again.",
        "This job is already cancelled, so you can't start the work.",
    ]);
    let mut strange = BTreeSet::new();
    refusals(|operation, code, message| {
        if OF_THE_OPERATION.contains(&code) && usual.contains(message) && operation != "start_work" {
            strange.insert(format!("{operation} {code}"));
        }
    });
    assert!(strange.is_empty(), "src/openapi/examples/messages.json has no message of {strange:#?}");
}

#[test]
fn a_message_is_recognised_by_the_fixed_parts_of_its_text() {
    let template = parts_of("This job is {}. Only {what:?} jobs can be rated.");
    assert_eq!(template, ["This job is ", ". Only ", " jobs can be rated."]);
    assert!(is_made_of("This job is paid. Only completed jobs can be rated.", &template));
    assert!(!is_made_of("This job is paid. Only completed jobs can be rated", &template));
    assert!(!is_made_of("Now this job is paid. Only completed jobs can be rated.", &template));
    assert!(is_made_of("Done and done.", &parts_of("Done and done.")));
    assert!(!is_made_of("Done and done. Again.", &parts_of("Done and done.")));
}

/// Returns every text in the sources, cut where values are put in.
fn templates() -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    for folder in folders() {
        for entry in WalkDir::new(root().join(folder)) {
            let path = entry.unwrap().into_path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).unwrap();
                let tokens: TokenStream =
                    source.parse().unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                collect(tokens, &mut found);
            }
        }
    }
    found.retain(|parts| parts.iter().map(String::len).sum::<usize>() >= MIN_FIXED);
    found
}

fn collect(tokens: TokenStream, found: &mut BTreeSet<Vec<String>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inside = group.stream();
                // To the compiler, doc comments are texts.
                let first = inside.clone().into_iter().next();
                let is_comment = matches!(first, Some(TokenTree::Ident(name)) if name == "doc");
                if !is_comment {
                    collect(inside, found);
                }
            }
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.insert(parts_of(&text.value()));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Returns the parts of a text between its `{…}`.
fn parts_of(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_inside = false;
    for c in text.chars() {
        match c {
            '{' => {
                is_inside = true;
                parts.push(String::new());
            }
            '}' => is_inside = false,
            _ if is_inside => {}
            _ => parts.last_mut().expect("there is always a part").push(c),
        }
    }
    parts
}

/// Returns whether a message has all parts of a text in their order, and nothing before the first or after the last.
fn is_made_of(message: &str, parts: &[String]) -> bool {
    let [first, between @ .., last] = parts else { return parts.iter().all(|part| part == message) };
    let Some(mut rest) = message.strip_prefix(first.as_str()) else { return false };
    for part in between {
        let Some(at) = rest.find(part.as_str()) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last.as_str())
}
