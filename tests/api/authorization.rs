//! Tests who may call each route: every route of the OpenAPI document against the table in `support/table/`.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, CALLERS, Client, OK, Row, World, all_rows, document, fill, spawn_wide};

/// Routes that mechanics may use before they are verified, and while they are suspended: their profile, their money, and
/// the job that they are on. All other routes of mechanics require a verified one.
const ANY_STATUS: [&str; 36] = [
    "PATCH /mechanics/me",
    "GET /mechanics/me",
    "GET /mechanics/me/documents",
    "POST /mechanics/me/documents",
    "DELETE /mechanics/me/documents/{id}",
    "POST /mechanics/me/location",
    "GET /mechanics/me/trackers",
    "POST /mechanics/me/trackers",
    "DELETE /mechanics/me/trackers/{id}",
    "GET /mechanics/me/stats",
    "GET /mechanics/me/offers",
    "GET /offers/{id}",
    "POST /jobs/{id}/en-route",
    "POST /jobs/{id}/navigating",
    "GET /mechanics/me/lost-jobs",
    "POST /jobs/{id}/arrive",
    "POST /jobs/{id}/start",
    "POST /jobs/{id}/load",
    "POST /jobs/{id}/tow",
    "POST /jobs/{id}/complete",
    "POST /jobs/{id}/release",
    "POST /jobs/{id}/no-show",
    "POST /jobs/{id}/line-items",
    "PATCH /jobs/{id}/line-items/{item_id}",
    "DELETE /jobs/{id}/line-items/{item_id}",
    "GET /wallet/disputes",
    "POST /wallet/disputes",
    "GET /wallet/disputes/{id}",
    "GET /wallet",
    "GET /wallet/upi/{upiAccountId}",
    "GET /wallet/transactions",
    "GET /wallet/upi",
    "DELETE /wallet/upi/{upiAccountId}",
    "GET /wallet/withdrawals",
    "GET /wallet/withdrawals/{id}",
    "GET /wallet/settlements",
];

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let operations = document::operations();
    let routes: BTreeSet<String> =
        operations.iter().map(|(path, method, _)| format!("{method} {path}")).collect();
    let rows: BTreeSet<String> = all_rows().map(|row| row.route.to_owned()).collect();
    assert_eq!(all_rows().count(), rows.len(), "a route has two rows");
    let forgotten: Vec<_> = routes.difference(&rows).collect();
    let stale: Vec<_> = rows.difference(&routes).collect();
    assert!(
        forgotten.is_empty() && stale.is_empty(),
        "without a row: {forgotten:#?}\nwithout a route: {stale:#?}"
    );
}

#[test]
fn the_document_says_whether_each_route_is_public() {
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let Some(row) = all_rows().find(|row| row.route == route) else { continue };
        let is_public = operation["security"] == json!([]);
        assert_eq!(is_public, row.expected[0] == OK, "{route}: documented as public: {is_public}");
    }
}

#[test]
fn the_document_names_the_desk_of_each_route_of_admins() {
    let mut faults = Vec::new();
    for (path, method, operation) in document::operations() {
        let route = format!("{method} {path}");
        let Some(row) = all_rows().find(|row| row.route == route) else { continue };
        let is_of_admins = row.expected[1] == 403 && row.expected[3] == 403 && row.expected[5] == OK;
        let at: Vec<&str> = CALLERS
            .iter()
            .zip(row.expected)
            .filter_map(|(caller, expected)| caller.strip_prefix("admin at ").filter(|_| expected == OK))
            .collect();
        let expected = match at.len() {
            _ if !is_of_admins => json!(null),
            0 => json!({"each_of": ["dispatch", "money", "people", "settings"]}),
            4 => json!(null),
            _ => json!({"one_of": at}),
        };
        if operation["x-desks"] != expected {
            faults.push(format!("{route}: {} instead of {expected}", operation["x-desks"]));
        }
    }
    assert!(faults.is_empty(), "x-desks of these handlers is not their caller's:\n{}", faults.join("\n"));
}

#[test]
fn the_document_names_the_scopes_of_each_route_of_partners_and_of_no_other() {
    for (path, method, operation) in document::operations() {
        let is_of_partners = path == "/partner" || path.starts_with("/partner/");
        let named = operation["x-scopes"].as_array().is_some_and(|scopes| !scopes.is_empty());
        assert_eq!(named, is_of_partners, "{method} {path}: {}", operation["x-scopes"]);
    }
}

// The table runs in quarters side by side: all of it takes minutes.
mod callers {
    #[actix_web::test]
    async fn get_the_answers_of_the_tables_first_quarter() {
        super::every_caller_gets_the_answer_of_the_table(0).await;
    }

    #[actix_web::test]
    async fn get_the_answers_of_the_tables_second_quarter() {
        super::every_caller_gets_the_answer_of_the_table(1).await;
    }

    #[actix_web::test]
    async fn get_the_answers_of_the_tables_third_quarter() {
        super::every_caller_gets_the_answer_of_the_table(2).await;
    }

    #[actix_web::test]
    async fn get_the_answers_of_the_tables_last_quarter() {
        super::every_caller_gets_the_answer_of_the_table(3).await;
    }
}

async fn every_caller_gets_the_answer_of_the_table(quarter: usize) {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    let rows: Vec<&Row> = all_rows().collect();
    let size = rows.len().div_ceil(4);
    let mut faults = Vec::new();
    for row in rows.chunks(size).nth(quarter).expect("a quarter") {
        let shared = world.path(row).await;
        for (column, caller) in CALLERS.iter().enumerate() {
            let expected = row.expected[column];
            let answer = ask(&world, row, column, &shared, expected == OK).await;
            if !is_as_expected(row, &answer, expected) {
                faults.push(format!(
                    "{} by {caller}: {} instead of {expected}: {}",
                    row.route, answer.status, answer.text
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Makes one request. A caller who may change the object gets a new one, because the previous request may have used it up.
async fn ask(world: &World<'_>, row: &Row, column: usize, shared: &str, is_allowed: bool) -> Answer {
    let changes = is_allowed && row.method() != Method::GET;
    let path = if changes { world.path(row).await } else { shared.to_owned() };
    let body = row.body.map(|body| body());
    let someone;
    let client: &Client = match world.caller(column) {
        None => &world.app.anonymous(),
        Some(_) if is_allowed && row.ends_caller => {
            someone = world.someone_like(column).await;
            &someone
        }
        Some(person) => person,
    };
    client.send(row.method(), &path, body).await
}

/// Returns whether the caller was let in or refused as expected. A public route may refuse the request, but never its
/// sender.
fn is_as_expected(row: &Row, answer: &Answer, expected: u16) -> bool {
    // No notice is published, because nobody here could create a job from then on.
    if expected == OK && answer.status == 404 && answer.text.contains("NO_PRIVACY_NOTICE") {
        return true;
    }
    let is_refused = matches!(answer.status, 401 | 403 | 404 | 405) || answer.status >= 500;
    let is_public = row.expected[0] == OK;
    match expected {
        OK if is_public => matches!(answer.status, 200..=299 | 401 | 422 | 429),
        OK => !is_refused,
        refusal => answer.status == refusal,
    }
}

#[actix_web::test]
async fn unverified_mechanics_reach_only_their_profile_their_money_and_their_job() {
    let app = spawn_wide().await;
    let (world, newcomer) = (World::new(&app).await, app.registered_mechanic().await.client);
    let mut faults = Vec::new();
    for row in all_rows().filter(|row| row.is_of_mechanics()) {
        let path = world.path(row).await;
        let answer = newcomer.send(row.method(), &path, row.body.map(|body| body())).await;
        let is_unverified = answer.status == 403 && answer.text.contains("NOT_VERIFIED");
        if is_unverified == ANY_STATUS.contains(&row.route) {
            faults.push(format!("{}: {} {}", row.route, answer.status, answer.text));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[actix_web::test]
async fn an_unknown_id_is_404_and_an_invalid_one_422() {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    let missing = "01890000-0000-7000-8000-000000000000";
    // The gateway's ids may be any text, and so may tokens.
    let ours = |row: &&Row| {
        let is_text = ["{gateway_", "{token}"].iter().any(|text| row.template().contains(text));
        row.template().contains('{') && !is_text
    };
    for row in all_rows().filter(ours) {
        let column = row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed");
        let nobody = app.anonymous();
        let client: &Client = world.caller(column).map_or(&nobody, |person| person);
        // A partner's own name for a case may be any text, too, but it is looked for.
        let invalid = if row.template().contains("{reference}") { 404 } else { 422 };
        for (id, status) in [(missing, 404), ("not-an-id", invalid)] {
            let path = fill(row.template(), id);
            let answer = client.send(row.method(), &path, row.body.map(|body| body())).await;
            assert_eq!(answer.status, status, "{} with {id}: {}", row.route, answer.text);
        }
    }
}
