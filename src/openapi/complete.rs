//! What the rules say about every operation, added to what its handler declares.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    INTERFACE_VERSION, SERVICE_VERSION, examples, prose,
    shared::{SHARED, add_components},
};
use crate::http::{MAX_LIMIT, MAX_PAGE};

/// Fields that an answer may leave out; every other field of an answer is always there, null where empty.
const LEFT_OUT: [(&str, &str); 5] = [
    ("ErrorDetail", "errors"),
    ("Success_OtpSent", "otp"),
    ("SignedIn", "refreshToken"),
    ("Success_SignedIn", "refreshToken"),
    ("JobStreamEvent", "id"),
];

/// Bodies that may have unknown fields, because others decide what is in them.
const OPEN: [&str; 1] = ["Webhook"];

/// The headers of a CSV, and the components that describe them.
const CSV_HEADERS: [(&str, &str); 3] =
    [("x-total-rows", "TotalRows"), ("x-row-limit", "RowLimit"), ("x-truncated", "Truncated")];

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Completes the declared document in place.
pub(super) fn complete(document: &mut Value) {
    document["info"]["version"] = json!(INTERFACE_VERSION);
    document["info"]["x-service-version"] = json!(SERVICE_VERSION);
    document["servers"] = json!([
        {"url": "/", "description": "every route"},
        {"url": "/api/v1", "description": "every route once more"},
    ]);
    add_components(document);
    examples::illustrate_schemas(document);
    let mut paths = document["paths"].take();
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = item.get_mut(method) {
                complete_operation(&document["components"]["schemas"], path, operation);
            }
        }
    }
    document["tags"] = prose::tags(&paths);
    document["paths"] = paths;
    tighten_schemas(document);
    link(document);
    examples::illustrate(document);
}

fn complete_operation(schemas: &Value, path: &str, operation: &mut Value) {
    let is_public = operation["security"] == json!([{}]);
    if is_public {
        operation["security"] = json!([]);
    } else if operation["security"].is_null() {
        operation["security"] = json!([{"bearer": []}]);
    }
    // Its handler says so to each caller (RFC 9745).
    if operation.pointer("/responses/200/headers/Deprecation").is_some() {
        operation["deprecated"] = json!(true);
    }
    let has_body = operation.get("requestBody").is_some();
    complete_body(schemas, operation);
    complete_parameters(operation);
    let path_ids = declare_path_ids(path, operation);
    refer_to_idempotency_key(operation);
    let has_parameters = !parameters(operation).is_empty();
    let holds = |status: &str| match status {
        "401" | "403" => !is_public,
        // The caller of `/mechanics/me` may have no profile.
        "404" => path_ids || path.starts_with("/mechanics/me"),
        "413" | "415" => has_body,
        "422" => has_body || has_parameters,
        _ => true,
    };
    prose::describe_parameters(path, operation);
    prose::set_apart(operation);
    for shared in SHARED.iter().filter(|shared| holds(shared.status)) {
        let reference = json!({"$ref": format!("#/components/responses/{}", shared.name)});
        responses(operation).entry(shared.status).or_insert(reference);
    }
    for (status, response) in responses(operation) {
        complete_response(schemas, status, response);
    }
}

/// No body reads as `{}`: one is optional where no field is required. It is never `null`, which is how the generator
/// writes an optional one.
fn complete_body(schemas: &Value, operation: &mut Value) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let Some(schema) = body.pointer_mut("/content/application~1json/schema") else { return };
    let not_null = schema["oneOf"]
        .as_array()
        .and_then(|either| either.iter().find(|one| one["type"] != "null"))
        .cloned();
    if let Some(not_null) = not_null {
        *schema = not_null;
    }
    let name = schema["$ref"].as_str().and_then(|target| schema_name(target.strip_prefix('#')?));
    let fields = name.map_or(&*schema, |name| &schemas[name]);
    // Of several kinds each requires something.
    let is_needed = fields["required"].as_array().is_some_and(|required| !required.is_empty())
        || fields.get("oneOf").is_some();
    body["required"] = json!(is_needed);
}

/// The generator writes what is optional as what may be null.
fn take_null_off(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    let either = schema.get("oneOf").and_then(Value::as_array);
    if let Some(other) = either.and_then(|either| either.iter().find(|one| one["type"] != "null")).cloned()
        && either.is_some_and(|either| either.len() == 2)
    {
        *schema = other;
    }
}

/// What `web::PageParams` takes; and a parameter is there or not, but never null.
fn complete_parameters(operation: &mut Value) {
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        take_null_off(&mut parameter["schema"]);
        if parameter["schema"]["type"] == "array" {
            // Comma-separated: none of them is one that is empty.
            parameter["schema"]["minItems"] = json!(1);
        }
        let maximum = match parameter["name"].as_str() {
            Some("page") => MAX_PAGE,
            Some("limit") => MAX_LIMIT,
            _ => continue,
        };
        parameter["schema"]["maximum"] = json!(maximum);
    }
}

/// Declares ids in the path that the handler did not declare; returns whether there are any.
fn declare_path_ids(path: &str, operation: &mut Value) -> bool {
    let names: Vec<&str> = path_names(path).collect();
    for name in &names {
        let list = parameters(operation);
        if !list.iter().any(|parameter| parameter["in"] == "path" && parameter["name"] == *name) {
            let schema = json!({"type": "string", "format": "uuid"});
            list.push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
        }
    }
    !names.is_empty()
}

/// The parameters in a path's template.
fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

/// An error that a handler declares by status and description alone is of the error envelope.
fn complete_response(schemas: &Value, status: &str, response: &mut Value) {
    if response.get("$ref").is_some() {
        return;
    }
    if response["description"].as_str().is_none_or(str::is_empty) {
        response["description"] = json!(prose::usual_description(schemas, status, response));
    }
    if status >= "400" && response.get("content").is_none() {
        response["content"] =
            json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
    }
    if response["content"].get("text/csv").is_some() {
        for (header, name) in CSV_HEADERS {
            response["headers"][header] = json!({"$ref": format!("#/components/headers/{name}")});
        }
    }
    response["headers"]["x-request-id"] = json!({"$ref": "#/components/headers/RequestId"});
}

/// Replaces the header that a handler declares by a reference to the one description.
fn refer_to_idempotency_key(operation: &mut Value) {
    let list = parameters(operation);
    if let Some(at) = list.iter().position(|parameter| parameter["name"] == "Idempotency-Key") {
        list.remove(at);
        list.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
    }
}

fn parameters(operation: &mut Value) -> &mut Vec<Value> {
    let list = &mut operation["parameters"];
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().expect("made an array above")
}

fn responses(operation: &mut Value) -> &mut Map<String, Value> {
    operation["responses"].as_object_mut().expect("every operation declares an answer")
}

/// Lists whose objects are named by another field than `id`.
const NAMED_BY: [(&str, &str); 1] = [("/admin/callbacks", "job_id")];

/// Links what was made, and the first of a list, to what can be done with it: from `POST /jobs` to every route of
/// `/jobs/{id}`.
fn link(document: &mut Value) {
    let paths = document["paths"].as_object().cloned().unwrap_or_default();
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        let name = NAMED_BY.iter().find(|(list, _)| list == path).map_or("id", |(_, name)| name);
        for (pointer, id) in [
            ("/post/responses/201", format!("$response.body#/{name}")),
            ("/get/responses/200", format!("$response.body#/data/0/{name}")),
        ] {
            let links = links_of_one(&paths, path, &id);
            if let Some(response) = item.pointer_mut(pointer).filter(|_| !links.is_empty()) {
                response["links"] = Value::Object(links);
            }
        }
    }
}

/// To the operations of one member of the collection at `path`, whose id stands at `id`.
fn links_of_one(paths: &Map<String, Value>, path: &str, id: &str) -> Map<String, Value> {
    let outer: Vec<&str> = path_names(path).collect();
    let mut links = Map::new();
    for (other, item) in paths.iter().filter(|(other, _)| other.starts_with(&format!("{path}/{{"))) {
        let names: Vec<&str> = path_names(other).collect();
        let [same @ .., own] = names.as_slice() else { continue };
        // A device is deleted by its token, which is not an id in any answer.
        if same != outer || *own == "token" {
            continue;
        }
        let parameters: BTreeMap<&str, String> = outer
            .iter()
            .map(|name| (*name, format!("$request.path.{name}")))
            .chain([(*own, id.to_owned())])
            .collect();
        for target in METHODS.iter().filter_map(|method| item.get(method)?["operationId"].as_str()) {
            links.insert(target.to_owned(), json!({"operationId": target, "parameters": parameters}));
        }
    }
    links
}

/// Marks every field required in schemas that only answers use (ours are always present, null where empty), and bodies
/// closed.
fn tighten_schemas(document: &mut Value) {
    let (mut sent, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for (_, item) in document["paths"].as_object().into_iter().flatten() {
        for (_, operation) in item.as_object().into_iter().flatten() {
            references(document, &operation["requestBody"], &mut sent);
            references(document, &operation["parameters"], &mut sent);
            references(document, &operation["responses"], &mut answered);
        }
    }
    for name in sent.iter().filter(|name| !OPEN.contains(&name.as_str())) {
        close(&mut document["components"]["schemas"][name]);
    }
    let answered: Vec<String> = answered.difference(&sent).cloned().collect();
    for name in answered {
        require_fields(&name, &mut document["components"]["schemas"][&name]);
    }
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            for (_, response) in operation["responses"].as_object_mut().into_iter().flatten() {
                // Asked by `get_mut`, since an index would put a null where there is no content.
                let content = response.get_mut("content").and_then(Value::as_object_mut);
                for (_, content) in content.into_iter().flatten() {
                    require_fields("", &mut content["schema"]);
                }
            }
        }
    }
}

/// Unknown fields of bodies are refused.
fn close(schema: &mut Value) {
    if schema["type"] == "object" && schema.get("additionalProperties").is_none() {
        schema["additionalProperties"] = json!(false);
    }
}

fn require_fields(name: &str, schema: &mut Value) {
    for (keyword, nested) in schema.as_object_mut().into_iter().flatten() {
        match keyword.as_str() {
            "properties" => {
                nested.as_object_mut().into_iter().flatten().for_each(|(_, s)| require_fields(name, s))
            }
            "items" | "additionalProperties" => require_fields(name, nested),
            "allOf" | "oneOf" | "anyOf" => {
                nested.as_array_mut().into_iter().flatten().for_each(|s| require_fields(name, s));
            }
            _ => {}
        }
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    let required: Vec<&String> =
        properties.keys().filter(|field| !LEFT_OUT.contains(&(name, field.as_str()))).collect();
    schema["required"] = json!(required);
}

/// The names of all schemas that `value` refers to, directly or not.
fn references(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            let target = map.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
            if let Some(target) = target {
                let is_new = schema_name(target).is_none_or(|name| found.insert(name.to_owned()));
                if is_new && let Some(referred) = document.pointer(target) {
                    references(document, referred, found);
                }
            }
            map.values().for_each(|value| references(document, value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| references(document, value, found)),
        _ => {}
    }
}

pub(super) fn schema_name(reference: &str) -> Option<&str> {
    reference.strip_prefix("/components/schemas/")
}
