//! Whether the OpenAPI document is complete: clients are generated from it.

use std::collections::{BTreeSet, HashMap};

use roadcall::platform::error::Code;
use serde_json::{Value, json};

use crate::support::{TABLE, document, spawn_app};

#[actix_web::test]
async fn the_served_document_is_the_generated_one() {
    let app = spawn_app().await;
    assert_eq!(&app.anonymous().get("/openapi.json").await.expect(200), document::document());
    assert_eq!(document::document()["openapi"], "3.1.0");
}

#[test]
fn every_operation_has_an_id_of_its_own_a_summary_and_a_tag() {
    let tags: Vec<&str> = document::document()["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = BTreeSet::new();
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{route} has no operationId"));
        assert!(ids.insert(id), "{route}: {id} is another's operationId");
        assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{route}: {id}");
        let title = operation["summary"].as_str().unwrap_or_else(|| panic!("{route} has no summary"));
        assert!(!title.ends_with('.') && !title.contains('\n'), "{route}: {title}");
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        assert!(tags.contains(&tag), "{route}: the tag {tag:?} is not described");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let mut dangling = Vec::new();
    walk(document::document(), "", &mut |at, value| {
        let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
        if target.is_some_and(|target| document::document().pointer(target).is_none()) {
            dangling.push(format!("{at}: {}", value["$ref"]));
        }
    });
    assert!(dangling.is_empty(), "{}", dangling.join("\n"));
}

#[test]
fn every_path_parameter_is_declared_once() {
    for (path, method, operation) in document::operations() {
        let named: BTreeSet<&str> =
            path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let declared: Vec<&str> = parameters
            .filter(|parameter| parameter["in"] == "path")
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        assert_eq!(declared.len(), named.len(), "{method} {path}: {declared:?}");
        assert_eq!(declared.into_iter().collect::<BTreeSet<_>>(), named, "{method} {path}");
    }
}

/// Names that the contract gives to ids in a path.
const OF_THE_CONTRACT: [&str; 2] = ["paymentId", "upiAccountId"];
/// Parameters in paths that are not our ids.
const NO_IDS: [&str; 2] = ["token", "gateway_order_id"];

#[test]
fn ids_in_paths_are_named_alike() {
    let mut names: HashMap<String, BTreeSet<&str>> = HashMap::new();
    let mut odd = BTreeSet::new();
    for (path, _, _) in document::operations() {
        let mut before = String::new();
        let mut is_first = true;
        for segment in path.split('/').skip(1) {
            let Some(name) = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
                before.push_str(&format!("/{segment}"));
                continue;
            };
            names.entry(before.clone()).or_default().insert(name);
            let is_known = OF_THE_CONTRACT.contains(&name) || NO_IDS.contains(&name);
            // The first is the object that the path is about, another one is within it.
            if !is_known && (is_first != (name == "id") || !is_first && !name.ends_with("_id")) {
                odd.insert(path);
            }
            before.push_str("/{}");
            is_first &= NO_IDS.contains(&name);
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
    names.retain(|_, names| names.len() > 1);
    assert!(names.is_empty(), "one place, several names: {names:#?}");
}

/// Names that fields and parameters must not have, and the names to use instead.
const SYNONYMS: [(&str, &str); 14] = [
    ("mechanic_id", "mechanic_profile_id"),
    ("mechanic_ids", "mechanic_profile_ids"),
    ("category_id", "service_category_id"),
    ("category_ids", "service_category_ids"),
    ("categories", "service_category_ids"),
    ("latitude", "lat"),
    ("longitude", "lng"),
    ("lon", "lng"),
    ("phone_number", "phone"),
    ("mobile", "phone"),
    ("colour", "color"),
    ("number_plate", "registration_number"),
    ("plate", "registration_number"),
    ("radius_km", "service_radius_km"),
];

#[test]
fn one_thing_has_one_name() {
    let mut found = BTreeSet::new();
    let mut look = |at: &str, name: &str| {
        if let Some((_, other)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == name) {
            found.insert(format!("{at}: {name}, elsewhere {other}"));
        }
    };
    walk(document::document(), "", &mut |at, value| {
        let fields = value["properties"].as_object().into_iter().flatten();
        fields.for_each(|(name, _)| look(at, name));
        if value.get("in").is_some() {
            look(at, value["name"].as_str().unwrap_or_default());
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_is_deprecated_says_so_and_nothing_else_does() {
    let deprecated =
        document::operations().into_iter().filter(|(_, _, operation)| operation["deprecated"] == true);
    let deprecated: Vec<&str> = deprecated.map(|(path, _, _)| path).collect();
    assert_eq!(deprecated, ["/payments/outstanding-fees"]);
}

#[test]
fn every_error_is_of_the_envelope_and_every_answer_names_its_request() {
    for (path, method, operation) in document::operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolve(response);
            let at = format!("{method} {path} {status}");
            assert!(response["headers"]["x-request-id"].is_object(), "{at}: no x-request-id");
            if status.as_str() >= "400" && path != "/health/ready" {
                let schema = &response["content"]["application/json"]["schema"];
                assert_eq!(schema["$ref"], "#/components/schemas/ErrorBody", "{at}");
            }
        }
    }
}

#[test]
fn every_operation_declares_a_parameter_once_and_describes_each_answer() {
    let mut faults = Vec::new();
    for (path, method, operation) in document::operations() {
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(resolve);
        let names: Vec<String> = parameters
            .map(|parameter| format!("{} {}", parameter["in"], parameter["name"]).to_lowercase())
            .collect();
        if names.iter().collect::<BTreeSet<_>>().len() != names.len() {
            faults.push(format!("{method} {path}: twice in {names:?}"));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            if resolve(response)["description"].as_str().is_none_or(str::is_empty) {
                faults.push(format!("{method} {path} {status}: no description"));
            }
        }
    }
    walk(document::document(), "", &mut |at, value| {
        if value.get("content").is_some_and(Value::is_null) {
            faults.push(format!("{at}: content is null"));
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_body_every_answer_and_every_parameter_has_an_example_that_is_as_its_schema_says() {
    let mut missing = Vec::new();
    let mut checked = 0;
    for (path, method, operation) in document::operations() {
        let responses = operation["responses"].as_object().unwrap();
        let contents = responses.iter().map(|(status, response)| (status.as_str(), resolve(response)));
        for (part, holder) in contents.chain([("body", &operation["requestBody"])]) {
            let content = &holder["content"]["application/json"];
            let at = format!("{method} {path} {part}");
            let examples = examples_of(content);
            for example in &examples {
                document::conform(&at, &format!("example {at}"), &content["schema"], example);
            }
            if examples.is_empty() && !content.is_null() {
                missing.push(at);
            }
            checked += examples.len();
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolve) {
            let at = format!("{method} {path} {}", parameter["name"]);
            match &parameter["example"] {
                Value::Null => missing.push(at),
                example => document::conform(&at, &format!("example {at}"), &parameter["schema"], example),
            }
        }
    }
    assert!(missing.is_empty(), "without an example:\n{}", missing.join("\n"));
    assert!(checked > 100, "only {checked} examples were found to be checked");
}

#[test]
fn an_error_answer_shows_a_refusal_of_its_own_status_for_each_code_that_it_names() {
    let statuses: HashMap<&str, u16> =
        Code::ALL.iter().map(|code| (code.as_str(), code.status().as_u16())).collect();
    for (path, method, operation) in document::operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolve(response);
            let content = &response["content"]["application/json"];
            if content["schema"]["$ref"] != "#/components/schemas/ErrorBody" {
                continue;
            }
            let at = format!("{method} {path} {status}");
            let shown =
                examples_of(content).into_iter().filter_map(|example| example["error"]["code"].as_str());
            let shown: BTreeSet<&str> = shown.collect();
            let description = response["description"].as_str().unwrap();
            let words = description.split(|c: char| !c.is_ascii_uppercase() && c != '_');
            let named: BTreeSet<&str> = words.filter(|word| statuses.contains_key(word)).collect();
            assert_eq!(shown, named, "{at}: {description}");
            for code in shown {
                assert_eq!(statuses[code].to_string(), *status, "{at}: {code}");
            }
        }
    }
}

#[test]
fn the_examples_of_schemas_are_as_their_schemas_say() {
    let schemas = document::document()["components"]["schemas"].as_object().unwrap();
    walk(&Value::Object(schemas.clone()), "", &mut |at, value| {
        let listed = value["examples"].as_array().into_iter().flatten();
        let is_schema = ["type", "$ref", "allOf"].iter().any(|keyword| value.get(keyword).is_some());
        for example in listed.chain(value.get("example")).filter(|_| is_schema) {
            document::conform(at, &format!("example {at}"), value, example);
        }
    });
}

#[test]
fn every_list_in_a_body_says_how_many_items_it_takes() {
    let mut unbounded = BTreeSet::new();
    for (path, method, operation) in document::operations() {
        for (at, list) in lists_in(&operation["requestBody"]["content"]["application/json"]["schema"]) {
            if list["maxItems"].is_null() {
                unbounded.insert(format!("{method} {path}: {at}"));
            }
        }
    }
    assert!(unbounded.is_empty(), "{unbounded:#?}");
}

/// The arrays in a schema, including those in what it refers to, each with its place.
fn lists_in(schema: &Value) -> Vec<(String, &Value)> {
    let mut lists = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![(String::new(), schema)];
    while let Some((at, schema)) = waiting.pop() {
        if schema["$ref"].as_str().is_some_and(|target| !seen.insert(target)) {
            continue;
        }
        let schema = resolve(schema);
        let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
        if kinds.contains(&json!("array")) {
            lists.push((at.clone(), schema));
        }
        let parts = ["oneOf", "anyOf", "allOf"]
            .into_iter()
            .flat_map(|word| schema[word].as_array().into_iter().flatten());
        waiting.extend(parts.chain(schema.get("items")).map(|part| (at.clone(), part)));
        let fields = schema["properties"].as_object().into_iter().flatten();
        waiting.extend(fields.map(|(name, field)| (format!("{at}/{name}"), field)));
    }
    lists
}

#[test]
fn the_bodies_of_the_table_are_as_documented() {
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let row = TABLE.iter().find(|row| row.route == route);
        // An action without input takes `{}`, which is not a body to document.
        if let Some(body) = row.and_then(|row| row.body).filter(|body| body() != json!({})) {
            assert!(!schema.is_null(), "{route}: the table has a body, the document none");
            document::conform(&route, &format!("body {route}"), schema, &body());
        }
    }
}

/// The examples of a media type: its single one, or its named ones.
fn examples_of(content: &Value) -> Vec<&Value> {
    let named = content["examples"].as_object().into_iter().flatten();
    named.map(|(_, example)| &example["value"]).chain(content.get("example")).collect()
}

fn resolve(value: &Value) -> &Value {
    let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.and_then(|target| document::document().pointer(target)).unwrap_or(value)
}

/// Calls `visit` with the pointer and the value of every object.
fn walk(value: &Value, at: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(map) => {
            visit(at, value);
            for (key, nested) in map {
                walk(nested, &format!("{at}/{key}"), visit);
            }
        }
        Value::Array(list) => {
            for (index, nested) in list.iter().enumerate() {
                walk(nested, &format!("{at}/{index}"), visit);
            }
        }
        _ => {}
    }
}
