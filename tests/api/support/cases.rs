//! Organisations with a contract, and their cases.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::{
    Client, OnRoad, Person, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    partners::Partner,
    roadside::PICKUP,
};

/// An organisation with a contract, its program, and an admin.
pub struct Contracted<'a> {
    pub app: &'a TestApp,
    pub admin: Person,
    pub partner: Partner<'a>,
    pub program: Client,
}

/// A job of a case that a mechanic has taken.
pub struct Taken {
    pub mechanic: OnRoad,
    pub case: String,
    pub job: String,
}

/// Returns a number that no other vehicle or case of a test has.
pub fn next_number() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(1_000);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// Returns a contract that covers flat tyres at the price that the service quotes.
pub fn new_contract(reference: &str) -> Value {
    json!({"reference": reference, "terms": [{"service_category_id": FLAT_TYRE, "pricing": "quoted"}]})
}

/// Returns a case under a contract, with its job at a place.
pub fn new_case(contract: &str, place: (f64, f64)) -> Value {
    let number = next_number();
    json!({
        "contract_reference": contract,
        "partner_reference": format!("CLM-{number}"),
        "beneficiary": {"name": "Asha Rao", "phone": "+919876543210"},
        "vehicle": {"vehicle_type": "two_wheeler", "registration_number": format!("KA02{number}"), "make": "Honda",
            "model": "Activa"},
        "texts": [],
        "job": {"service_category_slug": "flat-tyre", "pickup_address": "MG Road", "pickup_lat": place.0,
            "pickup_lng": place.1},
    })
}

impl<'a> Contracted<'a> {
    pub async fn new(app: &'a TestApp) -> Self {
        Self::with(app, json!({})).await
    }

    /// Makes an organisation whose contract has these fields besides the usual ones.
    pub async fn with(app: &'a TestApp, fields: Value) -> Self {
        let admin = app.admin().await;
        let partner = app.partner(&admin).await;
        let mut contract = new_contract("roadside");
        for (field, value) in fields.as_object().expect("fields") {
            contract = set(&contract, field, value.clone());
        }
        admin.post(&partner.path("/contracts"), contract).await.expect(201);
        let program = partner.program(&["read", "cases", "approvals"]).await;
        Self { app, admin, partner, program }
    }

    /// Makes a case with a job at a place of its own, and returns the case.
    pub async fn case(&self) -> Value {
        self.program.post("/partner/cases", new_case("roadside", self.place())).await.expect(201)
    }

    /// Returns a place that no other scene is within reach of.
    pub fn place(&self) -> (f64, f64) {
        (PICKUP.0 + f64::from(self.app.scenes.fetch_add(1, Ordering::Relaxed)), PICKUP.1)
    }

    /// Makes a case whose job a mechanic near by has taken.
    pub async fn taken(&self) -> Taken {
        let place = self.place();
        let mut mechanic = self.app.on_road_at(&self.admin, (place.0 + 0.001, place.1)).await;
        let case = self.program.post("/partner/cases", new_case("roadside", place)).await.expect(201);
        mechanic.accept().await;
        Taken { mechanic, case: id_of(&case), job: id_of(&case["jobs"][0]) }
    }

    pub async fn job(&self, id: &str) -> Value {
        self.program.get(&format!("/partner/jobs/{id}")).await.expect(200)
    }

    /// Returns the kinds of the events of a case so far, in their order.
    pub async fn told(&self, case: &str) -> Vec<String> {
        let events = self.program.get(&format!("/partner/cases/{case}/events")).await.expect(200);
        let events = events["data"].as_array().expect("a list").clone();
        events.iter().map(|event| event["type"].as_str().expect("a kind").to_owned()).collect()
    }
}

impl Taken {
    /// Lets the mechanic arrive and begin, and propose extra work at this price; returns the item.
    pub async fn extra_work(&self, unit_price: f64) -> Value {
        self.mechanic.tell(&self.job, "en-route", json!({})).await;
        self.mechanic.tell(&self.job, "arrive", json!({"override_reason": "the receiver is off"})).await;
        self.mechanic.tell(&self.job, "start", json!({})).await;
        let item = json!({"type": "part", "description": "Valve", "quantity": 1, "unit_price": unit_price});
        let path = format!("/jobs/{}/line-items", self.job);
        self.mechanic.client.post(&path, item).await.expect(201)
    }
}
