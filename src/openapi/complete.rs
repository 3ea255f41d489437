//! Completes each handler's declaration by the rules that hold for every operation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    errors, examples, fields, prose,
    shared::{SHARED, add_components},
    versions::{INTERFACE_VERSION, SERVICE_VERSION},
};
use crate::http::{DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE};

/// The fields that an answer may leave out; every other field of an answer is always present, and null if empty.
const LEFT_OUT: [(&str, &str); 5] = [
    ("ErrorDetail", "errors"),
    ("ErrorDetail", "distance_m"),
    ("OtpSent", "otp"),
    ("SignedIn", "refreshToken"),
    ("JobStreamEvent", "id"),
];

/// The default limits of lists without pages, and their maximum.
const LIMITS: [(&str, i64, i64); 6] = [
    ("/jobs/{id}/events", 100, MAX_LIMIT),
    ("/partner/cases/{id}/events", 100, MAX_LIMIT),
    ("/jobs/{id}/messages", 50, MAX_LIMIT),
    ("/places", 5, 10),
    ("/shares/{token}/messages", 50, MAX_LIMIT),
    ("/workshops", 20, 50),
];

/// Operations that read their body raw: they have no refusals but their own.
const RAW_BODIES: [&str; 2] = ["/payments/webhook", "/uploads/{id}/content"];

/// Bodies that may have unknown fields, because others decide about their content.
const OPEN: [&str; 6] = [
    "Webhook",
    "OwnTracksMessage",
    "OsmAndPosition",
    "TraccarMessage",
    "TraccarLocation",
    "TraccarCoordinates",
];

/// The path of operations that accept any content and refuse nothing in it, since the sender would repeat it.
const TAKES_ALL: &str = "/trackers/";

/// The headers of a CSV, and the components that describe them.
const CSV_HEADERS: [(&str, &str); 3] =
    [("x-total-rows", "TotalRows"), ("x-row-limit", "RowLimit"), ("x-truncated", "Truncated")];

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Completes the declared document in place.
pub(super) fn complete(document: &mut Value) {
    document["info"]["version"] = json!(INTERFACE_VERSION);
    document["info"]["x-service-version"] = json!(SERVICE_VERSION);
    document["info"]["description"] = json!(prose::HEAD);
    document["servers"] = servers("");
    add_components(document);
    refer_to_contents(&mut document["components"]["schemas"]);
    rename_plurals(document);
    fields::describe(&mut document["components"]["schemas"]);
    examples::illustrate_schemas(document);
    let mut paths = document["paths"].take();
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = item.get_mut(method) {
                complete_operation(&document["components"]["schemas"], path, operation);
                prose::name_desks(operation);
                prose::name_scopes(operation);
            }
        }
    }
    document["tags"] = prose::tags(&paths);
    document["paths"] = paths;
    tighten_schemas(document);
    link(document);
    examples::illustrate(document);
}

/// Leaves only the wanted paths, their tags, and everything that they refer to.
pub(super) fn narrow(document: &mut Value, is_wanted: impl Fn(&str) -> bool) {
    let paths = document["paths"].as_object_mut().expect("a document has paths");
    paths.retain(|path, _| is_wanted(path));
    document["tags"] = prose::tags(&document["paths"]);
    let mut used = BTreeSet::new();
    references(document, &document["paths"], &mut used);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// Returns both addresses of every route, on a service that clients reach at `public_url`; if that is unknown, on the
/// service from which the document comes.
pub(super) fn servers(public_url: &str) -> Value {
    let base = public_url.trim_end_matches('/');
    json!([
        {"url": if base.is_empty() { "/" } else { base }, "description": "every route"},
        {"url": format!("{base}/api/v1"), "description": "every route once more"},
    ])
}

/// Makes lists and envelopes refer to their content, which the generator copies into each of them.
fn refer_to_contents(schemas: &mut Value) {
    let Some(schemas) = schemas.as_object_mut() else { return };
    for name in schemas.keys().cloned().collect::<Vec<_>>() {
        let Some((content, place)) = content_of(&name) else { continue };
        let reference = json!({"$ref": format!("#/components/schemas/{content}")});
        let copy = schemas.get_mut(&name).and_then(|schema| schema.pointer_mut(place));
        if let Some(copied) = copy.map(|copy| std::mem::replace(copy, reference)) {
            schemas.entry(content).or_insert(copied);
        }
    }
}

/// Returns the schema that a list or an envelope contains, and its place there.
fn content_of(name: &str) -> Option<(&str, &'static str)> {
    let (holder, content) = name.split_once('_')?;
    match (holder, content.strip_prefix("Vec_")) {
        ("Page" | "List", _) => Some((content, "/properties/data/items")),
        ("Success", Some(item)) => Some((item, "/properties/data/items")),
        ("Success", None) => Some((content, "/properties/data")),
        _ => None,
    }
}

/// Renames schemas such as `Success_Vec_Session`, an envelope of sessions: users of generated clients know no `Vec`.
fn rename_plurals(value: &mut Value) {
    let plural = |name: &str| format!("{}s", name.replace("Success_Vec_", "Success_"));
    match value {
        Value::Object(map) => {
            let names: Vec<String> =
                map.keys().filter(|name| name.starts_with("Success_Vec_")).cloned().collect();
            for name in names {
                let renamed = map.remove(&name).unwrap_or_default();
                map.insert(plural(&name), renamed);
            }
            if let Some(Value::String(target)) = map.get_mut("$ref")
                && target.contains("/Success_Vec_")
            {
                *target = plural(target);
            }
            map.values_mut().for_each(rename_plurals);
        }
        Value::Array(list) => list.iter_mut().for_each(rename_plurals),
        _ => {}
    }
}

fn complete_operation(schemas: &Value, path: &str, operation: &mut Value) {
    let is_public = operation["security"] == json!([{}]);
    if is_public {
        operation["security"] = json!([]);
    } else if operation["security"].is_null() {
        operation["security"] = json!([{"bearer": []}]);
    }
    let takes_all = path.starts_with(TAKES_ALL);
    let has_body = operation.get("requestBody").is_some() && !RAW_BODIES.contains(&path) && !takes_all;
    complete_body(schemas, operation);
    complete_parameters(path, operation);
    let path_ids = declare_path_ids(path, operation);
    if refer_to_idempotency_key(operation) {
        declare_key_reuse(operation);
    }
    // A credential in a path or a header is right or wrong, but never malformed.
    let is_read = |parameter: &Value| {
        !["path", "header"].iter().any(|place| parameter["in"] == *place)
            || parameter["schema"]["format"] == "uuid"
    };
    let has_parameters = !takes_all && parameters(operation).iter().any(is_read);
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
    errors::list(operation);
    if operation.get("x-scopes").is_some() {
        parameters(operation).push(json!({"$ref": "#/components/parameters/ActsFor"}));
    }
}

/// Declares whether a body is required. An empty body reads as `{}`: so a body is optional if no field is required,
/// or if its handler declares that it may be left out. It is never `null`, as the generator writes in the latter
/// case.
fn complete_body(schemas: &Value, operation: &mut Value) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    complete_content(&mut body["content"]);
    let Some(schema) = body.pointer_mut("/content/application~1json/schema") else { return };
    let not_null = schema["oneOf"]
        .as_array()
        .and_then(|either| either.iter().find(|one| one["type"] != "null"))
        .cloned();
    let may_be_left_out = not_null.is_some();
    if let Some(not_null) = not_null {
        *schema = not_null;
    }
    let name = schema["$ref"].as_str().and_then(|target| schema_name(target.strip_prefix('#')?));
    let fields = name.map_or(&*schema, |name| &schemas[name]);
    // Each of several kinds requires some field.
    let is_needed = fields["required"].as_array().is_some_and(|required| !required.is_empty())
        || fields.get("oneOf").is_some();
    body["required"] = json!(is_needed && !may_be_left_out);
}

/// Removes null from a schema: the generator writes an optional value as one that may be null.
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

/// Describes the limits of `http::PageParams`; a parameter is present or absent, but never null.
fn complete_parameters(path: &str, operation: &mut Value) {
    let limits = LIMITS.iter().find(|(list, ..)| *list == path);
    let (default_limit, max_limit) =
        limits.map_or((DEFAULT_LIMIT, MAX_LIMIT), |(_, default, most)| (*default, *most));
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        take_null_off(&mut parameter["schema"]);
        if parameter["schema"]["type"] == "array" {
            // A parameter without values is left out.
            parameter["schema"]["minItems"] = json!(1);
        }
        let (default, maximum) = match parameter["name"].as_str() {
            Some("page") => (1, MAX_PAGE),
            Some("limit") => (default_limit, max_limit),
            _ => continue,
        };
        parameter["schema"]["default"] = json!(default);
        parameter["schema"]["maximum"] = json!(maximum);
        // The schema already contains the description.
        parameter["description"] = Value::Null;
    }
}

/// Declares content as bytes if it is neither JSON nor text.
fn complete_content(content: &mut Value) {
    for (kind, content) in content.as_object_mut().into_iter().flatten() {
        let is_read = ["json", "xml", "urlencoded"].iter().any(|format| kind.ends_with(format))
            || kind.starts_with("text/");
        if !is_read {
            content["schema"] = json!({"type": "string", "format": "binary"});
        }
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

/// Returns the parameters in a path's template.
fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

/// Completes a response: an error that a handler declares only by status and description has the error envelope.
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
    if let Some(content) = response.get_mut("content") {
        complete_content(content);
    }
    if response["content"].get("text/csv").is_some() {
        for (header, name) in CSV_HEADERS {
            response["headers"][header] = json!({"$ref": format!("#/components/headers/{name}")});
        }
    }
    response["headers"]["x-request-id"] = json!({"$ref": "#/components/headers/RequestId"});
}

/// Replaces the header that a handler declares by a reference to its one description; returns whether there was one.
fn refer_to_idempotency_key(operation: &mut Value) -> bool {
    let list = parameters(operation);
    let declared = list.iter().position(|parameter| parameter["name"] == "Idempotency-Key");
    if let Some(at) = declared {
        list.remove(at);
        list.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
    }
    declared.is_some()
}

/// Declares the refusal of a key that came with another body, unless the handler describes it itself.
fn declare_key_reuse(operation: &mut Value) {
    let refusal =
        responses(operation).entry("422").or_insert_with(|| json!({"description": "VALIDATION_FAILED"}));
    let description = refusal["description"].as_str().unwrap_or_default();
    if !description.contains("IDEMPOTENCY_KEY_REUSED") {
        let whole = format!("{description}; IDEMPOTENCY_KEY_REUSED: the key came with another body");
        refusal["description"] = json!(whole);
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

/// Links an object that was made, and the first of a list, to the operations on it: from `POST /jobs` to every route
/// of `/jobs/{id}`.
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

/// Returns links to the operations on one member of the collection at `path`, whose id is at `id`.
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

/// Marks every field required in schemas that only answers use (the service's fields are always present, and null if
/// empty), and closes bodies.
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
        let schema = &mut document["components"]["schemas"][&name];
        require_fields(&name, schema);
        examples::add_nulls(schema);
    }
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            for (_, response) in operation["responses"].as_object_mut().into_iter().flatten() {
                // This uses `get_mut`, since an index would put a null where there is no content.
                let content = response.get_mut("content").and_then(Value::as_object_mut);
                for (_, content) in content.into_iter().flatten() {
                    content.get_mut("schema").into_iter().for_each(|schema| require_fields("", schema));
                }
            }
        }
    }
}

/// Closes a schema of a body, since unknown fields are refused.
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

/// Collects the names of all schemas that `value` refers to, directly or not.
pub(super) fn references(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
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
