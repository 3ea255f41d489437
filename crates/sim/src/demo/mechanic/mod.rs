//! A mechanic with a phone: registers, is verified, goes online, answers offers, does jobs (`jobs.rs`) while the phone
//! sends its position, and withdraws what they earn (`earnings.rs`).

mod earnings;
mod jobs;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use roadcall_client::{ClientError, Person};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::{
    api_client::{Category, Job, Offer, upload},
    news::News,
    phone::Phone,
    picture::{self, Scene},
    scenario::MechanicSpec,
    shared::{Shared, Shutdown},
    socket::{Frame, Socket, SocketEvent},
};
use crate::{city, rng::Stream};

/// How often the mechanic moves and looks at the clock.
const TICK: Duration = Duration::from_millis(250);
/// The pause between two tries of the same step.
const TRY_AGAIN: TimeDelta = TimeDelta::seconds(2);
/// A customer who has not said the start code this long after the mechanic's arrival is asked for it in the chat.
const ASK_AFTER: TimeDelta = TimeDelta::seconds(2);
/// A customer who has not given the code by then has left.
const CODE_WAIT: TimeDelta = TimeDelta::minutes(15);
/// How long the mechanic waits for the answer to an acceptance.
const ANSWER_WAIT: TimeDelta = TimeDelta::seconds(15);

#[derive(Debug)]
pub struct Mechanic {
    name: String,
    profile: Uuid,
    person: Person,
    shared: Arc<Shared>,
    random: Stream,
    spec: MechanicSpec,
    home: Point,
    doing: Doing,
    /// When to look into the wallet next.
    check_wallet_at: DateTime<Utc>,
    has_account: bool,
    /// The time before which no step is taken, after one that failed.
    pause_until: DateTime<Utc>,
    phone: Phone,
    /// The URL of a photo of a vehicle on the truck, once one was taken there.
    photo: Option<String>,
}

/// The mechanic's present activity.
#[derive(Debug)]
enum Doing {
    /// The mechanic is free, at home or on the way there.
    Waiting,
    /// The mechanic sees an offer on the screen.
    Considering {
        offer: Uuid,
        answer_at: DateTime<Utc>,
        answer: Answer,
    },
    /// The mechanic has accepted, and waits for the answer.
    AwaitingResult {
        offer: Uuid,
        until: DateTime<Utc>,
    },
    Driving {
        job: Job,
    },
    /// The mechanic is at the vehicle, asking for the start code.
    AskingForCode {
        job: Job,
        since: DateTime<Utc>,
        has_written: bool,
        /// The customer's message.
        answer: Option<String>,
    },
    Working {
        job: Job,
        done_at: DateTime<Utc>,
    },
    /// The mechanic is on the way to the destination, with the vehicle on the truck.
    Delivering {
        job: Job,
        to: Point,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Accept,
    Decline,
    Ignore,
}

impl Mechanic {
    /// Registers the mechanic and has them verified.
    pub async fn register(
        spec: MechanicSpec,
        person: Person,
        admin: &Person,
        categories: &[Category],
        shared: Arc<Shared>,
        random: Stream,
    ) -> Result<Self, ClientError> {
        let serves = |category: &&Category| {
            spec.categories.as_ref().is_none_or(|slugs| slugs.contains(&category.slug))
        };
        let ids: Vec<Uuid> = categories.iter().filter(serves).map(|category| category.id).collect();
        let certificate = upload(&person, "document", picture::png(Scene::Certificate, 0)).await?;
        let body = json!({
            "vehicle_types": spec.vehicle_types,
            "service_category_ids": ids,
            "documents": [{ "type": "skill_cert", "file_url": certificate }],
            "service_radius_km": spec.radius_km,
        });
        let registered: Value = person.post("/mechanics/register", body).await?;
        let profile: Uuid = registered["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_default();
        admin.post::<Value>(&format!("/admin/mechanics/{profile}/verify"), json!({})).await?;
        let home = shared.scenario.place(&spec.home).map_or(Point::new(0.0, 0.0), |place| place.point());
        let home = city::near(home, 150.0, random.draw());
        shared.report(News::Registered { profile, name: spec.name.clone() });
        let (name, pause_until) = (spec.name.clone(), shared.now());
        let phone = Phone::new(home, spec.speed_kmh / 3.6, pause_until);
        let mut mechanic = Self {
            name,
            profile,
            person,
            shared,
            random,
            spec,
            home,
            doing: Doing::Waiting,
            check_wallet_at: pause_until,
            has_account: false,
            pause_until,
            phone,
            photo: None,
        };
        mechanic.plan_wallet_check();
        Ok(mechanic)
    }

    /// Takes offers until the demo ends, then goes offline.
    pub async fn run(mut self, mut shutdown: Shutdown) {
        let mut socket = Socket::open(self.person.clone(), self.random.clone());
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.requested() => break,
                _ = tick.tick() => self.tick(&socket).await,
                event = socket.next() => match event {
                    SocketEvent::Up => self.go_online(&socket),
                    SocketEvent::Frame(frame) => self.handle(frame).await,
                    SocketEvent::Down => self.shared.report(News::Reconnected),
                    SocketEvent::Over(why) => {
                        self.shared.report(News::Offline { profile: self.profile });
                        return self.shared.trouble(&self.name, format!("the socket ended: {why}"));
                    }
                },
            }
        }
        self.go_offline().await;
        socket.close().await;
    }

    fn go_online(&mut self, socket: &Socket) {
        self.send_position(socket);
        socket.send("availability.set", Some("online"), json!({ "is_available": true }));
    }

    async fn go_offline(&self) {
        let body = json!({ "is_available": false });
        match self.person.put::<Value>("/mechanics/me/availability", body).await {
            Ok(_) => self.shared.report(News::Offline { profile: self.profile }),
            Err(error) => self.shared.trouble(&self.name, error),
        }
    }

    async fn tick(&mut self, socket: &Socket) {
        let now = self.shared.now();
        self.phone.walk(self.goal(), now);
        if self.phone.is_due() {
            self.send_position(socket);
        }
        self.confirm_cash().await;
        if now < self.pause_until {
            return;
        }
        match &self.doing {
            Doing::Waiting if now >= self.check_wallet_at => self.check_wallet().await,
            Doing::Waiting => {}
            Doing::Considering { offer, answer_at, answer } if now >= *answer_at => {
                let (offer, answer) = (*offer, *answer);
                self.answer(offer, answer, socket);
            }
            Doing::AwaitingResult { until, .. } if now >= *until => {
                // The answer was lost with its socket; if the acceptance counted, the socket shows the job.
                self.doing = Doing::Waiting;
            }
            Doing::Driving { job } if self.phone.at == pickup(job) => {
                let job = job.clone();
                self.arrive(job).await;
            }
            Doing::AskingForCode { job, since, .. } => {
                let (job, since) = (job.clone(), *since);
                self.ask_for_code(job, since).await;
            }
            Doing::Working { job, done_at } if now >= *done_at => {
                let job = job.clone();
                self.finish(job).await;
            }
            Doing::Delivering { job, to } if self.phone.at == *to => {
                let job = job.clone();
                self.hand_over(job).await;
            }
            Doing::Considering { .. }
            | Doing::AwaitingResult { .. }
            | Doing::Driving { .. }
            | Doing::Working { .. }
            | Doing::Delivering { .. } => {}
        }
    }

    fn goal(&self) -> Option<Point> {
        match &self.doing {
            Doing::Waiting => Some(self.home),
            Doing::Driving { job } => Some(pickup(job)),
            Doing::Delivering { to, .. } => Some(*to),
            Doing::Considering { .. }
            | Doing::AwaitingResult { .. }
            | Doing::AskingForCode { .. }
            | Doing::Working { .. } => None,
        }
    }

    fn send_position(&mut self, socket: &Socket) {
        let points = self.phone.report();
        socket.send("location.update", None, points);
    }

    async fn handle(&mut self, frame: Frame) {
        match frame.kind.as_str() {
            "location.rate" => self.phone.report_every(frame.data["interval_s"].as_i64().unwrap_or(5)),
            "offer.created" => self.consider(frame).await,
            "offer.revoked" | "offer.expired" => self.lose_offer(&frame),
            "job.updated" | "job.snapshot" => self.see_job(frame),
            "chat.message" => self.read_message(&frame),
            "ack" | "error" => self.on_answer(frame).await,
            _ => {}
        }
    }

    async fn consider(&mut self, frame: Frame) {
        let Ok(offer) = serde_json::from_value::<Offer>(frame.data) else {
            return self.shared.trouble(&self.name, "an offer that is not as documented");
        };
        if let Some(job) = self.current_job() {
            // Most often the job has just been cancelled, and that frame is still on its way.
            self.look_at(job).await;
            if self.current_job().is_some() {
                return self.shared.trouble(&self.name, "an offer beside a job under way");
            }
        }
        self.shared.report(News::Offered);
        let answer = self.draw_answer();
        let think = TimeDelta::from_std(self.random.seconds(self.shared.scenario.work.think_s));
        let answer_at = self.shared.now() + think.unwrap_or_default();
        self.doing = Doing::Considering { offer: offer.id, answer_at, answer };
    }

    fn draw_answer(&self) -> Answer {
        let draw = self.random.draw().share();
        if draw < self.spec.accept_share {
            Answer::Accept
        } else if draw < self.spec.accept_share + self.spec.ignore_share {
            Answer::Ignore
        } else {
            Answer::Decline
        }
    }

    fn answer(&mut self, offer: Uuid, answer: Answer, socket: &Socket) {
        match answer {
            Answer::Accept => {
                socket.send("offer.accept", Some(&format!("accept {offer}")), json!({ "offer_id": offer }));
                self.doing = Doing::AwaitingResult { offer, until: self.shared.now() + ANSWER_WAIT };
            }
            Answer::Decline => {
                let data = json!({ "offer_id": offer, "reason": "too far for me" });
                socket.send("offer.decline", Some(&format!("decline {offer}")), data);
                self.shared.report(News::Declined { profile: self.profile });
                self.doing = Doing::Waiting;
            }
            // The offer stays until the service says that it has expired.
            Answer::Ignore => {}
        }
    }

    fn lose_offer(&mut self, frame: &Frame) {
        let lost = frame.data["id"].as_str().and_then(|id| id.parse::<Uuid>().ok());
        if let Doing::Considering { offer, .. } = self.doing
            && Some(offer) == lost
        {
            self.doing = Doing::Waiting;
            if frame.kind == "offer.expired" {
                self.shared.report(News::Ignored { profile: self.profile });
            }
        }
    }

    async fn on_answer(&mut self, frame: Frame) {
        let reference = frame.reference.unwrap_or_default();
        if reference == "online" {
            return match frame.error {
                None => self.shared.report(News::Online { profile: self.profile }),
                Some(error) => self.shared.trouble(&self.name, format!("{}: {}", error.code, error.message)),
            };
        }
        let is_acceptance = matches!(self.doing, Doing::AwaitingResult { offer, .. } if reference == format!("accept {offer}"));
        match frame.error {
            None if is_acceptance => match serde_json::from_value::<Job>(frame.data) {
                Ok(job) => self.drive_to(job).await,
                Err(error) => {
                    self.shared.trouble(&self.name, format!("a job that is not as documented: {error}"))
                }
            },
            None => {}
            Some(error) => {
                if is_acceptance {
                    self.doing = Doing::Waiting;
                }
                if !is_a_lost_race(&error.code) {
                    let what = format!("{reference}: {}: {}", error.code, error.message);
                    self.shared.trouble(&self.name, what);
                } else if is_acceptance {
                    self.shared.report(News::TooLate { profile: self.profile });
                }
            }
        }
    }

    fn is_mine(&self, job: &Job) -> bool {
        job.mechanic_profile_id == Some(self.profile) && job.status.is_served()
    }

    fn current_job(&self) -> Option<Uuid> {
        match &self.doing {
            Doing::Driving { job }
            | Doing::AskingForCode { job, .. }
            | Doing::Working { job, .. }
            | Doing::Delivering { job, .. } => Some(job.id),
            Doing::Waiting | Doing::Considering { .. } | Doing::AwaitingResult { .. } => None,
        }
    }
}

/// Returns whether a refusal of an answer to an offer is expected.
fn is_a_lost_race(code: &str) -> bool {
    matches!(code, "OFFER_TAKEN" | "OFFER_EXPIRED" | "INVALID_TRANSITION" | "CONFLICT" | "NOT_FOUND")
}

fn pickup(job: &Job) -> Point {
    Point::new(job.pickup_lat, job.pickup_lng)
}
