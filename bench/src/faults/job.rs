//! A customer and a mechanic near them, whose jobs go on whatever happens: each step is tried until a server says that it is
//! done.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use roadcall_client::ClientError;
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    phone::{self, Offered, Track},
    world::World,
};
use crate::{
    people::{Customer, Mechanic},
    plan::Place,
};

/// The pause between two steps, as people do other things than tap.
const PAUSE: Duration = Duration::from_millis(250);
/// The pause before a step that was refused for now is tried again.
const AGAIN: Duration = Duration::from_millis(500);
/// How long the answer to one try of a step may take.
const STEP_LIMIT: Duration = Duration::from_secs(8);
/// How long an offer may take before the job is checked.
const OFFER_LIMIT: Duration = Duration::from_secs(2);
/// How long a job may take from its creation to its payment.
const JOB_LIMIT: Duration = Duration::from_secs(150);
/// How long the last events of a job may take to be shown.
const SHOWN_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Pair {
    /// The pair's number: the customer prefers this server, the mechanic the next one.
    pub number: usize,
    pub customer: Customer,
    pub mechanic: Mechanic,
    pub at: Place,
    pub category: String,
}

/// One job of a pair.
struct Life<'a> {
    pair: &'a Pair,
    world: &'a World,
    id: String,
    works_on: &'a watch::Sender<Option<String>>,
    offers: watch::Receiver<Offered>,
}

impl Pair {
    /// Takes one job after the other to its end, until the pair is stopped or something is broken. After a time away the pair
    /// begins again with what the service knows.
    pub async fn live(self, world: Arc<World>, stopped: watch::Receiver<bool>) {
        world.expect(&self.customer.token);
        let (mut track, mut key) = (Track::new(self.at), world.key());
        while !*stopped.borrow() && !world.is_broken() {
            world.until_away(false).await;
            tokio::select! {
                () = self.do_jobs(&world, &stopped, &mut track, &mut key) => {}
                () = world.until_away(true) => {}
            }
        }
    }

    /// Takes one job after the other to its end. `key` identifies the next request for a job.
    async fn do_jobs(
        &self,
        world: &Arc<World>,
        stopped: &watch::Receiver<bool>,
        track: &mut Track,
        key: &mut String,
    ) {
        let (follow, followed) = watch::channel(None);
        let (works_on, worked_on) = watch::channel(None);
        let (offer, offers) = watch::channel(Offered::default());
        let customer = phone::follow(world.clone(), self.customer.token.clone(), followed);
        let mechanic = phone::drive(world.clone(), self.mechanic.token.clone(), track, worked_on, offer);
        let jobs = async {
            let mut open = self.open_job(world).await;
            if open.is_some() {
                // The service may have refused a request under the old key because of this job.
                *key = world.key();
            }
            while !*stopped.borrow() && !world.is_broken() {
                let next = match open.take() {
                    Some(known) => Some(known),
                    None => self.call(world, key).await.map(|id| (id, "dispatching".to_owned())),
                };
                let Some((id, status)) = next else { continue };
                follow.send_replace(Some(id.clone()));
                let life = Life { pair: self, world, id, works_on: &works_on, offers: offers.clone() };
                match timeout(JOB_LIMIT, life.live(status)).await {
                    Ok(()) => {}
                    Err(_) => world.break_because(format!("a job did not end within {JOB_LIMIT:?}")),
                }
            }
        };
        tokio::select! {
            () = customer => {}
            () = mechanic => {}
            () = jobs => {}
        }
    }

    /// Returns the id and the status of the customer's job that goes on, if the service knows of one.
    async fn open_job(&self, world: &World) -> Option<(String, String)> {
        let jobs = self.read(world, "/jobs").await;
        let mut known = jobs["data"].as_array()?.iter().filter_map(|job| {
            let (id, status) = (job["id"].as_str()?, job["status"].as_str()?);
            Some((id.to_owned(), status.to_owned()))
        });
        known.find(|(_, status)| !matches!(status.as_str(), "paid" | "cancelled"))
    }

    /// Returns a new job's id. Sends the same request under one key, until it is answered.
    async fn call(&self, world: &World, key: &mut String) -> Option<String> {
        let new = json!({
            "vehicle_id": self.customer.vehicle_id,
            "service_category_id": self.category,
            "pickup_address": "12 MG Road",
            "pickup_lat": self.at.lat,
            "pickup_lng": self.at.lng,
        });
        while !world.is_broken() {
            let sent = Instant::now();
            let (server, api) = world.pick_near(self.number);
            match in_time(api.post_once("/jobs", &self.customer.token, new.clone(), key)).await {
                Ok(job) => {
                    let id = job["id"].as_str()?.to_owned();
                    world.acknowledged(&self.customer.token, server, sent);
                    world.with_job(&id, |job| {
                        job.customer.clone_from(&self.customer.vehicle_id);
                        job.acknowledged.push("created");
                    });
                    *key = world.key();
                    return Some(id);
                }
                Err(refused) if may_come_again(&refused) => {
                    world.refused("POST /jobs", &refused);
                    let after = refused.retry_after_s().unwrap_or_default().min(5);
                    sleep(AGAIN.max(Duration::from_secs(after))).await;
                }
                Err(refused) => world.break_because(format!("POST /jobs: {refused}")),
            }
        }
        None
    }

    /// Reads something as the customer, until a server answers.
    async fn read(&self, world: &World, path: &str) -> Value {
        loop {
            let (_, api) = world.pick();
            match in_time(api.get(path, &self.customer.token)).await {
                Ok(value) => return value,
                Err(refused) => {
                    world.refused("GET", &refused);
                    if !may_come_again(&refused) {
                        world.break_because(format!("GET {path}: {refused}"));
                        return Value::Null;
                    }
                }
            }
            sleep(AGAIN).await;
        }
    }
}

impl Life<'_> {
    async fn live(mut self, mut status: String) {
        while !self.world.is_broken() {
            sleep(PAUSE).await;
            status = match status.as_str() {
                "pending" | "dispatching" => self.accept().await,
                "accepted" => self.mechanic_does("en-route", "en_route", json!({})).await,
                "en_route" => self.arrive().await,
                "arrived" => self.start().await,
                "in_progress" => {
                    self.works_on.send_replace(None);
                    self.mechanic_does("complete", "completed", json!({ "outcome": "fixed" })).await
                }
                "completed" => self.pay().await,
                "no_mechanic_found" => {
                    let body = json!({ "reason_code": "changed_mind" });
                    self.does(&self.pair.customer.token, "cancel", "cancelled", body).await
                }
                "paid" => return self.end("paid").await,
                "cancelled" => return self.end("cancelled").await,
                other => return self.world.break_because(format!("job {} is {other}", self.id)),
            };
        }
    }

    async fn accept(&mut self) -> String {
        let offered = timeout(OFFER_LIMIT, self.offers.wait_for(|offer| offer.job == self.id)).await;
        let Ok(Ok(offer)) = offered.map(|offer| offer.map(|offer| offer.offer.clone())) else {
            return self.look().await;
        };
        let path = format!("/offers/{offer}/accept");
        let status = self.ask(&self.pair.mechanic.token, &path, "accepted", json!({})).await;
        match status.as_str() {
            "accepted" => {
                self.works_on.send_replace(Some(self.id.clone()));
            }
            // This offer's time is over.
            "dispatching" => sleep(AGAIN).await,
            _ => {}
        }
        status
    }

    async fn arrive(&self) -> String {
        let status = self.mechanic_does("arrive", "arrived", json!({})).await;
        if status != "en_route" {
            return status;
        }
        // The position that proves the arrival may still be on its way.
        sleep(AGAIN).await;
        let body = json!({ "override_reason": "no position" });
        self.mechanic_does("arrive", "arrived", body).await
    }

    async fn start(&self) -> String {
        let job = self.get().await;
        let body = json!({ "start_code": job["start_code"] });
        self.mechanic_does("start", "in_progress", body).await
    }

    async fn pay(&self) -> String {
        let order = json!({ "job_id": self.id, "method": "cash" });
        let (customer, mechanic) = (&self.pair.customer.token, &self.pair.mechanic.token);
        let bill = match self.send(customer, "/payments/orders", order, &self.world.key()).await {
            Ok(bill) => bill,
            Err(_) => return self.look().await,
        };
        let (payment, amount) = (bill["payment_id"].as_str().unwrap_or_default(), &bill["amount"]);
        let path = format!("/payments/{payment}/cash-confirm");
        for who in [customer, mechanic] {
            let confirmation = json!({ "amount": amount });
            if self.send(who, &path, confirmation, &self.world.key()).await.is_err() {
                return self.look().await;
            }
        }
        self.world.with_job(&self.id, |job| job.acknowledged.push("paid"));
        "paid".to_owned()
    }

    async fn mechanic_does(&self, verb: &str, event: &'static str, body: Value) -> String {
        self.does(&self.pair.mechanic.token, verb, event, body).await
    }

    async fn does(&self, token: &str, verb: &str, event: &'static str, body: Value) -> String {
        self.ask(token, &format!("/jobs/{}/{verb}", self.id), event, body).await
    }

    /// Returns the job's status after a command, which may have been done or not. If nobody knows, the command is sent again
    /// under its key.
    async fn ask(&self, token: &str, path: &str, event: &'static str, body: Value) -> String {
        let key = self.world.key();
        let mut answer = self.send(token, path, body.clone(), &key).await;
        if answer.as_ref().is_err_and(may_come_again) {
            answer = self.send(token, path, body, &key).await;
            self.world.count("steps sent again under their keys");
            if answer.as_ref().is_err_and(|refused| refused.code() == "INVALID_TRANSITION") {
                self.check_undone(path, event).await;
            }
        }
        match answer {
            Ok(_) => {
                self.world.with_job(&self.id, |job| job.acknowledged.push(event));
                event.to_owned()
            }
            Err(refused) => {
                if may_come_again(&refused) {
                    self.world.with_job(&self.id, |job| job.in_doubt.push(event));
                }
                self.look().await
            }
        }
    }

    /// Checks that the first try of a step did nothing, after its repeat was refused by the job's state.
    async fn check_undone(&self, path: &str, event: &'static str) {
        let timeline = self.pair.read(self.world, &format!("/jobs/{}/timeline", self.id)).await;
        let has = |event: &str| {
            timeline["data"].as_array().is_some_and(|items| items.iter().any(|item| item["event"] == event))
        };
        // A mechanic who lost the job may have done the step before, and so may a try under another key that is still under way.
        let is_of_this_key =
            !has("released") && self.world.with_job(&self.id, |job| !job.in_doubt.contains(&event));
        if has(event) && is_of_this_key {
            self.world.break_because(format!("{path} was done, and refused when it was sent again"));
        }
    }

    /// Makes one try. The caller looks up a refusal that the job's state explains.
    async fn send(&self, token: &str, path: &str, body: Value, key: &str) -> Result<Value, ClientError> {
        let sent = Instant::now();
        let is_mechanic = token == self.pair.mechanic.token;
        let (server, api) = self.world.pick_near(self.pair.number + usize::from(is_mechanic));
        let answer = in_time(api.post_once(path, token, body, key)).await;
        let verb = path.rsplit('/').next().unwrap_or_default();
        match &answer {
            Ok(_) => self.world.acknowledged(&self.pair.customer.token, server, sent),
            Err(refused) => {
                self.world.refused(verb, refused);
                sleep(AGAIN).await;
            }
        }
        answer
    }

    async fn look(&self) -> String {
        self.get().await["status"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the job as the customer sees it.
    async fn get(&self) -> Value {
        let path = format!("/jobs/{}", self.id);
        self.pair.read(self.world, &path).await
    }

    /// Checks that every event was shown to the customer, once and in order.
    async fn end(&self, how: &'static str) {
        self.works_on.send_replace(None);
        let last = self.get().await["seq"].as_i64().unwrap_or_default();
        let all: Vec<i64> = (1..=last).collect();
        let shown = async {
            loop {
                let told = self.world.told.notified();
                let frames = self.world.frames(&self.id);
                if frames.last() >= Some(&last) {
                    return frames;
                }
                told.await;
            }
        };
        match timeout(SHOWN_LIMIT, shown).await {
            Ok(frames) if frames.starts_with(&all) => self.world.end_job(&self.id, how),
            Ok(frames) => {
                self.world.break_because(format!("job {}: events up to {last} shown as {frames:?}", self.id))
            }
            Err(_) => self.world.break_because(format!("job {}: event {last} was not shown", self.id)),
        }
    }
}

/// Waits for the answer to a request, for a limited time.
async fn in_time(answer: impl Future<Output = Result<Value, ClientError>>) -> Result<Value, ClientError> {
    let late = |_| Err(ClientError::silent("a request", format!("none within {STEP_LIMIT:?}")));
    timeout(STEP_LIMIT, answer).await.unwrap_or_else(late)
}

/// Returns whether a command may be sent again: its outcome is unknown, or it was refused for now.
fn may_come_again(refused: &ClientError) -> bool {
    // The status 408 means that the request was cut off on its way.
    refused.status().is_none_or(|status| status >= 500 || status == 408)
        || matches!(refused.code(), "IDEMPOTENCY_IN_FLIGHT" | "RATE_LIMITED")
}
