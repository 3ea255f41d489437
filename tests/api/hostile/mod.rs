//! Requests that no well-behaved client sends.

mod sizes;

use std::time::Duration;

use reqwest::Method;
use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{
    Client, OK, Row, TestApp, World, all_rows, bodies::registration, document, fill, rows::until_blocked,
    spawn_app, spawn_app_with, spawn_wide, spawn_with_customer, within,
};

#[actix_web::test]
async fn unknown_routes_and_wrong_methods_are_refused_in_the_envelope() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    for path in [
        "/",
        "/nothing",
        "/api",
        "/api/v1",
        "/api/v1/nothing",
        "/auth",
        "/auth/send-otp/",
        "/docs/nothing.js",
        "/api/v1/docs/x/y",
    ] {
        nobody.get(path).await.refused(404, "NOT_FOUND");
    }
    for path in ["/auth/send-otp", "/api/v1/auth/send-otp"] {
        let answer = nobody.delete(path).await;
        assert_eq!(answer.header("allow"), Some("POST"), "{path}");
        answer.refused(405, "METHOD_NOT_ALLOWED");
    }
    let odd = nobody.send(Method::from_bytes(b"BREW").unwrap(), "/health", None).await;
    odd.refused(405, "METHOD_NOT_ALLOWED");
}

#[actix_web::test]
async fn a_path_with_a_null_character_is_404_for_every_caller() {
    let app = spawn_wide().await;
    let (nobody, customer) = (app.anonymous(), app.customer().await);
    let pages = ["/customer/{x}", "/map/{x}", "/assets/{x}", "/docs/{x}", "/{x}"];
    let routes = all_rows().map(|row| (row.method(), row.template()));
    for (method, template) in routes.chain(pages.map(|page| (Method::GET, page))) {
        for id in ["a%00b", "%00"] {
            let path = if template.contains('{') { fill(template, id) } else { format!("{template}/{id}") };
            for client in [&nobody, &*customer] {
                let answer = client.send(method.clone(), &path, Some(json!({"outcome": "captured"}))).await;
                assert_eq!(
                    (answer.status, answer.body["error"]["code"].as_str()),
                    (404, Some("NOT_FOUND")),
                    "{method} {path}"
                );
            }
        }
    }
}

/// Returns the answer of a connection to bytes that are sent unchanged, until it closes.
async fn answer_to(app: &TestApp, sent: &[u8]) -> String {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(sent).await.unwrap();
    let mut answer = Vec::new();
    // The remaining bytes are not read, so that the end may be a reset.
    within("the connection closes", stream.read_to_end(&mut answer)).await.ok();
    String::from_utf8_lossy(&answer).into_owned()
}

#[actix_web::test]
async fn bytes_that_are_not_http_get_an_error_and_a_closed_connection() {
    let app = spawn_app().await;
    // This is as much as is read of a head: further bytes would turn the end of the connection into a reset.
    let head = "GET /health HTTP/1.1\r\nhost: x\r\nx: ";
    let large = format!("{head}{}", "x".repeat(131_072 - head.len()));
    for (sent, status) in [
        (&b"nonsense\r\n\r\n"[..], "400 Bad Request"),
        (b"GET /health HTTP/1.1\r\nhost x\r\n\r\n", "400 Bad Request"),
        (large.as_bytes(), "431 Request Header Fields Too Large"),
    ] {
        let answer = answer_to(&app, sent).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
        assert!(answer.ends_with("\r\n\r\n") && answer.contains("content-length: 0"), "{answer}");
    }
    app.anonymous().get("/health").await.expect(200);
}

#[actix_web::test]
async fn a_foreign_token_is_401_whatever_its_claims() {
    let (_app, genuine) = spawn_with_customer().await;
    let token = genuine.token().unwrap();
    let (head, rest) = token.split_once('.').unwrap();
    let (claims, signature) = rest.split_once('.').unwrap();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    let cases = [
        ("nothing", String::new()),
        ("nonsense", "nonsense".to_owned()),
        ("alg none without a signature", format!("{none}.{claims}.")),
        ("alg none with a signature", format!("{none}.{claims}.{signature}")),
        ("a signature of zeros", format!("{head}.{claims}.{}", "A".repeat(signature.len()))),
        ("no signature", format!("{head}.{claims}")),
        ("another's claims", format!("{head}.{}.{signature}", claims.replace(&claims[..4], "eyJ9"))),
        ("the refresh token", genuine.refresh_token.clone()),
        ("8 kB", "a".repeat(8_000)),
    ];
    for (why, token) in cases {
        let answer = genuine.with_token(token).get("/auth/sessions").await;
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{why}");
        assert_eq!(answer.status, 401, "{why}: {}", answer.text);
    }
    genuine.get("/auth/sessions").await.expect(200);
}

#[actix_web::test]
async fn an_expired_token_and_a_bad_one_get_different_errors() {
    let (app, person) = spawn_with_customer().await;
    person.get("/auth/sessions").await.expect(200);
    let ttl_s = app.service.settings.auth.access_token_ttl_s.unsigned_abs();
    app.service.clock.advance(std::time::Duration::from_secs(ttl_s + 1));
    person.get("/auth/sessions").await.refused(401, "TOKEN_EXPIRED");
}

#[actix_web::test]
async fn bodies_that_are_not_json_are_refused_before_they_are_read() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let path = "/auth/send-otp";
    let json = "application/json";
    let cases: [(&str, &str, Vec<u8>, u16, &str); 8] = [
        ("malformed", json, b"{\"phone\":".to_vec(), 422, "VALIDATION_FAILED"),
        ("not UTF-8", json, b"{\"phone\":\"\xff\"}".to_vec(), 422, "VALIDATION_FAILED"),
        ("two values", json, b"{} {}".to_vec(), 422, "VALIDATION_FAILED"),
        ("200 levels deep", json, [b"[".repeat(200), b"]".repeat(200)].concat(), 422, "VALIDATION_FAILED"),
        ("a list", json, b"[]".to_vec(), 422, "VALIDATION_FAILED"),
        ("text", "text/plain", b"{}".to_vec(), 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("a form", "application/x-www-form-urlencoded", b"phone=1".to_vec(), 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("oversized", json, vec![b' '; 65_537], 413, "PAYLOAD_TOO_LARGE"),
    ];
    for (why, content_type, body, status, code) in cases {
        let answer = nobody
            .send_as(Method::POST, path, |request| request.header("content-type", content_type).body(body))
            .await;
        assert_eq!((answer.status, answer.body["error"]["code"].as_str()), (status, Some(code)), "{why}");
    }
}

#[actix_web::test]
async fn an_action_without_a_body_may_have_any_content_type() {
    let (_app, person) = spawn_with_customer().await;
    let form = "application/x-www-form-urlencoded";
    let empty = person
        .send_as(Method::POST, "/notifications/read-all", |request| request.header("content-type", form));
    assert_eq!(empty.await.status, 200);
}

#[actix_web::test]
async fn a_compressed_body_is_refused_without_decompression() {
    let app = spawn_app().await;
    for encoding in ["gzip", "zstd", "br", "deflate", "identity"] {
        let answer = app
            .anonymous()
            .send_as(Method::POST, "/auth/send-otp", |request| {
                let request =
                    request.header("content-type", "application/json").header("content-encoding", encoding);
                request.body(vec![0_u8; 32_768])
            })
            .await;
        answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }
}

#[actix_web::test]
async fn a_body_that_never_ends_is_cut_at_the_limit() {
    let app = spawn_app().await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
    let (mut reading, mut writing) = stream.into_split();
    let answer = async {
        let mut answer = [0_u8; 1024];
        let length = reading.read(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer[..length]).into_owned()
    };
    let endless = async { while writing.write_all(chunk.as_bytes()).await.is_ok() {} };
    let answer = within("an answer while the body still comes", async {
        tokio::select! {
            answer = answer => answer,
            () = endless => panic!("the connection was cut without an answer"),
        }
    });
    assert!(answer.await.starts_with("HTTP/1.1 413"));
}

/// Returns the status line of the response to a request that is sent unchanged.
async fn status_of(app: &TestApp, request: &str) -> String {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0_u8; 1024];
    let length = within("an answer", stream.read(&mut answer)).await.unwrap();
    String::from_utf8_lossy(&answer[..length]).lines().next().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_body_with_a_too_large_length_is_refused_before_it_is_sent() {
    let app = spawn_app().await;
    let head = "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 300000000\r\n\r\n";
    assert_eq!(status_of(&app, head).await, "HTTP/1.1 413 Payload Too Large");
}

#[actix_web::test]
async fn two_credentials_are_refused() {
    let (app, person) = spawn_with_customer().await;
    let bearer = format!("authorization: Bearer {}\r\n", person.token().unwrap());
    let head = "GET /users/me HTTP/1.1\r\nhost: localhost\r\n";
    assert_eq!(status_of(&app, &format!("{head}{bearer}\r\n")).await, "HTTP/1.1 200 OK");
    for second in [bearer.as_str(), "authorization: Bearer x\r\n"] {
        let request = format!("{head}{bearer}{second}\r\n");
        assert_eq!(status_of(&app, &request).await, "HTTP/1.1 401 Unauthorized");
    }
}

#[actix_web::test]
async fn every_body_with_one_fault_is_422_and_names_the_field() {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    let mut faults = Vec::new();
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        // The contract (4.3) makes faults of the webhook 400; tests/api/payments/webhook.rs tests them. Bodies of
        // third-party apps have fields that we don't know, and a token of their own: tests/api/trackers.rs.
        if schema.is_null() || path == "/payments/webhook" || path.starts_with("/trackers/") {
            continue;
        }
        let row = all_rows().find(|row| row.route == route);
        let row = row.unwrap_or_else(|| panic!("{route} has no row in the table"));
        let body = row.body.unwrap_or_else(|| panic!("{route} takes a body, and its row has none"))();
        try_bodies(&world, row, schema, &body, &mut faults).await;
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

async fn try_bodies(world: &World<'_>, row: &Row, schema: &Value, valid: &Value, faults: &mut Vec<String>) {
    let column = row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed");
    let nobody = world.app.anonymous();
    let client: &Client = world.caller(column).map_or(&nobody, |person| person);
    let path = world.path(row).await;
    for (why, field, body) in spoiled(resolve(schema), valid) {
        let answer = client.send(row.method(), &path, Some(body)).await;
        let errors = answer.body["error"]["errors"].as_object();
        let is_named = errors.is_some_and(|errors| errors.keys().any(|name| names(name, &field)));
        if answer.status != 422 || !is_named {
            faults.push(format!("{} with {why} in {field}: {} {}", row.route, answer.status, answer.text));
        }
    }
}

/// Returns whether a fault names the field: `documents[0].type` names `documents`.
fn names(given: &str, field: &str) -> bool {
    given.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}

/// Returns every body that differs from a valid one by one fault: the fault, its field, and the body.
fn spoiled(schema: &Value, valid: &Value) -> Vec<(&'static str, String, Value)> {
    let mut bodies = vec![
        ("a list", "body".to_owned(), json!([])),
        ("null", "body".to_owned(), Value::Null),
        ("an unknown field", "no_such_field".to_owned(), with(valid, "no_such_field", json!(1))),
    ];
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (field, property) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&field.as_str()) {
            bodies.push(("nothing", field.clone(), without(valid, field)));
        }
        for (why, value) in wrong_values(resolve(property), is_prose(property)) {
            bodies.push((why, field.clone(), with(valid, field, value)));
        }
    }
    bodies
}

/// Returns whether a text is for people, unlike tokens and passwords, which may contain any character.
fn is_prose(property: &Value) -> bool {
    property["$ref"].as_str().is_some_and(|component| component.contains("/Text"))
}

fn wrong_values(property: &Value, is_prose: bool) -> Vec<(&'static str, Value)> {
    let kinds = kinds(property);
    if kinds.is_empty() {
        // Any JSON is valid there.
        return Vec::new();
    }
    let mut wrong = Vec::new();
    if !is_map(property) {
        wrong.push(("an object", json!({"odd": true})));
    }
    if !kinds.contains(&"null") {
        wrong.push(("null", Value::Null));
    }
    if kinds.contains(&"string") {
        wrong.extend([("a number", json!(7)), ("a boolean", json!(true))]);
        wrong.push(("far too long a text", json!("x".repeat(20_000))));
        if is_prose {
            wrong.push(("a control character", json!("ab\u{0}cd")));
        }
    } else {
        wrong.push(("a text", json!("a text")));
    }
    if !property["enum"].is_null() {
        wrong.push(("an unknown value", json!("no_such_value")));
    }
    if kinds.contains(&"number") || kinds.contains(&"integer") {
        wrong.extend([("far too much", json!(1e300)), ("far too little", json!(-1e300))]);
    }
    if kinds.contains(&"array") {
        wrong.push(("a list of objects of no kind", json!([{"no_such_field": 1}])));
        wrong.push(("too long a list", json!(vec![Value::Null; 1000])));
    }
    wrong
}

/// Returns whether the property takes an object with any fields.
fn is_map(property: &Value) -> bool {
    let parts =
        ["oneOf", "anyOf", "allOf"].iter().filter_map(|keyword| property[*keyword].as_array()).flatten();
    property["additionalProperties"].is_object() || parts.map(resolve).any(is_map)
}

/// Returns the JSON types that a schema accepts. A composed schema accepts the types of its parts.
fn kinds(property: &Value) -> Vec<&str> {
    let mut kinds: Vec<&str> = match &property["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let parts = property[keyword].as_array().into_iter().flatten();
        kinds.extend(parts.flat_map(|part| self::kinds(resolve(part))));
    }
    kinds
}

fn resolve(schema: &Value) -> &Value {
    let reference = schema["$ref"].as_str();
    let found =
        reference.and_then(|reference| document::document().pointer(reference.trim_start_matches('#')));
    found.map_or(schema, resolve)
}

fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut map = fields(body);
    map.insert(field.to_owned(), value);
    Value::Object(map)
}

fn without(body: &Value, field: &str) -> Value {
    let mut map = fields(body);
    map.remove(field).unwrap_or_else(|| panic!("{body} is to hold every required field, {field} too"));
    Value::Object(map)
}

fn fields(body: &Value) -> Map<String, Value> {
    body.as_object().expect("a body is an object").clone()
}

#[actix_web::test]
async fn an_open_request_is_finished_when_the_service_stops() {
    let mut app = spawn_app().await;
    let address = app.address;
    // This is half a request: the service waits for the rest of the body.
    let mut open = TcpStream::connect(address).await.unwrap();
    let body = "{\"phone\":\"+14155550199\"}";
    let head = format!(
        "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len()
    );
    open.write_all(head.as_bytes()).await.unwrap();
    let mut seen = [0_u8; 2048];
    let length = within("the service asks for the body", open.read(&mut seen)).await.unwrap();
    assert!(seen[..length].starts_with(b"HTTP/1.1 100"), "{}", String::from_utf8_lossy(&seen[..length]));
    let running = app.running.take().unwrap();
    let mut draining = app.service.drain.clone();
    let stopping = actix_web::rt::spawn(running.stop(std::future::pending()));
    within("the stop begins", draining.wait_for(|draining| *draining)).await.unwrap();
    open.write_all(body.as_bytes()).await.unwrap();
    let length = within("the answer", open.read(&mut seen)).await.unwrap();
    assert!(seen[..length].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&seen[..length]));
    within("the stop", stopping).await.unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[actix_web::test]
async fn a_request_that_never_ends_does_not_keep_the_service_from_stopping() {
    let mut app = spawn_app_with(|settings| settings.server.shutdown_timeout_ms = 1_000).await;
    let mut open = TcpStream::connect(app.address).await.unwrap();
    let head = "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{";
    open.write_all(head.as_bytes()).await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), app.stop()).await.expect("stops in spite of it");
}

#[actix_web::test]
async fn a_request_is_carried_out_although_its_client_resets_midway() {
    let (app, customer) = spawn_with_customer().await;
    let mut holder = app.database.db.begin().await.unwrap();
    sqlx::query("lock table mechanic_profiles in exclusive mode").execute(&mut *holder).await.unwrap();

    let body = registration().to_string();
    let token = customer.token().unwrap();
    let request = format!(
        "POST /mechanics/register HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    until_blocked(&app.database.db).await;
    // Closing with nothing to linger for sends a reset.
    socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
    drop(stream);
    holder.rollback().await.unwrap();

    let registered = async { while customer.get("/mechanics/me").await.status != 200 {} };
    within("the registration is there all the same", registered).await;
}

#[actix_web::test]
async fn a_body_that_trickles_in_is_abandoned() {
    let app = spawn_app_with(|settings| settings.server.client_timeout_ms = 8_000).await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = "POST /auth/send-otp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0_u8; 1024];
    let length = within("an answer", stream.read(&mut answer)).await.unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 422"), "{}", String::from_utf8_lossy(&answer[..length]));
}
