//! People who wait for their responses, and the rows that those promised.

use std::collections::BTreeMap;

use futures_util::future::join3;
use reqwest::Method;
use roadcall_actors::random::Random;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::{
    chat,
    support::{
        Client, OnRoad, Stranded, TestApp,
        bodies::id_of,
        roadside::{Scene, point},
    },
};

/// A place out of everybody else's reach, so that only these people are offered their jobs.
const PLACE: (f64, f64) = (13.9000, 78.5000);

/// An acknowledged row. The query returns whether it exists.
#[derive(Debug, Clone)]
struct Promise {
    query: &'static str,
    with: [String; 2],
}

const COLOUR: &str = "select exists (select from vehicles where id = $1::uuid and color = $2)";
const POINT: &str = "select exists (select from trail_points where job_id = $1::uuid and seq = $2::bigint)";
const MESSAGE: &str = "select exists (select from chat_messages where sender_id = $1::uuid
    and client_message_id = $2::uuid)";
const PHOTO: &str = "select exists (select from job_photos where job_id = $1::uuid and id = $2::uuid)";
const PUSH_TOKEN: &str = "select exists (select from push_tokens where user_id = $1::uuid and token = $2)";
const NO_PUSH_TOKEN: &str =
    "select not exists (select from push_tokens where user_id = $1::uuid and token = $2)";
const JOB: &str = "select exists (select from jobs where id = $1::uuid and status = $2)";
const JOB_MADE: &str = "select exists (select from jobs where id = $1::uuid and customer_id = $2::uuid)";

/// Ordinary people using the service, and a connection to Postgres that bypasses wire and pool.
pub struct Waiting {
    scene: Scene,
    vehicle: String,
    calling: Stranded,
    direct: PgConnection,
    /// The promises that still hold, by subject: a later promise about the same thing replaces the earlier one.
    standing: BTreeMap<String, Promise>,
    number: u32,
    pub figures: Figures,
}

/// The result.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Responses that promised a row, checked at once and at the end.
    pub promised: u64,
    pub lost: Vec<String>,
    /// 5xx responses to somebody who waited.
    pub failed: Vec<String>,
    /// Other refusals of these people, for which there is no reason.
    pub refused: Vec<String>,
}

/// The action of a person, the status and text of the response, and the promise if it is a success.
type Told = (&'static str, u16, String, Option<(String, Promise)>);

impl Waiting {
    pub async fn new(app: &TestApp) -> Self {
        let scene = app.accepted_at(PLACE).await;
        let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
            "registration_number": format!("KA02{}", Random::system().digits(6))});
        let vehicle = id_of(&scene.customer.post("/vehicles", vehicle).await.expect(201));
        let direct = PgConnection::connect_with(app.database.connect_options()).await.expect("Postgres");
        Self {
            scene,
            vehicle,
            calling: app.breakdown_at(PLACE).await,
            direct,
            standing: BTreeMap::new(),
            number: 0,
            figures: Figures::default(),
        }
    }

    /// Makes each of them write something at the same time, and check at once whether it is stored.
    pub async fn write(&mut self, app: &TestApp) {
        self.number += 1;
        let (number, job) = (self.number, self.scene.job.as_str());
        let customer = &self.scene.customer;
        let customers = async {
            let painted = paint(customer, &self.vehicle, number).await;
            [painted, say(customer, &customer.user_id, job).await, photograph(customer, job).await]
        };
        let mechanic = &mut self.scene.mechanic;
        let mechanics = async {
            let located = locate(app, mechanic, job, number).await;
            let (client, user) = (&mechanic.client, &mechanic.client.user_id);
            let (last, next) = (format!("phone:{user}:{}", number - 1), format!("phone:{user}:{number}"));
            let named = name_device(client, user, &next, number).await;
            [located, named, forget_device(client, user, &last).await]
        };
        let calling = &self.calling;
        let callers = async {
            let (made, job) = call(calling).await;
            [
                Some(made),
                match job {
                    Some(job) => Some(cancel(calling, &job).await),
                    None => None,
                },
            ]
        };
        let (customers, mechanics, callers) = join3(customers, mechanics, callers).await;
        for shown in customers.into_iter().chain(mechanics).chain(callers.into_iter().flatten()) {
            self.weigh(shown).await;
        }
    }

    async fn weigh(&mut self, (what, status, text, promise): Told) {
        match status {
            200..300 => {}
            500.. => self.figures.failed.push(format!("{what}: {status} {text}")),
            // There is no device to remove if none was registered before, or if registering it failed.
            404 if what == FORGET => {}
            // A job keeps at most 50 photos.
            409 if what == PHOTOGRAPH => {}
            _ => self.figures.refused.push(format!("{what}: {status} {text}")),
        }
        let Some((about, promise)) = promise else { return };
        self.figures.promised += 1;
        if !self.holds(&promise).await {
            self.figures.lost.push(format!("{what}: acknowledged, and not there: {promise:?}"));
        }
        self.standing.insert(about, promise);
    }

    /// Checks again everything that was promised and still holds.
    pub async fn look_again(&mut self) {
        for promise in self.standing.values().cloned().collect::<Vec<_>>() {
            if !self.holds(&promise).await {
                self.figures.lost.push(format!("not there in the end: {promise:?}"));
            }
        }
    }

    async fn holds(&mut self, promise: &Promise) -> bool {
        let [first, second] = &promise.with;
        let found = sqlx::query_scalar(promise.query).bind(first).bind(second);
        found.fetch_one(&mut self.direct).await.expect("an answer")
    }
}

const FORGET: &str = "a device is forgotten";
const PHOTOGRAPH: &str = "a photo is added";

async fn ask(
    what: &'static str,
    by: &Client,
    method: Method,
    path: &str,
    body: Option<Value>,
    promise: impl FnOnce(&Value) -> (String, Promise),
) -> Told {
    let answer = by.send(method, path, body).await;
    let promise = (answer.status < 300).then(|| promise(&answer.body));
    (what, answer.status, answer.text, promise)
}

fn promise(about: impl Into<String>, query: &'static str, with: [&str; 2]) -> (String, Promise) {
    (about.into(), Promise { query, with: with.map(str::to_owned) })
}

async fn paint(customer: &Client, vehicle: &str, number: u32) -> Told {
    let colour = format!("red {number}");
    let (path, body) = (format!("/vehicles/{vehicle}"), json!({"color": colour}));
    ask("a vehicle is painted", customer, Method::PATCH, &path, Some(body), |_| {
        promise("colour", COLOUR, [vehicle, &colour])
    })
    .await
}

async fn say(customer: &Client, user: &str, job: &str) -> Told {
    let message = chat::text("Beside the metro pillar");
    let name = message["client_message_id"].as_str().expect("a name").to_owned();
    let path = format!("/jobs/{job}/messages");
    ask("a message is written", customer, Method::POST, &path, Some(message), |_| {
        promise(&name, MESSAGE, [user, &name])
    })
    .await
}

async fn photograph(customer: &Client, job: &str) -> Told {
    let (path, body) = (
        format!("/jobs/{job}/photos"),
        json!({"stage": "before", "file_url": "https://files.example/a.jpg"}),
    );
    ask(PHOTOGRAPH, customer, Method::POST, &path, Some(body), |photo| {
        promise(id_of(photo), PHOTO, [job, &id_of(photo)])
    })
    .await
}

/// Sends a position over the socket.
async fn locate(app: &TestApp, mechanic: &mut OnRoad, job: &str, number: u32) -> Told {
    let points = json!({"points": [point(i64::from(number), PLACE, app.service.clock.now())]});
    let (status, data) = match mechanic.socket.ask("location.update", points).await {
        Ok(receipt) => (200, receipt),
        Err(error) => (status_of(&error), error),
    };
    let number = number.to_string();
    let promise = (data["accepted"] == 1).then(|| promise(format!("point {number}"), POINT, [job, &number]));
    ("a point of the trail", status, data.to_string(), promise)
}

/// Returns the status that corresponds to the error of a frame, as far as it matters here.
pub fn status_of(error: &Value) -> u16 {
    match error["code"].as_str() {
        Some("INTERNAL_ERROR") => 500,
        Some("UNAVAILABLE" | "OUTCOME_UNKNOWN") => 503,
        _ => 400,
    }
}

async fn name_device(by: &Client, user: &str, token: &str, number: u32) -> Told {
    let body = json!({"token": token, "platform": "android", "device_id": format!("device-{}", number % 3)});
    ask("a device is named", by, Method::POST, "/notifications/push-tokens", Some(body), |_| {
        promise(token, PUSH_TOKEN, [user, token])
    })
    .await
}

async fn forget_device(by: &Client, user: &str, token: &str) -> Told {
    let path = format!("/notifications/push-tokens/{token}");
    ask(FORGET, by, Method::DELETE, &path, None, |_| promise(token, NO_PUSH_TOKEN, [user, token])).await
}

async fn call(stranded: &Stranded) -> (Told, Option<String>) {
    let (customer, body) = (&stranded.client, stranded.call_body());
    let mut job = None;
    let shown = ask("a job is made", customer, Method::POST, "/jobs", Some(body), |made| {
        let id = id_of(made);
        job = Some(id.clone());
        promise(&id, JOB_MADE, [&id, &customer.user_id])
    });
    let shown = shown.await;
    (shown, job)
}

async fn cancel(stranded: &Stranded, job: &str) -> Told {
    let (path, body) = (format!("/jobs/{job}/cancel"), json!({"reason_code": "changed_mind"}));
    ask("a job is cancelled", &stranded.client, Method::POST, &path, Some(body), |_| {
        promise(job, JOB, [job, "cancelled"])
    })
    .await
}
