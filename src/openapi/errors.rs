//! Examples of refusals: one for each code that an answer's description names.

use serde_json::{Value, json};

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

/// The codes that a description names, in its order, each with what a person is told: the description's own words
/// (`CODE: why; CODE: why`) where there are some.
fn named(description: &str) -> Vec<(Code, String)> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let words = description.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let codes = words.filter_map(|word| Code::ALL.iter().copied().find(|code| code.as_str() == word));
    let told = |code: Code| {
        let after = description.split_once(code.as_str()).and_then(|(_, after)| after.strip_prefix(": "));
        let why = after.and_then(|after| after.split([';', ',']).next()).filter(|_| code.status() == 409);
        why.unwrap_or_else(|| message(code)).to_owned()
    };
    codes.map(|code| (code, told(code))).collect()
}

fn envelope(code: Code, message: &str) -> Value {
    let mut error = json!({"code": code, "message": message});
    if code == Code::ValidationFailed {
        error["errors"] = json!({"pickup_lat": ["must be -90 to 90"]});
    }
    json!({"success": false, "error": error})
}

/// What a person reads with a code, for example.
fn message(code: Code) -> &'static str {
    match code {
        Code::BadRequest => "the body is missing or is not JSON",
        Code::Unauthorized => "a bearer token is needed",
        Code::TokenExpired => "the access token has expired, refresh it",
        Code::InvalidOtp => "the code is wrong or no longer valid",
        Code::SignatureInvalid => "the signature is not of this body",
        Code::Forbidden => "this is for admins",
        Code::AccountSuspended => "this account is suspended",
        Code::EmailNotVerified => "the email of this identity is not verified",
        Code::NotVerified => "the mechanic profile is not verified",
        Code::NotFound => "no such job",
        Code::MethodNotAllowed => "this path allows GET, POST",
        Code::Conflict => "this is in conflict with what is stored",
        Code::InvalidTransition => "This job is already cancelled, so you can't start the work.",
        Code::OfferTaken => "Another mechanic has already taken this job.",
        Code::OfferExpired => "This offer is no longer open.",
        Code::ActiveJobExists => "This vehicle already has an open job. Cancel it, or wait until it ends.",
        Code::AlreadyRegistered => "the profile is pending verification already",
        Code::VehicleInUse => "a job for this vehicle is open",
        Code::CategoryInUse => "a job of this category is open",
        Code::PendingApproval => "The customer has to decide on all line items first. Undecided: 1.",
        Code::FeeChanged => "the cancellation fee is now 50.0",
        Code::UnpaidFees => "pay the open cancellation fees first",
        Code::InsufficientBalance => "the wallet holds less than that",
        Code::AlreadyRated => "this job is rated already",
        Code::IdempotencyInFlight => "the first request with this key still runs",
        Code::LinkExpired => "this link has expired",
        Code::PayloadTooLarge => "the body is larger than 65536 bytes",
        Code::UnsupportedMediaType => "the body must be application/json",
        Code::ValidationFailed => "validation failed: pickup_lat",
        Code::WrongStartCode => "The start code is wrong. Tries left: 4.",
        Code::TooFarFromPickup => "420 m from the pickup; at most 150 m count as arrived",
        Code::IdempotencyKeyReused => "this Idempotency-Key was used with another body",
        Code::RateLimited => "too many requests, slow down",
        Code::InternalError => "something went wrong on our side",
        Code::ProviderError => "the provider can't be reached right now",
        Code::Unavailable => "the service can't do this right now, nothing was changed",
        Code::OutcomeUnknown => "it is not known whether this was done, repeat it with the same key",
    }
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
    fn a_conflict_is_told_in_the_descriptions_words() {
        let told = named("INVALID_TRANSITION: not an active account; CONFLICT: the last super-admin, or so");
        let told: Vec<&str> = told.iter().map(|(_, why)| why.as_str()).collect();
        assert_eq!(told, ["not an active account", "the last super-admin"]);
        assert_eq!(named("VALIDATION_FAILED: a body is wrong")[0].1, message(Code::ValidationFailed));
    }
}
