//! Checks responses against the OpenAPI document: an undeclared status or field fails the test.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::{Draft, Validator};
use reqwest::{Method, header::HeaderMap};
use roadcall::openapi::Document;
use serde_json::{Map, Value, json};

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| Document::generate(roadcall::routes::all));

/// Components whose objects may have only declared fields. The document itself leaves that open, so that clients tolerate
/// new fields; a test must not.
static CLOSED_COMPONENTS: LazyLock<Value> = LazyLock::new(|| {
    let mut components = document()["components"].clone();
    close(&mut components["schemas"]);
    components
});

/// The AsyncAPI document: the messages of the socket and of streams.
static OF_SOCKET: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_slice(&DOCUMENT.of_socket("http://127.0.0.1:8080")).expect("JSON"));

static CLOSED_COMPONENTS_OF_SOCKET: LazyLock<Value> = LazyLock::new(|| {
    let mut components = of_socket()["components"].clone();
    close(&mut components["schemas"]);
    components
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Returns the document that the service serves.
pub fn document() -> &'static Value {
    DOCUMENT.value()
}

/// Returns whether the answers of that GET hold no secret, so that they may be compressed.
pub fn holds_no_secret(template: &str) -> bool {
    DOCUMENT.holds_no_secret(template)
}

/// Returns the AsyncAPI document.
pub fn of_socket() -> &'static Value {
    &OF_SOCKET
}

/// Panics if a frame does not match its type in the AsyncAPI document. `asked` is the type of the frame that an ack
/// answers, if known.
pub fn check_frame(frame: &Value, asked: Option<&str>) {
    let kind = frame["type"].as_str().unwrap_or_else(|| panic!("a frame without a type: {frame}"));
    let messages = of_socket()["components"]["messages"].as_object().expect("messages");
    let (name, schema) = match (kind, asked) {
        ("ack", None) => {
            let acks = messages.iter().filter(|(name, _)| name.ends_with(".ack"));
            let acks: Vec<&Value> = acks.map(|(_, message)| &message["payload"]).collect();
            ("any ack".to_owned(), json!({ "anyOf": acks }))
        }
        ("ack", Some(asked)) => {
            let name = format!("{asked}.ack");
            let schema = messages.get(&name).unwrap_or_else(|| panic!("{name} is not documented"));
            (name, schema["payload"].clone())
        }
        (kind, _) => {
            let message = messages.get(kind).unwrap_or_else(|| panic!("{kind} is not documented: {frame}"));
            (kind.to_owned(), message["payload"].clone())
        }
    };
    let validator = validator(&format!("frame {name}"), &schema, &CLOSED_COMPONENTS_OF_SOCKET);
    refuse_faults(&name, &validator, frame);
}

/// Returns every operation by its present path: template, method in upper case, and its object.
pub fn operations() -> Vec<(&'static str, String, &'static Value)> {
    let mut operations = with_old_paths();
    operations.retain(|(.., operation)| operation["x-same-as"].is_null());
    operations
}

/// Returns the same operations, and those by old paths.
pub fn with_old_paths() -> Vec<(&'static str, String, &'static Value)> {
    let paths = document()["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(template, item)| {
        let item = item.as_object().expect("a path item");
        item.iter().map(move |(method, operation)| (template.as_str(), method.to_uppercase(), operation))
    });
    operations.collect()
}

/// Returns the template that matches a path.
pub fn template(method: &Method, path: &str) -> Option<Arc<str>> {
    // The server's framework has an `http` crate of an older version than the client's.
    let method = method.as_str().parse().expect("a method is a method");
    DOCUMENT.routes().template(&method, path.split('?').next().unwrap_or_default())
}

/// Checks a response and returns its JSON body, null if it has none.
pub fn check_answer(method: &Method, path: &str, status: u16, headers: &HeaderMap, text: &str) -> Value {
    let asked = format!("{method} {path} → {status}");
    assert!(headers.contains_key("x-request-id"), "{asked}: no x-request-id");
    let content_type = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let content_type = content_type.split(';').next().unwrap_or_default();
    let Some(template) = template(method, path) else {
        return check_foreign(&asked, status, content_type, text);
    };
    let operation = &document()["paths"][&*template][method.as_str().to_lowercase()];
    let mut response = &operation["responses"][status.to_string()];
    assert!(!response.is_null(), "{asked}: {template} does not document this status: {text}");
    if let Some(shared) = response["$ref"].as_str() {
        response = document().pointer(shared.trim_start_matches('#')).expect("a shared response");
    }
    let Some(content) = response["content"].as_object() else {
        assert_eq!(text, "", "{asked}: documented without a body");
        return Value::Null;
    };
    let declared = content.get(content_type);
    let declared = declared.unwrap_or_else(|| panic!("{asked}: {content_type:?} is not documented: {text}"));
    if content_type != "application/json" && !content_type.ends_with("+json") {
        return Value::Null;
    }
    let body = parse(&asked, text);
    conform(&asked, &format!("{method} {template} {status}"), &declared["schema"], &body);
    body
}

/// Checks a response to a path outside the document: an unknown path must be refused with the envelope; pages and assets
/// are not JSON.
fn check_foreign(asked: &str, status: u16, content_type: &str, text: &str) -> Value {
    if content_type != "application/json" {
        assert!(status < 400, "{asked}: refused outside the envelope: {text}");
        return Value::Null;
    }
    let body = parse(asked, text);
    conform(asked, "ErrorBody", &json!({"$ref": "#/components/schemas/ErrorBody"}), &body);
    body
}

fn parse(asked: &str, text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{asked}: not JSON ({error}): {text}"))
}

/// Panics with every difference between a value and a schema of the document.
pub fn conform(asked: &str, key: &str, schema: &Value, body: &Value) {
    refuse_faults(asked, &validator(key, schema, &CLOSED_COMPONENTS), body);
}

fn refuse_faults(asked: &str, validator: &Validator, body: &Value) {
    let faults: Vec<String> =
        validator.iter_errors(body).map(|error| format!("  at {}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{asked}: the body is not as documented:\n{}\n{body:#}", faults.join("\n"));
}

fn validator(key: &str, schema: &Value, components: &Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(validator) = validators.get(key) {
        return validator.clone();
    }
    let mut schema = schema.clone();
    close(&mut schema);
    schema["components"] = reached(&schema, components);
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    let validator = options.build(&schema).unwrap_or_else(|error| panic!("{key}: not a schema: {error}"));
    let validator = Arc::new(validator);
    validators.insert(key.to_owned(), validator.clone());
    validator
}

/// Returns the components that a schema refers to, directly or through others. A validator keeps everything that it gets,
/// and there are hundreds of validators.
fn reached(schema: &Value, components: &Value) -> Value {
    let mut schemas = Map::new();
    let mut unread = vec![schema];
    while let Some(value) = unread.pop() {
        match value {
            Value::Object(map) => {
                let target = map.get("$ref").and_then(Value::as_str);
                if let Some(name) = target.and_then(|at| at.strip_prefix("#/components/schemas/"))
                    && !schemas.contains_key(name)
                {
                    let schema = &components["schemas"][name];
                    schemas.insert(name.to_owned(), schema.clone());
                    unread.push(schema);
                }
                unread.extend(map.values());
            }
            Value::Array(list) => unread.extend(list),
            _ => {}
        }
    }
    json!({ "schemas": schemas })
}

/// Makes objects that declare properties accept no others. Parts of an `allOf` see each other's fields, so they are closed
/// as a whole.
fn close(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (keyword, nested) in map.iter_mut() {
                match keyword.as_str() {
                    "example" | "examples" | "default" | "enum" => {}
                    "allOf" => nested.as_array_mut().into_iter().flatten().for_each(close_part),
                    _ => close(nested),
                }
            }
            let has_fields = map.get("properties").is_some_and(Value::is_object);
            if (has_fields || map.contains_key("allOf")) && !map.contains_key("additionalProperties") {
                map.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

/// Replaces a reference to a part by the declared part: a closed one would refuse the other parts' fields.
fn close_part(part: &mut Value) {
    let declared = part["$ref"].as_str().and_then(|at| document().pointer(at.trim_start_matches('#')));
    if let Some(declared) = declared {
        *part = declared.clone();
    }
    match part.get_mut("allOf") {
        Some(parts) => parts.as_array_mut().into_iter().flatten().for_each(close_part),
        None => close_below(part),
    }
}

fn close_below(part: &mut Value) {
    for (_, nested) in part.as_object_mut().into_iter().flatten() {
        close(nested);
    }
}
