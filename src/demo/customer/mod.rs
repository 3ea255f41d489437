//! A customer with a vehicle: calls for help when it breaks down, watches the socket, changes their mind at times,
//! asks once more when nobody was found, tells the start code to whoever arrives, agrees to what the work needs, and pays.

mod paying;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc},
    time::{MissedTickBehavior, interval},
};
use uuid::Uuid;

use super::{
    api::{Category, Fault, Job, LineItem, Person, Status},
    city::{City, Curtain},
    dice::Dice,
    socket::{Frame, Heard, Socket},
    tally::News,
};

/// How often a customer looks at the clock.
const TICK: Duration = Duration::from_millis(500);
/// A customer who heard nothing of a job for this long asks over HTTP.
const QUIET: TimeDelta = TimeDelta::seconds(20);
/// Nothing here takes this long; a job that does is trouble, and the customer is free again.
const LONGEST_JOB: TimeDelta = TimeDelta::minutes(15);

/// A breakdown that is about to happen.
#[derive(Debug, Clone)]
pub struct Breakdown {
    pub category: Category,
    pub place: String,
    pub point: Point,
}

/// Breakdowns wait here for a customer who has none; whoever is idle takes the next.
pub type Breakdowns = Arc<Mutex<mpsc::Receiver<Breakdown>>>;

#[derive(Debug)]
pub struct Customer {
    name: String,
    person: Person,
    vehicle_id: Uuid,
    city: Arc<City>,
    dice: Dice,
}

/// The job that a customer waits for.
#[derive(Debug)]
struct Wait {
    job: Job,
    /// The last event of the job's log that was seen; some are of line items and payments.
    seq: i64,
    /// The money is out of this customer's hands.
    has_paid: bool,
    /// When this customer changes their mind, if at all.
    whim_at: Option<DateTime<Utc>>,
    patience_ends: DateTime<Utc>,
    called_at: DateTime<Utc>,
    heard_at: DateTime<Utc>,
    has_retried: bool,
    is_subscribed: bool,
}

impl Customer {
    /// Adds the vehicle to break down with.
    pub async fn settle(
        name: String,
        person: Person,
        vehicle_type: &str,
        city: Arc<City>,
        dice: Dice,
    ) -> Result<Self, Fault> {
        let (make, model) =
            if vehicle_type == "two_wheeler" { ("Hero", "Splendor") } else { ("Maruti", "Swift") };
        let plate = format!("KA 01 {}", dice.digits(6));
        let body = json!({
            "vehicle_type": vehicle_type, "make": make, "model": model, "registration_number": plate,
        });
        let vehicle: Value = person.post("/vehicles", body).await?;
        let vehicle_id = vehicle["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_default();
        Ok(Self { name, person, vehicle_id, city, dice })
    }

    /// Has one breakdown after the other until the curtain falls.
    pub async fn live(mut self, breakdowns: Breakdowns, mut curtain: Curtain) {
        let mut socket = Socket::open(self.person.clone(), self.dice.clone());
        loop {
            let breakdown = tokio::select! {
                () = curtain.fallen() => break,
                next = async { breakdowns.lock().await.recv().await } => next,
                heard = socket.next() => {
                    if self.is_over(&heard) {
                        return;
                    }
                    continue;
                }
            };
            let Some(breakdown) = breakdown else { break };
            if !self.break_down(breakdown, &mut socket, &mut curtain).await {
                return;
            }
        }
        socket.close().await;
    }

    /// Whether the socket is gone for good; that is trouble.
    fn is_over(&self, heard: &Heard) -> bool {
        match heard {
            Heard::Over(why) => {
                self.city.trouble(&self.name, format!("the socket ended: {why}"));
                true
            }
            Heard::Down => {
                self.city.tell(News::Reconnected);
                false
            }
            Heard::Up | Heard::Frame(_) => false,
        }
    }

    /// From the call to its end; false when the socket is gone for good.
    async fn break_down(&mut self, breakdown: Breakdown, socket: &mut Socket, curtain: &mut Curtain) -> bool {
        let mut wait = match self.call(&breakdown).await {
            Ok(job) => self.begin(job, &breakdown),
            Err(fault) => {
                self.city.trouble(&self.name, fault);
                return true;
            }
        };
        subscribe(socket, wait.job.id, None);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !wait.is_settled() {
            tokio::select! {
                () = curtain.fallen() => {
                    self.leave(&mut wait).await;
                    break;
                }
                _ = tick.tick() => {
                    if wait.must_pay() && !self.pay_or_leave(&mut wait, curtain).await {
                        break;
                    }
                    if !self.look_at_the_clock(&mut wait).await {
                        break;
                    }
                }
                heard = socket.next() => {
                    if self.is_over(&heard) {
                        return false;
                    }
                    self.hear(heard, socket, &mut wait).await;
                }
            }
        }
        socket.say("job.unsubscribe", None, json!({ "job_id": wait.job.id }));
        self.city.forget_code(wait.job.id);
        self.pay_fee(&wait.job, curtain).await;
        true
    }

    async fn call(&self, breakdown: &Breakdown) -> Result<Job, Fault> {
        let body = json!({
            "vehicle_id": self.vehicle_id,
            "service_category_id": breakdown.category.id,
            "pickup_address": format!("near {}", breakdown.place),
            "pickup_lat": breakdown.point.lat,
            "pickup_lng": breakdown.point.lng,
        });
        match self.make_job(body.clone()).await {
            // Whoever owes too much for jobs that were cancelled pays first.
            Err(fault) if fault.code() == Some("UNPAID_FEES") => {
                self.pay_fees().await?;
                self.make_job(body).await
            }
            made => made,
        }
    }

    async fn make_job(&self, body: Value) -> Result<Job, Fault> {
        // One key for one call, however often it must be sent.
        self.person.post_once("/jobs", body, &format!("demo-{}", self.dice.digits(9))).await
    }

    fn begin(&self, job: Job, breakdown: &Breakdown) -> Wait {
        let (customers, now) = (&self.city.scenario.customers, self.city.now());
        let after = |duration| now + TimeDelta::from_std(duration).unwrap_or(LONGEST_JOB);
        let changes_mind = self.dice.chance(customers.cancel_share);
        let whim_at = changes_mind.then(|| after(self.dice.seconds(customers.cancel_after_s)));
        self.city.tell(News::Called {
            job: job.clone(),
            customer: self.name.clone(),
            what: breakdown.category.name.to_lowercase(),
            place: breakdown.place.clone(),
        });
        let patience_ends = after(Duration::from_secs_f64(customers.patience_s));
        let (called_at, heard_at) = (now, now);
        Wait {
            seq: job.seq,
            job,
            has_paid: false,
            whim_at,
            patience_ends,
            called_at,
            heard_at,
            has_retried: false,
            is_subscribed: false,
        }
    }

    async fn hear(&self, heard: Heard, socket: &Socket, wait: &mut Wait) {
        match heard {
            Heard::Up => {
                // From the last event seen on: nothing is missed, nothing comes twice.
                let since = wait.is_subscribed.then_some(wait.seq);
                subscribe(socket, wait.job.id, since);
            }
            Heard::Frame(frame) => {
                wait.heard_at = self.city.now();
                self.read(frame, wait).await;
            }
            Heard::Down | Heard::Over(_) => {}
        }
    }

    async fn read(&self, frame: Frame, wait: &mut Wait) {
        if let Some(error) = &frame.error {
            let what = format!("a frame was refused: {}: {}", error.code, error.message);
            return self.city.trouble(&self.name, what);
        }
        if frame.job_id != Some(wait.job.id) {
            return;
        }
        let is_snapshot = frame.kind == "job.snapshot";
        let is_logged = matches!(
            frame.kind.as_str(),
            "job.updated" | "line_item.updated" | "payment.updated" | "chat.message"
        );
        if !is_snapshot && !is_logged {
            return;
        }
        let seq = frame.seq.unwrap_or_default();
        if !is_snapshot && wait.is_subscribed && seq > wait.seq + 1 {
            self.city.trouble(&self.name, format!("events {} to {} are missing", wait.seq + 1, seq - 1));
        }
        wait.is_subscribed = true;
        let is_new = seq > wait.seq;
        wait.seq = wait.seq.max(seq);
        match frame.kind.as_str() {
            "line_item.updated" if is_new => return self.weigh(frame.data, wait.job.id).await,
            "line_item.updated" | "payment.updated" | "chat.message" => return,
            _ => {}
        }
        match serde_json::from_value::<Job>(frame.data) {
            Ok(job) if job.seq >= wait.job.seq => self.see(job, wait).await,
            Ok(_) => {}
            Err(error) => {
                self.city.trouble(&self.name, format!("an event that is not as documented: {error}"))
            }
        }
    }

    /// Agrees to what the mechanic found to be needed.
    async fn weigh(&self, item: Value, job: Uuid) {
        let item: LineItem = match serde_json::from_value(item) {
            Ok(item) => item,
            Err(error) => {
                return self
                    .city
                    .trouble(&self.name, format!("a line item that is not as documented: {error}"));
            }
        };
        if item.status != "proposed" {
            return;
        }
        let path = format!("/jobs/{job}/line-items/{}/approve", item.id);
        match self.person.post::<LineItem>(&path, json!({ "quoted_total": item.total })).await {
            Ok(item) => {
                let (customer, item) = (self.name.clone(), item.description.to_lowercase());
                self.city.tell(News::Approved { customer, item });
            }
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }

    /// Takes in how the job stands, and does something about it where nobody was found.
    async fn see(&self, job: Job, wait: &mut Wait) {
        let was = wait.job.status;
        self.note(job, wait);
        if wait.job.status == Status::NoMechanicFound && was != Status::NoMechanicFound {
            self.found_nobody(wait).await;
        }
    }

    fn note(&self, job: Job, wait: &mut Wait) {
        wait.seq = wait.seq.max(job.seq);
        wait.job = job.clone();
        if let Some(code) = &job.start_code {
            self.city.say_code(job.id, code);
        }
        self.city.tell(News::Moved { job });
    }

    async fn found_nobody(&self, wait: &mut Wait) {
        if std::mem::replace(&mut wait.has_retried, true) {
            return self.cancel(wait, "wait_too_long").await;
        }
        match self.person.post::<Job>(&format!("/jobs/{}/retry", wait.job.id), json!({})).await {
            Ok(_) => self.city.tell(News::Retried { job: wait.job.id }),
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }

    /// Acts on what time has brought; false when the job is given up on.
    async fn look_at_the_clock(&self, wait: &mut Wait) -> bool {
        let now = self.city.now();
        let is_unserved = !wait.job.status.is_served() && !wait.job.status.is_over();
        if now - wait.called_at > LONGEST_JOB {
            self.city
                .trouble(&self.name, format!("a job is still {:?} after {LONGEST_JOB}", wait.job.status));
            self.leave(wait).await;
            return false;
        }
        if is_unserved && now >= wait.patience_ends {
            self.cancel(wait, "wait_too_long").await;
            wait.patience_ends = now + QUIET;
        } else if wait.whim_at.is_some_and(|at| now >= at) {
            wait.whim_at = None;
            if may_cancel(wait.job.status) {
                self.cancel(wait, "changed_mind").await;
            }
        } else if now - wait.heard_at > QUIET {
            wait.heard_at = now;
            self.ask(wait).await;
        }
        true
    }

    /// Looks over HTTP, in case the socket has nothing to tell or no way to.
    async fn ask(&self, wait: &mut Wait) {
        match self.person.get::<Job>(&format!("/jobs/{}", wait.job.id)).await {
            // News that the socket brings itself keeps its order.
            Ok(job) if job.status.is_over() && job.status != wait.job.status => self.see(job, wait).await,
            Ok(_) => {}
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }

    async fn leave(&self, wait: &mut Wait) {
        if may_cancel(wait.job.status) {
            self.cancel(wait, "other").await;
        } else if wait.job.status == Status::Completed {
            self.ask(wait).await;
        }
    }

    /// Cancels at the fee that was quoted. A job that moved on meanwhile is not cancelled, and that is fine.
    async fn cancel(&self, wait: &mut Wait, reason_code: &str) {
        let id = wait.job.id;
        let cancelled = async {
            let quote: Value = self.person.get(&format!("/jobs/{id}/cancellation-quote")).await?;
            let body = json!({ "reason_code": reason_code, "quoted_fee": quote["cancellation_fee"] });
            self.person.post::<Job>(&format!("/jobs/{id}/cancel"), body).await
        };
        match cancelled.await {
            Ok(job) => self.note(job, wait),
            Err(fault) if matches!(fault.code(), Some("INVALID_TRANSITION" | "FEE_CHANGED")) => {}
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }
}

impl Wait {
    /// Nothing more is to be done about the job.
    fn is_settled(&self) -> bool {
        self.job.status.is_over() && self.job.status != Status::Completed
    }

    fn must_pay(&self) -> bool {
        self.job.status == Status::Completed && !self.has_paid
    }
}

fn may_cancel(status: Status) -> bool {
    !status.is_over() && status != Status::InProgress
}

fn subscribe(socket: &Socket, job: Uuid, since_seq: Option<i64>) {
    let data = match since_seq {
        Some(seq) => json!({ "job_id": job, "since_seq": seq }),
        None => json!({ "job_id": job }),
    };
    socket.say("job.subscribe", Some("watch"), data);
}
