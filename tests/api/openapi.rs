//! Checks that the OpenAPI document is complete: clients are generated from it.

use std::collections::{BTreeSet, HashMap};

use reqwest::Method;
use roadcall::platform::{error::Code, settings::Environment};
use serde_json::{Value, json};

use crate::support::{
    Client, OK, Row, World, all_rows, document, fill, spawn_app, spawn_app_with, spawn_wide,
};

#[actix_web::test]
async fn the_served_document_is_the_generated_one() {
    let app = spawn_app().await;
    assert_eq!(&app.anonymous().get("/openapi.json").await.expect(200), document::document());
    assert_eq!(document::document()["openapi"], "3.1.0");
}

#[actix_web::test]
async fn productions_document_has_productions_routes_and_address() {
    let app = spawn_app_with(|settings| {
        settings.environment = Environment::Production;
        settings.auth.token_secret.0 = "of a test alone, and long enough for one".to_owned();
        settings.metrics.listen = "127.0.0.1:0".parse().unwrap();
        settings.server.public_url = "https://roadcall.example/".to_owned();
        settings.identity.jwks_url = "https://identity.example/jwks.json".to_owned();
    })
    .await;
    let nobody = app.anonymous();
    let served = nobody.get("/openapi.json").await.expect(200);
    assert_eq!(served["servers"][0]["url"], "https://roadcall.example");
    assert_eq!(served["servers"][1]["url"], "https://roadcall.example/api/v1");
    let mut left_out = BTreeSet::new();
    for (path, method, _) in document::operations() {
        if !served["paths"][path].is_null() {
            continue;
        }
        left_out.insert(path);
        let method: Method = method.parse().unwrap();
        nobody.send(method, &fill(path, "x"), Some(json!({}))).await.refused(404, "NOT_FOUND");
    }
    for path in ["/sandbox/gateway/orders/{gateway_order_id}/pay", "/demo/play", "/metrics", "/idp/token"] {
        assert!(left_out.contains(path), "{path} is documented");
    }
    let tags: Vec<&Value> = served["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    assert!(tags.iter().any(|tag| *tag == "jobs"));
    assert!(tags.iter().all(|tag| *tag != "sandbox" && *tag != "demo"));
    assert!(served["components"]["schemas"]["PayOrder"].is_null(), "a schema that nothing uses");
    walk(&served, "", &mut |at, value| {
        let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
        assert!(target.is_none_or(|target| served.pointer(target).is_some()), "{at}: {target:?}");
    });
}

#[test]
fn bytes_are_binary_and_everything_else_has_a_schema() {
    let binary = json!({"type": "string", "format": "binary"});
    let mut faults = BTreeSet::new();
    walk(document::document(), "", &mut |at, value| {
        for (kind, content) in value["content"].as_object().into_iter().flatten() {
            let formats = ["json", "xml", "urlencoded"];
            let is_text = kind.starts_with("text/") || formats.iter().any(|format| kind.ends_with(format));
            if !content["schema"].is_object() || is_text == (content["schema"] == binary) {
                faults.insert(format!("{at}: {kind} is {}", content["schema"]));
            }
        }
        for keyword in ["schema", "items", "additionalProperties", "properties", "content"] {
            if value.get(keyword).is_some_and(Value::is_null) && !at.contains("/example") {
                faults.insert(format!("{at}: {keyword} is null"));
            }
        }
        // 251.39 is not a multiple of 0.01 in the doubles that validators count with.
        if value["multipleOf"].as_f64().is_some_and(|step| step.fract() != 0.0) {
            faults.insert(format!("{at}: multipleOf {}", value["multipleOf"]));
        }
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn schemas_have_meaningful_names_and_each_is_used() {
    let text = document::document().to_string();
    for name in document::document()["components"]["schemas"].as_object().unwrap().keys() {
        let words = ["BTreeMap", "HashMap", "Vec", "Option", "Box", "Arc"];
        assert!(!words.iter().any(|word| name.split('_').any(|part| part == *word)), "{name}");
        assert!(text.contains(&format!("\"#/components/schemas/{name}\"")), "nothing refers to {name}");
    }
}

#[test]
fn fields_with_a_closed_list_are_enums() {
    for (schema, field, listed, other) in [
        ("TimelineEntry", "event", "line_item_proposed", "offers_made"),
        ("TimelineEntry", "by", "system", "guest"),
        ("JobEventView", "type", "chat.message", "chat.read"),
        ("WalletTransaction", "kind", "withdrawal_hold", "mechanic_held"),
        ("Job", "cancel_reason_code", "customer_no_show", "silent"),
        ("Job", "cancel_reason_code", "changed_mind", ""),
        ("Photo", "stage", "during", ""),
        ("RejectedPoint", "reason", "superseded", ""),
        ("Offer", "eta_source", "osrm_learned", ""),
        ("Eta", "source", "straight_line", ""),
        ("SharedEta", "source", "straight_line", ""),
        ("Estimate", "eta_source", "valhalla", ""),
        ("EstimatedDestination", "source", "osrm", ""),
        ("NearbyMechanics", "eta_source", "valhalla_learned", ""),
        ("DispatchTerms", "eta_source", "osrm", ""),
        ("AssignmentCandidate", "eta_source", "osrm", ""),
    ] {
        let schema_of = &document::document()["components"]["schemas"][schema];
        let parts = schema_of["allOf"].as_array().into_iter().flatten().chain([schema_of]);
        let values: Vec<&str> = parts.flat_map(|part| values_of(&part["properties"][field])).collect();
        assert!(values.contains(&listed), "{schema}.{field}: {values:?}");
        assert!(!values.contains(&other), "{schema}.{field}: {values:?}");
    }
}

/// Checks that a comment in the code describes each field, or `src/openapi/fields.rs` if it means the same everywhere.
#[test]
fn every_field_is_described() {
    let schemas = document::document()["components"]["schemas"].as_object().unwrap();
    let mut count = 0;
    let mut silent = BTreeSet::new();
    walk(&Value::Object(schemas.clone()), "", &mut |at, value| {
        // Examples may have fields of any name.
        for (name, field) in value["properties"].as_object().into_iter().flatten() {
            if value["type"].is_string() && !at.contains("/example") {
                count += 1;
                if !is_described(field) {
                    silent.insert(format!("{at}/{name}"));
                }
            }
        }
    });
    assert!(count > 1_000, "only {count} fields were found");
    assert!(silent.is_empty(), "{} without a description: {silent:#?}", silent.len());
}

fn is_described(field: &Value) -> bool {
    let parts =
        ["oneOf", "allOf", "anyOf"].into_iter().flat_map(|word| field[word].as_array().into_iter().flatten());
    let has_words = |schema: &Value| schema["description"].as_str().is_some_and(|words| !words.is_empty());
    has_words(field) || has_words(resolve(field)) || parts.chain(field.get("items")).any(is_described)
}

#[test]
fn no_description_lists_the_values_of_a_field() {
    let known: BTreeSet<&str> = document::document()["components"]["schemas"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(values_of)
        .filter(|value| value.contains('_'))
        .collect();
    let mut found = BTreeSet::new();
    walk(document::document(), "", &mut |at, value| {
        for (name, field) in value["properties"].as_object().into_iter().flatten() {
            let description = field["description"].as_str().unwrap_or_default();
            let is_text = field["type"] == "string" || field["type"] == json!(["string", "null"]);
            let words = description.split(|c: char| !c.is_ascii_lowercase() && c != '_');
            let listed = words.filter(|word| known.contains(word)).collect::<BTreeSet<_>>().len();
            if is_text && field["enum"].is_null() && listed > 1 {
                found.insert(format!("{at}/properties/{name}: {description}"));
            }
        }
    });
    assert!(found.is_empty(), "use the enum: {found:#?}");
}

/// Returns the values of an enum, or of the enum that a field refers to.
fn values_of(schema: &Value) -> Vec<&str> {
    let schema = resolve(schema);
    let own = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let parts = ["oneOf", "allOf"].into_iter().flat_map(|word| schema[word].as_array().into_iter().flatten());
    own.chain(parts.flat_map(values_of)).collect()
}

#[test]
fn lists_refer_to_their_items_and_items_of_pages_have_ids() {
    let schemas = document::document()["components"]["schemas"].as_object().unwrap();
    for (name, schema) in
        schemas.iter().filter(|(name, _)| name.starts_with("Page_") || name.starts_with("List_"))
    {
        let item = &schema["properties"]["data"]["items"];
        let item_name = item["$ref"].as_str().unwrap_or_else(|| panic!("{name} has its items within it"));
        // These are named by their versions.
        let is_version =
            ["/DispatchConfiguration", "/PublishedNotice"].iter().any(|of| item_name.ends_with(of));
        if name.starts_with("Page_") && !is_version {
            assert!(has_field(item, "id"), "{item_name} has no id");
        }
    }
}

fn has_field(schema: &Value, field: &str) -> bool {
    let schema = resolve(schema);
    let parts = schema["allOf"].as_array().into_iter().flatten();
    schema["properties"].get(field).is_some() || parts.into_iter().any(|part| has_field(part, field))
}

#[test]
fn tags_name_the_callers_of_operations_and_ids_in_paths_are_uuids() {
    for (path, method, operation) in document::operations() {
        let of_tag = |tag: &str| path.starts_with(&format!("/{tag}/"));
        let tag = operation["tags"][0].as_str().unwrap();
        let desk = tag.strip_prefix("admin-");
        let whose = desk.map_or(tag, |_| "admin");
        for of in ["admin", "super-admin", "sandbox", "demo"] {
            assert_eq!(of_tag(of), whose == of && path != "/demo", "{method} {path}: {tag}");
        }
        let needed: Vec<&str> = desks_of(operation);
        if let ([needed], "admin") = (needed.as_slice(), whose) {
            assert_eq!(desk, Some(*needed), "{method} {path}: {tag}");
        } else {
            assert_eq!(desk, None, "{method} {path}: {tag}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let is_id = parameter["in"] == "path" && !NO_IDS.contains(&parameter["name"].as_str().unwrap());
            assert!(!is_id || parameter["schema"]["format"] == "uuid", "{method} {path}: {parameter}");
        }
    }
}

/// Returns the desks of which an operation needs one.
fn desks_of(operation: &Value) -> Vec<&str> {
    operation["x-desks"]["one_of"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Limits the operations of a tag: nobody finds anything among 85 operations.
#[test]
fn no_tag_has_too_many_operations() {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, _, operation) in document::operations() {
        *counts.entry(operation["tags"][0].as_str().unwrap()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 40);
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn the_head_of_the_document_explains_the_common_rules() {
    let head = document::document()["info"]["description"].as_str().unwrap();
    for (path, method) in [
        ("/auth/send-otp", "post"),
        ("/auth/verify-otp", "post"),
        ("/idp/token", "post"),
        ("/auth/admin-login", "post"),
        ("/auth/admin-sign-in", "post"),
        ("/auth/admin-sign-in/complete", "post"),
        ("/auth/accept-invite", "post"),
        ("/auth/refresh", "post"),
        ("/auth/logout", "post"),
        ("/auth/sessions", "get"),
        ("/mechanics/register", "post"),
        ("/ws/ticket", "post"),
        ("/users/me", "get"),
    ] {
        assert!(head.contains(&format!("`{} {path}`", method.to_uppercase())), "{path}: how people sign in");
        assert!(document::document()["paths"][path][method].is_object(), "there is no {method} {path}");
    }
    for word in [
        "# Signing in",
        "X-Session: cookie",
        "TOKEN_EXPIRED",
        "camelCase",
        "error.errors",
        "RFC 3339",
        "Idempotency-Key",
        "RateLimit-Remaining",
        "/api/v1",
        "two decimal",
    ] {
        assert!(head.contains(word), "{word}");
    }
}

fn row_of(method: &str, path: &str) -> &'static Row {
    let row = all_rows().find(|row| row.route == format!("{method} {path}"));
    row.unwrap_or_else(|| panic!("{method} {path} has no row in the table"))
}

/// Returns the column of the first caller who may call it.
fn column_of(row: &Row) -> usize {
    row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed")
}

#[actix_web::test]
async fn pages_begin_as_documented_and_lists_of_values_are_taken_in_both_forms() {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    let (mut pages, mut lists) = (0, 0);
    for (path, method, operation) in document::operations() {
        let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
        let schema_of =
            |name: &str| parameters.iter().find(|one| one["name"] == name).map(|one| &one["schema"]);
        let several = parameters.iter().find(|one| one["schema"]["type"] == "array");
        let row = row_of(&method, path);
        let client = world.caller(column_of(row));
        if let (Some(page), Some(limit)) = (schema_of("page"), schema_of("limit")) {
            let shown = client.expect("lists have readers").get(&world.path(row).await).await.expect(200);
            assert_eq!((&shown["page"], &shown["limit"]), (&page["default"], &limit["default"]), "{path}");
            pages += 1;
        }
        if let Some(parameter) = several {
            let (name, reader) = (parameter["name"].as_str().unwrap(), client.expect("lists have readers"));
            assert_ne!(parameter["explode"], false, "{path}: {name} repeated is what clients send");
            let values: Vec<&str> =
                parameter["example"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let (first, last) = (values[0], values[values.len() - 1]);
            for query in [format!("{name}={first}&{name}={last}"), format!("{name}={first},{last}")] {
                reader.get(&format!("{path}?{query}")).await.expect(200);
            }
            let wrong = reader.get(&format!("{path}?{name}={first}&{name}=no-such-value")).await;
            wrong.refused_field(name);
            lists += 1;
        }
    }
    assert!(pages > 20 && lists > 1, "{pages} lists with pages, {lists} parameters with several values");
}

/// Checks that a body that is too large, of another type, or malformed gets the documented answer, and that the document
/// lists such an answer only for operations that can give it.
#[actix_web::test]
async fn common_refusals_are_documented_exactly_where_they_can_happen() {
    let app = spawn_wide().await;
    let (world, nobody) = (World::new(&app).await, app.anonymous());
    let mut faults = Vec::new();
    // A socket is refused before it is read, the signed links and the webhook read their bodies raw, and trackers are refused
    // nothing that they would repeat.
    let raw = ["/payments/webhook", "/uploads/{id}/content"];
    let is_read = |path: &str| !raw.contains(&path) && !path.starts_with("/trackers/");
    for (path, method, operation) in document::operations().into_iter().filter(|(path, ..)| is_read(path)) {
        let row = row_of(&method, path);
        let client: &Client = world.caller(column_of(row)).map_or(&nobody, |person| person);
        let has_body = !operation["requestBody"].is_null();
        for status in ["413", "415"] {
            if has_body == operation["responses"][status].is_null() {
                faults.push(format!("{method} {path}: {status} with a body: {has_body}"));
            }
        }
        let asks = operation["parameters"].as_array().into_iter().flatten().map(resolve);
        // An organisation that a header names badly is one for which nobody may act: 403.
        let is_read = |one: &Value| {
            one["in"] == "query"
                || one["name"] == "Idempotency-Key"
                || one["in"] == "path" && one["schema"]["format"] == "uuid"
        };
        let can_be_wrong = has_body || asks.clone().any(is_read);
        let refusal = &operation["responses"]["422"];
        // A handler may have reasons of its own; the shared ones are only about bodies, parameters and ids.
        let is_odd = if can_be_wrong { refusal.is_null() } else { refusal["$ref"].is_string() };
        if is_odd {
            faults.push(format!("{method} {path}: 422 is documented: {}", !refusal.is_null()));
        }
        if has_body {
            let (path, to) = (world.path(row).await, row.method());
            let large = vec![b' '; 65_537];
            for (kind, body, status) in [
                ("application/json", large, 413),
                ("text/plain", b"{}".to_vec(), 415),
                ("application/json", b"{".to_vec(), 422),
            ] {
                let sent = |request: reqwest::RequestBuilder| request.header("content-type", kind).body(body);
                let answer = client.send_as(to.clone(), &path, sent).await;
                if answer.status != status {
                    faults.push(format!(
                        "{}: {} instead of {status}: {}",
                        row.route, answer.status, answer.text
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_operation_has_a_unique_id_a_summary_and_a_tag() {
    let tags: Vec<&str> = document::document()["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = BTreeSet::new();
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{route} has no operationId"));
        assert!(ids.insert(id), "{route}: {id} is another's operationId");
        assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{route}: {id}");
        let title = operation["summary"].as_str().unwrap_or_else(|| panic!("{route} has no summary"));
        assert!(!title.ends_with('.') && !title.contains('\n'), "{route}: {title}");
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        assert!(tags.contains(&tag), "{route}: the tag {tag:?} is not described");
    }
}

#[test]
fn every_reference_has_a_target() {
    let mut dangling = Vec::new();
    walk(document::document(), "", &mut |at, value| {
        let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
        // A null stands where a lookup failed.
        if target.is_some_and(|target| document::document().pointer(target).is_none_or(Value::is_null)) {
            dangling.push(format!("{at}: {}", value["$ref"]));
        }
    });
    assert!(dangling.is_empty(), "{}", dangling.join("\n"));
}

#[test]
fn every_path_parameter_is_declared_once() {
    for (path, method, operation) in document::operations() {
        let named: BTreeSet<&str> =
            path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let declared: Vec<&str> = parameters
            .filter(|parameter| parameter["in"] == "path")
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        assert_eq!(declared.len(), named.len(), "{method} {path}: {declared:?}");
        assert_eq!(declared.into_iter().collect::<BTreeSet<_>>(), named, "{method} {path}");
    }
}

/// Names that the contract gives to ids in a path.
const OF_THE_CONTRACT: [&str; 2] = ["paymentId", "upiAccountId"];
/// Parameters in paths that are not our ids.
const NO_IDS: [&str; 3] = ["token", "gateway_order_id", "reference"];
/// Objects that have no id except that of the object they belong to.
const BY_ANOTHER: [(&str, &str); 1] = [("/admin/callbacks", "job_id")];

#[test]
fn ids_in_paths_have_consistent_names() {
    let mut names: HashMap<String, BTreeSet<&str>> = HashMap::new();
    let mut odd = BTreeSet::new();
    for (path, _, _) in document::operations() {
        let mut before = String::new();
        let mut is_first = true;
        for segment in path.split('/').skip(1) {
            let Some(name) = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
                before.push_str(&format!("/{segment}"));
                continue;
            };
            names.entry(before.clone()).or_default().insert(name);
            let is_known = OF_THE_CONTRACT.contains(&name) || NO_IDS.contains(&name);
            // The first parameter is the object that the path is about, and another one is within it.
            let is_by_another = BY_ANOTHER.contains(&(before.as_str(), name));
            if !is_known
                && !is_by_another
                && (is_first != (name == "id") || !is_first && !name.ends_with("_id"))
            {
                odd.insert(path);
            }
            before.push_str("/{}");
            is_first &= NO_IDS.contains(&name);
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
    names.retain(|_, names| names.len() > 1);
    assert!(names.is_empty(), "one place, several names: {names:#?}");
}

/// Names that fields and parameters must not have, and the names to use instead.
const SYNONYMS: [(&str, &str); 14] = [
    ("mechanic_id", "mechanic_profile_id"),
    ("mechanic_ids", "mechanic_profile_ids"),
    ("category_id", "service_category_id"),
    ("category_ids", "service_category_ids"),
    ("categories", "service_category_ids"),
    ("latitude", "lat"),
    ("longitude", "lng"),
    ("lon", "lng"),
    ("phone_number", "phone"),
    ("mobile", "phone"),
    ("colour", "color"),
    ("number_plate", "registration_number"),
    ("plate", "registration_number"),
    ("radius_km", "service_radius_km"),
];

/// Schemas of third-party protocols.
const FOREIGN: [&str; 4] = [
    "/components/schemas/OwnTracks",
    "/components/schemas/OsmAnd",
    "/components/schemas/Traccar",
    "/paths//trackers/osmand/",
];

#[test]
fn one_thing_has_one_name() {
    let mut found = BTreeSet::new();
    let mut look = |at: &str, name: &str| {
        if let Some((_, other)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == name) {
            found.insert(format!("{at}: {name}, elsewhere {other}"));
        }
    };
    walk(document::document(), "", &mut |at, value| {
        let fields = value["properties"].as_object().into_iter().flatten();
        fields.for_each(|(name, _)| look(at, name));
        if value.get("in").is_some() {
            look(at, value["name"].as_str().unwrap_or_default());
        }
    });
    found.retain(|name| !FOREIGN.iter().any(|foreign| name.starts_with(foreign)));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_error_uses_the_envelope_and_every_answer_names_its_request() {
    for (path, method, operation) in document::operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolve(response);
            let at = format!("{method} {path} {status}");
            assert!(response["headers"]["x-request-id"].is_object(), "{at}: no x-request-id");
            if status.as_str() >= "400" && path != "/health/ready" {
                let schema = &response["content"]["application/json"]["schema"];
                assert_eq!(schema["$ref"], "#/components/schemas/ErrorBody", "{at}");
            }
        }
    }
}

#[test]
fn every_operation_declares_a_parameter_once_and_describes_each_answer() {
    let mut faults = Vec::new();
    for (path, method, operation) in document::operations() {
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(resolve);
        let names: Vec<String> = parameters
            .map(|parameter| format!("{} {}", parameter["in"], parameter["name"]).to_lowercase())
            .collect();
        if names.iter().collect::<BTreeSet<_>>().len() != names.len() {
            faults.push(format!("{method} {path}: twice in {names:?}"));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            if resolve(response)["description"].as_str().is_none_or(str::is_empty) {
                faults.push(format!("{method} {path} {status}: no description"));
            }
        }
    }
    walk(document::document(), "", &mut |at, value| {
        if value.get("content").is_some_and(Value::is_null) {
            faults.push(format!("{at}: content is null"));
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn bodies_answers_and_parameters_have_examples_that_match_their_schemas() {
    let mut missing = Vec::new();
    let mut checked = 0;
    for (path, method, operation) in document::operations() {
        let responses = operation["responses"].as_object().unwrap();
        let contents = responses.iter().map(|(status, response)| (status.as_str(), resolve(response)));
        for (part, holder) in contents.chain([("body", &operation["requestBody"])]) {
            let content = &holder["content"]["application/json"];
            let at = format!("{method} {path} {part}");
            let examples = examples_of(content);
            for example in &examples {
                document::conform(&at, &format!("example {at}"), &content["schema"], example);
            }
            if examples.is_empty() && !content.is_null() {
                missing.push(at);
            }
            checked += examples.len();
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolve) {
            let at = format!("{method} {path} {}", parameter["name"]);
            match &parameter["example"] {
                Value::Null => missing.push(at),
                example => document::conform(&at, &format!("example {at}"), &parameter["schema"], example),
            }
        }
    }
    assert!(missing.is_empty(), "without an example:\n{}", missing.join("\n"));
    assert!(checked > 100, "only {checked} examples were found to be checked");
}

#[test]
fn an_error_answer_has_an_example_for_each_code_it_names() {
    let statuses: HashMap<&str, u16> =
        Code::ALL.iter().map(|code| (code.as_str(), code.status().as_u16())).collect();
    for (path, method, operation) in document::operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolve(response);
            let content = &response["content"]["application/json"];
            if content["schema"]["$ref"] != "#/components/schemas/ErrorBody" {
                continue;
            }
            let at = format!("{method} {path} {status}");
            let shown =
                examples_of(content).into_iter().filter_map(|example| example["error"]["code"].as_str());
            let shown: BTreeSet<&str> = shown.collect();
            let description = response["description"].as_str().unwrap();
            let words = description.split(|c: char| !c.is_ascii_uppercase() && c != '_');
            let named: BTreeSet<&str> = words.filter(|word| statuses.contains_key(word)).collect();
            assert_eq!(shown, named, "{at}: {description}");
            let listed =
                operation["x-errors"][status].as_array().into_iter().flatten().filter_map(Value::as_str);
            assert_eq!(listed.collect::<BTreeSet<_>>(), named, "{at}: x-errors");
            for code in shown {
                assert_eq!(statuses[code].to_string(), *status, "{at}: {code}");
            }
        }
    }
}

#[test]
fn the_examples_of_schemas_match_their_schemas() {
    let schemas = document::document()["components"]["schemas"].as_object().unwrap();
    walk(&Value::Object(schemas.clone()), "", &mut |at, value| {
        let listed = value["examples"].as_array().into_iter().flatten();
        let is_schema = ["type", "$ref", "allOf"].iter().any(|keyword| value.get(keyword).is_some());
        for example in listed.chain(value.get("example")).filter(|_| is_schema) {
            document::conform(at, &format!("example {at}"), value, example);
        }
    });
}

#[test]
fn every_list_in_a_body_states_its_maximum_length() {
    let mut unbounded = BTreeSet::new();
    for (path, method, operation) in document::operations() {
        for (at, list) in lists_in(&operation["requestBody"]["content"]["application/json"]["schema"]) {
            if list["maxItems"].is_null() {
                unbounded.insert(format!("{method} {path}: {at}"));
            }
        }
    }
    assert!(unbounded.is_empty(), "{unbounded:#?}");
}

/// Returns the arrays in a schema, including those in its references, each with its place.
fn lists_in(schema: &Value) -> Vec<(String, &Value)> {
    let mut lists = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![(String::new(), schema)];
    while let Some((at, schema)) = waiting.pop() {
        if schema["$ref"].as_str().is_some_and(|target| !seen.insert(target)) {
            continue;
        }
        let schema = resolve(schema);
        let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
        if kinds.contains(&json!("array")) {
            lists.push((at.clone(), schema));
        }
        let parts = ["oneOf", "anyOf", "allOf"]
            .into_iter()
            .flat_map(|word| schema[word].as_array().into_iter().flatten());
        waiting.extend(parts.chain(schema.get("items")).map(|part| (at.clone(), part)));
        let fields = schema["properties"].as_object().into_iter().flatten();
        waiting.extend(fields.map(|(name, field)| (format!("{at}/{name}"), field)));
    }
    lists
}

#[test]
fn the_bodies_of_the_table_match_the_document() {
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let row = all_rows().find(|row| row.route == route);
        // An action without input takes `{}`, which is not a body to document.
        if let Some(body) = row.and_then(|row| row.body).filter(|body| body() != json!({})) {
            assert!(!schema.is_null(), "{route}: the table has a body, the document none");
            document::conform(&route, &format!("body {route}"), schema, &body());
        }
    }
}

/// Returns the examples of a media type: its single one, or its named ones.
fn examples_of(content: &Value) -> Vec<&Value> {
    let named = content["examples"].as_object().into_iter().flatten();
    named.map(|(_, example)| &example["value"]).chain(content.get("example")).collect()
}

fn resolve(value: &Value) -> &Value {
    let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.and_then(|target| document::document().pointer(target)).unwrap_or(value)
}

/// Calls `visit` with the pointer and the value of every object.
fn walk(value: &Value, at: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(map) => {
            visit(at, value);
            for (key, nested) in map {
                walk(nested, &format!("{at}/{key}"), visit);
            }
        }
        Value::Array(list) => {
            for (index, nested) in list.iter().enumerate() {
                walk(nested, &format!("{at}/{index}"), visit);
            }
        }
        _ => {}
    }
}
