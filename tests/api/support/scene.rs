//! A stranded customer and a mechanic near by, brought together the way real ones are.

use serde_json::{Value, json};

use super::{
    Client, Person, TestApp,
    bodies::{FLAT_TYRE, id_of},
    signed_in::MechanicClient,
    socket::Socket,
};

/// The pickup of every job.
pub const PICKUP: (f64, f64) = (12.9716, 77.5946);

/// A customer, their job, and the mechanic that took it.
#[derive(Debug)]
pub struct Scene {
    pub customer: Person,
    pub mechanic: MechanicClient,
    pub job: String,
}

impl TestApp {
    /// A customer with a vehicle, who calls for help; the job as it was answered.
    pub async fn stranded(&self) -> (Person, Value) {
        let customer = self.customer().await;
        let vehicle = json!({
            "vehicle_type": "four_wheeler", "make": "Tata", "model": "Nexon", "registration_number": "KA01AB1234",
        });
        let vehicle_id = id_of(&customer.post("/vehicles", vehicle).await.expect(201));
        let job = json!({
            "vehicle_id": vehicle_id, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road",
            "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1,
        });
        let job = customer.post("/jobs", job).await.expect(201);
        (customer, job)
    }

    /// A verified mechanic, online within a kilometre of [`PICKUP`].
    pub async fn mechanic_near(&self, admin: &Client) -> MechanicClient {
        let mechanic = self.verified_mechanic(admin).await;
        let wish = json!({"is_available": true, "lat": PICKUP.0 + 0.005, "lng": PICKUP.1});
        mechanic.client.put("/mechanics/me/availability", wish).await.expect(200);
        mechanic
    }

    /// Until the mechanic has accepted.
    pub async fn accepted(&self) -> Scene {
        let admin = self.admin().await;
        let mechanic = self.mechanic_near(&admin).await;
        let mut socket = self.socket(&mechanic.client).await;
        let (customer, job) = self.stranded().await;
        accept_over(&mut socket, &id_of(&job)).await;
        Scene { customer, mechanic, job: id_of(&job) }
    }
}

/// The mechanic takes the job that it is offered.
pub async fn accept_over(socket: &mut Socket, job: &str) {
    let offer =
        socket.find("an offer", |frame| frame["type"] == "offer.created" && frame["job_id"] == job).await;
    let offer_id = offer["data"]["id"].clone();
    socket.ask("offer.accept", json!({"offer_id": offer_id})).await.expect("the job");
}

impl Scene {
    pub fn path(&self, rest: &str) -> String {
        format!("/jobs/{}{rest}", self.job)
    }

    /// The mechanic's next step over HTTP.
    pub async fn step(&self, step: &str, body: Value) -> Value {
        self.mechanic.client.post(&self.path(step), body).await.expect(200)
    }

    /// From accepted to completed.
    pub async fn serve(&self) {
        self.step("/en-route", json!({})).await;
        self.step("/arrive", json!({"override_reason": "the receiver is off"})).await;
        let job = self.customer.get(&self.path("")).await.expect(200);
        self.step("/start", json!({"start_code": job["start_code"]})).await;
        self.step("/complete", json!({"outcome": "fixed"})).await;
    }

    /// The mechanic reports a position, recorded now; `seq` tells it apart.
    pub async fn ping(&self, app: &TestApp, seq: i64, lat: f64) -> Value {
        let points = json!({"points": [point(app, seq, lat)]});
        self.mechanic.client.post("/mechanics/me/location", points).await.expect(200)
    }
}

/// A point recorded now.
pub fn point(app: &TestApp, seq: i64, lat: f64) -> Value {
    json!({"seq": seq, "lat": lat, "lng": PICKUP.1, "accuracy_m": 5, "recorded_at": app.state.clock.now().to_rfc3339()})
}
