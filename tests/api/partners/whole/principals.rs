//! Every route of partners, asked by every kind of partner: for the own organisation's object, another organisation's, and an
//! agency's.

use std::collections::BTreeMap;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, OK, Person, Row, TestApp, World, all_rows, document,
    partners::{ALL_SCOPES, Partner},
    spawn_wide,
};

/// The scope of a route that every partner may use.
const ANY: &str = "any";

/// Every route of partners with its scope. The document must say the same.
const ROUTES: &[(&str, &str)] = &[
    ("GET /partner", ANY),
    ("GET /partner/contracts", "read"),
    ("POST /partner/coverage", "read"),
    ("POST /partner/cases", "cases"),
    ("GET /partner/cases", "read"),
    ("GET /partner/cases/{id}", "read"),
    ("GET /partner/cases/by-reference/{reference}", "read"),
    ("POST /partner/cases/{id}/close", "cases"),
    ("POST /partner/cases/{id}/jobs", "cases"),
    ("GET /partner/cases/{id}/events", "read"),
    ("GET /partner/jobs/{id}", "read"),
    ("GET /partner/jobs/{id}/photos", "read"),
    ("GET /partner/jobs/{id}/location", "read"),
    ("POST /partner/jobs/{id}/cancel", "cases"),
    ("POST /partner/jobs/{id}/retry", "cases"),
    ("POST /partner/jobs/{id}/shares", "cases"),
    ("POST /partner/jobs/{id}/promise/accept", "approvals"),
    ("POST /partner/jobs/{id}/promise/refuse", "approvals"),
    ("POST /partner/jobs/{id}/line-items/{item_id}/approve", "approvals"),
    ("POST /partner/jobs/{id}/line-items/{item_id}/reject", "approvals"),
    ("GET /partner/bills", "read"),
    ("GET /partner/report", "read"),
    ("GET /partner/vehicles", "read"),
    ("POST /partner/vehicles", "cases"),
    ("POST /partner/vehicles/import", "cases"),
    ("GET /partner/drivers", "read"),
    ("POST /partner/drivers", "cases"),
    ("POST /partner/drivers/import", "cases"),
    ("DELETE /partner/drivers/{id}", "cases"),
    ("POST /partner/cases/{id}/uploads", "cases"),
    ("POST /partner/cases/{id}/documents", "cases"),
    ("GET /partner/cases/{id}/documents", "read"),
    ("DELETE /partner/cases/{id}/documents/{item_id}", "cases"),
    ("GET /partner/subscriptions", "webhooks"),
    ("POST /partner/subscriptions", "webhooks"),
    ("PATCH /partner/subscriptions/{id}", "webhooks"),
    ("DELETE /partner/subscriptions/{id}", "webhooks"),
    ("POST /partner/subscriptions/{id}/verify", "webhooks"),
    ("POST /partner/subscriptions/{id}/test", "webhooks"),
    ("POST /partner/subscriptions/{id}/rotate-secret", "webhooks"),
    ("GET /partner/deliveries", "webhooks"),
    ("POST /partner/deliveries/replay", "webhooks"),
    ("GET /partner/keys", "keys"),
    ("POST /partner/keys", "keys"),
    ("POST /partner/keys/{id}/rotate", "keys"),
    ("DELETE /partner/keys/{id}", "keys"),
    ("POST /partner/offers", "offers"),
    ("GET /partner/offers/{id}", "offers"),
    ("POST /partner/offers/{id}/withdraw", "offers"),
    ("POST /partner/offers/{id}/confirm", "offers"),
];

fn is_of_partners(path: &str) -> bool {
    path == "/partner" || path.starts_with("/partner/")
}

#[test]
fn each_route_of_partners_is_in_this_table_with_the_scope_that_the_document_names() {
    let documented: BTreeMap<String, Value> = document::operations()
        .into_iter()
        .filter(|(path, ..)| is_of_partners(path))
        .map(|(path, method, operation)| (format!("{method} {path}"), operation["x-scopes"].clone()))
        .collect();
    let scopes = |scope: &str| if scope == ANY { json!(ALL_SCOPES) } else { json!([scope]) };
    let table: BTreeMap<String, Value> =
        ROUTES.iter().map(|(route, scope)| ((*route).to_owned(), scopes(scope))).collect();
    assert_eq!(documented, table);
}

/// The routes that a partner may use, and the objects of the world's organisation that it may name.
#[derive(Debug, Clone)]
enum Reach {
    /// The objects, by routes of these scopes.
    Own(Vec<&'static str>),
    /// Every route, and none of the objects.
    OtherObjects,
    /// Every route but those of keys, and none of the objects that the organisation made itself.
    Agency,
    /// Reaches no route: each request gets this status.
    Nothing(u16),
}

impl Reach {
    fn expected(&self, template: &str, scope: &str) -> u16 {
        let of_object = if template.contains('{') { 404 } else { OK };
        match self {
            Self::Own(scopes) if scope == ANY || scopes.contains(&scope) => OK,
            Self::Own(_) => 403,
            Self::Agency if template.starts_with("/partner/keys") => 403,
            Self::Agency | Self::OtherObjects => of_object,
            Self::Nothing(status) => *status,
        }
    }
}

/// A partner who sends every request.
struct Asking {
    name: String,
    client: Client,
    /// The organisation that the request names.
    acts_for: Option<String>,
    reach: Reach,
}

impl Asking {
    fn new(name: impl Into<String>, client: &Client, reach: Reach) -> Self {
        Self { name: name.into(), client: client.clone(), acts_for: None, reach }
    }

    fn acting_for(self, organisation: &str) -> Self {
        Self { acts_for: Some(organisation.to_owned()), ..self }
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let with_all = |request: RequestBuilder| {
            let request = match &self.acts_for {
                Some(organisation) => request.header("Roadcall-Organisation", organisation),
                None => request,
            };
            match &body {
                Some(body) => request.json(body),
                None => request,
            }
        };
        self.client.send_as(method, path, with_all).await
    }
}

/// Returns the organisation of the world's last two callers.
async fn own<'a>(app: &'a TestApp, admin: &Person, id: &str) -> Partner<'a> {
    let shown = admin.get(&format!("/admin/organisations/{id}")).await.expect(200);
    let account_id = shown["account_id"].as_str().expect("an account").to_owned();
    Partner { app, admin: admin.clone(), id: id.to_owned(), account_id }
}

/// Returns every kind of partner, seen from one organisation.
async fn everybody(own: &Partner<'_>) -> Vec<Asking> {
    let (app, admin) = (own.app, &own.admin);
    let mut asking = Vec::new();
    for scope in ALL_SCOPES {
        let program = own.program(&[scope]).await;
        asking.push(Asking::new(format!("key with {scope}"), &program, Reach::Own(vec![scope])));
    }
    let roles: [(&str, &[&str]); 3] =
        [("manager", &ALL_SCOPES), ("dispatcher", &["read", "cases", "approvals"]), ("viewer", &["read"])];
    for (role, scopes) in roles {
        asking.push(Asking::new(role, &*own.member(role).await, Reach::Own(scopes.to_vec())));
    }

    let other = app.partner(admin).await;
    let program = other.program(&ALL_SCOPES).await;
    asking.push(Asking::new("another organisation's key", &program, Reach::OtherObjects));
    let manager = other.member("manager").await;
    asking.push(Asking::new("another organisation's manager", &manager, Reach::OtherObjects));
    asking.push(Asking::new("key without an agency", &program, Reach::Nothing(403)).acting_for(&own.id));

    let agency = app.partner(admin).await;
    let key = agency.key_with(&ALL_SCOPES, json!({"acts_for": [own.id]})).await;
    let program = app.program(&key);
    asking.push(Asking::new("agency", &program, Reach::Agency).acting_for(&own.id));
    asking.push(Asking::new("agency for itself", &program, Reach::OtherObjects));

    let suspended = app.partner(admin).await;
    for client in [suspended.program(&ALL_SCOPES).await, (*suspended.member("manager").await).clone()] {
        asking.push(Asking::new("suspended organisation", &client, Reach::Nothing(403)));
    }
    admin.patch(&suspended.path(""), json!({"status": "suspended"})).await.expect(200);

    let revoked = own.key(&ALL_SCOPES).await;
    admin.delete(&format!("/admin/partner-keys/{}", revoked.id)).await.expect(204);
    asking.push(Asking::new("revoked key", &app.program(&revoked), Reach::Nothing(401)));
    asking.push(Asking::new("customer", &*app.customer().await, Reach::Nothing(403)));
    asking.push(Asking::new("admin", admin, Reach::Nothing(403)));
    asking.push(Asking::new("nobody", &app.anonymous(), Reach::Nothing(401)));
    asking
}

/// Returns whether the sender was let in or refused as expected. What is wrong with the request itself does not matter.
fn is_as_expected(answer: &Answer, expected: u16) -> bool {
    match expected {
        OK => !matches!(answer.status, 401 | 403 | 404 | 405) && answer.status < 500,
        refusal => answer.status == refusal,
    }
}

#[actix_web::test]
async fn each_partner_reaches_the_routes_of_its_scopes_and_no_object_of_others() {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    let own = own(&app, &app.admin().await, &world.organisation_id).await;
    let asking = everybody(&own).await;
    let mut faults = Vec::new();
    for (route, scope) in ROUTES {
        let row: &Row = all_rows().find(|row| row.route == *route).expect(route);
        let shared = world.path(row).await;
        for partner in &asking {
            let expected = partner.reach.expected(row.template(), scope);
            // A partner who may change the object gets a new one, because an earlier request may have used it up.
            let changes = expected == OK && row.method() != Method::GET;
            let path = if changes { world.path(row).await } else { shared.clone() };
            let answer = partner.send(row.method(), &path, row.body.map(|body| body())).await;
            if !is_as_expected(&answer, expected) {
                let (name, status) = (&partner.name, answer.status);
                faults.push(format!("{route} by {name}: {status} instead of {expected}: {}", answer.text));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
