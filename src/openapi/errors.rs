//! Examples of refusals: one for each code that an answer's description names.

use serde_json::{Value, json};

use super::example_data::refusal;
use crate::platform::error::Code;

/// Gives an answer of the error envelope its examples; those declared by a handler stay.
pub(super) fn illustrate(response: &mut Value) {
    let refusals = named(response["description"].as_str().unwrap_or_default());
    let content = response.get_mut("content").and_then(|content| content.get_mut("application/json"));
    let Some(content) = content else { return };
    let is_error = content["schema"]["$ref"] == "#/components/schemas/ErrorBody";
    if !is_error || content.get("example").is_some() || content.get("examples").is_some() {
        return;
    }
    match refusals.as_slice() {
        [] => {}
        [(code, why)] => content["example"] = envelope(*code, why),
        several => {
            let shown = |(code, why): &(Code, String)| {
                (code.as_str().to_owned(), json!({"value": envelope(*code, why)}))
            };
            content["examples"] = Value::Object(several.iter().map(shown).collect());
        }
    }
}

/// The codes that a description names, in its order, each with what a person reads: the description's own words
/// (`CODE: why; CODE: why`) where there are some.
fn named(description: &str) -> Vec<(Code, String)> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let words = description.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let codes = words.filter_map(|word| Code::ALL.iter().copied().find(|code| code.as_str() == word));
    let message = |code: Code| {
        let after = description.split_once(code.as_str()).and_then(|(_, after)| after.strip_prefix(": "));
        let why = after.and_then(|after| after.split([';', ',']).next()).filter(|_| code.status() == 409);
        why.unwrap_or_else(|| refusal(code)).to_owned()
    };
    codes.map(|code| (code, message(code))).collect()
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
        let of = |description| named(description).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
        let three = "OFFER_TAKEN by another mechanic, OFFER_EXPIRED, or A_JOB: POST";
        assert_eq!(of(three), [Code::OfferTaken, Code::OfferExpired]);
        assert_eq!(of("An OpenAPI document"), []);
    }

    #[test]
    fn a_conflicts_message_is_the_descriptions_words() {
        let found = named("INVALID_TRANSITION: not an active account; CONFLICT: the last super-admin, or so");
        let messages: Vec<&str> = found.iter().map(|(_, why)| why.as_str()).collect();
        assert_eq!(messages, ["not an active account", "the last super-admin"]);
        assert_eq!(named("VALIDATION_FAILED: a body is wrong")[0].1, refusal(Code::ValidationFailed));
    }
}
