//! People on the road: somebody stranded, and mechanics who could come.

use std::sync::atomic::Ordering;

use chrono::{DateTime, SecondsFormat, Utc};
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use super::{
    Client, Person, Socket, TestApp,
    bodies::{FLAT_TYRE, id_of, set, vehicle},
};

/// A place in Bengaluru. A step of 0.001 degrees is about 110 m.
pub const PICKUP: (f64, f64) = (12.9716, 77.5946);

/// A customer with a vehicle that has broken down.
#[derive(Debug)]
pub struct Stranded {
    pub client: Person,
    pub vehicle_id: String,
    pub place: (f64, f64),
}

/// A verified mechanic who is online, with their own socket.
#[derive(Debug)]
pub struct OnRoad {
    pub client: Person,
    pub profile_id: String,
    pub socket: Socket,
    seq: i64,
    clock: Clock,
}

impl TestApp {
    pub async fn breakdown(&self) -> Stranded {
        self.breakdown_at(PICKUP).await
    }

    pub async fn breakdown_at(&self, place: (f64, f64)) -> Stranded {
        let client = self.customer().await;
        let vehicle_id = id_of(&client.post("/vehicles", vehicle("KA01AB1234")).await.expect(201));
        Stranded { client, vehicle_id, place }
    }

    /// Puts a new mechanic online, about 110 m from the default place of jobs.
    pub async fn on_road(&self, admin: &Client) -> OnRoad {
        self.on_road_at(admin, (PICKUP.0 + 0.001, PICKUP.1)).await
    }

    pub async fn on_road_at(&self, admin: &Client, place: (f64, f64)) -> OnRoad {
        let mechanic = self.verified_mechanic(admin).await;
        let socket = self.socket(&mechanic.client).await;
        let wish = json!({"is_available": true, "lat": place.0, "lng": place.1});
        mechanic.client.put("/mechanics/me/availability", wish).await.expect(200);
        OnRoad {
            client: mechanic.client,
            profile_id: mechanic.profile_id,
            socket,
            seq: 0,
            clock: self.service.clock.clone(),
        }
    }

    /// Returns a point as an app sends it, at the pickup's longitude and taken now.
    pub fn point(&self, seq: i64, lat: f64) -> Value {
        point(seq, (lat, PICKUP.1), self.service.clock.now())
    }

    /// Lets somebody call for help; returns them and their job.
    pub async fn called(&self) -> (Stranded, String) {
        let stranded = self.breakdown().await;
        let job = id_of(&stranded.call().await);
        (stranded, job)
    }

    /// Makes a job and follows it on a socket of its customer; returns its id and the socket.
    pub async fn followed(&self, stranded: &Stranded) -> (String, Socket) {
        let mut watcher = self.socket(&stranded.client).await;
        let job = id_of(&stranded.call().await);
        watcher.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
        (job, watcher)
    }

    /// Lets this mechanic accept a new job; returns its id.
    pub async fn taken(&self, stranded: &Stranded, mechanic: &mut OnRoad) -> String {
        let job = stranded.call().await;
        mechanic.accept().await;
        id_of(&job)
    }

    /// Returns a job that a mechanic has accepted, with both people. The next one is out of their reach: a mechanic who is
    /// free again would be offered its job, too.
    pub async fn accepted(&self) -> Scene {
        let north = f64::from(self.scenes.fetch_add(1, Ordering::Relaxed));
        self.accepted_at((PICKUP.0 + north, PICKUP.1)).await
    }

    pub async fn accepted_at(&self, place: (f64, f64)) -> Scene {
        let admin = self.admin().await;
        let (mut mechanic, stranded) =
            (self.on_road_at(&admin, (place.0 + 0.001, place.1)).await, self.breakdown_at(place).await);
        let job = self.taken(&stranded, &mut mechanic).await;
        // Sockets learn whose job it is after the response. A socket that opened in between would follow the job from its
        // assignment on, without a snapshot.
        mechanic.socket.until("job.updated").await;
        Scene { customer: stranded.client, mechanic, job }
    }
}

impl Stranded {
    pub fn call_body(&self) -> Value {
        json!({"vehicle_id": self.vehicle_id, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road",
            "pickup_lat": self.place.0, "pickup_lng": self.place.1})
    }

    /// Creates a job.
    pub async fn call(&self) -> Value {
        self.client.post("/jobs", self.call_body()).await.expect(201)
    }

    /// Creates a job with this field in addition to the usual ones.
    pub async fn call_with(&self, field: &str, value: Value) -> Value {
        self.client.post("/jobs", set(&self.call_body(), field, value)).await.expect(201)
    }

    pub async fn job(&self, id: &str) -> Value {
        self.client.get(&format!("/jobs/{id}")).await.expect(200)
    }

    pub async fn cancel(&self, id: &str) -> Value {
        let why = json!({"reason_code": "changed_mind"});
        self.client.post(&format!("/jobs/{id}/cancel"), why).await.expect(200)
    }
}

impl OnRoad {
    /// Sends a position recorded now.
    pub async fn ping(&mut self, place: (f64, f64)) -> Value {
        self.seq += 1;
        let point = point(self.seq, place, self.clock.now());
        self.client.post("/mechanics/me/location", json!({"points": [point]})).await.expect(200)
    }

    pub async fn go_offline(&self) {
        self.client.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    }

    /// Waits for an offer and returns it.
    pub async fn offer(&mut self) -> Value {
        self.socket.expect("offer.created").await["data"].clone()
    }

    /// Waits for an offer, accepts it and returns the job.
    pub async fn accept(&mut self) -> Value {
        let offer = self.offer().await;
        self.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200)
    }

    /// Sends the job a step: `en-route`, `arrive` …
    pub async fn tell(&self, job: &str, verb: &str, body: Value) -> Value {
        self.client.post(&format!("/jobs/{job}/{verb}"), body).await.expect(200)
    }

    /// Takes the job from accepted to arrived.
    pub async fn drive(&self, job: &str) {
        self.tell(job, "en-route", json!({})).await;
        self.tell(job, "arrive", json!({"override_reason": "the receiver is off"})).await;
    }

    /// Takes the job from accepted to in_progress.
    pub async fn drive_and_start(&self, customer: &Client, job: &str) {
        self.drive(job).await;
        self.start(customer, job).await;
    }

    /// Starts the work with the code that the customer sees.
    pub async fn start(&self, customer: &Client, job: &str) {
        let code = customer.get(&format!("/jobs/{job}")).await.expect(200)["start_code"].clone();
        self.tell(job, "start", json!({"start_code": code})).await;
    }
}

/// A customer, their job, and the mechanic who took it.
#[derive(Debug)]
pub struct Scene {
    pub customer: Person,
    pub mechanic: OnRoad,
    pub job: String,
}

impl Scene {
    pub fn path(&self, rest: &str) -> String {
        format!("/jobs/{}{rest}", self.job)
    }

    /// Takes the mechanic's next step over HTTP.
    pub async fn step(&self, verb: &str, body: Value) -> Value {
        self.mechanic.tell(&self.job, verb, body).await
    }

    /// Takes the job from accepted to completed.
    pub async fn serve(&self) {
        self.mechanic.drive_and_start(&self.customer, &self.job).await;
        self.step("complete", json!({"outcome": "fixed"})).await;
    }

    /// Returns the job as its customer sees it.
    pub async fn shown(&self) -> Value {
        self.customer.get(&self.path("")).await.expect(200)
    }

    /// Takes the job from accepted to arrived.
    pub async fn drive(&self) {
        self.mechanic.drive(&self.job).await;
    }

    /// Starts the work of a mechanic who has arrived.
    pub async fn start(&self) {
        self.mechanic.start(&self.customer, &self.job).await;
    }

    /// Lets the customer cancel the job, for a fee if it is not free.
    pub async fn cancel(&self) -> Value {
        let why = json!({"reason_code": "changed_mind", "accept_fee": true});
        self.customer.post(&self.path("/cancel"), why).await.expect(200)
    }

    /// Pays the completed job in cash, and returns the payment's id.
    pub async fn pay_cash(&self) -> String {
        self.pay_cash_for(&self.job).await
    }

    /// Pays another job of both in cash, and returns the payment's id.
    pub async fn pay_cash_for(&self, job: &str) -> String {
        let order = json!({"job_id": job, "method": "cash"});
        let made = self.mechanic.client.post("/payments/orders", order).await.expect(201);
        self.confirm_cash(&made).await;
        made["payment_id"].as_str().expect("an id").to_owned()
    }

    /// Lets both confirm a payment in cash.
    pub async fn confirm_cash(&self, order: &Value) {
        let confirm = format!("/payments/{}/cash-confirm", order["payment_id"].as_str().expect("an id"));
        for side in [&self.mechanic.client, &self.customer] {
            side.post(&confirm, json!({"amount": order["amount"]})).await.expect(200);
        }
    }
}

/// Returns a point as an app sends it.
pub fn point(seq: i64, place: (f64, f64), recorded_at: DateTime<Utc>) -> Value {
    json!({"seq": seq, "lat": place.0, "lng": place.1, "accuracy_m": 5,
        "recorded_at": recorded_at.to_rfc3339_opts(SecondsFormat::Millis, true)})
}
