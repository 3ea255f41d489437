//! Finds the answers that hold a secret, by the names of their fields.

use std::collections::BTreeSet;

use serde_json::Value;

use super::complete::references;

/// The fields whose value opens something, or proves someone's identity.
pub(super) const SECRETS: [&str; 20] = [
    "accessToken",
    "refreshToken",
    "idToken",
    "idpIdToken",
    "invitationToken",
    "deviceToken",
    "device_token",
    "otp",
    "current_otp",
    "otpauthUrl",
    "password",
    "token",
    "ticket",
    "start_code",
    "secret",
    "credential",
    "signature",
    // These are signed links, and links with a token.
    "url",
    "setup_url",
    "headers",
];

/// Returns the paths of the GETs whose answers hold no secret.
pub(super) fn open_answers(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let answers = paths.filter_map(|(path, item)| {
        let answer = item.pointer("/get/responses/200")?;
        let is_read = |field: &str| SECRETS.contains(&field) && !is_withheld(path, field);
        (!fields(document, answer).iter().any(|field| is_read(field))).then(|| path.clone())
    });
    answers.collect()
}

/// Returns whether a field is withheld: admins see jobs, but never the code by which the customer shows the mechanic
/// that they have met.
fn is_withheld(path: &str, field: &str) -> bool {
    field == "start_code" && path.starts_with("/admin/")
}

/// Returns the names of all fields of an answer, including those within others.
fn fields(document: &Value, answer: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    references(document, answer, &mut names);
    let mut fields = BTreeSet::new();
    for schema in
        names.iter().map(|name| &document["components"]["schemas"][name]).chain([&answer["content"]])
    {
        collect(schema, &mut fields);
    }
    fields
}

fn collect(value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (keyword, nested) in map {
                if keyword == "properties" {
                    fields.extend(nested.as_object().into_iter().flatten().map(|(field, _)| field.clone()));
                }
                if !["example", "examples"].contains(&keyword.as_str()) {
                    collect(nested, fields);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|nested| collect(nested, fields)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Document, *};

    /// The fields whose names could be a secret's, but that hold none.
    const HARMLESS: [&str; 27] = [
        "attribution_url",
        "privacy_url",
        "terms_url",
        "authorizationUrl",
        "avatar_url",
        "basemap_url",
        "cancel_reason_code",
        "checkout_url",
        "code",
        "country_code",
        "evidence_urls",
        "file_url",
        "former_secret_until",
        "icon_url",
        "id_token_signing_alg_values_supported",
        "key",
        "key_id",
        "keys",
        "keys_at",
        "photo_url",
        "photo_urls",
        "reason_code",
        "shows_start_code",
        "signOutUrl",
        "token_endpoint",
        "urls",
        "vapid_public_key",
    ];

    #[test]
    fn a_field_that_could_be_a_secret_is_listed_as_secret_or_as_harmless() {
        let document = Document::generate(crate::routes::all);
        let mut all = BTreeSet::new();
        collect(&document.value()["components"]["schemas"], &mut all);
        let words =
            ["token", "secret", "otp", "code", "password", "credential", "signature", "ticket", "url", "key"];
        let unclear: Vec<&String> = all
            .iter()
            .filter(|field| {
                words.iter().any(|word| field.to_lowercase().split('_').any(|part| part.contains(word)))
            })
            .filter(|field| !SECRETS.contains(&field.as_str()) && !HARMLESS.contains(&field.as_str()))
            .collect();
        assert!(unclear.is_empty(), "secret or harmless? {unclear:#?}");
    }

    #[test]
    fn lists_and_documents_are_open_and_answers_with_secrets_are_not() {
        let document = Document::generate(crate::routes::all);
        for open in [
            "/openapi.json",
            "/admin/jobs",
            "/admin/users",
            "/payments",
            "/notifications",
            "/service-categories",
        ] {
            assert!(document.holds_no_secret(open), "{open}");
        }
        for closed in ["/jobs", "/jobs/{id}", "/uploads/{id}/link", "/auth/sessions/{id}", "/users/me/export"]
        {
            assert!(!document.holds_no_secret(closed), "{closed}");
        }
    }
}
