//! Gives an example to every JSON body, every JSON answer and every parameter.
//!
//! The examples of objects are in the files of [`example_data`](super::example_data), those of single values at their
//! type, field or parameter (`#[schema(example = …)]`). From these this module makes the examples of lists and
//! envelopes; [`errors`](super::errors) makes those of refusals.

use serde_json::{Map, Value, json};

use super::{errors, example_data};

/// Gives the schemas their examples.
pub(super) fn illustrate_schemas(document: &mut Value) {
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        if let Some(example) = example_data::schemas().get(name) {
            schema["example"] = example.clone();
        }
    }
}

/// Adds the required fields that a schema's example leaves out, which are null.
pub(super) fn add_nulls(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(example) = schema.get_mut("example").and_then(Value::as_object_mut) else { return };
    for field in required.iter().filter_map(Value::as_str) {
        example.entry(field).or_insert(Value::Null);
    }
}

/// Fills in every example that is not declared. An element that has no example and can't be composed stays without
/// one.
pub(super) fn illustrate(document: &mut Value) {
    let mut paths = document["paths"].take();
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            illustrate_operation(document, path, operation);
        }
    }
    document["paths"] = paths;
    for (_, response) in document["components"]["responses"].as_object_mut().into_iter().flatten() {
        errors::illustrate("", response);
    }
}

fn illustrate_operation(document: &Value, path: &str, operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        illustrate_parameter(document, path, parameter);
    }
    if let Some(content) = json_content(operation.get_mut("requestBody")) {
        illustrate_content(document, content, None);
    }
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        if response.get("$ref").is_some() {
            continue;
        }
        errors::illustrate(&id, response);
        if let Some(content) = json_content(Some(response)) {
            illustrate_content(document, content, example_data::differs(&id, status));
        }
    }
}

fn json_content(holder: Option<&mut Value>) -> Option<&mut Value> {
    holder?.get_mut("content")?.get_mut("application/json")
}

fn illustrate_content(document: &Value, content: &mut Value, differs: Option<&Value>) {
    if content.get("example").is_some() || content.get("examples").is_some() {
        return;
    }
    if let Some(mut example) = compose(document, &content["schema"]) {
        if let Some(differs) = differs.and_then(Value::as_object) {
            overlay(&mut example, differs);
        }
        content["example"] = example;
    }
}

fn illustrate_parameter(document: &Value, path: &str, parameter: &mut Value) {
    let name = parameter["name"].as_str().unwrap_or_default();
    if name.is_empty() || parameter.get("example").is_some() {
        return;
    }
    let example = match &parameter["in"] {
        Value::String(place) if place == "path" => example_data::path_id(path, name).cloned(),
        _ => example_data::parameter(name).cloned().or_else(|| compose(document, &parameter["schema"])),
    };
    if let Some(example) = example {
        parameter["example"] = example;
    }
}

/// Overrides the differing fields of an example, or of its items if it is a list.
fn overlay(example: &mut Value, differs: &Map<String, Value>) {
    let items = match example.get("data") {
        Some(Value::Array(_)) => example["data"].as_array_mut(),
        _ => None,
    };
    if let Some(items) = items {
        items.iter_mut().for_each(|item| merge(item, differs));
    } else if example.get("data").is_some_and(Value::is_object) {
        merge(&mut example["data"], differs);
    } else {
        merge(example, differs);
    }
}

fn merge(object: &mut Value, differs: &Map<String, Value>) {
    for (field, value) in differs {
        object[field] = value.clone();
    }
}

/// Returns the example of a schema: its own, or one composed of its parts' examples. `None` if a required part has
/// none.
fn compose(document: &Value, schema: &Value) -> Option<Value> {
    if let Some(example) = schema.get("example").or_else(|| schema.get("examples")?.get(0)) {
        return Some(example.clone());
    }
    if let Some(target) = schema["$ref"].as_str().and_then(|target| target.strip_prefix('#')) {
        return compose(document, document.pointer(target)?);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return compose_all(document, parts);
    }
    if let Some(choices) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return choices.iter().find_map(|choice| compose(document, choice));
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.first().cloned();
    }
    if let Some(item) = schema.get("items") {
        return Some(json!([compose(document, item)?]));
    }
    compose_object(document, schema)
}

fn compose_all(document: &Value, parts: &[Value]) -> Option<Value> {
    let mut whole = json!({});
    for part in parts {
        merge(&mut whole, compose(document, part)?.as_object()?);
    }
    Some(whole)
}

fn compose_object(document: &Value, schema: &Value) -> Option<Value> {
    if schema["type"] != "object" {
        return None;
    }
    let Some(properties) = schema["properties"].as_object() else { return Some(json!({})) };
    let is_required = |field: &str| {
        schema["required"].as_array().into_iter().flatten().any(|required| required.as_str() == Some(field))
    };
    let mut object = Map::new();
    for (field, property) in properties {
        match compose(document, property) {
            Some(example) => drop(object.insert(field.clone(), example)),
            None if is_required(field) => return None,
            None => {}
        }
    }
    (properties.is_empty() || !object.is_empty()).then_some(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_composed_of_those_of_its_parts_or_is_missing() {
        let document =
            json!({"components": {"schemas": {"Plate": {"type": "string", "example": "KA01AB1234"}}}});
        let plate = json!({"$ref": "#/components/schemas/Plate"});
        let number = json!({"type": "integer"});
        let cases = [
            (plate.clone(), Some(json!("KA01AB1234"))),
            (number.clone(), None),
            (json!({"type": "array", "items": plate}), Some(json!(["KA01AB1234"]))),
            (json!({"oneOf": [{"type": "null"}, plate]}), Some(json!("KA01AB1234"))),
            (json!({"type": "string", "enum": ["a", "b"]}), Some(json!("a"))),
            (json!({"type": "object"}), Some(json!({}))),
            (json!({"type": "object", "properties": {"n": number}}), None),
            (
                json!({"type": "object", "properties": {"n": number, "p": plate}}),
                Some(json!({"p": "KA01AB1234"})),
            ),
            (json!({"type": "object", "required": ["n"], "properties": {"n": number, "p": plate}}), None),
        ];
        for (schema, expected) in cases {
            assert_eq!(compose(&document, &schema), expected, "{schema}");
        }
    }

    #[test]
    fn a_required_field_that_an_example_leaves_out_is_null() {
        let mut schema = json!({"required": ["id", "note"], "example": {"id": 1, "more": 2}});
        add_nulls(&mut schema);
        assert_eq!(schema["example"], json!({"id": 1, "note": null, "more": 2}));
        let mut bare = json!({"required": ["id"]});
        add_nulls(&mut bare);
        assert_eq!(bare, json!({"required": ["id"]}));
    }

    #[test]
    fn differing_fields_override_those_of_the_object_or_of_its_lists_items() {
        let differs = Map::from_iter([("status".to_owned(), json!("pending"))]);
        for (mut example, expected) in [
            (json!({"status": "x", "id": 1}), json!({"status": "pending", "id": 1})),
            (
                json!({"data": [{"status": "x"}], "page": 1}),
                json!({"data": [{"status": "pending"}], "page": 1}),
            ),
            (json!({"data": {"status": "x"}}), json!({"data": {"status": "pending"}})),
        ] {
            overlay(&mut example, &differs);
            assert_eq!(example, expected);
        }
    }
}
