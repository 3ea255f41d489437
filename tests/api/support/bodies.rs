//! Valid bodies, and ways to spoil them.

use serde_json::{Map, Value, json};

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

/// Returns a vehicle that its owner adds.
pub fn vehicle(plate: &str) -> Value {
    json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": plate})
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

/// Checks of what a body has.
pub trait AssertFields {
    /// Checks that the body has these fields with these values, whatever else it has. A name may be a path: `after/status`, `data/0/id`.
    fn assert_fields(&self, expected: Value);
}

impl AssertFields for Value {
    #[track_caller]
    fn assert_fields(&self, expected: Value) {
        let field = |name: &String| self.pointer(&format!("/{name}")).cloned().unwrap_or_default();
        let names = expected.as_object().expect("fields").keys();
        let found: Map<String, Value> = names.map(|name| (name.clone(), field(name))).collect();
        assert_eq!(Value::Object(found), expected, "in {self}");
    }
}
