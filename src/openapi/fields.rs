//! The descriptions of fields that mean the same everywhere. A field that means more has a comment of its own in the
//! code.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::complete::schema_name;

/// The usual descriptions, by the field's name.
const USUAL: [(&str, &str); 106] = [
    ("accepted_at", "When it was accepted; null if it was not."),
    ("accuracy_m", "By how many metres the position may be wrong; null if unknown."),
    ("address", "The address in words."),
    ("answer", "What is answered; null before."),
    ("answered_at", "When it was answered; null if it was not."),
    ("at", "When it happened, or was so."),
    ("attempt", "The attempt to find a mechanic, from 1: each new search is one."),
    ("attempts", "How often it was tried."),
    ("avatar_url", "The person's picture; null if they have none."),
    ("beneficiary_name", "The name of the person at the vehicle, if that is not the customer."),
    ("body", "The text; null where there is none, or none for the reader."),
    ("cancelled_at", "When it was cancelled; null if it was not."),
    ("color", "The vehicle's colour, in words."),
    ("comment", "What the rater wrote; null if nothing."),
    ("completed_at", "When it was completed; null before."),
    ("created_at", "When it was made."),
    ("currency", "The currency of the amounts, as ISO 4217 writes it."),
    ("customer_id", "The customer, by the id of their account."),
    ("customer_name", "The customer's name; null if they gave none."),
    ("customer_phone", "The customer's phone number; null if their account has none."),
    ("data", "What is in the list, or what the event is about."),
    ("description", "What people say about it, in their own words."),
    ("destination_free_km", "How many kilometres of the way to the destination cost nothing."),
    ("duration_s", "How long the way takes, in seconds."),
    ("email", "The email address."),
    ("ended_at", "When it ended; null before."),
    ("estimated_duration_min", "How long such work usually takes, in minutes."),
    ("eta_s", "How long the way takes, in seconds."),
    ("evidence_urls", "Files that show it, as completed uploads name them."),
    ("expires_at", "Until when it is good."),
    ("failure", "Why it failed; null if it did not."),
    ("file_url", "Where the file is, as other requests take it. It opens only by a link of its own."),
    ("first_name", "The first word of the person's name; null if they gave none."),
    ("free_km", "How many kilometres of the way to the pickup cost nothing."),
    ("from", "The beginning."),
    ("gateway_order_id", "The order's id at the gateway."),
    ("gateway_payment_id", "The payment's id at the gateway."),
    ("heading", "The direction of travel in degrees from north, clockwise; null if unknown."),
    ("id", "The id by which other operations name it."),
    ("is_active", "Whether it is offered now."),
    ("is_answering", "Whether the engine answers."),
    ("is_available", "Whether the mechanic wants jobs."),
    ("is_default", "Whether it is used where none is named."),
    ("job_id", "The job that it is about."),
    ("jobs", "What is counted or chosen of jobs."),
    ("jobs_completed", "Jobs that were completed in this time."),
    ("lat", "Degrees north (WGS 84)."),
    ("lng", "Degrees east (WGS 84)."),
    ("make", "Who made the vehicle; empty if nobody has said it."),
    ("max_rounds", "How many rounds a search has at most."),
    ("may_contact", "Whether the link's holder may write to the mechanic and call them."),
    ("mechanic_name", "The mechanic's name; null if they gave none."),
    ("mechanic_phone", "The mechanic's phone number; null if their account has none."),
    ("mechanic_profile_id", "The mechanic, by the id of their profile."),
    ("model", "The vehicle's model; empty if nobody has said it."),
    ("name", "The name, as people read it."),
    ("note", "A remark to it; null if there is none."),
    ("offers_accepted", "Offers that were accepted in this time."),
    ("offers_declined", "Offers that were declined in this time."),
    ("offers_expired", "Offers that nobody answered in this time."),
    ("organisation_id", "The organisation whose it is."),
    ("payment_id", "The payment that it is about."),
    ("phone", "The phone number in E.164, such as +919876543210."),
    ("pickup_address", "Where the vehicle stands, in words."),
    ("pickup_lat", "Degrees north (WGS 84) of where the vehicle stands."),
    ("pickup_lng", "Degrees east (WGS 84) of where the vehicle stands."),
    ("properties", "What is known of the line, as GeoJSON has it."),
    ("published_at", "When it was published."),
    ("quantity", "How many of them."),
    ("reason", "Why, in the words of whoever decided it."),
    ("received_at", "When it came in."),
    ("receiver_name", "Who receives the vehicle at the destination; null if nobody is named."),
    ("rejection_reason", "Why it was rejected, in the admin's words; null if it was not."),
    ("release", "The version of the program that runs there."),
    ("requested_at", "When it was asked for."),
    ("resolved_at", "When the dispute was decided; null before."),
    ("revoked_at", "When it was revoked; null if it was not."),
    ("round", "The round of the search, from 1."),
    ("score", "From 1, bad, to 5, good."),
    ("seq", "The number, in order."),
    ("service_category_id", "The kind of help."),
    ("service_category_ids", "The kinds of help."),
    ("service_category_name", "The name of the kind of help."),
    ("service_category_slug", "A name of the kind of help that stays the same, for programs."),
    ("service_radius_km", "How far away, in kilometres, the mechanic takes jobs."),
    ("settled_at", "When it was done with; null before."),
    ("shows_start_code", "Whether the link shows the start code."),
    ("since", "Since when."),
    ("size_bytes", "The size of the file in bytes."),
    ("sort_order", "The place in lists: the lowest is first."),
    ("speed_mps", "The speed in metres a second; null if unknown."),
    ("statement", "What this side says about it."),
    ("status", "How far it has come."),
    ("suspension_reason", "Why the account is suspended, in the admin's words; null if it is not."),
    ("token", "A secret that admits whoever holds it."),
    ("total_jobs", "How many jobs the mechanic has completed."),
    ("total_ratings", "How many ratings the average is of."),
    ("up_to_seq", "The number of the last message that was read."),
    ("updated_at", "When it was changed last."),
    ("url", "The address."),
    ("user_id", "The account of the person whose it is."),
    ("vehicle_make", "Who made the vehicle; empty if nobody has said it."),
    ("vehicle_model", "The vehicle's model; empty if nobody has said it."),
    ("version", "The number of the version; the newest has the highest."),
    ("workshop_name", "The workshop's name; null if it is another place."),
    ("year", "The year in which the vehicle was made."),
];

/// Describes each field that neither its own comment nor its type describes.
pub(super) fn describe(schemas: &mut Value) {
    let Some(schemas) = schemas.as_object_mut() else { return };
    let named = schemas.iter().filter(|(_, schema)| schema["description"].is_string());
    let described: BTreeSet<String> = named.map(|(name, _)| name.clone()).collect();
    schemas.iter_mut().for_each(|(_, schema)| describe_fields(&described, schema));
}

fn describe_fields(described: &BTreeSet<String>, schema: &mut Value) {
    for (keyword, nested) in schema.as_object_mut().into_iter().flatten() {
        match keyword.as_str() {
            "properties" => {
                for (name, field) in nested.as_object_mut().into_iter().flatten() {
                    let usual = USUAL.iter().find(|(known, _)| known == name);
                    if let Some((_, words)) = usual.filter(|_| !is_described(described, field)) {
                        field["description"] = json!(words);
                    }
                    describe_fields(described, field);
                }
            }
            "items" | "additionalProperties" => describe_fields(described, nested),
            "allOf" | "oneOf" | "anyOf" => {
                let parts = nested.as_array_mut().into_iter().flatten();
                parts.for_each(|part| describe_fields(described, part));
            }
            _ => {}
        }
    }
}

/// Returns whether a comment describes the field: its own, that of its type, or that of its items or parts.
fn is_described(described: &BTreeSet<String>, field: &Value) -> bool {
    let target = field["$ref"].as_str().and_then(|target| schema_name(target.trim_start_matches('#')));
    let parts =
        ["allOf", "oneOf", "anyOf"].into_iter().flat_map(|word| field[word].as_array().into_iter().flatten());
    field["description"].is_string()
        || target.is_some_and(|name| described.contains(name))
        || parts.chain(field.get("items")).any(|part| is_described(described, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_without_a_comment_gets_the_usual_words() {
        let mut schemas = json!({
            "Role": {"type": "string", "description": "A role."},
            "Text": {"type": "string"},
            "Person": {"type": "object", "properties": {
                "id": {"type": "string"},
                "name": {"$ref": "#/components/schemas/Text"},
                "status": {"$ref": "#/components/schemas/Role"},
                "reason": {"type": "string", "description": "Why they left."},
                "shoe": {"type": "string"},
                "data": {"type": "array", "items": {"type": "object", "properties": {"lat": {"type": "number"}}}},
            }},
        });
        describe(&mut schemas);
        let person = &schemas["Person"]["properties"];
        assert_eq!(person["id"]["description"], "The id by which other operations name it.");
        assert_eq!(person["name"]["description"], "The name, as people read it.");
        assert_eq!(person["data"]["items"]["properties"]["lat"]["description"], "Degrees north (WGS 84).");
        assert_eq!(person["reason"]["description"], "Why they left.");
        for field in ["status", "shoe"] {
            assert!(person[field].get("description").is_none(), "{field}");
        }
    }

    #[test]
    fn each_field_has_one_description() {
        let names: BTreeSet<&str> = USUAL.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), USUAL.len());
    }
}
