//! The operations at their former paths: each is the same as at its new path, and is deprecated.

use serde_json::{Value, json};

use crate::http::{ALIASES, Alias};

/// Adds the old paths to a document that is otherwise complete.
pub(super) fn list(document: &mut Value) {
    for alias in &ALIASES {
        let method = alias.method.as_str().to_lowercase();
        let operation = document["paths"][alias.new].get(&method);
        let mut operation = operation.expect("an old path leads to an operation").clone();
        deprecate(&mut operation, alias);
        document["paths"][alias.old][&method] = operation;
    }
}

fn deprecate(operation: &mut Value, alias: &Alias) {
    let same = format!("{} {}", alias.method, alias.new);
    let id = operation["operationId"].as_str().unwrap_or_default();
    operation["operationId"] = json!(format!("{id}_by_old_path"));
    operation["description"] = json!(format!("Same as `{same}`, which takes its place."));
    operation["deprecated"] = json!(true);
    operation["x-same-as"] = json!(same);
    for (_, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        // Shared answers are described once, without these headers.
        if response.get("$ref").is_none() {
            for (header, name) in [("deprecation", "Deprecation"), ("link", "Successor")] {
                response["headers"][header] = json!({"$ref": format!("#/components/headers/{name}")});
            }
        }
    }
}
