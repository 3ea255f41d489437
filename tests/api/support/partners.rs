//! Organisations, their members and their keys.

use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Answer, Client, Person, TestApp, bodies::id_of, new_phone};

pub const ALL_SCOPES: [&str; 6] = ["read", "cases", "approvals", "webhooks", "keys", "offers"];

/// An organisation, and the admin who manages it.
#[derive(Debug, Clone)]
pub struct Partner<'a> {
    pub app: &'a TestApp,
    pub admin: Person,
    pub id: String,
    /// The account in whose name its jobs are.
    pub account_id: String,
}

/// A key with its id.
#[derive(Debug, Clone)]
pub struct Key {
    pub id: String,
    pub text: String,
}

impl Key {
    /// Reads the answer to the making or the rotation of a key.
    pub fn of(made: &Value) -> Self {
        let text = made["secret"].as_str().expect("a key").to_owned();
        Self { id: id_of(made), text }
    }
}

impl TestApp {
    /// Makes an organisation.
    pub async fn partner(&self, admin: &Person) -> Partner<'_> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("Partner {}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let made =
            admin.post("/admin/organisations", json!({"name": name, "kind": "insurer"})).await.expect(201);
        let account_id = made["account_id"].as_str().expect("an account").to_owned();
        Partner { app: self, admin: admin.clone(), id: id_of(&made), account_id }
    }

    /// Returns a program that shows this key.
    pub fn program(&self, key: &Key) -> Person {
        Person::of_program(self.anonymous().with_token(&key.text))
    }
}

impl Partner<'_> {
    pub fn path(&self, below: &str) -> String {
        format!("/admin/organisations/{}{below}", self.id)
    }

    /// Adds a member with that role, who is signed in.
    pub async fn member(&self, role: &str) -> Person {
        let phone = new_phone();
        let body = json!({"phone": phone, "name": "Divya Shetty", "role": role});
        self.admin.post(&self.path("/members"), body).await.expect(201);
        self.app.sign_in(&phone).await
    }

    /// Makes a key with these scopes.
    pub async fn key(&self, scopes: &[&str]) -> Key {
        self.key_with(scopes, json!({})).await
    }

    /// Makes a key with other values than the usual ones.
    pub async fn key_with(&self, scopes: &[&str], changes: Value) -> Key {
        let mut body = json!({"name": "Case system", "scopes": scopes, "expires_in_days": 30});
        for (field, value) in changes.as_object().expect("fields") {
            body[field] = value.clone();
        }
        Key::of(&self.admin.post(&self.path("/keys"), body).await.expect(201))
    }

    /// Returns a program with a new key.
    pub async fn program(&self, scopes: &[&str]) -> Client {
        (*self.app.program(&self.key(scopes).await)).clone()
    }
}

/// A program of an agency, which acts for another organisation.
pub struct Agent {
    client: Client,
    pub key: Key,
    acts_for: String,
}

impl Agent {
    pub async fn new(agency: &Partner<'_>, acts_for: &Partner<'_>, scopes: &[&str]) -> Self {
        let key = agency.key_with(scopes, json!({"acts_for": [acts_for.id]})).await;
        Self { client: (*agency.app.program(&key)).clone(), key, acts_for: acts_for.id.clone() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, |request| request).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, |request| request.json(body)).await
    }

    pub async fn post_once(&self, path: &str, body: &Value, key: &str) -> Answer {
        self.send(Method::POST, path, |request| request.header("idempotency-key", key).json(body)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        alter: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let named = |request: RequestBuilder| alter(request.header("roadcall-organisation", &self.acts_for));
        self.client.send_as(method, path, named).await
    }
}

/// Stores an open case of an organisation, with a contract of its own; returns its id.
pub async fn insert_case(app: &TestApp, organisation: &str) -> String {
    let now = app.service.clock.now();
    let [contract, case] = [(), ()].map(|()| app.service.random.id(now));
    sqlx::query(
        "with contract as (
            insert into partner_contracts (id, organisation_id, reference, valid_from, created_at)
            values ($1, $3::uuid, $1::text, $4, $4) returning id
        )
        insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status,
            beneficiary_name, texts, created_at, updated_at)
        select $2, $3::uuid, contract.id, $3::uuid, $2::text, '', 'open', 'Asha Rao', '{}', $4, $4 from contract",
    )
    .bind(contract)
    .bind(case)
    .bind(organisation)
    .bind(now)
    .execute(&app.database.db)
    .await
    .expect("a case");
    case.to_string()
}

/// Inserts a case whose first event, that it was made, is forgotten.
pub async fn insert_told_case(app: &TestApp, organisation: &str) -> String {
    let case = insert_case(app, organisation).await;
    assert_eq!(app.change("update partner_cases set last_seq = 1 where id = $1::uuid", &[&case]).await, 1);
    case
}

/// Stores an event of a new case that was delivered to a subscription of the organisation.
pub async fn insert_delivery(app: &TestApp, organisation: &str) {
    let (now, case) = (app.service.clock.now(), insert_case(app, organisation).await);
    let [event, subscription, delivery] = [(), (), ()].map(|()| app.service.random.id(now));
    sqlx::query(
        "with event as (
            insert into partner_events (id, case_id, organisation_id, seq, kind, body, created_at)
            values ($1, $2::uuid, $3::uuid, 1, 'case.created', '{}', $6) returning id
        ), subscription as (
            insert into partner_subscriptions (id, organisation_id, made_by, url, secret, status, created_at, updated_at)
            values ($4, $3::uuid, $3::uuid, 'https://hooks.partner.example', '', 'unverified', $6, $6) returning id
        )
        insert into partner_deliveries (id, subscription_id, organisation_id, event_id, case_id, seq, status, tries,
            answer_status, created_at, settled_at)
        select $5, subscription.id, $3::uuid, event.id, $2::uuid, 1, 'delivered', 1, 204, $6, $6 from event, subscription",
    )
    .bind(event)
    .bind(case)
    .bind(organisation)
    .bind(subscription)
    .bind(delivery)
    .bind(now)
    .execute(&app.database.db)
    .await
    .expect("a delivery");
}
