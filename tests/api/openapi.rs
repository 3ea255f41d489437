//! Whether the OpenAPI document is whole: clients are generated from it.

use std::collections::BTreeSet;

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
        assert!(operation["summary"].is_string(), "{route} has no summary");
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
fn examples_are_as_their_schemas_say() {
    let schemas = document::document()["components"]["schemas"].as_object().unwrap();
    walk(&Value::Object(schemas.clone()), "", &mut |at, value| {
        let example = &value["example"];
        let is_schema = value["type"].is_string() || value["type"].is_array() || value["$ref"].is_string();
        if is_schema && !example.is_null() {
            document::conform(at, &format!("example {at}"), value, example);
        }
    });
    for (_, response) in document::document()["components"]["responses"].as_object().unwrap() {
        let content = &response["content"]["application/json"];
        document::conform("a shared error", "ErrorBody", &content["schema"], &content["example"]);
    }
}

#[test]
fn the_bodies_of_the_table_are_as_documented() {
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let row = TABLE.iter().find(|row| row.route == route);
        // An action that needs nothing takes `{}`, which is no body to document.
        if let Some(body) = row.and_then(|row| row.body).filter(|body| body() != json!({})) {
            assert!(!schema.is_null(), "{route}: the table has a body, the document none");
            document::conform(&route, &format!("body {route}"), schema, &body());
        }
    }
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
