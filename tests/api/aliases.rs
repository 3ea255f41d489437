//! Old paths work as before, and name their replacement.

use std::collections::BTreeSet;

use reqwest::Method;
use roadcall::http::{ALIASES, Alias, translate};
use serde_json::json;

use crate::support::{Client, OK, World, all_rows, document, spawn_app, spawn_wide};

#[actix_web::test]
async fn an_old_path_answers_like_the_new_one_and_names_it() {
    let app = spawn_wide().await;
    let (world, nobody) = (World::new(&app).await, app.anonymous());
    for alias in &ALIASES {
        let route = format!("{} {}", alias.method, alias.new);
        let row = all_rows().find(|row| row.route == route);
        let row = row.unwrap_or_else(|| panic!("{route} has no row in the table"));
        let column = row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed");
        let client: &Client = world.caller(column).map_or(&nobody, |person| person);
        let body = || row.body.map(|body| body());
        let present = client.send(row.method(), &world.path(row).await, body()).await;
        assert!(matches!(present.status, 200..=299 | 422), "{route}: {} {}", present.status, present.text);
        assert_eq!((present.header("deprecation"), present.header("link")), (None, None), "{route}");
        for prefix in ["", "/api/v1"] {
            let new = world.path(row).await;
            let old = translate(alias.new, alias.old, &new).expect("the path is of its template");
            let answer = client.send(row.method(), &format!("{prefix}{old}"), body()).await;
            assert_eq!(answer.status, present.status, "{prefix}{old}: {}", answer.text);
            let successor = format!("<{prefix}{new}>; rel=\"successor-version\"");
            assert_eq!(answer.header("link"), Some(successor.as_str()), "{prefix}{old}");
            let since = format!("@{}", alias.since);
            assert_eq!(answer.header("deprecation"), Some(since.as_str()), "{prefix}{old}");
        }
    }
}

#[actix_web::test]
async fn an_old_path_keeps_its_methods() {
    let app = spawn_app().await;
    let refused = app.anonymous().post("/where/4k7m2p9xtd", json!({"lat": 12.9716, "lng": 77.5946})).await;
    assert_eq!(refused.header("allow"), Some("GET"));
    refused.refused(405, "METHOD_NOT_ALLOWED");
    let missing = app.anonymous().send(Method::GET, "/where/4k7m2p9xtd?x=1", None).await;
    assert!(missing.header("deprecation").is_some(), "a refusal says so, too");
    missing.refused(404, "NOT_FOUND");
}

#[test]
fn the_document_marks_exactly_the_old_paths_as_deprecated() {
    let mut ids = BTreeSet::new();
    let mut listed = BTreeSet::new();
    for (path, method, operation) in document::with_old_paths() {
        let id = operation["operationId"].as_str().expect("an operationId");
        assert!(ids.insert(id), "{method} {path}: {id} is another's operationId");
        if operation["deprecated"] != true {
            assert!(operation["x-same-as"].is_null(), "{method} {path}");
            continue;
        }
        let same = operation["x-same-as"].as_str().expect("what it is the same as");
        let description = operation["description"].as_str().expect("a description");
        assert!(description.starts_with(&format!("Same as `{same}`")), "{method} {path}: {description}");
        let (_, successor) = same.split_once(' ').expect("a method and a path");
        let original = &document::document()["paths"][successor][method.to_lowercase()];
        for part in ["requestBody", "parameters", "security", "tags", "x-desks", "x-errors"] {
            assert_eq!(operation[part], original[part], "{method} {path}: {part}");
        }
        let answers = operation["responses"].as_object().expect("answers");
        let success = answers.iter().find(|(status, _)| status.starts_with('2'));
        let (_, success) = success.expect("a success");
        assert!(success["headers"]["deprecation"].is_object(), "{method} {path}");
        assert!(success["headers"]["link"].is_object(), "{method} {path}");
        listed.insert((format!("{method} {path}"), same.to_owned()));
    }
    let renamed = |alias: &Alias| {
        (format!("{} {}", alias.method, alias.old), format!("{} {}", alias.method, alias.new))
    };
    let expected: BTreeSet<(String, String)> = ALIASES.iter().map(renamed).collect();
    assert_eq!(listed, expected);
}
