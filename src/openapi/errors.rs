//! Refusals: the codes in an answer's description, as data (`x-errors`) and with an example of each.

use serde_json::{Map, Value, json};

use super::{example_data::refusal, shared::SHARED};
use crate::platform::error::Code;

/// The beginning of a reference to an answer that many operations share.
const SHARED_AT: &str = "#/components/responses/";

/// Adds `x-errors`: the codes of each refusal of an operation, by status, so that programs need not read descriptions.
pub(super) fn list(operation: &mut Value) {
    let mut codes = Map::new();
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let shared = response["$ref"].as_str().and_then(|target| target.strip_prefix(SHARED_AT));
        let description = match shared {
            Some(name) => {
                SHARED.iter().find(|shared| shared.name == name).map_or("", |shared| shared.description)
            }
            None => response["description"].as_str().unwrap_or_default(),
        };
        let of_status = named(description).into_iter().filter(|code| code.status().as_str() == status);
        let of_status: Vec<Code> = of_status.collect();
        if !of_status.is_empty() {
            codes.insert(status.clone(), json!(of_status));
        }
    }
    operation["x-errors"] = Value::Object(codes);
}

/// Gives an operation's answer of the error envelope its examples; examples that a handler declares stay.
pub(super) fn illustrate(operation: &str, response: &mut Value) {
    let codes = named(response["description"].as_str().unwrap_or_default());
    let content = response.get_mut("content").and_then(|content| content.get_mut("application/json"));
    let Some(content) = content else { return };
    let is_error = content["schema"]["$ref"] == "#/components/schemas/ErrorBody";
    if !is_error || content.get("example").is_some() || content.get("examples").is_some() {
        return;
    }
    match codes.as_slice() {
        [] => {}
        [code] => content["example"] = envelope(*code, refusal(operation, *code)),
        several => {
            let shown = |code: &Code| {
                (code.as_str().to_owned(), json!({"value": envelope(*code, refusal(operation, *code))}))
            };
            content["examples"] = Value::Object(several.iter().map(shown).collect());
        }
    }
}

/// Returns the codes that a description names, in its order.
fn named(description: &str) -> Vec<Code> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let words = description.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    words.filter_map(Code::parse).collect()
}

fn envelope(code: Code, message: &str) -> Value {
    let mut error = json!({"code": code, "message": message});
    if code == Code::ValidationFailed {
        error["errors"] = json!({"pickup_lat": ["must be -90 to 90"]});
    }
    json!({"success": false, "error": error})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_of_a_description_has_an_example_and_other_words_have_none() {
        let three = "OFFER_TAKEN by another mechanic, OFFER_EXPIRED, or A_JOB: POST";
        assert_eq!(named(three), [Code::OfferTaken, Code::OfferExpired]);
        assert_eq!(named("An OpenAPI document"), []);
    }

    #[test]
    fn the_codes_of_an_operation_are_data() {
        let mut operation = json!({"responses": {
            "200": {"description": "Not a NOT_FOUND"},
            "401": {"$ref": "#/components/responses/Unauthorized"},
            "409": {"description": "CONFLICT: there is one; OFFER_TAKEN, not a NOT_FOUND"},
        }});
        list(&mut operation);
        let expected = json!({"401": ["UNAUTHORIZED", "TOKEN_EXPIRED"], "409": ["CONFLICT", "OFFER_TAKEN"]});
        assert_eq!(operation["x-errors"], expected);
    }

    #[test]
    fn a_message_is_the_operations_own_or_the_codes() {
        assert_eq!(refusal("delete_me", Code::Conflict), "You have an open job. Finish or cancel it first.");
        assert_eq!(refusal("delete_me", Code::NotFound), refusal("", Code::NotFound));
    }
}
