//! Answers that hold no secret are compressed for clients that ask for it.

use std::io::Read;

use reqwest::{Method, header::HeaderMap};
use serde_json::Value;

use crate::support::{
    Answer, CALLERS, Client, OK, TestApp, World, all_rows, document, plain_http, spawn_accepted, spawn_app,
    spawn_wide, spawn_with_admin,
};

/// Returns the response to a GET with that `Accept-Encoding`, and its raw body.
async fn asking(app: &TestApp, client: &Client, path: &str, encodings: &str) -> (HeaderMap, Vec<u8>) {
    let http = plain_http().build().unwrap();
    let mut request = http.get(format!("http://{}{path}", app.address)).header("accept-encoding", encodings);
    if let Some(token) = client.token() {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200, "{path}");
    (response.headers().clone(), response.bytes().await.unwrap().to_vec())
}

fn unpacked(encoding: &str, bytes: &[u8]) -> String {
    let mut text = String::new();
    match encoding {
        "gzip" => flate2::read::GzDecoder::new(bytes).read_to_string(&mut text),
        "br" => brotli::Decompressor::new(bytes, 4096).read_to_string(&mut text),
        other => panic!("{other}"),
    }
    .unwrap();
    text
}

#[actix_web::test]
async fn the_document_and_exports_are_compressed_on_request() {
    let (app, admin) = spawn_with_admin().await;
    for _ in 0..12 {
        app.customer().await;
    }
    let nobody = app.anonymous();
    for (client, path) in [
        (&nobody, "/openapi.json"),
        (&nobody, "/api/v1/asyncapi.json"),
        (&nobody, "/docs/swagger-ui-bundle.js"),
        (&nobody, "/api/v1/docs/swagger-ui.css"),
        (&*admin, "/admin/users"),
        (&*admin, "/admin/users?format=csv"),
    ] {
        let plain = client.get(path).await;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        for (asked, encoding) in [
            ("gzip", "gzip"),
            ("br", "br"),
            ("gzip, deflate, br, zstd", "br"),
            ("br;q=0, gzip;q=0.5", "gzip"),
        ] {
            let (headers, bytes) = asking(&app, client, path, asked).await;
            let header = |name| headers.get(name).map(|value| value.to_str().unwrap());
            assert_eq!(headers.get_all("vary").iter().count(), 1, "{path}");
            assert_eq!(
                (header("content-encoding"), header("vary")),
                (Some(encoding), Some("accept-encoding")),
                "{path}"
            );
            assert_eq!(unpacked(encoding, &bytes), plain.text, "{path} as {encoding}");
            assert!(
                bytes.len() * 2 < plain.text.len(),
                "{path}: {} of {} bytes",
                bytes.len(),
                plain.text.len()
            );
        }
        for asked in ["identity", "zstd", "br;q=0"] {
            let (headers, bytes) = asking(&app, client, path, asked).await;
            assert_eq!(
                (headers.get("content-encoding"), bytes.len()),
                (None, plain.text.len()),
                "{path} as {asked}"
            );
        }
    }
}

#[actix_web::test]
async fn unchanged_documents_and_pages_are_not_sent_again() {
    let app = spawn_app().await;
    let http = plain_http().build().unwrap();
    for path in ["/openapi.json", "/asyncapi.json", "/api/v1/docs/", "/docs/swagger-ui-bundle.js"] {
        let get = || http.get(format!("http://{}{path}", app.address)).header("accept-encoding", "br");
        let first = get().send().await.unwrap();
        let tag = first.headers()["etag"].clone();
        assert_eq!(first.headers()["cache-control"], "no-cache", "{path}");
        for known in [tag.to_str().unwrap(), &format!("\"other\", {}", tag.to_str().unwrap()), "*"] {
            let again = get().header("if-none-match", known).send().await.unwrap();
            assert_eq!(again.status().as_u16(), 304, "{path}: {known}");
            let header = |name| again.headers().get(name).cloned();
            assert_eq!(
                (header("etag"), header("vary")),
                (Some(tag.clone()), Some("accept-encoding".parse().unwrap()))
            );
            assert!(again.bytes().await.unwrap().is_empty());
        }
        let changed = get().header("if-none-match", "\"other\"").send().await.unwrap();
        assert_eq!(changed.status().as_u16(), 200, "{path}");
    }
}

/// Collects the names of the fields of a value that are not empty.
fn filled(value: &Value, fields: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            fields.extend(map.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name.clone()));
            map.values().for_each(|value| filled(value, fields));
        }
        Value::Array(list) => list.iter().for_each(|value| filled(value, fields)),
        _ => {}
    }
}

#[actix_web::test]
async fn compressed_answers_hold_no_secrets() {
    let secrets = [
        "accessToken",
        "refreshToken",
        "idToken",
        "otp",
        "token",
        "ticket",
        "start_code",
        "secret",
        "credential",
        "url",
    ];
    let app = spawn_wide().await;
    let (world, nobody) = (World::new(&app).await, app.anonymous());
    let mut looked_at = 0;
    // The documents are full of such words, and have no such values.
    let documents = ["/openapi.json", "/asyncapi.json"];
    let open = |path: &str| document::holds_no_secret(path) && !documents.contains(&path);
    for row in all_rows().filter(|row| row.method() == Method::GET && open(row.template())) {
        let path = world.path(row).await;
        for column in (0..CALLERS.len()).filter(|column| row.expected[*column] == OK) {
            let client: &Client = world.caller(column).map_or(&nobody, |person| person);
            let Answer { body, .. } = client.get(&path).await;
            let mut fields = Vec::new();
            filled(&body, &mut fields);
            let found: Vec<&String> =
                fields.iter().filter(|field| secrets.contains(&field.as_str())).collect();
            assert!(found.is_empty(), "{} by {}: {found:?}", row.route, CALLERS[column]);
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "only {looked_at} answers");
}

#[actix_web::test]
async fn answers_with_secrets_and_short_answers_are_not_compressed() {
    let (app, scene) = spawn_accepted().await;
    // A job holds its start code and the mechanic's messages.
    for path in [scene.path(""), "/jobs".to_owned(), "/health".to_owned(), "/vehicles".to_owned()] {
        let (headers, _) = asking(&app, &scene.customer, &path, "br, gzip").await;
        assert_eq!(headers.get("content-encoding"), None, "{path}");
    }
}
