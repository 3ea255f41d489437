//! The examples that are data: the files in `examples/`, whose README explains their contents.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::platform::error::Code;

macro_rules! schemas_of {
    ($($area:literal)*) => {
        [$(include_str!(concat!("examples/schemas/", $area, ".json"))),*]
    };
}

static SCHEMAS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let areas = schemas_of!(
        "admin" "auth" "calls" "categories" "chat" "demo" "dispatch" "disputes" "feeds" "grievances" "health" "idp" "incoming" "jobs" "mechanics"
        "no_shows" "notices" "notifications" "offers" "organisations" "pages" "partner_bills" "partner_cases" "partner_contracts" "payments" "places" "ratings" "sandbox" "shares" "super_admin" "tow_reviews" "tracking" "uploads" "users"
        "vehicles" "wallet" "workshops" "ws"
    );
    areas.into_iter().flat_map(parse::<Map<String, Value>>).collect()
});

static ANSWERS: LazyLock<HashMap<String, BTreeMap<String, Value>>> =
    LazyLock::new(|| parse(include_str!("examples/answers.json")));

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| parse(include_str!("examples/parameters.json")));

static REFUSALS: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| parse(include_str!("examples/refusals.json")));

static MESSAGES: LazyLock<HashMap<String, BTreeMap<String, String>>> =
    LazyLock::new(|| parse(include_str!("examples/messages.json")));

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// The ids in a path, by the parameter's name.
    path: BTreeMap<String, Value>,
    /// All other ids in a path, by the path's beginning.
    below: BTreeMap<String, Value>,
    /// All parameters outside the path, by name.
    query: BTreeMap<String, Value>,
}

fn parse<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect("a file of examples is JSON of its form, as a test checks")
}

/// Returns the examples of schemas that are data, by the schema's name.
pub(super) fn schemas() -> &'static Map<String, Value> {
    &SCHEMAS
}

/// Returns the fields in which an operation's answer differs from its schema's example.
pub(super) fn differs(operation: &str, status: &str) -> Option<&'static Value> {
    ANSWERS.get(operation)?.get(status)
}

/// Returns the example of an id `{name}` in a path.
pub(super) fn path_id(path: &str, name: &str) -> Option<&'static Value> {
    let below = || PARAMETERS.below.iter().find(|(beginning, _)| path.starts_with(*beginning));
    PARAMETERS.path.get(name).or_else(|| below().map(|(_, id)| id))
}

/// Returns the example of a parameter outside the path.
pub(super) fn parameter(name: &str) -> Option<&'static Value> {
    PARAMETERS.query.get(name)
}

/// Returns the message that people read with a code that an operation answers.
pub(super) fn refusal(operation: &str, code: Code) -> &'static str {
    let own = MESSAGES.get(operation).and_then(|messages| messages.get(code.as_str()));
    own.or_else(|| REFUSALS.get(code.as_str())).map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::{super::Document, *};

    #[test]
    fn every_example_is_of_something_in_the_document() {
        let document = Document::generate(crate::routes::all);
        let value = document.value();
        for name in schemas().keys() {
            assert!(value["components"]["schemas"].get(name).is_some(), "there is no schema {name}");
        }
        let paths = value["paths"].as_object().unwrap();
        let operations: Vec<&Value> =
            paths.values().filter_map(Value::as_object).flat_map(Map::values).collect();
        for (id, answers) in ANSWERS.iter() {
            let operation = operations.iter().find(|operation| operation["operationId"] == *id);
            let operation = operation.unwrap_or_else(|| panic!("there is no operation {id}"));
            for status in answers.keys() {
                assert!(operation["responses"].get(status).is_some(), "{id} does not answer {status}");
            }
        }
        for (id, messages) in MESSAGES.iter() {
            let operation = operations.iter().find(|operation| operation["operationId"] == *id);
            let responses = &operation.unwrap_or_else(|| panic!("there is no operation {id}"))["responses"];
            for code in messages.keys() {
                let status =
                    Code::parse(code).unwrap_or_else(|| panic!("{id}: there is no code {code}")).status();
                let description = responses[status.as_str()]["description"].as_str().unwrap_or_default();
                assert!(description.contains(code.as_str()), "{id} does not declare {code}");
            }
        }
        for beginning in PARAMETERS.below.keys() {
            assert!(paths.keys().any(|path| path.starts_with(beginning)), "no path begins with {beginning}");
        }
    }

    #[test]
    fn every_code_has_an_example_and_every_example_a_code() {
        for code in Code::ALL {
            assert!(!refusal("", *code).is_empty(), "{} has no example", code.as_str());
        }
        assert_eq!(REFUSALS.len(), Code::ALL.len());
    }
}
