//! A mechanic with a phone: registers, is verified, goes online, answers offers by temperament, drives to the
//! pickup while the phone sends where it is, does the work, takes cash where it is given, and withdraws the rest.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::{
    api::{Category, Fault, Job, LineItem, Offer, Person, Status},
    city::{City, Curtain},
    dice::Dice,
    phone::Phone,
    purse,
    scenario::MechanicSpec,
    socket::{Frame, Heard, Socket},
    tally::News,
};

/// How often the mechanic moves and looks at the clock.
const TICK: Duration = Duration::from_millis(250);
/// Between two tries of the same step.
const TRY_AGAIN: TimeDelta = TimeDelta::seconds(2);
/// A customer who does not tell the code within this has left, or something is wrong.
const CODE_WAIT: TimeDelta = TimeDelta::seconds(60);
/// An acceptance without an answer for this long is looked into.
const ANSWER_WAIT: TimeDelta = TimeDelta::seconds(15);

/// What work may need beyond its price: type, description, rupees.
const EXTRAS: [(&str, &str, f64); 4] = [
    ("part", "Tubeless valve", 120.0),
    ("part", "Battery terminal", 85.5),
    ("labour", "Half an hour more of work", 150.0),
    ("tow", "Winching out of a ditch", 400.0),
];

#[derive(Debug)]
pub struct Mechanic {
    name: String,
    profile: Uuid,
    person: Person,
    city: Arc<City>,
    dice: Dice,
    spec: MechanicSpec,
    home: Point,
    doing: Doing,
    /// When the wallet is looked into next.
    bank_at: DateTime<Utc>,
    has_account: bool,
    /// After a step that failed, the next one waits until then.
    pause_until: DateTime<Utc>,
    phone: Phone,
}

/// What the mechanic is about.
#[derive(Debug)]
enum Doing {
    /// Free, on the way home or there.
    Waiting,
    /// An offer on the screen.
    Thinking {
        offer: Uuid,
        answer_at: DateTime<Utc>,
        temper: Temper,
    },
    /// Accepted, and not yet told whether that counts.
    Hoping {
        offer: Uuid,
        until: DateTime<Utc>,
    },
    Driving {
        job: Job,
    },
    /// At the vehicle, asking for the code.
    Greeting {
        job: Job,
        until: DateTime<Utc>,
    },
    Working {
        job: Job,
        done_at: DateTime<Utc>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Temper {
    Accept,
    Decline,
    Ignore,
}

impl Mechanic {
    /// Registers the mechanic and has them verified.
    pub async fn settle(
        spec: MechanicSpec,
        person: Person,
        admin: &Person,
        categories: &[Category],
        city: Arc<City>,
        dice: Dice,
    ) -> Result<Self, Fault> {
        let serves = |category: &&Category| {
            spec.categories.as_ref().is_none_or(|slugs| slugs.contains(&category.slug))
        };
        let ids: Vec<Uuid> = categories.iter().filter(serves).map(|category| category.id).collect();
        let body = json!({
            "vehicle_types": spec.vehicle_types,
            "service_category_ids": ids,
            "documents": [{ "type": "skill_cert", "file_url": "https://files.example.com/demo/certificate.pdf" }],
            "service_radius_km": spec.radius_km,
        });
        let registered: Value = person.post("/mechanics/register", body).await?;
        let profile: Uuid = registered["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_default();
        admin.post::<Value>(&format!("/admin/mechanics/{profile}/verify"), json!({})).await?;
        let home = city.scenario.place(&spec.home).map_or(Point::new(0.0, 0.0), |place| place.point());
        let home = dice.near(home, 150.0);
        city.tell(News::Hired { profile, name: spec.name.clone() });
        let (name, pause_until) = (spec.name.clone(), city.now());
        let phone = Phone::new(home, city.scenario.speed_mps(&spec), pause_until);
        let mut settled = Self {
            name,
            profile,
            person,
            city,
            dice,
            spec,
            home,
            doing: Doing::Waiting,
            bank_at: pause_until,
            has_account: false,
            pause_until,
            phone,
        };
        settled.look_later();
        Ok(settled)
    }

    /// Takes offers until the curtain falls, then goes offline.
    pub async fn live(mut self, mut curtain: Curtain) {
        let mut socket = Socket::open(self.person.clone(), self.dice.clone());
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = curtain.fallen() => break,
                _ = tick.tick() => self.tick(&socket).await,
                heard = socket.next() => match heard {
                    Heard::Up => self.go_online(&socket),
                    Heard::Frame(frame) => self.hear(frame).await,
                    Heard::Down => self.city.tell(News::Reconnected),
                    Heard::Over(why) => {
                        self.city.tell(News::Offline { profile: self.profile });
                        return self.city.trouble(&self.name, format!("the socket ended: {why}"));
                    }
                },
            }
        }
        self.go_offline().await;
        socket.close().await;
    }

    fn go_online(&mut self, socket: &Socket) {
        self.send_position(socket);
        socket.say("availability.set", Some("online"), json!({ "is_available": true }));
    }

    async fn go_offline(&self) {
        let body = json!({ "is_available": false });
        match self.person.put::<Value>("/mechanics/me/availability", body).await {
            Ok(_) => self.city.tell(News::Offline { profile: self.profile }),
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }

    async fn tick(&mut self, socket: &Socket) {
        let now = self.city.now();
        self.phone.walk(self.goal(), now);
        if self.phone.is_due() {
            self.send_position(socket);
        }
        self.count_cash().await;
        if now < self.pause_until {
            return;
        }
        match &self.doing {
            Doing::Waiting if now >= self.bank_at => self.bank().await,
            Doing::Waiting => {}
            Doing::Thinking { offer, answer_at, temper } if now >= *answer_at => {
                let (offer, temper) = (*offer, *temper);
                self.answer(offer, temper, socket);
            }
            Doing::Hoping { until, .. } if now >= *until => {
                // The answer was lost with its socket; an acceptance that counted shows as the active job.
                self.doing = Doing::Waiting;
            }
            Doing::Driving { job } if self.phone.at == pickup(job) => {
                let job = job.clone();
                self.arrive(job).await;
            }
            Doing::Greeting { job, until } => {
                let (job, until) = (job.clone(), *until);
                self.greet(job, until).await;
            }
            Doing::Working { job, done_at } if now >= *done_at => {
                let job = job.clone();
                self.complete(job).await;
            }
            Doing::Thinking { .. } | Doing::Hoping { .. } | Doing::Driving { .. } | Doing::Working { .. } => {
            }
        }
    }

    fn goal(&self) -> Option<Point> {
        match &self.doing {
            Doing::Waiting => Some(self.home),
            Doing::Driving { job } => Some(pickup(job)),
            Doing::Thinking { .. }
            | Doing::Hoping { .. }
            | Doing::Greeting { .. }
            | Doing::Working { .. } => None,
        }
    }

    fn send_position(&mut self, socket: &Socket) {
        let points = self.phone.report();
        socket.say("location.update", None, points);
    }

    async fn hear(&mut self, frame: Frame) {
        match frame.kind.as_str() {
            "location.rate" => self.phone.report_every(frame.data["interval_s"].as_i64().unwrap_or(5)),
            "offer.created" => self.consider(frame).await,
            "offer.revoked" | "offer.expired" => self.lose_offer(&frame),
            "job.updated" | "job.snapshot" => self.see_job(frame),
            "ack" | "error" => self.hear_answer(frame).await,
            _ => {}
        }
    }

    async fn consider(&mut self, frame: Frame) {
        let Ok(offer) = serde_json::from_value::<Offer>(frame.data) else {
            return self.city.trouble(&self.name, "an offer that is not as documented");
        };
        if let Some(job) = self.current_job() {
            // Most often the job has just been cancelled and that news is still under way.
            self.look_at(job).await;
            if self.current_job().is_some() {
                return self.city.trouble(&self.name, "an offer beside a job under way");
            }
        }
        self.city.tell(News::Offered);
        let temper = self.temper();
        let think = TimeDelta::from_std(self.dice.seconds(self.city.scenario.work.think_s));
        let answer_at = self.city.now() + think.unwrap_or_default();
        self.doing = Doing::Thinking { offer: offer.id, answer_at, temper };
    }

    fn temper(&self) -> Temper {
        let draw = self.dice.share();
        if draw < self.spec.accept_share {
            Temper::Accept
        } else if draw < self.spec.accept_share + self.spec.ignore_share {
            Temper::Ignore
        } else {
            Temper::Decline
        }
    }

    fn answer(&mut self, offer: Uuid, temper: Temper, socket: &Socket) {
        match temper {
            Temper::Accept => {
                socket.say("offer.accept", Some(&format!("accept {offer}")), json!({ "offer_id": offer }));
                self.doing = Doing::Hoping { offer, until: self.city.now() + ANSWER_WAIT };
            }
            Temper::Decline => {
                let data = json!({ "offer_id": offer, "reason": "too far for me" });
                socket.say("offer.decline", Some(&format!("decline {offer}")), data);
                self.city.tell(News::Declined { profile: self.profile });
                self.doing = Doing::Waiting;
            }
            // Until the service says that it expired.
            Temper::Ignore => {}
        }
    }

    fn lose_offer(&mut self, frame: &Frame) {
        let lost = frame.data["id"].as_str().and_then(|id| id.parse::<Uuid>().ok());
        if let Doing::Thinking { offer, .. } = self.doing
            && Some(offer) == lost
        {
            self.doing = Doing::Waiting;
            if frame.kind == "offer.expired" {
                self.city.tell(News::Ignored { profile: self.profile });
            }
        }
    }

    async fn hear_answer(&mut self, frame: Frame) {
        let reference = frame.reference.unwrap_or_default();
        if reference == "online" {
            return match frame.error {
                None => self.city.tell(News::Online { profile: self.profile }),
                Some(error) => self.city.trouble(&self.name, format!("{}: {}", error.code, error.message)),
            };
        }
        let hoped =
            matches!(self.doing, Doing::Hoping { offer, .. } if reference == format!("accept {offer}"));
        match frame.error {
            None if hoped => match serde_json::from_value::<Job>(frame.data) {
                Ok(job) => self.set_out(job).await,
                Err(error) => {
                    self.city.trouble(&self.name, format!("a job that is not as documented: {error}"))
                }
            },
            None => {}
            Some(error) => {
                if hoped {
                    self.doing = Doing::Waiting;
                }
                if !is_a_lost_race(&error.code) {
                    let what = format!("{reference}: {}: {}", error.code, error.message);
                    self.city.trouble(&self.name, what);
                } else if hoped {
                    self.city.tell(News::TooLate { profile: self.profile });
                }
            }
        }
    }

    async fn set_out(&mut self, job: Job) {
        self.doing = Doing::Driving { job: job.clone() };
        if let Some(job) = self.step(&job, "en-route", json!({})).await {
            self.doing = Doing::Driving { job };
        }
    }

    /// How the job stands by the socket: what others did to it, or where the mechanic left off.
    fn see_job(&mut self, frame: Frame) {
        let Ok(job) = serde_json::from_value::<Job>(frame.data) else {
            return self.city.trouble(&self.name, "a job that is not as documented");
        };
        let current = self.current_job();
        let is_mine = self.is_mine(&job);
        if current == Some(job.id) && !is_mine {
            self.doing = Doing::Waiting;
        } else if current.is_none() && is_mine && matches!(self.doing, Doing::Waiting) {
            self.doing = self.resumed(job);
        }
    }

    /// A job of which this mechanic did not know, e.g. because the answer to an acceptance was lost.
    fn resumed(&self, job: Job) -> Doing {
        let now = self.city.now();
        match job.status {
            Status::Arrived => Doing::Greeting { job, until: now + CODE_WAIT },
            Status::InProgress => Doing::Working { job, done_at: now },
            _ => Doing::Driving { job },
        }
    }

    async fn arrive(&mut self, job: Job) {
        // The last position is sent by HTTP, so that it is known to be stored before the arrival is judged by it.
        let points = self.phone.report();
        if let Err(fault) = self.person.post::<Value>("/mechanics/me/location", points).await {
            self.pause_until = self.city.now() + TRY_AGAIN;
            return self.city.trouble(&self.name, fault);
        }
        if job.status == Status::Accepted {
            // Without an answer when setting out; a second time is refused and does no harm.
            let path = format!("/jobs/{}/en-route", job.id);
            self.person.post::<Job>(&path, json!({})).await.ok();
        }
        match self.person.post::<Job>(&format!("/jobs/{}/arrive", job.id), json!({})).await {
            Ok(job) => self.doing = Doing::Greeting { job, until: self.city.now() + CODE_WAIT },
            Err(fault) if fault.code() == Some("TOO_FAR_FROM_PICKUP") => self.insist(job, fault).await,
            Err(fault) => self.stumble(&job, fault).await,
        }
    }

    /// The service has its doubts about the position, e.g. after a jump of the phone's; the mechanic's word counts.
    async fn insist(&mut self, job: Job, why: Fault) {
        tracing::debug!(%why, "a mechanic of the demo insists on having arrived");
        if let Some(job) =
            self.step(&job, "arrive", json!({ "override_reason": "I stand beside the vehicle" })).await
        {
            self.doing = Doing::Greeting { job, until: self.city.now() + CODE_WAIT };
        }
    }

    async fn greet(&mut self, job: Job, until: DateTime<Utc>) {
        let Some(code) = self.city.hear_code(job.id) else {
            if self.city.now() >= until {
                self.city.trouble(&self.name, "no customer told the start code");
                self.step(&job, "release", json!({ "reason_code": "other" })).await;
                self.doing = Doing::Waiting;
            }
            return;
        };
        if let Some(job) = self.step(&job, "start", json!({ "start_code": code })).await {
            let repair = TimeDelta::from_std(self.dice.seconds(self.city.scenario.work.repair_s));
            if self.dice.chance(self.city.scenario.money.item_share) {
                self.propose(&job).await;
            }
            self.doing = Doing::Working { job, done_at: self.city.now() + repair.unwrap_or_default() };
        }
    }

    /// Something that the work needs and the price does not hold yet.
    async fn propose(&self, job: &Job) {
        let Some((kind, description, unit_price)) = self.dice.pick(&EXTRAS) else { return };
        let body =
            json!({ "type": kind, "description": description, "quantity": 1, "unit_price": unit_price });
        let (path, key) = (format!("/jobs/{}/line-items", job.id), format!("demo-item-{}", job.id));
        if let Err(fault) = self.person.post_once::<LineItem>(&path, body, &key).await {
            self.city.trouble(&self.name, fault);
        }
    }

    async fn complete(&mut self, job: Job) {
        let path = format!("/jobs/{}/complete", job.id);
        match self.person.post::<Job>(&path, json!({ "outcome": "fixed" })).await {
            Ok(_) => self.doing = Doing::Waiting,
            // The customer is still thinking about an item.
            Err(fault) if fault.code() == Some("PENDING_APPROVAL") => {
                self.pause_until = self.city.now() + TRY_AGAIN;
            }
            Err(fault) => self.stumble(&job, fault).await,
        }
    }

    /// Says of the notes that customers handed over that they were.
    async fn count_cash(&self) {
        for job in self.city.take_cash(self.profile) {
            // Asked for by the mechanic, too, the order that is open is answered.
            let counted = async {
                let bill = purse::order_for_job(&self.person, job, true).await?;
                purse::confirm_cash(&self.person, bill.payment_id).await
            };
            if let Err(fault) = counted.await {
                self.city.trouble(&self.name, fault);
            }
        }
    }

    /// Has the money sent, once there is enough of it.
    async fn bank(&mut self) {
        self.look_later();
        let least_paise = (self.city.scenario.money.withdraw_from * 100.0).round() as i64;
        let banked = async {
            if !self.has_account {
                purse::add_account(&self.person, &self.name, &self.dice).await?;
            }
            purse::withdraw(&self.person, least_paise, &self.dice).await
        };
        match banked.await {
            Ok(withdrawn) => {
                self.has_account = true;
                if let Some(paise) = withdrawn {
                    self.city.tell(News::Withdrew { profile: self.profile, paise });
                }
            }
            Err(fault) => self.city.trouble(&self.name, fault),
        }
    }

    fn look_later(&mut self) {
        let pause = TimeDelta::from_std(self.dice.seconds(self.city.scenario.money.wallet_every_s));
        self.bank_at = self.city.now() + pause.unwrap_or(TRY_AGAIN);
    }

    /// Does a step of the job.
    async fn step(&mut self, job: &Job, verb: &str, body: Value) -> Option<Job> {
        match self.person.post::<Job>(&format!("/jobs/{}/{verb}", job.id), body).await {
            Ok(job) => Some(job),
            Err(fault) => {
                self.stumble(job, fault).await;
                None
            }
        }
    }

    /// A step was refused: most often because the customer has just cancelled. Looks how the job stands.
    async fn stumble(&mut self, job: &Job, fault: Fault) {
        self.pause_until = self.city.now() + TRY_AGAIN;
        let is_a_move = matches!(fault.code(), Some("INVALID_TRANSITION" | "NOT_FOUND"));
        if !is_a_move {
            self.city.trouble(&self.name, fault);
        }
        self.look_at(job.id).await;
    }

    /// Goes on from where the job stands; off it when it is not this mechanic's any more.
    async fn look_at(&mut self, job: Uuid) {
        self.doing = match self.person.get::<Job>(&format!("/jobs/{job}")).await {
            Ok(job) if self.is_mine(&job) => self.resumed(job),
            Ok(_) => Doing::Waiting,
            Err(fault) if fault.code() == Some("NOT_FOUND") => Doing::Waiting,
            Err(fault) => return self.city.trouble(&self.name, fault),
        };
    }

    fn is_mine(&self, job: &Job) -> bool {
        job.mechanic_profile_id == Some(self.profile) && job.status.is_served()
    }

    fn current_job(&self) -> Option<Uuid> {
        match &self.doing {
            Doing::Driving { job } | Doing::Greeting { job, .. } | Doing::Working { job, .. } => Some(job.id),
            Doing::Waiting | Doing::Thinking { .. } | Doing::Hoping { .. } => None,
        }
    }
}

/// Refusals of an offer's answer that belong to the game.
fn is_a_lost_race(code: &str) -> bool {
    matches!(code, "OFFER_TAKEN" | "OFFER_EXPIRED" | "INVALID_TRANSITION" | "CONFLICT" | "NOT_FOUND")
}

fn pickup(job: &Job) -> Point {
    Point::new(job.pickup_lat, job.pickup_lng)
}
