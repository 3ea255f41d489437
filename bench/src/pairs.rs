//! Pairs of a customer and a mechanic at the same place, so far from all others that each job goes to its own mechanic.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_client::{Api, Socket, frame, kind_of};
use serde_json::{Value, json};

use crate::{
    Failure,
    people::{self, Admins},
    plan::{Place, ping},
};

/// How long a mechanic waits for the offer of their customer's job.
const PATIENCE: Duration = Duration::from_secs(20);
/// The distance between pairs: farther than any mechanic goes.
const DEGREES_APART: f64 = 0.5;
const PAIRS_IN_A_ROW: u32 = 70;

/// A customer and the only mechanic near them, who is online.
#[derive(Debug)]
pub struct Pair {
    pub customer: people::Customer,
    pub mechanic: people::Mechanic,
    /// The mechanic's socket.
    pub socket: Socket,
    pub at: Place,
    /// The number of the mechanic's last location.
    pub seq: i64,
}

/// A job that its mechanic has accepted, and how long that took.
#[derive(Debug)]
pub struct Begun {
    pub job: String,
    /// The time from the request to its answer.
    pub created: Duration,
    /// The time from the request to the mechanic's offer.
    pub offered: Duration,
    /// The time from the acceptance to its ack.
    pub accepted: Duration,
}

/// Signs up pairs, each at the place of its number. Phone numbers begin at `first`, the customers' 50,000 later.
pub async fn pairs(
    api: &Api,
    admins: &Admins,
    first: u64,
    numbers: Range<u32>,
) -> Result<Vec<Pair>, Failure> {
    let count = numbers.len();
    let mechanics = people::mechanics(api, admins, first, count).await?;
    let customers = people::customers(api, first + 50_000, count).await?;
    let opened = stream::iter(mechanics.into_iter().zip(customers).zip(numbers));
    let opened = opened.map(|((mechanic, customer), n)| async move {
        let mut socket = Socket::open(api, &mechanic.token).await?;
        let degrees = |n: u32| f64::from(n) * DEGREES_APART;
        let at = Place { lat: 8.0 + degrees(n / PAIRS_IN_A_ROW), lng: 70.0 + degrees(n % PAIRS_IN_A_ROW) };
        socket.send(frame("availability.set", "on", json!({ "is_available": true }))).await?;
        socket.send(ping(1, at)).await?;
        while !socket.next().await?.contains(r#""ref":"p1""#) {}
        Ok::<_, Failure>(Pair { customer, mechanic, socket, at, seq: 1 })
    });
    opened.buffered(16).try_collect().await
}

impl Pair {
    /// Creates a job, which the mechanic accepts.
    pub async fn begin(&mut self, api: &Api, category: &str) -> Result<Begun, Failure> {
        let new = json!({
            "vehicle_id": self.customer.vehicle_id,
            "service_category_id": category,
            "pickup_address": "12 MG Road",
            "pickup_lat": self.at.lat,
            "pickup_lng": self.at.lng,
        });
        let token = self.customer.token.clone();
        let create = async {
            let job = api.post("/jobs", &token, new).await?;
            Ok::<_, Failure>(job["id"].as_str().ok_or("a job without an id")?.to_owned())
        };
        self.begin_with(create).await
    }

    /// Lets the mechanic accept the job that `create` makes, and whose id it returns.
    pub async fn begin_with(
        &mut self,
        create: impl Future<Output = Result<String, Failure>>,
    ) -> Result<Begun, Failure> {
        let asked = Instant::now();
        let create = async { (create.await, asked.elapsed()) };
        let ((job, created), offer) = tokio::join!(create, self.until("offer.created", |_| true));
        let (job, offer, offered) = (job?, offer?, asked.elapsed());
        let asked = Instant::now();
        let accept = frame("offer.accept", "a", json!({ "offer_id": offer["data"]["id"] }));
        self.socket.send(accept).await?;
        self.until("ack", |answer| answer["ref"] == "a").await?;
        Ok(Begun { job, created, offered, accepted: asked.elapsed() })
    }

    /// Takes the job from its acceptance to the start of the work.
    pub async fn start_work(&mut self, api: &Api, job: &str) -> Result<(), Failure> {
        self.arrive(api, job).await?;
        let shown = api.get(&format!("/jobs/{job}"), &self.customer.token).await?;
        self.start(api, job, json!({ "start_code": shown["start_code"] })).await
    }

    /// Takes the job from its acceptance to the arrival.
    pub async fn arrive(&mut self, api: &Api, job: &str) -> Result<(), Failure> {
        self.step(api, job, "en-route", json!({})).await?;
        self.seq += 1;
        let reference = format!("p{}", self.seq);
        self.socket.send(ping(self.seq, self.at)).await?;
        self.until("ack", |answer| answer["ref"] == reference.as_str()).await?;
        self.step(api, job, "arrive", json!({})).await
    }

    pub async fn start(&self, api: &Api, job: &str, code: Value) -> Result<(), Failure> {
        self.step(api, job, "start", code).await
    }

    pub async fn complete(&self, api: &Api, job: &str) -> Result<(), Failure> {
        self.step(api, job, "complete", json!({ "outcome": "fixed" })).await
    }

    /// Confirms the cash payment on both sides.
    pub async fn pay_in_cash(&self, api: &Api, job: &str) -> Result<(), Failure> {
        let order = json!({ "job_id": job, "method": "cash" });
        let bill = api.post("/payments/orders", &self.customer.token, order).await?;
        let payment = bill["payment_id"].as_str().ok_or("a bill without a payment")?;
        let (path, confirm) =
            (format!("/payments/{payment}/cash-confirm"), json!({ "amount": bill["amount"] }));
        api.post(&path, &self.customer.token, confirm.clone()).await?;
        api.post(&path, &self.mechanic.token, confirm).await?;
        Ok(())
    }

    /// Switches the mechanic off, so that a later run on the same server is offered its own jobs.
    pub async fn leave(self, api: &Api) -> Result<(), Failure> {
        let off = json!({ "is_available": false });
        api.put("/mechanics/me/availability", &self.mechanic.token, off).await?;
        self.socket.close().await;
        Ok(())
    }

    async fn step(&self, api: &Api, job: &str, verb: &str, body: Value) -> Result<(), Failure> {
        api.post(&format!("/jobs/{job}/{verb}"), &self.mechanic.token, body).await?;
        Ok(())
    }

    /// Returns the next frame of this type for which `is_it` holds; an error frame is an error.
    async fn until(&mut self, kind: &str, is_it: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
        let found = async {
            loop {
                let text = self.socket.next().await?;
                let got = kind_of(&text);
                if got == "error" {
                    return Err(text.to_string().into());
                }
                if got == kind {
                    let value: Value = serde_json::from_str(&text)?;
                    if is_it(&value) {
                        return Ok(value);
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, found).await.map_err(|_| format!("no {kind} within {PATIENCE:?}"))?
    }
}
