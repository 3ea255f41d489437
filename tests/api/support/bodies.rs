//! Valid bodies, and ways to spoil them.

use serde_json::{Value, json};

/// One of the seeded categories.
pub const FLAT_TYRE: &str = "018f0000-0000-7000-8000-000000000001";
/// Another seeded category.
pub const TOWING: &str = "018f0000-0000-7000-8000-000000000003";

/// Returns a valid registration.
pub fn registration() -> Value {
    json!({
        "vehicle_types": ["four_wheeler", "two_wheeler"],
        "service_category_ids": [FLAT_TYRE],
        "documents": [{ "type": "photo_id", "file_url": "https://files.example/id.jpg" }],
        "service_radius_km": 12.4,
    })
}

/// Returns the `id` of a body.
pub fn id_of(body: &Value) -> String {
    body["id"].as_str().unwrap_or_else(|| panic!("no id in {body}")).to_owned()
}

/// Returns `body` with the field at `path` (a JSON pointer) replaced.
pub fn with(body: &Value, path: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, key) = path.rsplit_once('/').expect("a pointer");
    let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}"));
    match parent {
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value,
        parent => parent[key] = value,
    }
    body
}

/// Returns `body` without one of its fields.
pub fn without(body: &Value, field: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().expect("an object").remove(field).expect("the field was there");
    body
}

/// Returns the body with this field replaced or added.
pub fn set(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}
