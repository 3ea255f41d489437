//! A customer with a vehicle: calls for help when it breaks down, watches the socket, changes their mind at times,
//! asks once more if no mechanic was found, gives the mechanic the start code, agrees to line items, and pays.

mod frames;
mod paying;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use roadcall_client::{ClientError, Person};
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc},
    time::{MissedTickBehavior, interval},
};
use uuid::Uuid;

use super::{
    api_client::{Category, Job, Status, upload},
    news::News,
    picture::{self, Scene},
    shared::{Shared, Shutdown},
    socket::{Socket, SocketEvent},
};
use crate::rng::Stream;

/// How often a customer looks at the clock.
const TICK: Duration = Duration::from_millis(500);
/// A customer whose socket was silent about a job for this long asks over HTTP.
const QUIET: TimeDelta = TimeDelta::seconds(20);
/// A job that takes longer counts as trouble, and its customer gives it up.
const LONGEST_JOB: TimeDelta = TimeDelta::minutes(45);

/// The share of customers who take a photo of their vehicle.
const PHOTO_SHARE: f64 = 0.4;

/// A breakdown to come.
#[derive(Debug, Clone)]
pub struct Breakdown {
    pub category: Category,
    pub place: String,
    pub point: Point,
}

/// Breakdowns to come; an idle customer takes the next.
pub type Breakdowns = Arc<Mutex<mpsc::Receiver<Breakdown>>>;

#[derive(Debug)]
pub struct Customer {
    name: String,
    person: Person,
    vehicle_id: Uuid,
    /// URLs of photos of the vehicle, which go with each call.
    photos: Vec<String>,
    shared: Arc<Shared>,
    random: Stream,
}

/// The job that a customer waits for.
#[derive(Debug)]
struct Wait {
    job: Job,
    /// The last event of the job's log that was seen; some events are about line items and payments.
    seq: i64,
    /// Whether paying has begun: it is tried once.
    has_paid: bool,
    /// When this customer changes their mind, if at all.
    changes_mind_at: Option<DateTime<Utc>>,
    patience_ends: DateTime<Utc>,
    called_at: DateTime<Utc>,
    last_frame_at: DateTime<Utc>,
    has_retried: bool,
    is_subscribed: bool,
}

impl Customer {
    /// Adds the customer's vehicle.
    pub async fn register(
        name: String,
        person: Person,
        vehicle_type: &str,
        shared: Arc<Shared>,
        random: Stream,
    ) -> Result<Self, ClientError> {
        let (make, model) =
            if vehicle_type == "two_wheeler" { ("Hero", "Splendor") } else { ("Maruti", "Swift") };
        let plate = format!("KA 01 {}", random.digits(6));
        let body = json!({
            "vehicle_type": vehicle_type, "make": make, "model": model, "registration_number": plate,
        });
        let vehicle: Value = person.post("/vehicles", body).await?;
        let vehicle_id = vehicle["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_default();
        let mut photos = Vec::new();
        if random.chance(PHOTO_SHARE) {
            let scene = if vehicle_type == "two_wheeler" { Scene::Scooter } else { Scene::Car };
            photos.push(upload(&person, "job_photo", picture::png(scene, random.draw().seed())).await?);
        }
        Ok(Self { name, person, vehicle_id, photos, shared, random })
    }

    /// Lives through one breakdown after the other until the demo ends.
    pub async fn run(mut self, breakdowns: Breakdowns, mut shutdown: Shutdown) {
        let mut socket = Socket::open(self.person.clone(), self.random.clone());
        loop {
            let breakdown = tokio::select! {
                () = shutdown.requested() => break,
                next = async { breakdowns.lock().await.recv().await } => next,
                event = socket.next() => {
                    if self.is_over(&event) {
                        return;
                    }
                    continue;
                }
            };
            let Some(breakdown) = breakdown else { break };
            if !self.break_down(breakdown, &mut socket, &mut shutdown).await {
                return;
            }
        }
        socket.close().await;
    }

    /// Returns whether the socket is gone for good, which counts as trouble.
    fn is_over(&self, event: &SocketEvent) -> bool {
        match event {
            SocketEvent::Over(why) => {
                self.shared.trouble(&self.name, format!("the socket ended: {why}"));
                true
            }
            SocketEvent::Down => {
                self.shared.report(News::Reconnected);
                false
            }
            SocketEvent::Up | SocketEvent::Frame(_) => false,
        }
    }

    /// Lives through one breakdown, from the call to the payment. Returns false if the socket is gone for good.
    async fn break_down(
        &mut self,
        breakdown: Breakdown,
        socket: &mut Socket,
        shutdown: &mut Shutdown,
    ) -> bool {
        let mut wait = match self.call(&breakdown).await {
            Ok(job) => self.begin(job, &breakdown),
            Err(error) => {
                self.shared.trouble(&self.name, error);
                return true;
            }
        };
        subscribe(socket, wait.job.id, None);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !wait.is_settled() {
            tokio::select! {
                () = shutdown.requested() => {
                    self.leave(&mut wait).await;
                    break;
                }
                _ = tick.tick() => {
                    if wait.must_pay() && !self.pay_or_leave(&mut wait, shutdown).await {
                        break;
                    }
                    if !self.look_at_the_clock(&mut wait).await {
                        break;
                    }
                }
                event = socket.next() => {
                    if self.is_over(&event) {
                        return false;
                    }
                    self.handle(event, socket, &mut wait).await;
                }
            }
        }
        socket.send("job.unsubscribe", None, json!({ "job_id": wait.job.id }));
        self.shared.forget_code(wait.job.id);
        self.pay_fee(&wait.job, shutdown).await;
        true
    }

    async fn call(&self, breakdown: &Breakdown) -> Result<Job, ClientError> {
        let body = json!({
            "vehicle_id": self.vehicle_id,
            "service_category_id": breakdown.category.id,
            "pickup_address": format!("near {}", breakdown.place),
            "pickup_lat": breakdown.point.lat,
            "pickup_lng": breakdown.point.lng,
            "photo_urls": self.photos,
        });
        match self.make_job(body.clone()).await {
            // A customer who owes too many cancellation fees has to pay them first.
            Err(error) if error.code() == "UNPAID_FEES" => {
                self.pay_fees().await?;
                self.make_job(body).await
            }
            made => made,
        }
    }

    async fn make_job(&self, body: Value) -> Result<Job, ClientError> {
        // Every try of one call has the same key.
        self.person.post_once("/jobs", body, &format!("demo-{}", self.random.digits(9))).await
    }

    fn begin(&self, job: Job, breakdown: &Breakdown) -> Wait {
        let (customers, now) = (&self.shared.scenario.customers, self.shared.now());
        let after = |duration| now + TimeDelta::from_std(duration).unwrap_or(LONGEST_JOB);
        let changes_mind = self.random.chance(customers.cancel_share);
        let changes_mind_at = changes_mind.then(|| after(self.random.seconds(customers.cancel_after_s)));
        self.shared.report(News::Called {
            job: job.clone(),
            customer: self.name.clone(),
            what: breakdown.category.name.to_lowercase(),
            place: breakdown.place.clone(),
        });
        let patience_ends = after(Duration::from_secs_f64(customers.patience_s));
        let (called_at, last_frame_at) = (now, now);
        Wait {
            seq: job.seq,
            job,
            has_paid: false,
            changes_mind_at,
            patience_ends,
            called_at,
            last_frame_at,
            has_retried: false,
            is_subscribed: false,
        }
    }

    /// Notes the state of the job, and reacts if no mechanic was found.
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
            self.shared.share_code(job.id, code);
        }
        self.shared.report(News::Moved { job });
    }

    async fn found_nobody(&self, wait: &mut Wait) {
        if std::mem::replace(&mut wait.has_retried, true) {
            return self.cancel(wait, "wait_too_long").await;
        }
        match self.person.post::<Job>(&format!("/jobs/{}/retry", wait.job.id), json!({})).await {
            Ok(_) => self.shared.report(News::Retried { job: wait.job.id }),
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }

    /// Does everything that is due by now. Returns false if the customer gives the job up.
    async fn look_at_the_clock(&self, wait: &mut Wait) -> bool {
        let now = self.shared.now();
        let is_unserved = !wait.job.status.is_served() && !wait.job.status.is_over();
        if now - wait.called_at > LONGEST_JOB {
            self.shared
                .trouble(&self.name, format!("a job is still {:?} after {LONGEST_JOB}", wait.job.status));
            self.leave(wait).await;
            return false;
        }
        if is_unserved && now >= wait.patience_ends {
            self.cancel(wait, "wait_too_long").await;
            wait.patience_ends = now + QUIET;
        } else if wait.changes_mind_at.is_some_and(|at| now >= at) {
            wait.changes_mind_at = None;
            if may_cancel(wait.job.status) {
                self.cancel(wait, "changed_mind").await;
            }
        } else if now - wait.last_frame_at > QUIET {
            wait.last_frame_at = now;
            self.ask(wait).await;
        }
        true
    }

    /// Checks the job over HTTP, in case the socket missed something.
    async fn ask(&self, wait: &mut Wait) {
        match self.person.get::<Job>(&format!("/jobs/{}", wait.job.id)).await {
            // Any other change comes through the socket, in order.
            Ok(job) if job.status.is_over() && job.status != wait.job.status => self.see(job, wait).await,
            Ok(_) => {}
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }

    async fn leave(&self, wait: &mut Wait) {
        if may_cancel(wait.job.status) {
            self.cancel(wait, "other").await;
        } else if wait.job.status == Status::Completed {
            self.ask(wait).await;
        }
    }

    /// Cancels at the quoted fee, unless the job has moved on meanwhile.
    async fn cancel(&self, wait: &mut Wait, reason_code: &str) {
        let id = wait.job.id;
        let cancelled = async {
            let quote: Value = self.person.get(&format!("/jobs/{id}/cancellation-quote")).await?;
            let body = json!({ "reason_code": reason_code, "quoted_fee": quote["cancellation_fee"] });
            self.person.post::<Job>(&format!("/jobs/{id}/cancel"), body).await
        };
        match cancelled.await {
            Ok(job) => self.note(job, wait),
            Err(error) if matches!(error.code(), "INVALID_TRANSITION" | "FEE_CHANGED") => {}
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }
}

impl Wait {
    /// Returns whether the customer has nothing more to do about the job.
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
    socket.send("job.subscribe", Some("watch"), data);
}
